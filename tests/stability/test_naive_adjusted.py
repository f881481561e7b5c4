"""Every similarity-adjusted measure agrees with its slow twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.stability import measure
from tests.naive import correlated as naive
from tests.naive import subsets as plain
from tests.stability.strategies import runs_of, subsets_and_similarities

MEASURES = {
    "yu2012": (naive.yu2012_score, naive.mean_of_sizes),
    "zucknick": (naive.zucknick_score, naive.one),
    "intersection_count": (naive.count_score, naive.root_of_sizes),
    "intersection_greedy": (naive.greedy_score, naive.root_of_sizes),
    "intersection_mbm": (naive.mbm_score, naive.root_of_sizes),
    "intersection_mean": (naive.mean_score, naive.root_of_sizes),
}
close = pytest.approx


def corrected_pair(score, highest, sim):
    def value(a, b, d):
        by_chance = naive.expected(score, len(a), len(b), sim, 0.9)
        return naive.corrected(score(a, b, sim, 0.9), by_chance, highest(len(a), len(b)))

    return value


@pytest.mark.parametrize("key", MEASURES)
@given(system=subsets_and_similarities(), threshold=st.sampled_from([0, 0.25, 0.9, 0.93, 1]))
def test_uncorrected(key, system, threshold):
    d, chosen, sim = system
    score, _ = MEASURES[key]
    theirs = plain.mean_over_pairs(chosen, d, lambda a, b, d: score(a, b, sim, threshold))
    ours = measure(key)(runs_of(d, chosen), similarity=sim, threshold=threshold, chance="none")
    assert ours == close(theirs, abs=1e-12)


@pytest.mark.parametrize("key", MEASURES)
@settings(max_examples=25)
@given(system=subsets_and_similarities(most_features=4, most_runs=4))
def test_exact_chance(key, system):
    d, chosen, sim = system
    theirs = plain.mean_over_pairs(chosen, d, corrected_pair(*MEASURES[key], sim))
    ours = measure(key)(runs_of(d, chosen), similarity=sim, chance="exact")
    assert ours == close(theirs, abs=1e-10)


@pytest.mark.parametrize("key", MEASURES)
def test_drawn_chance_comes_near_the_exact_one(key):
    rng = np.random.default_rng(0)
    chosen = [frozenset(rng.permutation(6)[:k].tolist()) for k in (2, 3, 3, 4)]
    sim = np.eye(6)
    sim[0, 1] = sim[1, 0] = sim[2, 3] = sim[3, 2] = 0.95
    runs = runs_of(6, chosen)
    exact = measure(key)(runs, similarity=sim, chance="exact")
    drawn = [
        measure(key)(runs, similarity=sim, chance="estimate", n_draws=4000, random_state=seed)
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn == close([exact] * 3, abs=0.05)


@settings(max_examples=25)
@given(system=subsets_and_similarities(most_features=4, most_runs=4))
def test_npogr(system):
    d, chosen, sim = system
    pair = corrected_pair(naive.pogr_score, lambda ka, kb: ka, sim)
    runs = runs_of(d, chosen)
    disjoint = plain.mean_over_disjoint_pairs(chosen, d, pair)
    everyone = plain.mean_over_ordered_pairs(chosen, d, pair)
    assert measure("npogr")(runs, similarity=sim) == close(disjoint, abs=1e-10)
    assert measure("npogr")(runs, similarity=sim, pairs="all") == close(everyone, abs=1e-10)


def test_npogr_drawn_chance_as_published():
    chosen = [frozenset(s) for s in ({0, 1}, {1, 2, 3}, {4}, {0, 5})]
    sim = np.eye(6)
    sim[0, 2] = sim[2, 0] = sim[4, 5] = sim[5, 4] = 0.97
    runs = runs_of(6, chosen)
    drawn = measure("npogr")(runs, similarity=sim, chance="estimate", n_draws=20000)
    assert drawn == close(measure("npogr")(runs, similarity=sim), abs=0.05)


@given(system=subsets_and_similarities(most_features=5))
def test_yu(system):
    d, chosen, sim = system
    theirs = plain.mean_over_pairs(chosen, d, lambda a, b, d: naive.yu_score(a, b, sim))
    assert measure("yu")(runs_of(d, chosen), similarity=sim) == close(theirs, abs=1e-12)


@pytest.mark.parametrize("twin", [naive.sechidis, naive.sechidis_of_matrices])
@given(system=subsets_and_similarities(), threshold=st.sampled_from([0, 0.25, 0.9, 1]))
def test_sechidis(twin, system, threshold):
    d, chosen, sim = system
    theirs = twin(chosen, d, sim, threshold)
    ours = measure("sechidis")(runs_of(d, chosen), similarity=sim, threshold=threshold)
    assert ours == close(theirs, abs=1e-8)


PLAIN_WHERE_NOTHING_IS_SIMILAR = {
    "intersection_count": "unadjusted",
    "intersection_greedy": "unadjusted",
    "intersection_mbm": "unadjusted",
    "intersection_mean": "unadjusted",
    "npogr": "npog",
    "sechidis": "nogueira2018",
    "yu": "dice",
    "yu2012": "kappa",
    "zucknick": "jaccard",
}


@pytest.mark.parametrize("key", PLAIN_WHERE_NOTHING_IS_SIMILAR)
@settings(max_examples=25)
@given(system=subsets_and_similarities(most_features=5))
def test_without_similar_features_it_is_a_plain_measure(key, system):
    d, chosen, _ = system
    runs = runs_of(d, chosen)
    options = {"chance": "exact"} if key.startswith("intersection") else {}
    ours = measure(key)(runs, similarity=np.eye(d), **options)
    assert ours == close(measure(PLAIN_WHERE_NOTHING_IS_SIMILAR[key])(runs), abs=1e-9)
