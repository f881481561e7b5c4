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
    refuse_missing(y, owner)
    if type_of_target(y, input_name="y").startswith("continuous"):
        cure = "For regression use criteria.Estimator with a regressor."
        raise refusal("y", owner, "class labels", "continuous numbers", cure)
    classes, codes = np.unique(y, return_inverse=True)
    if classes.size < 2:
        raise refusal("y", owner, "of at least 2 classes", f"only {classes.tolist()}")
    return classes, codes.astype(np.int64)


def refuse_missing(y: NDArray[Any], owner: str) -> None:
    """Refuse targets that are NaN or None, by the place of the first."""
    if y.dtype.kind == "f":
        missing = np.isnan(y)
    elif y.dtype.kind == "O":
        missing = np.array([_is_missing(value) for value in y.ravel()], dtype=bool)
    else:
        return
    if missing.any():
        place = int(np.flatnonzero(missing)[0]) // (y.size // len(y))
        cure = "Leave such examples out."
        raise refusal("y", owner, "free of missing values", f"one in row {place}", cure)


def _is_missing(value: Any) -> bool:
    if isinstance(value, float):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def scaled(table: Matrix, scale: Scale, rows: NDArray[np.intp] | None, owner: str) -> Matrix:
    """Scale each feature to [0, 1] or to mean 0 and variance 1, as learned from `rows` (or all).

    A feature that is constant there keeps its unit and becomes 0 there, as scikit-learn's scalers
    make it; but they take a range below 1e-15 for constant too, whatever the unit.
    """
    if scale is None:
        return table
    if not isinstance(scale, str) or scale not in ("range", "standard"):
        raise refusal("scale", owner, "None, 'range' or 'standard'", repr(scale))
    learned = table if rows is None else table[rows]
    with np.errstate(over="ignore", invalid="ignore"):
        shift, width = _range_of(learned) if scale == "range" else _spread_of(learned)
        out: Matrix = (table - shift) / np.where(width == 0, 1.0, width)
    fits = np.isfinite(width) & np.isfinite(out).all(axis=0)
    if not fits.all():
        got = f"values too far apart in column {int(np.argmin(fits))}"
        raise refusal("X", owner, "such that it can be scaled", got, "Divide it by a constant.")
    return out


def _range_of(learned: Matrix) -> tuple[Matrix, Matrix]:
    return learned.min(axis=0), np.ptp(learned, axis=0)


def _spread_of(learned: Matrix) -> tuple[Matrix, Matrix]:
    """Mean and standard deviation, without the rounding dust that equal numbers may show."""
    low, width = _range_of(learned)
    mean, spread = learned.mean(axis=0), learned.std(axis=0)
    equal = width == 0
    dust = spread <= 10 * np.finfo(float).eps * np.abs(mean)
    return np.where(equal, low, mean), np.where(equal | dust, 0.0, spread)
