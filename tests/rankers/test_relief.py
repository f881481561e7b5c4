"""ReliefF against the textbook, one example at a time.

Weka 3.9 (ReliefFAttributeEval, ``-M -1 -K 10``) was run by hand on iris, wine, the breast cancer
data, a table of mixed columns and one with a class of four examples: it printed these scores to its
last digit. On dermatology, where many examples are equally far, scores differ by up to 0.001, and
no more once noise of 1e-5 has broken the ties: Weka's rounded sums decide them. With missing values
it differs by definition: it takes a difference that does not look at the class.
"""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_digits, load_iris, load_wine

import holdfast.rankers.relief as relief_module
from holdfast.exceptions import InputError
from holdfast.rankers import ReliefF
from tests.naive.relief import relieff

LEVELS = st.sampled_from([0.0, 1.0, 2.0, 3.0, -1.5, 0.1, 0.3])
MISSING = st.one_of(LEVELS, LEVELS, LEVELS, st.just(float("nan")))


@st.composite
def tables(draw, values):
    """Columns with many ties, which are nominal, and classes that may have a single example."""
    n, d = draw(st.integers(2, 14)), draw(st.integers(1, 6))
    columns = draw(st.lists(st.lists(values, min_size=n, max_size=n), min_size=d, max_size=d))
    for column in columns:
        if all(value != value for value in column):
            column[0] = 1.0
    nominal = draw(st.lists(st.booleans(), min_size=d, max_size=d))
    y = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(lambda y: len(set(y)) > 1))
    return columns, nominal, y, draw(st.integers(1, 5))


def agree(columns, nominal, y, k):
    expected = relieff(columns, nominal, y, k)
    X, ranker = np.array(columns).T, ReliefF(k, discrete_features=np.array(nominal))
    scores = ranker.score(X, y)
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ranker.score(sparse.csr_matrix(X), y), scores, rtol=0, atol=1e-15)
    for f, column in enumerate(columns):
        if len(set(column)) == 1:
            assert scores[f] == 0.0


@given(tables(LEVELS))
@settings(max_examples=80)
def test_complete_tables(case):
    agree(*case)


@given(tables(MISSING))
@settings(max_examples=80)
def test_missing_values(case):
    agree(*case)


@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
@settings(max_examples=25)
def test_real_numbers_and_more_columns_than_a_block(seed, n_classes):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 40)) * 10.0 ** rng.integers(-9, 9, size=40) + rng.normal(size=40)
    y = rng.integers(0, n_classes, 30)
    y[:2] = [0, 1]
    agree(X.T.tolist(), [False] * 40, y.tolist(), 4)


def test_pictures_many_of_whose_columns_tie():
    X, y = load_digits(return_X_y=True)
    agree(X[:90].T.tolist(), [False] * 64, y[:90].tolist(), 10)


def test_the_slack_of_rough_distances_decides_nothing():
    """Distances that differ by less than 32 bits can tell, and columns in any order."""
    rng = np.random.default_rng(3)
    X = np.repeat(rng.normal(size=(8, 7)), 6, axis=0)
    X[:, 2] += rng.integers(0, 3, 48) * 1e-10
    y = rng.integers(0, 2, 48)
    agree(X.T.tolist(), [False] * 7, y.tolist(), 5)
    order = rng.permutation(7)
    assert (ReliefF(5).score(X[:, order], y) == ReliefF(5).score(X, y)[order]).all()


@pytest.mark.parametrize("discrete", [np.zeros(13, bool), np.arange(13) < 4])
def test_the_number_of_threads_and_of_examples_at_once_change_nothing(monkeypatch, discrete):
    X, y = load_wine(return_X_y=True)
    X[5, 3] = X[7, 8] = np.nan
    for table in (X, sparse.csc_matrix(X)):
        ranker = ReliefF(n_examples=100, discrete_features=discrete, random_state=1)
        whole = ReliefF(discrete_features=discrete).score(table, y)
        drawn = ranker.score(table, y)
        with monkeypatch.context() as patch:
            patch.setattr(relief_module, "MOST_BYTES", 9 * 178 * 8)
            patch.setattr(relief_module, "SPAN", 5)
            parts = ReliefF(discrete_features=discrete, n_jobs=2).score(table, y)
            assert (parts == whole).all()
            assert (ranker.set_params(n_jobs=3).score(table, y) == drawn).all()


def test_some_examples():
    X, y = load_iris(return_X_y=True)
    scores = ReliefF(3, n_examples=40, random_state=7).score(X, y)
    assert (scores == ReliefF(3, n_examples=40, random_state=7).score(X, y)).all()
    drawn = np.random.RandomState(7).permutation(150)[:40]
    expected = relieff(X.T.tolist(), [False] * 4, y.tolist(), 3, sorted(drawn))
    np.testing.assert_allclose(scores, expected, atol=1e-12)


