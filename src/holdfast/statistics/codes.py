"""Discrete features as small whole numbers, the one form that counts and hashes work on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import refusal
from holdfast.statistics.columns import (
    Names,
    Narrow,
    columns_of,
    is_sparse,
    ranked,
    refuse_continuous,
)

SPAN = 256  # so many neighbouring whole numbers fit in a byte as they are
CELLS = 1 << 16  # of a block that is worked on at once, so that it stays in the cache


@dataclass(frozen=True)
class Codes:
    """Discrete features as small whole numbers.

    Attributes
    ----------
    n_examples : int
        Number of examples.
    n_levels : array of int32
        For each feature: its codes run from 0 to one less. Not every code need occur.
    dense : array or None
        Features x examples in C order, so that a feature is a row; None for sparse data.
    indptr, rows, values : arrays or None
        Sparse data by features: the entries ``indptr[f]:indptr[f + 1]`` are the examples (`rows`,
        ascending) where feature f is not zero, and its codes there. Everywhere else its code is 0.
    """

    n_examples: int
    n_levels: NDArray[np.int32]
    dense: Narrow | None = None
    indptr: NDArray[np.int64] | None = None
    rows: NDArray[np.int32] | None = None
    values: Narrow | None = None

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.n_levels.size)

    @property
    def entries(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Narrow]:
        """`indptr`, `rows` and `values` of sparse data."""
        assert self.indptr is not None
        assert self.rows is not None
        assert self.values is not None
        return self.indptr, self.rows, self.values

    def feature(self, index: int) -> Narrow:
        """Codes of one feature for every example."""
        if self.dense is not None:
            row: Narrow = self.dense[index]
            return row
        indptr, rows, values = self.entries
        here = slice(indptr[index], indptr[index + 1])
        codes = np.zeros(self.n_examples, values.dtype)
        codes[rows[here]] = values[here]
        return codes

    def take(self, features: NDArray[np.intp]) -> Codes:
        """Some of the features, in the order given."""
        if self.dense is not None:
            return Codes(self.n_examples, self.n_levels[features], self.dense[features])
        starts, rows, values = self.entries
        lengths = starts[features + 1] - starts[features]
        indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        taken = np.arange(indptr[-1]) + np.repeat(starts[features] - indptr[:-1], lengths)
        levels = self.n_levels[features]
        return Codes(self.n_examples, levels, None, indptr, rows[taken], values[taken])


def codes_of(X: Any, owner: str) -> Codes:
    """Code discrete data: whole numbers, booleans, text, categories.

    Levels are coded in ascending order; in sparse data zero comes first. A missing value (NaN,
    None, NA) is a level of its own, the last one: whether a value is missing can tell something
    about the class. A column that is missing everywhere is therefore a constant.

    Parameters
    ----------
    X : array, sparse matrix or dataframe, examples x features
        Sparse data never become dense.
    owner : str
        Who asks, for refusals.

    Raises
    ------
    InputError
        Where a column holds numbers that are not whole: it needs to be discretised.

    Notes
    -----
    O(cells) where each column spans no more than 256 whole numbers, which is the usual case;
    wider columns are sorted.
    """
    if hasattr(X, "sparse") and hasattr(X, "iloc") and _all_sparse(X):
        X, names = X.sparse.to_coo(), Names(X.columns)
        return _of_sparse(X, names, owner)
    names = Names(getattr(X, "columns", None))
    if is_sparse(X):
        return _of_sparse(X, names, owner)
    table = columns_of(X, names, owner)
    if table.dtype.kind == "b":
        table = table.view(np.uint8)
    return _of_table(table, names, owner)


def _all_sparse(frame: Any) -> bool:
    return len(frame.dtypes) > 0 and all(hasattr(dtype, "fill_value") for dtype in frame.dtypes)


def _of_table(table: NDArray[Any], names: Names, owner: str) -> Codes:
    return code_table(table, *survey(table, names, owner))


def code_table(
    table: NDArray[Any], low: NDArray[Any], high: NDArray[Any], missing: NDArray[np.bool_]
) -> Codes:
    """Shift narrow columns to 0; rank wide ones. The surveyed extremes say which is which."""
    n_examples, n_features = table.shape
    # Doubles, as the span of 64-bit numbers may not fit in 64 bits.
    levels = high.astype(np.float64) - low.astype(np.float64) + 1 + missing
    wide = np.flatnonzero(levels > SPAN)
    ranks, ranked_levels = (
        ranked(np.ascontiguousarray(table[:, wide].T)) if wide.size else (None, None)
    )
    levels[wide] = 0 if ranked_levels is None else ranked_levels
    n_levels = levels.astype(np.int32)
    codes = np.empty((n_features, n_examples), narrowest(n_levels))
    _shift(table, low, missing, n_levels, codes)
    if ranks is not None:
        codes[wide] = ranks
    return Codes(n_examples, n_levels, codes)


def survey(
    table: NDArray[Any], names: Names, owner: str
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
    """Lowest and highest value of each column, and whether any is missing.

    A column that is missing everywhere gets the highest value -1 and the lowest 0, so that the
    missing level is its only one.
    """
    if table.dtype.kind != "f":
        return table.min(axis=0), table.max(axis=0), np.zeros(table.shape[1], bool)
    low, high = np.full((2, table.shape[1]), np.nan)
    missing = np.zeros(table.shape[1], bool)
    for rows in blocks(table):
        block = table[rows]
        whole = np.rint(block) == block
        if not whole.all() or np.isinf(block).any():
            absent = np.isnan(block)
            missing |= absent.any(axis=0)
            refuse_continuous(block, (whole | absent) & ~np.isinf(block), names, owner)
        np.fmin(low, np.fmin.reduce(block, axis=0), out=low)
        np.fmax(high, np.fmax.reduce(block, axis=0), out=high)
    empty = np.isnan(low)
    low[empty], high[empty] = 0.0, -1.0
    return low, high, missing


def _shift(
    table: NDArray[Any],
    low: NDArray[Any],
    missing: NDArray[np.bool_],
    n_levels: NDArray[np.int32],
    codes: NDArray[Any],
) -> None:
    """Write the values less the lowest of their column, a feature a row.

    What the subtraction or the cast wraps around belongs to wide columns, which are written anew.
    """
    moved = bool(low.any())
    some_missing = bool(missing.any())
    for rows in blocks(table):
        block = table[rows]
        if moved:
            block = block - low
        if some_missing:
            block = np.where(np.isnan(block), (n_levels - 1).astype(block.dtype), block)
        if block.dtype.kind == "f":
            with np.errstate(invalid="ignore"):
                block = block.astype(np.int64)
        codes[:, rows] = block.T


def blocks(table: NDArray[Any]) -> list[slice]:
    """Runs of rows that fit in the cache; all rows at once where columns are contiguous."""
    n_examples, n_features = table.shape
    height = max(16, CELLS // max(1, n_features))
    if table.flags.f_contiguous:
        height = max(height, (1 << 22) // max(1, n_features))
    return [slice(i, min(i + height, n_examples)) for i in range(0, n_examples, height)]


def narrowest(n_levels: NDArray[Any]) -> type[np.uint8] | type[np.uint16] | type[np.int32]:
    """The type that holds the codes of all features."""
    most = int(n_levels.max(initial=1))
    return np.uint8 if most <= 1 << 8 else np.uint16 if most <= 1 << 16 else np.int32


def _of_sparse(X: Any, names: Names, owner: str) -> Codes:
    """Code the entries of each column; zero is always 0."""
    columns = X.tocsc()
    if columns is X and not (X.has_canonical_format and bool(np.all(X.data))):
        columns = X.copy()
    columns.sum_duplicates()
    columns.eliminate_zeros()
    data: NDArray[Any] = columns.data
    if data.dtype.kind not in "biuf":
        raise refusal("X", owner, "of numbers where it is sparse", f"values of type {data.dtype}")
    if data.dtype.kind == "f":
        absent = np.isnan(data)
        whole = ((np.rint(data) == data) | absent) & ~np.isinf(data)
        if not whole.all():
            entry = int(np.argmin(whole))
            column = int(np.searchsorted(columns.indptr, entry, side="right")) - 1
            refuse_continuous(
                data[entry].reshape(1, 1), np.zeros((1, 1), bool), names, owner, column
            )
    lengths = np.diff(columns.indptr)
    narrow = data.size == 0 or (data.min() > 0 and data.max() < SPAN)
    codes = data if narrow else _ranked_entries(data, lengths)
    n_levels = np.ones(lengths.size, np.int32)
    filled = lengths > 0
    if codes.size:
        starts = columns.indptr[:-1][filled]
        n_levels[filled] += np.maximum.reduceat(codes.astype(np.int32), starts)
    return Codes(
        columns.shape[0],
        n_levels,
        None,
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int32),
        codes.astype(narrowest(n_levels)),
    )


def codes_of_levels(levels: Any, n_bins: NDArray[np.intp]) -> Codes:
    """Code signed levels, which are stored where they are not 0: levels below zero come last.

    Parameters
    ----------
    levels : CSC matrix of int32
        Counted from the level of zero.
    n_bins : array
        Levels of each feature; one more is that of missing values.
    """
    lengths = np.diff(levels.indptr)
    # Room for the missing level everywhere: a level that does not occur costs nothing.
    around = np.repeat(n_bins + 1, lengths)
    n_levels = (n_bins + 1).astype(np.int32)
    codes = np.where(levels.data < 0, levels.data + around, levels.data)
    return Codes(
        levels.shape[0],
        n_levels,
        None,
        levels.indptr.astype(np.int64),
        levels.indices.astype(np.int32),
        codes.astype(narrowest(n_levels)),
    )


def _ranked_entries(data: NDArray[Any], lengths: NDArray[Any]) -> NDArray[np.int32]:
    """Rank of each entry among the distinct ones of its column, from 1. O(entries log entries)."""
    column = np.repeat(np.arange(lengths.size), lengths)
    order = np.lexsort((data, column))
    values, owners = data[order], column[order]
    new = np.ones(data.size, np.int32)
    alike = values[1:] == values[:-1]
    if data.dtype.kind == "f":
        alike |= np.isnan(values[1:]) & np.isnan(values[:-1])
    new[1:] = ~alike | (owners[1:] != owners[:-1])
    ranks = np.cumsum(new)
    first = np.concatenate(([0], np.cumsum(lengths)))[:-1]
    before = np.zeros(lengths.size, ranks.dtype)
    filled = lengths > 0
    before[filled] = ranks[first[filled]] - 1
    codes = np.empty(data.size, np.int32)
    codes[order] = ranks - before[owners]
    return codes
