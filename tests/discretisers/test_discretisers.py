"""Cuts against their slow twins and scikit-learn; levels of any form of the same data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

from holdfast.discretisers import MDL, EqualFrequency, EqualWidth
from holdfast.discretisers.parameter import discrete_codes, takes
from holdfast.exceptions import InputError
from holdfast.statistics.codes import codes_of
from tests.estimator_checks import with_checks
from tests.naive import discretise as naive

ALL = [EqualWidth(), EqualFrequency(), EqualFrequency(n_bins=20), MDL(), MDL(places="values")]
MISSING = np.nan


@with_checks([EqualWidth(), EqualFrequency(), MDL()])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@st.composite
def numeric(draw):
    """Numbers with repeated values, constants, signs and missing values; and classes."""
    n_examples = draw(st.integers(2, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.integers(0, draw(st.integers(2, 4)), n_examples)
    y[:2] = 0, 1
    table = rng.integers(-3, 4, (n_examples, 5)) * rng.choice([0.1, 1.0, 7e200], 5)
    table[:, 1] = rng.normal(size=n_examples) + y
    table[:, 2] = np.where(rng.random(n_examples) < 0.6, 0.0, table[:, 2])
    table[rng.random(table.shape) < draw(st.sampled_from([0.0, 0.2]))] = MISSING
    table[:, 3] = draw(st.sampled_from([0.0, 5.0, MISSING]))
    return table, y


def levels_of(values, cuts):
    """From the definition: how many cuts are not above a value; after the last where missing."""
    return [len(cuts) + 1 if v != v else sum(v >= cut for cut in cuts) for v in values]


@given(numeric())
@settings(max_examples=60)
def test_cuts_are_those_of_the_slow_twins(case):
    table, y = case
    for n_bins in (2, 5):
        ours = EqualFrequency(n_bins).fit(table).cuts_
        for column, cuts in zip(table.T, ours, strict=True):
            present = column[~np.isnan(column)].tolist()
            assert cuts.tolist() == naive.equal_frequency(present, n_bins)
    for places in ("examples", "values"):
        ours = MDL(places).fit(table, y).cuts_
        for column, cuts in zip(table.T, ours, strict=True):
            there = ~np.isnan(column)
            twin = naive.least_description(column[there].tolist(), y[there].tolist(), places)
            assert cuts.tolist() == twin


@given(numeric())
@settings(max_examples=40)
@pytest.mark.parametrize("discretiser", ALL, ids=str)
def test_levels_follow_from_the_cuts_in_every_form(discretiser, case):
    table, y = case
    fitted = clone(discretiser).fit(table, y)
    expected = np.array([levels_of(x, c) for x, c in zip(table.T, fitted.cuts_, strict=True)]).T
    np.testing.assert_array_equal(fitted.transform(table), expected)
    of_zero = [levels_of([0.0], cuts)[0] for cuts in fitted.cuts_]
    for form in (sparse.csr_matrix, sparse.csc_array):
        again = clone(discretiser).fit(form(table), y)
        for ours, theirs in zip(again.cuts_, fitted.cuts_, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        levels = again.transform(form(table))
        assert sparse.issparse(levels)
        np.testing.assert_array_equal(levels.toarray() + of_zero, expected)
    dense, thin = (
        clone(discretiser).fit_codes(form(table), y) for form in (np.array, sparse.csr_matrix)
    )
    assert (thin.dense is None, dense.indptr is None) == (True, True)
    for f in range(5):
        np.testing.assert_array_equal(dense.feature(f), expected[:, f])
        pairs = set(zip(dense.feature(f).tolist(), thin.feature(f).tolist(), strict=True))
        assert len(pairs) == len(set(expected[:, f].tolist())) == len({b for _, b in pairs})
        for codes in (dense, thin):
            assert codes.feature(f).max() < codes.n_levels[f]


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer, load_digits])
@pytest.mark.parametrize("n_bins", [2, 5, 12])
def test_equal_width_is_that_of_scikit_learn(load, n_bins):
    table = load().data
    table = table[:, np.ptp(table, axis=0) > 0]
    theirs = KBinsDiscretizer(n_bins, encode="ordinal", strategy="uniform").fit(table)
    ours = EqualWidth(n_bins).fit(table)
    for a, b in zip(ours.cuts_, theirs.bin_edges_, strict=True):
        np.testing.assert_allclose(a, b[1:-1], rtol=1e-14)
    # A value on a cut may fall to either side where the two round differently.
    near = np.stack(
        [np.abs(x[:, None] - c).min(axis=1) for x, c in zip(table.T, ours.cuts_, strict=True)]
    )
    clear = near.T > 1e-12
    np.testing.assert_array_equal(ours.transform(table)[clear], theirs.transform(table)[clear])


# What Weka 3.9 makes of them: weka.filters.supervised.attribute.Discretize -c last.
WEKA_IRIS = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]


def test_mdl_cuts_are_those_of_weka():
    table, y = load_iris(return_X_y=True)
    for ours, theirs in zip(MDL().fit(table, y).cuts_, WEKA_IRIS, strict=True):
        np.testing.assert_allclose(ours, theirs)


def test_equal_frequency_comes_as_near_as_ties_allow():
    many_zeros = np.r_[np.zeros(90), np.arange(1, 11)]
    fitted = EqualFrequency(5).fit(many_zeros[:, None])
    assert fitted.cuts_[0].tolist() == [0.5]
    assert fitted.n_bins_.tolist() == [2]
    even = EqualFrequency(5).fit_transform(np.arange(100.0)[:, None]).ravel()
    assert np.bincount(even).tolist() == [20] * 5


@pytest.mark.parametrize("discretiser", ALL, ids=str)
def test_new_values_fall_into_the_end_levels(discretiser):
    table, y = load_iris(return_X_y=True)
    fitted = clone(discretiser).fit(table, y)
    far = fitted.transform(np.array([[-1e9] * 4, [1e9] * 4, [MISSING] * 4]))
    np.testing.assert_array_equal(far[0], 0)
    np.testing.assert_array_equal(far[1], fitted.n_bins_ - 1)
    np.testing.assert_array_equal(far[2], fitted.n_bins_)


@pytest.mark.parametrize("discretiser", ALL, ids=str)
def test_the_cuts_are_those_of_the_training_data_and_follow_their_columns(discretiser):
    table, y = load_breast_cancer(return_X_y=True)
    fitted = clone(discretiser).fit(table[:300], y[:300])
    turned = clone(discretiser).fit(table[:300, ::-1], y[:300])
    new = table[300:]
    np.testing.assert_array_equal(turned.transform(new[:, ::-1]), fitted.transform(new)[:, ::-1])
    one_by_one = np.vstack([fitted.transform(row[None]) for row in new])
    np.testing.assert_array_equal(one_by_one, fitted.transform(new))


def test_all_missing_and_constant_columns_have_one_level():
    table = np.array([[MISSING, 2.0], [MISSING, 2.0], [MISSING, 2.0]])
    for discretiser in ALL:
        codes = clone(discretiser).fit_codes(table, [0, 1, 0])
        assert [len(set(codes.feature(f).tolist())) for f in range(2)] == [1, 1]


def test_names_pass_through_and_frames_come_out():
    frame = pd.DataFrame(load_iris().data, columns=list("abcd"))
    ours = EqualWidth().set_output(transform="pandas").fit_transform(frame)
    assert list(ours.columns) == list("abcd")
    assert set(ours.dtypes.astype(str)) == {"int32"}
    ours = EqualFrequency().set_output(transform="polars").fit_transform(pl.from_pandas(frame))
    assert ours.columns == list("abcd")


def test_the_parameter_takes_names_and_transformers():
    table, y = load_iris(return_X_y=True)
    by_name = discrete_codes("equal_frequency", table, y, "CFS")[1].dense
    np.testing.assert_array_equal(by_name, EqualFrequency().fit_codes(table).dense)
    bins = KBinsDiscretizer(5, encode="ordinal", strategy="uniform")
    fitted, codes = discrete_codes(bins, table, y, "CFS")
    assert fitted is not bins
    np.testing.assert_array_equal(codes.dense, bins.fit_transform(table).T)
    _, codes = discrete_codes(make_pipeline(EqualWidth(), EqualWidth(3)), table, y, "CFS")
    assert codes.n_levels.tolist() == [3] * 4
    with pytest.raises(InputError, match="keeps the columns"):
        discrete_codes(KBinsDiscretizer(5, encode="onehot-dense"), table, y, "CFS")
    with pytest.raises(InputError, match="'mdl'"):
        discrete_codes("chimerge", table, y, "CFS")
    with pytest.raises(InputError, match="must be discrete"):
        discrete_codes(None, table, y, "CFS")
    assert takes(None, "sparse")
    assert takes("mdl", "allow_nan")
    assert not takes(bins, "allow_nan")


def test_refusals():
    for wrong in (1, 2.0, True, "5"):
        with pytest.raises(InputError, match="'n_bins' parameter of EqualWidth"):
            EqualWidth(wrong).fit([[1.0], [2.0]])
    with pytest.raises(InputError, match="'places' parameter of MDL"):
        MDL("cuts").fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(InputError, match="at least 2 classes"):
        MDL().fit([[1.0], [2.0]], [1, 1])
    with pytest.raises(ValueError, match="infinity"):
        EqualWidth().fit([[np.inf], [2.0]])


def test_discretised_codes_are_those_of_the_transformed_data():
    table, y = load_breast_cancer(return_X_y=True)
    for discretiser in ALL:
        fitted = clone(discretiser)
        codes = fitted.fit_codes(table, y)
        np.testing.assert_array_equal(codes.dense, codes_of(fitted.transform(table), "t").dense)
        np.testing.assert_array_equal(codes.dense, fitted.codes(table).dense)
