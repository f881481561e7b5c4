"""How alike two features are: checked when given, computed from data when not."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import refusal
from holdfast.selections import Selections

Matrix = NDArray[np.float64]


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
        raise refusal("X", owner, "finite", f"{data[row, column]} in row {row}, column {column}")
    if kind == "spearman":
        from scipy.stats import rankdata

        data = rankdata(data, axis=0)
    centred = data - data.mean(axis=0)
    length = np.linalg.norm(centred, axis=0)
    varies = length > 1e-12 * np.maximum(np.abs(data).max(axis=0), np.finfo(float).tiny)
    centred = np.where(varies, centred / np.where(varies, length, 1.0), 0.0)
    out = np.minimum(np.abs(centred.T @ centred), 1.0)
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
                "X", owner, f"of {runs.n_features} features", f"{matrix.shape[0]} columns"
            )
        return matrix
    matrix = np.asarray(given, dtype=np.float64)
    if matrix.shape != (runs.n_features, runs.n_features):
        raise refusal(
            "similarity",
            owner,
            f"of shape ({runs.n_features}, {runs.n_features}), features x features",
            f"shape {matrix.shape}",
        )
    if not np.all((matrix >= 0) & (matrix <= 1)):
        raise refusal(
            "similarity",
            owner,
            "from 0 to 1 everywhere",
            f"values from {np.nanmin(matrix):.6g} to {np.nanmax(matrix):.6g}"
            + (" and NaN" if np.isnan(matrix).any() else ""),
            "Take absolute values of correlations, or use stability.similarity(X).",
        )
    if not np.array_equal(matrix, matrix.T) or not np.all(np.diagonal(matrix) == 1):
        raise refusal(
            "similarity",
            owner,
            "symmetric with 1 on the diagonal",
            "a matrix that is not",
            "Use (S + S.T) / 2, and set the diagonal to 1.",
        )
    return matrix


def links_above(matrix: Matrix, threshold: Any, key: str) -> Links:
    """Keep the pairs of different features at least as similar as the threshold."""
    if not (isinstance(threshold, (int, float, np.number)) and 0 < threshold <= 1):
        raise refusal("threshold", f"the measure {key!r}", "above 0 and at most 1", repr(threshold))
    close = matrix >= threshold
    np.fill_diagonal(close, False)
    x, y = np.nonzero(close)
    near_ptr = np.concatenate(([0], np.cumsum(np.bincount(x, minlength=matrix.shape[0]))))
    return Links(near_ptr.astype(np.int64), y.astype(np.int64), matrix[x, y])
