"""Mean city-block distance between examples of different classes, feature by feature."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from holdfast.exceptions import refusal

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def numbers_of(X: Any, owner: str) -> Any:
    """A table of finite numbers, sparse where it was: distances need more than different values."""
    expected, cure = "a table of finite numbers", "Encode text, and impute what is missing, first."
    table: Any = X
    if sparse.issparse(X):
        values = table.data
    else:
        try:
            table = values = np.asarray(X, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise refusal("X", owner, expected, f"values that are not ({error})", cure) from error
    if not np.isfinite(values).all():
        raise refusal("X", owner, expected, "NaN or infinity", cure)
    return table


def interclass_distances(X: Any, classes: Ints) -> Floats:
    """For each feature, the mean distances of the examples of two classes, over all such pairs.

    Distances add up over features, so a subset's is the sum of its features'. Both orders of a pair
    of classes count. O(cells log examples), for sparse data O(entries log entries).

    Parameters
    ----------
    X : array or sparse matrix, examples x features
        Numbers.
    classes : array of int
        Codes from 0; negative for examples left out.
    """
    inside = classes >= 0
    if not inside.all():
        X, classes = X[inside], classes[inside]
    n_classes = int(classes.max()) + 1
    totals = np.bincount(classes, minlength=n_classes).astype(np.float64)
    if sparse.issparse(X):
        columns: Any = X.tocsc()  # type: ignore[attr-defined]
        ends = zip(columns.indptr[:-1], columns.indptr[1:], strict=True)
        return np.array(
            [_distance(columns.data[a:b], classes[columns.indices[a:b]], totals) for a, b in ends]
        )
    table = np.asarray(X)
    return np.array([_distance(column, classes, totals) for column in table.T])


def _distance(values: NDArray[Any], classes: Ints, totals: Floats) -> float:
    """Sum over ordered pairs of classes; what `values` lack of the totals is 0."""
    levels, codes = np.unique(np.append(values.astype(np.float64), 0.0), return_inverse=True)
    zero, codes = codes[-1], codes[:-1]
    n_classes = totals.size
    cells = np.bincount(codes * n_classes + classes, minlength=levels.size * n_classes)
    counts = cells.reshape(levels.size, n_classes).astype(np.float64)
    counts[zero] += totals - counts.sum(axis=0)
    present = totals > 0
    below = (counts.cumsum(axis=0)[:-1] / np.where(present, totals, 1.0))[:, present]
    # Between two neighbouring levels, a pair lies on either side with this probability.
    one_sum = below.sum(axis=1)
    apart = (present.sum() - 1) * one_sum - (one_sum**2 - (below**2).sum(axis=1))
    return float(2 * (np.diff(levels) * apart).sum())
