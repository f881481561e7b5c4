"""The dense table that fast criteria compute on: scaling, and what is refused at the door."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_matrix
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from holdfast.contracts import Problem
from holdfast.criteria import KNN, SVM, Gaussian, NaiveBayes
from holdfast.criteria.table import classes_of, numbers_of, scaled
from holdfast.exceptions import InputError

SCALERS = {"range": MinMaxScaler, "standard": StandardScaler}
TABLES = arrays(
    float, st.tuples(st.integers(2, 8), st.integers(1, 4)), elements=st.floats(-1e4, 1e4, width=16)
)


@settings(max_examples=100, deadline=None)
@given(TABLES, st.sampled_from(sorted(SCALERS)), st.data())
def test_scaling_is_that_of_scikit_learns_scalers(table, scale, data):
    subset = st.sets(st.integers(0, len(table) - 1), min_size=1)
    rows = np.array(sorted(data.draw(subset))) if data.draw(st.booleans()) else None
    scaler = SCALERS[scale]().fit(table if rows is None else table[rows])
    before = table.copy()
    found = scaled(table, scale, rows, "test")
    np.testing.assert_allclose(found, scaler.transform(table), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(table, before)


def test_none_takes_the_data_as_they_are():
    table = np.array([[1.0, 5.0], [2.0, 7.0]])
    assert scaled(table, None, None, "test") is table
    assert scaled(table, None, np.array([0]), "test") is table


@pytest.mark.parametrize("scale", SCALERS)
def test_constant_columns_become_0(scale):
    table = np.column_stack((np.full(7, 0.1), np.full(7, 1e8 / 3), np.zeros(7), np.arange(7)))
    found = scaled(table, scale, None, "test")
    np.testing.assert_array_equal(found[:, :3], 0.0)
    assert np.ptp(found[:, 3]) > 0


def test_what_is_constant_in_training_only_keeps_its_unit():
    table = np.array([[3.0], [3.0], [5.0]])
    for scale in SCALERS:
        np.testing.assert_array_equal(
            scaled(table, scale, np.array([0, 1]), "test"), [[0.0], [0.0], [2.0]]
        )


def test_small_units_are_scaled_like_any_other():
    """scikit-learn's range scaler takes ranges below 1e-15 for constant; these are not."""
    table = np.array([[0.0], [1e-20], [2e-20]])
    np.testing.assert_array_equal(scaled(table, "range", None, "test"), [[0.0], [0.5], [1.0]])


@pytest.mark.parametrize("scale", SCALERS)
def test_ranges_that_do_not_fit_a_float_are_refused(scale):
    table = np.array([[0.0, -1.7e308], [1.0, 1.7e308]])
    with pytest.raises(InputError, match=r"'X' parameter of test .*column 1"):
        scaled(table, scale, None, "test")


@pytest.mark.parametrize("scale", ["minmax", "RANGE", 1, True, ["range"]])
def test_unknown_scalings_are_refused(scale):
    with pytest.raises(InputError, match="'scale' parameter of test must be None, 'range' or"):
        scaled(np.eye(2), scale, None, "test")


def numbers(X):
    return numbers_of(Problem(X, np.zeros(2), 2), "test")


def test_any_container_of_numbers_becomes_the_same_table():
    expected = np.array([[1.0, 2.0], [3.0, 4.0]])
    for X in (
        expected,
        expected.astype(np.float32),
        expected.astype(int).tolist(),
        pd.DataFrame(expected, columns=["a", "b"]),
        pl.DataFrame(expected, schema=["a", "b"]),
        pd.DataFrame({"a": pd.array([1, 3], dtype="Int64"), "b": [2.0, 4.0]}),
    ):
        found = numbers(X)
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == float


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array([[0.0, np.nan], [1.0, 1.0]]), "finite numbers. Got nan in row 0, column 1"),
        (np.array([[0.0, 1.0], [np.inf, np.nan]]), "Got inf in row 1, column 0"),
        (pd.DataFrame({"a": ["x", "y"], "b": [1, 2]}), "table of numbers.*Encode text first"),
        (np.array([["1", "z"], ["2", "3"]], dtype=object), "table of numbers"),
        (csr_matrix(np.eye(2)), "dense table. Got a sparse csr_matrix .*criteria.Estimator"),
    ],
)
def test_what_is_no_table_of_finite_numbers_is_refused(X, message):
    with pytest.raises(InputError, match=f"'X' parameter of test must be .*{message}"):
        numbers(X)


def test_labels_of_any_kind_are_coded_in_their_order():
    for y in (["b", "a", "b"], pd.Series(["b", "a", "b"]), pl.Series(["b", "a", "b"])):
        classes, codes = classes_of(Problem(None, y, 1), "test")
        assert classes.tolist() == ["a", "b"]
        assert codes.tolist() == [1, 0, 1]
    assert classes_of(Problem(None, [True, False], 1), "test")[1].tolist() == [1, 0]
    assert classes_of(Problem(None, [3.0, -1.0, 3.0], 1), "test")[1].tolist() == [1, 0, 1]


CRITERIA = {
    "KNN": KNN(1, cv=2),
    "SVM": SVM(cv=2),
    "NaiveBayes": NaiveBayes(cv=2),
    "Gaussian": Gaussian(cv=2),
}
Y = np.array([0, 1] * 4)
GOOD = np.random.default_rng(0).normal(size=(8, 2))


def with_value(value):
    X = GOOD.copy()
    X[3, 1] = value
    return X


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize(
    ("X", "y", "more", "message"),
    [
        (with_value(np.nan), Y, {}, "finite numbers. Got nan in row 3, column 1"),
        (with_value(-np.inf), Y, {}, "finite numbers. Got -inf in row 3, column 1"),
        (csr_matrix(GOOD), Y, {}, "dense table"),
        (GOOD, np.zeros(8), {}, "at least 2 classes"),
        (GOOD, np.linspace(0, 1, 8), {}, "class labels"),
        (GOOD, [0] * 7 + [1], {}, "at most 1, the number of examples of class"),
        (GOOD, Y, {"sample_weight": np.ones(5)}, "sample_weight.* one number for each of the 8"),
        (GOOD, Y, {"sample_weight": -np.ones(8)}, "sample_weight.* not negative"),
        (GOOD, Y, {"sample_weight": np.full(8, np.nan)}, "sample_weight.* finite"),
        (GOOD, Y, {"sample_weight": np.r_[np.ones(4), np.zeros(4)]}, "every test part"),
    ],
)
def test_fast_criteria_refuse_the_same_things(name, X, y, more, message):
    with pytest.raises(InputError, match=message):
        CRITERIA[name].prepare(Problem(X, y, 2, **more))


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("parameters", [{"scale": "log"}, {"scale_within": 1}])
def test_fast_criteria_refuse_bad_scaling(name, parameters):
    criterion = type(CRITERIA[name])(cv=2, **parameters)
    with pytest.raises(InputError, match=f"'{next(iter(parameters))}' parameter"):
        criterion.prepare(Problem(np.tile(GOOD, (3, 1)), np.tile(Y, 3), 2))
