"""Every measure of plain subsets agrees with its slow twin."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdfast.exceptions import InputError
from holdfast.stability import measure
from tests.naive import chance
from tests.naive import subsets as naive
from tests.stability.strategies import runs_of, subsets

OF_PAIRS = (
    "jaccard",
    "hamming",
    "dice",
    "ochiai",
    "lustgarten",
    "wald",
    "nogueira2016",
    "phi",
    "kappa",
    "unadjusted",
)
OF_SYSTEMS = {
    "c": naive.consistency,
    "cw": naive.weighted_consistency,
    "cw_rel": naive.relative_weighted_consistency,
    "davis": naive.davis,
    "novovicova": naive.novovicova,
    "nogueira2018": naive.nogueira2018,
}
OF_ONE_SIZE = {
    "krizek": naive.krizek,
    "krizek_normalised": naive.krizek_normalised,
}
close = pytest.approx


@pytest.mark.parametrize("key", OF_PAIRS)
@given(system=subsets())
def test_mean_over_pairs(key, system):
    d, chosen = system
    theirs = naive.mean_over_pairs(chosen, d, getattr(naive, key))
    assert measure(key)(runs_of(d, chosen)) == close(theirs, abs=1e-12)


@pytest.mark.parametrize("key", OF_SYSTEMS)
@given(system=subsets())
def test_of_the_whole_system(key, system):
    d, chosen = system
    theirs = OF_SYSTEMS[key](chosen, d)
    assert measure(key)(runs_of(d, chosen)) == close(theirs, abs=1e-12)


@given(system=subsets())
def test_bounds_of_weighted_consistency(system):
    d, chosen = system
    n, total = len(chosen), sum(map(len, chosen))
    runs = runs_of(d, chosen)
    low, high = measure("cw_min")(runs), measure("cw_max")(runs)
    assert low == close(naive.weighted_consistency_of_most_even(total, n, d), abs=1e-12)
    assert high == close(naive.weighted_consistency_of_most_uneven(total, n), abs=1e-12)
    assert low - 1e-12 <= measure("cw")(runs) <= high + 1e-12


@pytest.mark.parametrize("key", OF_ONE_SIZE)
@given(system=subsets(one_size=True))
def test_of_one_size(key, system):
    d, chosen = system
    theirs = OF_ONE_SIZE[key](chosen, d)
    assert measure(key)(runs_of(d, chosen)) == close(theirs, abs=1e-12)


@given(system=subsets(one_size=True))
def test_kuncheva(system):
    d, chosen = system
    theirs = naive.mean_over_pairs(chosen, d, naive.kuncheva)
    assert measure("kuncheva")(runs_of(d, chosen)) == close(theirs, abs=1e-12)


@pytest.mark.parametrize("key", ["kuncheva", *OF_ONE_SIZE])
@given(system=subsets())
def test_unequal_sizes_are_refused_by_name(key, system):
    d, chosen = system
    sizes = sorted(set(map(len, chosen)))
    assume(len(sizes) > 1)
    with pytest.raises(InputError, match=rf"one size only.*{sizes[0]} \(\d+ runs?\), {sizes[1]}"):
        measure(key)(runs_of(d, chosen))


@given(system=subsets())
def test_npog(system):
    d, chosen = system
    runs = runs_of(d, chosen)
    disjoint = naive.mean_over_disjoint_pairs(chosen, d, naive.npog)
    everyone = naive.mean_over_ordered_pairs(chosen, d, naive.npog)
    assert measure("npog")(runs) == close(disjoint, abs=1e-12)
    assert measure("npog")(runs, pairs="all") == close(everyone, abs=1e-12)


@given(system=subsets(), penalty=st.sampled_from([0, 0.5, 1, 10, 1e6]))
def test_davis_with_a_penalty(system, penalty):
    d, chosen = system
    theirs = naive.davis(chosen, d, penalty)
    assert measure("davis")(runs_of(d, chosen), penalty=penalty) == close(theirs, abs=1e-12)


@pytest.mark.parametrize("key", ["jaccard", "hamming", "dice", "ochiai"])
@given(system=subsets(most_features=5, most_runs=4))
def test_exact_chance_of_pairs(key, system):
    d, chosen = system
    theirs = chance.mean_of_corrected_pairs(chosen, d, getattr(naive, key))
    assert measure(key)(runs_of(d, chosen), chance="exact") == close(theirs, abs=1e-10)


@pytest.mark.parametrize("key", ["davis", "novovicova"])
@given(system=subsets(most_features=4, most_runs=3))
def test_exact_chance_of_systems(key, system):
    d, chosen = system
    by_chance = chance.mean_over_all_choices([len(s) for s in chosen], d, OF_SYSTEMS[key])
    room = 1 - by_chance
    value = OF_SYSTEMS[key](chosen, d)
    theirs = (value - by_chance) / room if abs(room) > 1e-12 else 0.0
    if any(chosen):
        assert measure(key)(runs_of(d, chosen), chance="exact") == close(theirs, abs=1e-10)
    else:
        assert measure(key)(runs_of(d, chosen), chance="exact") == 1


@given(system=subsets(most_features=4, most_runs=3), penalty=st.sampled_from([0.5, 2, 9]))
def test_exact_chance_of_davis_with_a_penalty(system, penalty):
    d, chosen = system
    assume(any(chosen))

    def davis(subsets, d):
        return naive.davis(subsets, d, penalty)

    highest = max(
        davis([frozenset(s) for s in systems], d) for systems in chance.every_system(len(chosen), d)
    )
    by_chance = chance.mean_over_all_choices([len(s) for s in chosen], d, davis)
    room = highest - by_chance
    theirs = (davis(chosen, d) - by_chance) / room if abs(room) > 1e-12 else 0.0
    ours = measure("davis")(runs_of(d, chosen), penalty=penalty, chance="exact")
    assert ours == close(theirs, abs=1e-10)
