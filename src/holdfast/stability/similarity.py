"""How alike two features are: checked when given, computed from data when not."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.symmetric import examine
from holdfast.exceptions import refusal
from holdfast.selections import Selections
from holdfast.stability.correlation import Matrix, standardised

ROUNDING = 1e-8


class Links(NamedTuple):
    """Similar features of each feature: ``near[near_ptr[x]:near_ptr[x + 1]]``, without itself."""

    near_ptr: NDArray[np.int64]
    near: NDArray[np.int64]
    weight: NDArray[np.float64]


def similarity(X: Any, kind: Literal["pearson", "spearman"] = "pearson") -> Matrix:
    """Absolute correlation of every two features.

    Parameters
    ----------
    X : array or dataframe, examples x features
        At least two examples, finite numbers.
    kind : {"pearson", "spearman"}, default="pearson"
        Which correlation.

    Returns
    -------
    numpy.ndarray, features x features
        Symmetric, from 0 to 1, with 1 on the diagonal. A constant feature is similar to nothing
        but itself.
    """
    owner = "stability.similarity"
    if kind not in ("pearson", "spearman"):
        raise refusal("kind", owner, "'pearson' or 'spearman'", repr(kind))
    try:
        data = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise refusal("X", owner, "a table of numbers", type(X).__name__) from error
    if data.ndim != 2 or data.shape[0] < 2:
        raise refusal("X", owner, "two-dimensional with at least 2 examples", f"{data.shape}")
    if not np.isfinite(data).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(data))[0])
        got = f"{data[row, column]} in row {row}, column {column}"
        raise refusal("X", owner, "finite", got, "Fill what is missing, or drop those rows.")
    if kind == "spearman":
        from scipy.stats import rankdata

        data = rankdata(data, axis=0)
    unit, _ = standardised(data.T)
    out: Matrix = np.minimum(np.abs(unit @ unit.T), 1.0)
    np.fill_diagonal(out, 1.0)
    return (out + out.T) / 2


def resolve(runs: Selections, given: Any, X: Any, key: str) -> Matrix:
    """Take the caller's similarity matrix or make one from X; check that it fits the runs."""
    owner = f"the measure {key!r}"
    if (given is None) == (X is None):
        raise refusal(
            "similarity",
            owner,
            "given, or X instead of it",
            "neither" if X is None else "both",
            "Pass similarity=, features x features from 0 to 1, or X=, the data.",
        )
    if X is not None:
        matrix = similarity(X)
        if matrix.shape[0] != runs.n_features:
            raise refusal(
                "X",
                owner,
                f"of {runs.n_features} features",
                f"{matrix.shape[0]} columns",
                "It has a column for each feature of the runs, in their order, chosen or not.",
            )
        return matrix
    return _checked_matrix(given, runs.n_features, owner)


def _checked_matrix(given: Any, n_features: int, owner: str) -> Matrix:
    """Check a similarity matrix; mend rounding as of numpy.corrcoef, and refuse the rest."""
    try:
        matrix = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise refusal("similarity", owner, "a table of numbers", type(given).__name__) from error
    if matrix.shape != (n_features, n_features):
        raise refusal(
            "similarity",
            owner,
            f"of shape ({n_features}, {n_features}), features x features",
            f"shape {matrix.shape}",
            "It has a row and a column for each feature of the runs, chosen or not.",
        )
    low, high, uneven, off_one = examine(matrix)
    if not (low >= -ROUNDING and high <= 1 + ROUNDING):
        raise refusal(
            "similarity",
            owner,
            "from 0 to 1 everywhere",
            "NaN" if np.isnan(matrix).any() else f"values from {low:.6g} to {high:.6g}",
            "Take absolute values of correlations, or use stability.similarity(X).",
        )
    if low >= 0 and high <= 1 and uneven == 0 and off_one == 0:
        return matrix
    if max(uneven, off_one) > ROUNDING:
        raise refusal(
            "similarity",
            owner,
            "symmetric with 1 on the diagonal",
            "a matrix that is not symmetric"
            if uneven > ROUNDING
            else f"a diagonal that is off by up to {off_one:.6g}",
            "Use (S + S.T) / 2, and set the diagonal to 1.",
        )
    matrix = np.clip((matrix + matrix.T) / 2, 0.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def links_above(matrix: Matrix, threshold: Any, key: str) -> Links:
    """Keep the pairs of different features at least as similar as the threshold."""
    if not (isinstance(threshold, (int, float, np.number)) and 0 <= threshold <= 1):
        raise refusal("threshold", f"the measure {key!r}", "from 0 to 1", repr(threshold))
    close = matrix >= threshold
    np.fill_diagonal(close, False)
    # numpy finds true entries many times faster in one dimension than in two.
    x, y = np.divmod(np.flatnonzero(close), matrix.shape[0])
    near_ptr = np.concatenate(([0], np.cumsum(np.bincount(x, minlength=matrix.shape[0]))))
    return Links(near_ptr.astype(np.int64), y.astype(np.int64), matrix[x, y])
