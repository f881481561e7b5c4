"""The data as criteria that compute by themselves need them: dense numbers and class codes."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from holdfast.contracts import Problem
from holdfast.exceptions import refusal

Matrix = NDArray[np.float64]
Codes = NDArray[np.int64]
Scale = Literal["range", "standard"] | None


def numbers_of(problem: Problem, owner: str) -> Matrix:
    """Dense float64 examples x features; refuses text, NaN and infinities by their place."""
    X = problem.X
    if hasattr(X, "toarray"):
        raise refusal(
            "X",
            owner,
            "a dense table",
            f"a sparse {type(X).__name__}",
            "Use X.toarray() if it fits in memory, or criteria.Estimator with a model that "
            "takes sparse data.",
        )
    try:
        table = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise refusal(
            "X",
            owner,
            "a table of numbers",
            f"values that are not ({error})",
            "Encode text first, or use criteria.Estimator with a pipeline that does.",
        ) from error
    finite = np.isfinite(table)
    if not finite.all():
        row, column = (int(i) for i in np.argwhere(~finite)[0])
        raise refusal(
            "X",
            owner,
            "finite numbers",
            f"{table[row, column]} in row {row}, column {column}",
            "Impute it first, or use criteria.Estimator with a model that takes missing values.",
        )
    return table


def classes_of(problem: Problem, owner: str) -> tuple[NDArray[Any], Codes]:
    """Sorted distinct classes and the code of each example; at least two classes."""
    y = np.asarray(problem.y)
    if y.ndim != 1:
        raise refusal("y", owner, "one label an example", f"shape {y.shape}")
    if type_of_target(y, input_name="y").startswith("continuous"):
        cure = "For regression use criteria.Estimator with a regressor."
        raise refusal("y", owner, "class labels", "continuous numbers", cure)
    classes, codes = np.unique(y, return_inverse=True)
    if classes.size < 2:
        raise refusal("y", owner, "of at least 2 classes", f"only {classes.tolist()}")
    return classes, codes.astype(np.int64)


def scaled(table: Matrix, scale: Scale, rows: NDArray[np.intp] | None, owner: str) -> Matrix:
    """Scale each feature to [0, 1] or to mean 0 and variance 1, as learned from `rows` (or all).

    A feature that is constant there becomes 0, as scikit-learn's scalers make it.
    """
    if scale is None:
        return table
    learned = table if rows is None else table[rows]
    if scale == "range":
        shift, width = learned.min(axis=0), np.ptp(learned, axis=0)
    elif scale == "standard":
        shift, width = learned.mean(axis=0), learned.std(axis=0)
        # A constant column may show rounding dust for a spread.
        width[width <= 10 * np.finfo(float).eps * np.abs(shift)] = 0.0
    else:
        raise refusal("scale", owner, "None, 'range' or 'standard'", repr(scale))
    return (table - shift) / np.where(width == 0, 1.0, width)  # type: ignore[no-any-return]
