"""The one pass over a square matrix against a plain one in numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from holdfast._kernels.symmetric import examine

entries = st.floats(-2, 2) | st.sampled_from([0.0, 1.0, 1 + 1e-9, 1e-300])


def plain(matrix):
    return (
        matrix.min(),
        matrix.max(),
        np.abs(matrix - matrix.T).max(),
        np.abs(np.diagonal(matrix) - 1).max(),
    )


@settings(deadline=None)
@given(st.integers(1, 9).flatmap(lambda n: arrays(np.float64, (n, n), elements=entries)))
def test_small(matrix):
    assert examine(matrix) == plain(matrix)


@pytest.mark.parametrize("n", [31, 32, 33, 64, 65, 100])
def test_tiles_leave_nothing_out(n):
    rng = np.random.default_rng(n)
    half = rng.random((n, n))
    matrix = (half + half.T) / 2
    np.fill_diagonal(matrix, 1.0)
    assert examine(matrix)[2:] == (0.0, 0.0)
    for i, j in ((0, n - 1), (n - 1, 0), (n // 2, n // 2 - 1)):
        changed = matrix.copy()
        changed[i, j] += 3
        assert examine(changed) == plain(changed)


@pytest.mark.parametrize("place", [(0, 0), (40, 2), (2, 40)])
def test_nan_is_not_overlooked(place):
    matrix = np.eye(50)
    matrix[place] = np.nan
    assert np.isnan(examine(matrix)).all()