def test_permuted_columns():
    X, y = load_wine(return_X_y=True)
    order = np.random.default_rng(0).permutation(13)
    assert (ReliefF().score(X[:, order], y) == ReliefF().score(X, y)[order]).all()


def test_the_units_of_columns_do_not_matter_nor_do_names_of_classes():
    X, y = load_wine(return_X_y=True)
    shifted = X * 2.0 ** np.arange(13) - 7.0
    np.testing.assert_allclose(ReliefF().score(shifted, y), ReliefF().score(X, y), atol=1e-12)
    assert (ReliefF().score(X, np.array(["a", "b", "c"])[y]) == ReliefF().score(X, y)).all()


def test_the_widest_and_the_narrowest_ranges():
    X = np.array([[-1.7e308, 5e-324, 1e16], [1.7e308, 0.0, 1e16 + 2], [0.0, 0.0, 1e16]])
    agree([[-1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [False] * 3, [0, 1, 0], 2)
    expected = relieff([[-1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [0] * 3, [0, 1, 0], 2)
    np.testing.assert_allclose(ReliefF(2).score(X, [0, 1, 0]), expected)


def test_the_caller_keeps_the_data():
    X, y = load_wine(return_X_y=True)
    thin = sparse.csc_matrix(X)
    before = thin.data.copy()
    frozen = X.copy()
    frozen.setflags(write=False)
    assert (ReliefF().score(frozen, y) == ReliefF().score(thin, y)).all()
    assert (thin.data == before).all()


def test_dataframes_say_which_columns_are_nominal():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40)
    text = np.array(["low", "mid", "top"], object)[rng.integers(0, 3, 40)]
    numbers, whole = rng.normal(size=40), rng.integers(0, 3, 40)
    columns = {"t": text.tolist(), "x": numbers, "b": whole > 1, "c": whole, "w": whole}
    codes = np.unique(text, return_inverse=True)[1]
    X = np.column_stack([codes, numbers, whole > 1, whole, whole])
    expected = ReliefF(3, discrete_features=[0, 2, 3]).score(X, y)
    pandas = pd.DataFrame(columns).astype({"c": "category"})
    polars = pl.DataFrame(columns).with_columns(pl.col("c").cast(pl.String).cast(pl.Categorical))
    for frame in (pandas, polars):
        assert (ReliefF(3).score(frame, y) == expected).all()
        named = ReliefF(3, discrete_features=["t", "b", "c"])
        assert (named.score(frame, y) == expected).all()
    objects = np.array([columns[name] for name in columns], object).T
    assert (ReliefF(3, discrete_features=[0, 2, 3]).score(objects, y) == expected).all()
    assert expected[3] != expected[4]


def test_missing_in_dataframes():
    values, y = [1.0, None, 3.0, 2.0, 5.0, 4.0], [0, 0, 0, 1, 1, 1]
    text = ["a", None, "b", "a", "b", "b"]
    expected = relieff([values, text], [False, True], y, 2)
    frames = [
        pd.DataFrame({"x": values, "t": text}),
        pd.DataFrame({"x": pd.array(values, "Float64"), "t": pd.array(text, "string")}),
        pl.DataFrame({"x": values, "t": text}),
    ]
    for frame in frames:
        np.testing.assert_allclose(ReliefF(2).score(frame, y), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_neighbors": 0}, "a whole number >= 1"),
        ({"n_neighbors": 2.0}, "a whole number >= 1"),
        ({"n_examples": 179}, "at most 178"),
        ({"n_examples": True}, "a whole number >= 1"),
        ({"discrete_features": "all"}, "'auto', a mask of 13"),
        ({"discrete_features": [13]}, "'auto', a mask of 13"),
        ({"discrete_features": ["ash"]}, "'auto', a mask of 13"),
        ({"discrete_features": [True, False]}, "'auto', a mask of 13"),
    ],
)
def test_refused_parameters(settings, message):
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match=message):
        ReliefF(**settings).score(X, y)


def test_refused_data():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InputError, match="at least 2 classes"):
        ReliefF().score(X, np.zeros(178))
    with pytest.raises(InputError, match="one label for each of 178"):
        ReliefF().score(X, y[:-1])
    with pytest.raises(InputError, match="but for the columns that discrete_features names"):
        ReliefF().score(np.array([["a", 1], ["b", 2]], object), [0, 1])
    with pytest.raises(InputError, match="examples x features"):
        ReliefF().score(X[:, 0], y)
    empty = X.copy()
    empty[:, [2, 9]] = np.nan
    for table in (empty, sparse.csr_matrix(empty)):
        with pytest.raises(InputError, match="nothing but missing values in 2, 9"):
            ReliefF().score(table, y)
    frame = pd.DataFrame({"a": X[:, 0], "none": [None] * 178})
    with pytest.raises(InputError, match="nothing but missing values in 'none'"):
        ReliefF().score(frame, y)
