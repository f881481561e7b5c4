"""From weights or ranks to one pattern: the best few features of each run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import refusal
from holdfast.selections.checks import as_table, cell_name, checked_count
from holdfast.selections.pattern import Pattern


def checked_scores(
    scores: Any, names: tuple[str, ...] | None, parameter: str, owner: str
) -> NDArray[np.float64]:
    """Copy a runs x features table of finite numbers."""
    if hasattr(scores, "tocsr"):
        raise refusal(
            parameter,
            owner,
            "a dense table of numbers, runs x features",
            f"a sparse {type(scores).__name__}",
            "Pass its toarray().",
        )
    table = as_table(scores, parameter, owner)
    try:
        if table.dtype.kind not in "iufO":
            raise TypeError(f"dtype {table.dtype}")
        array = table.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise refusal(
            parameter, owner, "a table of numbers, runs x features", f"other cells ({error})"
        ) from error
    finite = np.isfinite(array)
    if not finite.all():
        i, f = (int(x) for x in np.argwhere(~finite)[0])
        raise refusal(
            parameter,
            owner,
            "of finite numbers",
            f"{array[i, f]} for {cell_name(i, f, names)}",
            "Give unscored features the worst score, or leave them out of every run.",
        )
    return array


def pattern_of_best(
    order_by: NDArray[np.float64], top: object, owner: str, parameter: str = "top"
) -> Pattern:
    """Take the `top` smallest of each run, ties to the first in feature order."""
    n_runs, n_features = order_by.shape
    size = checked_count(top, parameter, owner, n_features, f"n_features = {n_features}")
    best = np.argsort(order_by, axis=1, kind="stable")[:, :size]
    best.sort(axis=1)
    indptr = np.arange(n_runs + 1, dtype=np.int64) * size
    return indptr, best.ravel().astype(np.int32)
