"""Counted information against its slow twin, scikit-learn and scipy, and against its bounds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import chi2_contingency
from sklearn.datasets import load_digits
from sklearn.feature_selection import chi2, mutual_info_classif
from sklearn.preprocessing import OneHotEncoder

from holdfast.exceptions import InputError
from holdfast.rankers.univariate import (
    ChiSquare,
    InformationGain,
    SymmetricalUncertainty,
    chi_square,
)
from holdfast.statistics import information
from holdfast.statistics.codes import Codes, codes_of
from holdfast.statistics.information import Target, order_by_uncertainty
from tests.naive import information as naive
from tests.statistics.strategies import FORMS, discrete

RANKERS = {
    InformationGain: naive.gain,
    SymmetricalUncertainty: naive.symmetrical_uncertainty,
    ChiSquare: naive.chi_square,
}


@given(discrete(max_examples=40))
@settings(max_examples=40)
@pytest.mark.parametrize("form", FORMS)
def test_scores_are_those_of_the_slow_twin(form, case):
    table, y = case
    for ranker, twin in RANKERS.items():
        expected = [twin(column, y.tolist()) for column in naive.columns(table.tolist())]
        scores = ranker().score(FORMS[form](table), y)
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-14)


@given(discrete(max_examples=60))
@settings(max_examples=60)
def test_the_bounds_hold_without_tolerance(case):
    table, y = case
    codes = codes_of(table, "t")
    told = Target(y, 3).information(codes)
    assert (told.gain >= 0).all()
    assert (told.gain <= told.entropy).all()
    assert (told.gain <= told.target_entropy).all()
    assert (told.symmetrical_uncertainty <= 1).all()
    for f, column in enumerate(table.T):
        if np.ptp(column) == 0:
            assert told.gain[f] == told.entropy[f] == 0
        if np.array_equal(column, y):
            assert told.gain[f] == told.entropy[f] == told.target_entropy
            assert told.symmetrical_uncertainty[f] == 1


@given(discrete(max_examples=60))
@settings(max_examples=40)
def test_relabelled_features_tie_exactly_and_uncertainty_is_symmetrical(case):
    table, y = case
    codes, mirrored = codes_of(table, "t"), codes_of((table * 7 + 3) % 11, "t")
    target = Target(y, 3)
    both = target.information(codes), target.information(mirrored)
    np.testing.assert_array_equal(both[0].gain, both[1].gain)
    np.testing.assert_array_equal(both[0].entropy, both[1].entropy)
    for f in range(codes.n_features):
        turned = Target(codes.feature(f), int(codes.n_levels[f]))
        with_class = turned.information(codes_of(y[:, None], "t")).symmetrical_uncertainty[0]
        assert with_class == both[0].symmetrical_uncertainty[f]


@given(st.integers(0, 700), st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_counts_in_pairs_are_those_of_the_slow_twin(n_examples, n_classes, seed):
    """Features of few and of many levels together, and odd numbers of examples."""
    rng = np.random.default_rng(seed)
    n_levels = rng.choice([1, 2, 3, 5, 9, 40], 6)
    table = rng.integers(0, n_levels, (n_examples, n_levels.size))
    y = rng.integers(0, n_classes, n_examples)
    codes = Codes(n_examples, n_levels.astype(np.int32), table.T.astype(np.uint8))
    asked = rng.permutation(n_levels.size)[:4]
    counts, starts = Target(y, n_classes).table(codes, asked)
    for k, f in enumerate(asked):
        found = counts[starts[k] : starts[k + 1]].reshape(n_levels[f], n_classes)
        expected = Counter(zip(table[:, f].tolist(), y.tolist(), strict=True))
        assert {(a, c): found[a, c] for a, c in np.argwhere(found).tolist()} == expected


def test_independent_features_have_exactly_no_information():
    y = np.repeat([0, 1, 1], 7 * 5)
    x = np.tile(np.repeat([0, 1, 2, 3, 4], 7), 3)
    assert InformationGain().score(x[:, None], y)[0] == 0
    assert ChiSquare().score(x[:, None], y)[0] == 0


def test_information_is_that_of_scikit_learn():
    table, y = load_digits(return_X_y=True)
    theirs = mutual_info_classif(table, y, discrete_features=True) / np.log(2)
    np.testing.assert_allclose(InformationGain().score(table, y), theirs, rtol=1e-12, atol=2e-15)
    ours = InformationGain().score(sparse.csr_matrix(table), y)
    np.testing.assert_array_equal(ours, InformationGain().score(table, y))


def test_chi_square_is_that_of_scipy():
    table, y = load_digits(return_X_y=True)
    codes = codes_of(table, "t")
    target = Target(y, 10)
    statistics, freedom = chi_square(codes, target)
    for f in range(codes.n_features):
        counts, _ = target.table(codes, np.array([f]))
        counts = counts.reshape(-1, 10)
        counts = counts[counts.any(axis=1)]
        theirs = chi2_contingency(counts, correction=False)
        np.testing.assert_allclose(statistics[f], theirs.statistic, rtol=1e-12)
        assert freedom[f] == theirs.dof


def test_chi_square_is_the_sum_of_scikit_learns_over_one_hot_columns():
    """scikit-learn tests sums of counts: one column sees only the examples that have the level."""
    table, y = load_digits(return_X_y=True)
    ours = ChiSquare().score(table, y)
    for f, column in enumerate(table.T):
        theirs, _ = chi2(OneHotEncoder().fit_transform(column[:, None]), y)
        np.testing.assert_allclose(ours[f], theirs.sum(), rtol=1e-10, atol=1e-10)
    binary = (table > 7).astype(int)
    mirrored, _ = chi2(1 - binary, y)
    theirs, _ = chi2(binary, y)
    assert not np.allclose(theirs, mirrored)
    np.testing.assert_array_equal(
        ChiSquare().score(binary, y) > 0, ChiSquare().score(1 - binary, y) > 0
    )


def test_large_counts_agree_with_small_ones_scaled(monkeypatch):
    """Counts beyond the table of logarithms are computed; all shares stay the same."""
    rng = np.random.default_rng(0)
    table, y = rng.integers(0, 4, (500, 3)), rng.integers(0, 2, 500)
    few = Target(y, 2).information(codes_of(table, "t"))
    monkeypatch.setattr(information, "LOOKED_UP", 16)
    computed = Target(y, 2).information(codes_of(table, "t"))
    np.testing.assert_array_equal(few.gain, computed.gain)
    many = Target(np.repeat(y, 400), 2).information(codes_of(np.repeat(table, 400, axis=0), "t"))
    np.testing.assert_allclose(few.gain, many.gain, rtol=1e-9, atol=1e-13)


@given(discrete(), st.integers(1, 40))
@settings(max_examples=20)
def test_counting_in_parts_changes_nothing(case, cells):
    table, y = case
    codes, target = codes_of(table, "t"), Target(y, 3)
    whole = target.information(codes).gain, chi_square(codes, target)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(information, "CELLS", cells)
        np.testing.assert_array_equal(target.information(codes).gain, whole[0])
        np.testing.assert_array_equal(chi_square(codes, target)[0], whole[1])


@given(discrete(max_features=8))
@settings(max_examples=30)
def test_the_order_is_ascending_with_ties_by_index_and_follows_its_columns(case):
    table, y = case
    uncertainty = SymmetricalUncertainty().score(table, y)
    order = order_by_uncertainty(codes_of(table, "t"), Target(y, 3))
    assert order.tolist() == sorted(range(len(order)), key=lambda f: (uncertainty[f], f))
    turned = SymmetricalUncertainty().score(table[:, ::-1], y)
    np.testing.assert_array_equal(turned[::-1], uncertainty)


def test_no_features_and_levels_that_do_not_occur():
    y = np.array([0, 1, 1])
    assert InformationGain().score(np.zeros((3, 0), int), y).size == 0
    gappy = Codes(3, np.array([9], np.int32), np.array([[0, 8, 8]], np.uint8))
    told = Target(y, 5).information(gappy)
    assert told.gain[0] == told.target_entropy == told.entropy[0]


@pytest.mark.parametrize("ranker", RANKERS)
def test_refusals(ranker):
    table = np.array([[0.5], [1.0], [2.0]])
    with pytest.raises(InputError, match=f"{ranker.__name__} must be discrete. Got 0.5"):
        ranker().score(table, [0, 1, 0])
    with pytest.raises(InputError, match=r"at least 2 classes\. Got 1 class"):
        ranker().score(table.round(), [1, 1, 1])
    with pytest.raises(InputError, match="for each of 3 examples"):
        ranker().score(table.round(), [1, 0])
    with pytest.raises(InputError, match=r"class labels\. Got continuous"):
        ranker().score(table.round(), [0.1, 0.2, 0.3])
    with pytest.raises(InputError, match=r"'discretiser' parameter.*equal_width.*Got 'width'"):
        ranker("width").score(table, [0, 1, 0])


@pytest.mark.parametrize("discretiser", ["equal_width", "equal_frequency", "mdl"])
def test_a_discretiser_takes_continuous_features(discretiser):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    table = np.column_stack((rng.normal(size=200), y + rng.normal(size=200) / 5))
    scores = SymmetricalUncertainty(discretiser).score(table, y)
    assert scores[1] > 0.3 > 0.05 > scores[0]
