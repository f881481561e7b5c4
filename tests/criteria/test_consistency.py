"""Consistency and mutual information as criteria: against the definitions, from every side."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine

from holdfast.consistency import MEASURES
from holdfast.contracts import Problem
from holdfast.criteria.consistency import Consistency, MutualInformation
from holdfast.criteria.groups import Discrete, GroupScorer
from holdfast.exceptions import InputError
from holdfast.selectors import ExhaustiveSelector, OscillatingSelector, SequentialSelector
from holdfast.statistics.inconsistency import OF_COUNTS
from tests.consistency.problems import in_form, problems, random_problem
from tests.criteria.moves import assert_moves_agree, random_subsets
from tests.naive import consistency as naive

FORMS = ["dense", "csr"]


def scorer_of(criterion, X, y, **more):
    return criterion.prepare(Problem(X, y, X.shape[1], **more)).scorer


@pytest.mark.parametrize("key", MEASURES)
@settings(max_examples=15, deadline=None)
@given(problem=problems(most_features=6), seed=st.integers(0, 99), form=st.sampled_from(FORMS))
def test_values_are_minus_those_of_the_definitions(key, problem, seed, form):
    X, y = problem
    scorer = scorer_of(Consistency(key), in_form(X, form), y)
    for subset in random_subsets(X.shape[1], 3, seed):
        expected = -naive.value(key, X, y, subset)
        np.testing.assert_allclose(scorer.score(subset), [expected], rtol=1e-12, atol=1e-12)
        assert_moves_agree(scorer, subset, X.shape[1])


@settings(max_examples=30, deadline=None)
@given(problem=problems(), seed=st.integers(0, 99), form=st.sampled_from(FORMS))
def test_information_is_that_of_the_definition(problem, seed, form):
    X, y = problem
    scorer = scorer_of(MutualInformation(), in_form(X, form), y)
    for subset in random_subsets(X.shape[1], 3, seed):
        expected = naive.value("mutual information", X, y, subset)
        np.testing.assert_allclose(scorer.score(subset), [expected], rtol=1e-12, atol=1e-12)
        assert_moves_agree(scorer, subset, X.shape[1])


@settings(max_examples=40, deadline=None)
@given(problem=problems(), seed=st.integers(0, 99), form=st.sampled_from(FORMS))
def test_collisions_of_hashes_change_nothing(problem, seed, form):
    X, y = problem
    data = Discrete(Problem(in_form(X, form), y, X.shape[1]), None, "test")
    for key in ("icr", "csu", "npf"):
        narrow = GroupScorer(data, OF_COUNTS[key], 1, bits=1)
        for subset in random_subsets(X.shape[1], 2, seed):
            assert_moves_agree(narrow, subset, X.shape[1])


@pytest.mark.parametrize("key", ["icr", "rs", "ce", "nnkol", "bin"])
def test_weights_are_repetitions(key):
    rng = np.random.default_rng(0)
    X, y = random_problem(rng, 40, 5)
    weights = rng.integers(0, 4, 40)
    weights[:2] = 1
    weighted = scorer_of(Consistency(key), X, y, sample_weight=weights)
    repeated = scorer_of(Consistency(key), X.repeat(weights, axis=0), y.repeat(weights))
    for subset in random_subsets(5, 8):
        np.testing.assert_allclose(weighted.score(subset), repeated.score(subset), atol=1e-12)
        assert_moves_agree(weighted, subset, 5)


def test_threads_and_the_order_of_columns_do_not_matter():
    X, y = random_problem(np.random.default_rng(0), 300, 12, 3, 3)
    order = np.random.default_rng(1).permutation(12)
    position = np.argsort(order)
    for criterion in (Consistency("ce"), MutualInformation()):
        here = scorer_of(criterion, X, y)
        there = scorer_of(criterion, X[:, order], y, n_jobs=3)
        base, rest = np.array([1, 4, 6]), np.array([0, 2, 3, 5, 7, 8, 9, 10, 11])[:, None]
        same = np.sort(position[base])
        np.testing.assert_array_equal(
            here.additions(base, rest), there.additions(same, position[rest])
        )
        np.testing.assert_array_equal(
            here.removals(base, base[:, None]), there.removals(same, position[base][:, None])
        )


@pytest.mark.parametrize("criterion", [Consistency("icp"), MutualInformation()])
def test_every_search_takes_them(criterion):
    X, y = random_problem(np.random.default_rng(5), 120, 7, 3, 2)
    best = ExhaustiveSelector(criterion, n_features_to_select=3).fit(X, y)
    for search in (
        SequentialSelector(criterion, n_features_to_select=3),
        SequentialSelector(criterion, direction="backward", floating=True, n_features_to_select=3),
        OscillatingSelector(criterion, n_features_to_select=3, swing=2, random_state=0),
    ):
        assert search.fit(X, y).score_ <= best.score_ + 1e-15


def test_text_needs_no_encoding():
    X = np.array([["a", "u"], ["a", "v"], ["b", "u"], ["b", "v"]] * 3, dtype=object)
    search = SequentialSelector(MutualInformation(), n_features_to_select=1)
    assert search.fit(X, X[:, 1]).get_support().tolist() == [False, True]


def test_continuous_data_need_a_discretiser():
    X, y = load_wine(return_X_y=True)
    search = SequentialSelector(Consistency(), n_features_to_select=2)
    with pytest.raises(InputError, match=r"(?s)14\.23 in column 0.*EqualWidth"):
        search.fit(X, y)
    search.set_params(criterion=Consistency(discretiser="equal_width"))
    assert search.fit(X, y).score_ > -0.1
    distance = Consistency("interclass", discretiser="equal_width")
    assert -1 < scorer_of(distance, X, y).score(np.arange(3))[0] < 0


def test_options_reach_the_measure():
    X, y = random_problem(np.random.default_rng(2), 50, 4)
    scorer = scorer_of(Consistency("nch", options={"s": 0.2}), X, y)
    expected = -naive.value("nch", X, y, [0, 1], s=0.2)
    np.testing.assert_allclose(scorer.score(np.array([0, 1])), [expected], rtol=1e-12)


@pytest.mark.parametrize(
    ("criterion", "more", "message"),
    [
        (Consistency("ice"), {}, "'measure' .* one of: icr"),
        (Consistency("icr", options={"s": 0.5}), {}, "'s' .* none"),
        (Consistency("nch", options={"s": 2}), {}, "'s' .* between 0 and 1"),
        (Consistency("interclass"), {"sample_weight": np.ones(4)}, "None for 'interclass'"),
        (Consistency(), {"sample_weight": np.array([1, 1, 0, 0])}, "at least 2 classes"),
        (Consistency(), {"max_bytes": 10}, "'max_bytes' .* at least"),
        (MutualInformation(discretiser="widths"), {}, "'discretiser'"),
    ],
)
def test_bad_input_is_refused(criterion, more, message):
    X, y = np.array([[0], [1], [0], [1]]), np.array([0, 0, 1, 1])
    with pytest.raises(InputError, match=message):
        scorer_of(criterion, X, y, **more)
