"""Everything has a documented value or a documented error: never NaN, infinity or silence."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings

import holdfast as hf
from holdfast.exceptions import InputError, UndefinedStabilityWarning
from holdfast.stability import ALIASES, MEASURES, measure
from tests.stability.degenerate import DEGENERATE, value_or_error
from tests.stability.judges import value
from tests.stability.strategies import subsets_and_similarities
from tests.stability.systems import System, system

OF_SUBSETS = [
    key for key, one in MEASURES.items() if not one.needs & {"weights", "weights or ranks"}
]
BEST = {"krizek": 0.0}
# What they measure is not agreement.
CONTEXT = {"cw_min", "cw_max"}
# The best value of Lustgarten's depends on the size: toy example 1 of the 2016 paper.
NOT_BEST_AT_ONE = {*CONTEXT, "lustgarten"}


def bound(text, n_runs, n_features, unbounded):
    known = {
        "unbounded": unbounded,
        "1-D": 1 - n_features,
        "-1/(n-1)": -1 / (n_runs - 1),
        "log2 n": math.log2(n_runs),
    }
    return known[text] if text in known else float(text)


@pytest.mark.parametrize("key", OF_SUBSETS)
@settings(max_examples=60)
@given(drawn=subsets_and_similarities(most_features=5))
def test_always_a_finite_number_in_range_or_a_refusal(key, drawn):
    d, chosen, matrix = drawn
    similar = tuple(
        (x, y, float(matrix[x, y])) for x in range(d) for y in range(x + 1, d) if matrix[x, y]
    )
    one = System(d, tuple(tuple(sorted(s)) for s in chosen), similar)
    try:
        found = value(MEASURES[key], one)
    except InputError:
        assert MEASURES[key].needs & {"equal sizes"}
        return
    assert math.isfinite(found)
    low = bound(MEASURES[key].low, len(chosen), d, -math.inf)
    high = bound(MEASURES[key].high, len(chosen), d, math.inf)
    assert low - 1e-9 <= found <= high + 1e-9


@pytest.mark.parametrize("key", [key for key in OF_SUBSETS if key not in NOT_BEST_AT_ONE])
@pytest.mark.parametrize("n_features", [2, 3, 7])
@pytest.mark.parametrize("n_runs", [2, 5])
def test_identical_runs_are_the_most_stable(key, n_features, n_runs):
    for size in range(1, n_features):
        one = system(n_features, *[range(size)] * n_runs)
        assert value(MEASURES[key], one) == pytest.approx(BEST.get(key, 1.0), abs=1e-12)


@pytest.mark.parametrize("key", OF_SUBSETS)
def test_all_empty_or_all_full(key):
    for one in (system(4, (), (), ()), system(4, *[range(4)] * 3), system(1, {0}, {0})):
        found = value(MEASURES[key], one)
        if MEASURES[key].corrected_for_chance:
            assert found == 0
        elif key in BEST:
            assert found == BEST[key]
        elif key not in CONTEXT:
            assert found == 1


@pytest.mark.parametrize("key", OF_SUBSETS)
def test_the_convention_is_announced(key):
    full = hf.Selections.from_subsets([range(4)] * 3, n_features=4)
    options = {"similarity": np.eye(4)} if "similarity" in MEASURES[key].needs else {}
    if MEASURES[key].corrected_for_chance:
        with pytest.warns(UndefinedStabilityWarning, match="every feature"):
            hf.stability.score(full, key, **options)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            hf.stability.score(full, key, **options)


@pytest.mark.parametrize("key", MEASURES)
def test_one_run_is_an_error(key):
    one = hf.Selections.from_weights([[1.0, 2.0, 0.0]], top=1)
    with pytest.raises(InputError, match=r"at least 2 runs.*Got 1 run"):
        hf.stability.score(one, key)


def test_not_a_selections_is_an_error():
    with pytest.raises(InputError, match=r"Selections\. Got a list.*from_subsets"):
        hf.stability.score([[0], [1]], "jaccard")


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("key", OF_SUBSETS)
def test_the_documented_table_of_degenerate_systems(key, name):
    found = value_or_error(MEASURES[key], DEGENERATE[name])
    assert found is None or math.isfinite(found)
    if found is None:
        assert "equal sizes" in MEASURES[key].needs


@pytest.mark.parametrize("key", MEASURES)
def test_unknown_options_are_refused(key):
    runs = hf.Selections.from_subsets([[0], [1]], n_features=3)
    with pytest.raises(InputError, match="'treshold'"):
        measure(key)(runs, treshold=0.5)


WRONG = [
    ("jaccard", {"chance": "estimate"}, "'chance'"),
    ("davis", {"chance": True}, "'chance'"),
    ("davis", {"penalty": -1}, "'penalty'"),
    ("davis", {"penalty": math.nan}, "'penalty'"),
    ("davis", {"penalty": math.inf}, "'penalty'"),
    ("davis", {"penalty": "1"}, "'penalty'"),
    ("npog", {"pairs": "some"}, "'pairs'"),
    ("npogr", {"pairs": None}, "'pairs'"),
    ("npogr", {"chance": "none"}, "'chance'"),
    ("zucknick", {"threshold": 1.5}, "'threshold'"),
    ("zucknick", {"threshold": -0.1}, "'threshold'"),
    ("zucknick", {"threshold": math.nan}, "'threshold'"),
    ("sechidis", {"threshold": None}, "'threshold'"),
    ("intersection_mbm", {"n_draws": 0}, "'n_draws'"),
    ("intersection_mbm", {"n_draws": 1.5}, "'n_draws'"),
    ("intersection_mbm", {"random_state": None}, "'random_state'"),
    ("intersection_mbm", {"chance": "maybe"}, "'chance'"),
]


@pytest.mark.parametrize(("key", "options", "told"), WRONG)
def test_wrong_options_are_refused(key, options, told):
    runs = hf.Selections.from_subsets([[0], [1]], n_features=3)
    if "similarity" in MEASURES[key].needs:
        options = {"similarity": np.eye(3), **options}
    with pytest.raises(InputError, match=told):
        hf.stability.score(runs, key, **options)


def test_listing_all_subsets_has_a_limit():
    runs = hf.Selections.from_subsets([range(10), range(5, 15)], n_features=40)
    with pytest.raises(InputError, match=r"would list \d+ pairs.*chance='estimate'"):
        hf.stability.score(runs, "intersection_mbm", similarity=np.eye(40), chance="exact")


def test_unknown_measures_are_refused_with_a_hint():
    runs = hf.Selections.from_subsets([[0], [1]], n_features=3)
    with pytest.raises(InputError, match=r"no stability measure 'jacard'.*'jaccard'"):
        hf.stability.score(runs, "jacard")


@pytest.mark.parametrize("alias", ALIASES)
def test_aliases(alias):
    assert measure(alias) is MEASURES[ALIASES[alias]]
