"""Columns of any kind as numbers: frames, text and categories before they are coded."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from holdfast.exceptions import refusal

# Of type uint8, uint16 or int32, whichever is the narrowest that fits.
Narrow: TypeAlias = NDArray[np.uint8 | np.uint16 | np.int32]

CURE = (
    "Discretise it first: EqualWidth(), EqualFrequency() or MDL() in a pipeline, or the "
    "'discretiser' parameter where there is one."
)


def is_sparse(X: Any) -> bool:
    """Whether it is a sparse matrix or array."""
    return bool(sparse.issparse(X))


class Names:
    """What to call a column in a refusal."""

    def __init__(self, names: Any = None) -> None:
        self._names = None if names is None else list(names)

    def __getitem__(self, column: int) -> str:
        return f"column {column}" if self._names is None else f"column {self._names[column]!r}"


def refuse_continuous(
    block: NDArray[Any], fine: NDArray[np.bool_], names: Names, owner: str, first: int = 0
) -> None:
    """Refuse the first column of a block that holds a number that is not whole, if there is one."""
    bad = np.flatnonzero(~fine.all(axis=0))
    if bad.size:
        column = int(bad[0])
        value = float(block[np.argmin(fine[:, column]), column])
        raise refusal("X", owner, "discrete", f"{value!r} in {names[first + column]}", CURE)


def columns_of(
    X: Any, names: Names, owner: str, texts: dict[int, NDArray[Any]] | None = None
) -> NDArray[Any]:
    """A table of numbers in which text and categories are their ranks and missing values NaN.

    Where `texts` is given, it gets what the ranks of each such column stand for.
    """
    texts = {} if texts is None else texts
    frame = _columns_of_frame(X)
    table = np.asarray(X) if frame is None else frame
    if isinstance(table, np.ndarray):
        if table.ndim != 2:
            cure = "Reshape a single feature with X.reshape(-1, 1)." if table.ndim == 1 else ""
            raise refusal("X", owner, "examples x features", f"shape {table.shape}", cure)
        if table.dtype.kind in "biuf":
            return table
        columns = list(table.T)
    else:
        columns = table
    numbers = [numbers_of(column, i, names, owner, texts) for i, column in enumerate(columns)]
    # Float where one column needs NaN: exact for whole numbers up to 2 ** 53.
    return np.stack(numbers).T if numbers else np.empty((len(X), 0))


def _columns_of_frame(X: Any) -> Any:
    """The whole of a frame of plain numbers, or its columns; None where it is no frame."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes"):
        plain = all(getattr(dtype, "kind", "O") in "iuf" for dtype in set(X.dtypes))
        whole = X.to_numpy() if plain else None
        if whole is not None and whole.dtype.kind in "biuf":
            return whole
        return [X.iloc[:, i] for i in range(X.shape[1])]
    if hasattr(X, "get_columns") and hasattr(X, "schema"):
        if all(dtype.is_numeric() for dtype in X.dtypes):
            return X.to_numpy()
        return X.get_columns()
    return None


def numbers_of(
    column: Any, index: int, names: Names, owner: str, texts: dict[int, NDArray[Any]]
) -> NDArray[Any]:
    """One column as numbers: text and categories as their ranks, missing values as NaN."""
    values = np.asarray(column)
    if values.dtype.kind in "biuf":
        return values.astype(np.int64) if values.dtype.kind == "b" else values
    if values.dtype.kind in "mM":
        values, absent = values.astype(np.int64), np.isnat(values)
    elif values.dtype.kind == "O":
        absent = np.fromiter((_is_missing(value) for value in values), bool, values.size)
    elif values.dtype.kind in "US":
        absent = np.zeros(values.size, bool)
    else:
        raise refusal("X", owner, "discrete", f"values of type {values.dtype} in {names[index]}")
    present = values[~absent]
    if values.dtype.kind == "O":
        if all(isinstance(value, (int, float, np.number, np.bool_)) for value in present):
            numbers = np.full(values.size, np.nan)
            numbers[~absent] = present.astype(np.float64)
            return numbers
        kinds = sorted({type(value).__name__ for value in present})
        if kinds not in (["str"], ["bytes"], ["str_"]):
            expected = "of numbers or of text in each column"
            raise refusal("X", owner, expected, f"{kinds} in {names[index]}")
    texts[index], ranks = np.unique(present, return_inverse=True)
    if not absent.any():
        return ranks.astype(np.int64)
    numbers = np.full(values.size, np.nan)
    numbers[~absent] = ranks
    return numbers


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def ranked(features: NDArray[Any], cells: int = 1 << 22) -> tuple[Narrow, NDArray[np.int32]]:
    """Rank of each value among the distinct ones of its row, and how many those are.

    NaN is one level, the last. O(cells log examples).
    """
    n_features, n_examples = features.shape
    ranks = np.empty(features.shape, np.int32)
    n_levels = np.empty(n_features, np.int32)
    height = max(1, cells // max(1, n_examples))
    for low in range(0, n_features, height):
        block = features[low : low + height]
        order = np.argsort(block, axis=1)
        values = np.take_along_axis(block, order, axis=1)
        new = np.zeros(values.shape, np.int32)
        new[:, 1:] = values[:, 1:] != values[:, :-1]
        if values.dtype.kind == "f":
            new[:, 1:] &= ~(np.isnan(values[:, 1:]) & np.isnan(values[:, :-1]))
        steps = np.cumsum(new, axis=1, dtype=np.int32)
        np.put_along_axis(ranks[low : low + height], order, steps, axis=1)
        n_levels[low : low + height] = steps[:, -1] + 1
    return ranks, n_levels
