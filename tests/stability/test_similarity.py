"""Similarities of features: computed from data, checked when given."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import holdfast as hf
from holdfast.exceptions import InputError
from tests.naive import rankings as naive

RUNS = hf.Selections.from_subsets([[0, 1], [1, 2], [0, 2]], n_features=3)
X = np.random.default_rng(0).normal(size=(20, 3))


@given(
    data=arrays(float, st.tuples(st.integers(2, 6), st.integers(1, 5)), elements=st.integers(-3, 3))
)
@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_absolute_correlations(data, kind):
    found = hf.stability.similarity(data, kind)
    for x, first in enumerate(data.T.tolist()):
        for y, second in enumerate(data.T.tolist()):
            if kind == "spearman":
                first, second = naive.mid_ranks(first), naive.mid_ranks(second)
            constant = len(set(first)) == 1 or len(set(second)) == 1
            expected = (
                float(x == y) if constant or x == y else abs(naive.correlation(first, second))
            )
            assert found[x, y] == pytest.approx(expected, abs=1e-12)


def test_x_and_its_similarity_give_the_same():
    for key in ("yu", "npogr", "zucknick"):
        from_data = hf.stability.score(RUNS, key, X=X)
        assert from_data == hf.stability.score(RUNS, key, similarity=hf.stability.similarity(X))


def test_rounding_of_a_correlation_matrix_is_mended():
    matrix = np.abs(np.corrcoef(X.T))
    matrix[0, 1] += 1e-12
    matrix[2, 2] = 1 - 1e-12
    given = matrix.copy()
    exact = hf.stability.score(RUNS, "yu", X=X)
    assert hf.stability.score(RUNS, "yu", similarity=matrix) == pytest.approx(exact, abs=1e-9)
    assert np.array_equal(matrix, given)


def test_a_dataframe_will_do():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(X, schema=["a", "b", "c"])
    assert hf.stability.score(RUNS, "yu", X=frame) == hf.stability.score(RUNS, "yu", X=X)


ASYMMETRIC = np.array([[1, 0.5, 0], [0.2, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "'similarity'.*Got neither"),
        ({"similarity": np.eye(3), "X": X}, "'similarity'.*Got both"),
        ({"similarity": np.eye(4)}, r"shape \(3, 3\).*Got shape \(4, 4\)"),
        ({"similarity": -np.eye(3)}, "from 0 to 1.*absolute values"),
        ({"similarity": np.full((3, 3), np.nan)}, "from 0 to 1.*Got NaN"),
        ({"similarity": ASYMMETRIC}, "not symmetric"),
        ({"similarity": np.eye(3) / 2}, "diagonal that is off by up to 0.5"),
        ({"similarity": "abc"}, "table of numbers"),
        ({"X": X[:, :2]}, "of 3 features.*Got 2 columns"),
        ({"X": X[:1]}, "at least 2 examples"),
        ({"X": np.where(X > 2, np.inf, np.inf)}, "finite.*inf in row 0, column 0"),
        ({"X": [["a", "b", "c"]] * 3}, "'X'.*table of numbers"),
    ],
)
def test_bad_similarities_are_refused(options, told):
    with pytest.raises(InputError, match=told):
        hf.stability.score(RUNS, "yu", **options)


def test_unknown_kind():
    with pytest.raises(InputError, match=r"'kind'.*'pearson' or 'spearman'"):
        hf.stability.similarity(X, "kendall")
