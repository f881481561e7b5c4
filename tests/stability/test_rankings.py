"""Stability of weights and of rankings."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import holdfast as hf
from holdfast.exceptions import (
    InputError,
    UndefinedInferenceError,
    UndefinedStabilityWarning,
)
from tests.naive import rankings as naive

TABLES = st.integers(2, 6).flatmap(
    lambda d: st.lists(st.lists(st.integers(-3, 3), min_size=d, max_size=d), min_size=2, max_size=6)
)


def varying(rows):
    return sum(len(set(row)) > 1 for row in rows)


@given(rows=TABLES)
@pytest.mark.filterwarnings("ignore::holdfast.exceptions.UndefinedStabilityWarning")
def test_pearson_of_weights(rows):
    assume(varying(rows) >= 2)
    runs = hf.Selections.from_weights(rows, top=1)
    assert hf.stability.score(runs, "pearson") == pytest.approx(
        naive.mean_correlation(rows), abs=1e-12
    )


@given(rows=TABLES)
@pytest.mark.filterwarnings("ignore::holdfast.exceptions.UndefinedStabilityWarning")
def test_spearman_of_rankings(rows):
    assume(varying(rows) >= 2)
    runs = hf.Selections.from_rankings(rows, top=1)
    assert hf.stability.score(runs, "spearman") == pytest.approx(
        naive.mean_rank_correlation(rows), abs=1e-12
    )


@given(rows=TABLES)
@pytest.mark.filterwarnings("ignore::holdfast.exceptions.UndefinedStabilityWarning")
def test_spearman_of_weights_ranks_what_the_runs_rank(rows):
    sizes = [[abs(x) for x in row] for row in rows]
    assume(varying(sizes) >= 2)
    by_size = hf.Selections.from_weights(rows, top=1)
    by_value = hf.Selections.from_weights(rows, top=1, importance="value")
    assert hf.stability.score(by_size, "spearman") == pytest.approx(
        naive.mean_rank_correlation(sizes), abs=1e-12
    )
    assert hf.stability.score(by_value, "spearman") == pytest.approx(
        naive.mean_rank_correlation(rows), abs=1e-12
    )


def test_ties_get_mid_ranks():
    runs = hf.Selections.from_rankings([[1, 2, 2, 4], [1, 2, 3, 4]], top=2)
    expected = naive.correlation([1, 2.5, 2.5, 4], [1, 2, 3, 4])
    assert hf.stability.score(runs, "spearman") == pytest.approx(expected, abs=1e-15)


def test_constant_runs_are_left_out_and_counted():
    rows = [[1, 2, 3], [5, 5, 5], [1, 3, 2]]
    runs = hf.Selections.from_weights(rows, top=1)
    with pytest.warns(UndefinedStabilityWarning, match="1 of 3 runs are constant; the 2 pairs"):
        value = hf.stability.score(runs, "pearson")
    assert value == pytest.approx(0.5)


@pytest.mark.parametrize("key", ["pearson", "spearman"])
def test_too_few_varying_runs_are_an_error(key):
    runs = hf.Selections.from_weights([[1, 2], [3, 3]], top=1)
    with pytest.raises(UndefinedInferenceError, match=r"whose values vary.* Got 1"):
        hf.stability.score(runs, key)


def test_the_table_leaves_out_what_has_no_correlation_and_says_so():
    runs = hf.Selections.from_weights([[1, 2], [3, 3]], top=1)
    with pytest.warns(UndefinedStabilityWarning) as told:
        table = hf.stability.table(runs)
    assert [str(one.message).partition("' ")[0] for one in told] == [
        "Left out: The measure 'pearson",
        "Left out: The measure 'spearman",
    ]
    assert not {"pearson", "spearman"} & set(table["measure"])
    assert "jaccard" in table["measure"]
    with pytest.raises(UndefinedInferenceError):
        hf.stability.table(runs, ["pearson"])


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1, 1e20, 1e300])
def test_scale_does_not_matter(scale):
    rows = np.array([[1.0, 2, 4, 0], [1, 3, 2, 0], [0, 5, 4, 1]])
    plain = hf.Selections.from_weights(rows, top=1)
    scaled = hf.Selections.from_weights(rows * scale, top=1)
    for key in ("pearson", "spearman"):
        assert hf.stability.score(scaled, key) == pytest.approx(
            hf.stability.score(plain, key), abs=1e-12
        )


def test_all_weights_counting_is_no_reason_to_warn():
    runs = hf.Selections.from_weights([[1, 2, 3], [1, 3, 2]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hf.stability.score(runs, "pearson") == pytest.approx(0.5)


def test_they_need_what_they_rank():
    subsets = hf.Selections.from_subsets([[0], [1]], n_features=3)
    ranks = hf.Selections.from_rankings([[1, 2], [2, 1]], top=1)
    with pytest.raises(InputError, match="from_weights"):
        hf.stability.score(subsets, "pearson")
    with pytest.raises(InputError, match="made from ranks"):
        hf.stability.score(ranks, "pearson")
    with pytest.raises(InputError, match="from_rankings"):
        hf.stability.score(subsets, "spearman")
    assert hf.stability.score(ranks, "spearman") == pytest.approx(-1)
