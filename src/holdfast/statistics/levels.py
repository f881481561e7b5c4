"""The values that levels stand for, so that data in parts are coded alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError
from holdfast.statistics.codes import SPAN, Codes, code_table, narrowest, survey
from holdfast.statistics.columns import Names, columns_of

Ints = NDArray[np.intp]


class Levels:
    """For each feature the values of its levels, ascending, and whether one more is for missing.

    Attributes
    ----------
    values : list of arrays
        Numbers, or text.
    missing : array of bool
        Whether the feature has missing values.
    """

    def __init__(self, values: list[NDArray[Any]], missing: NDArray[np.bool_]) -> None:
        self.values = values
        self.missing = missing
        self.sizes = np.array([own.size for own in values], np.int64)
        self.n_levels = (self.sizes + missing).astype(np.int32)
        # The first value where they are neighbouring whole numbers, as they mostly are.
        self._first: list[int | None] = [first_of_run(own) for own in values]

    def union(self, other: Levels) -> Levels:
        """The values of either."""
        pairs = zip(self.values, other.values, strict=True)
        return Levels([_united(a, b) for a, b in pairs], self.missing | other.missing)

    def equals(self, other: Levels) -> bool:
        """Whether the levels are the same."""
        return bool(np.array_equal(self.missing, other.missing)) and all(
            a is b or (a.dtype.kind == b.dtype.kind and np.array_equal(a, b))
            for a, b in zip(self.values, other.values, strict=True)
        )

    def places(self, feature: int, values: NDArray[Any]) -> Ints:
        """Codes of values that are not missing; -1 for those that are no level."""
        first, size = self._first[feature], self.values[feature].size
        if first is not None and values.dtype.kind in "biuf":
            codes = (values - first).astype(np.intp)
            inside = (codes >= 0) & (codes < size) & (codes + first == values)
        else:
            own = self.values[feature]
            if not size or (own.dtype.kind in "biuf") != (values.dtype.kind in "biuf"):
                return np.full(values.shape, -1, np.intp)
            codes = np.minimum(np.searchsorted(own, values), size - 1)
            inside = own[codes] == values
        return np.where(inside, codes, -1)

    def codes(self, X: Any, features: Ints, names: Names, owner: str) -> Codes:
        """Code some features; the columns of `X` are these and no others.

        Raises
        ------
        InputError
            Where a value is no level: the data are not those that the levels were learned from.
        """
        texts: dict[int, NDArray[Any]] = {}
        table = columns_of(X, names, owner, texts)
        columns = table.T if table.flags.f_contiguous else np.ascontiguousarray(table.T)
        n_levels = self.n_levels[features]
        codes = np.empty(columns.shape, narrowest(n_levels))
        for i, feature in enumerate(features.tolist()):
            codes[i] = self._codes_of(feature, columns[i], texts.get(i), names[i])
        return Codes(table.shape[0], n_levels, codes)

    def _codes_of(
        self, feature: int, column: NDArray[Any], texts: NDArray[Any] | None, name: str
    ) -> Ints:
        absent = np.isnan(column) if column.dtype.kind == "f" else np.zeros(1, bool)
        some_absent = bool(absent.any())
        if some_absent:
            column = np.where(absent, 0, column)
        if texts is None:
            codes = self.places(feature, column)
        elif texts.size:
            codes = self.places(feature, texts)[column.astype(np.intp)]
        else:
            codes = np.zeros(column.size, np.intp)
        if some_absent:
            last = self.sizes[feature] if self.missing[feature] else -1
            codes = np.where(absent, last, codes)
        if codes.size and codes.min() < 0:
            raise InputError(f"The data have changed between two passes: {name} has a new value.")
        return codes


def coded(X: Any, names: Names, owner: str) -> tuple[Codes, Levels]:
    """Code a part by the values in it; say which they are."""
    texts: dict[int, NDArray[Any]] = {}
    table = columns_of(X, names, owner, texts)
    if table.dtype.kind == "b":
        table = table.view(np.uint8)
    if not table.shape[0]:
        empty = [np.empty(0)] * table.shape[1]
        return Codes(
            0, np.zeros(table.shape[1], np.int32), np.empty(table.T.shape, np.uint8)
        ), Levels(empty, np.zeros(table.shape[1], bool))
    low, high, missing = survey(table, names, owner)
    codes = code_table(table, low, high, missing)
    wide = high.astype(np.float64) - low.astype(np.float64) + 1 + missing > SPAN
    values = [
        _values(table[:, f] if wide[f] else None, low[f], high[f], texts.get(f))
        for f in range(table.shape[1])
    ]
    return codes, Levels(values, missing)


def _values(column: Any, low: Any, high: Any, texts: NDArray[Any] | None) -> NDArray[Any]:
    if column is None:
        # Doubles of whole numbers become whole numbers, as the same column in another part may be.
        values: NDArray[Any] = np.arange(int(low), int(high) + 1)
    else:
        values = np.unique(column[column == column])
    return values if texts is None else texts[values.astype(np.intp)]


def first_of_run(values: NDArray[Any]) -> int | None:
    """The first of neighbouring whole numbers; None where they are not such."""
    if not values.size or values.dtype.kind not in "biuf":
        return None
    low, high = float(values[0]), float(values[-1])
    whole = low == int(low) and high - low == values.size - 1 and abs(low) + abs(high) < 2**53
    return int(low) if whole else None


def _united(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    if a is b or not b.size or (a.shape == b.shape and np.array_equal(a, b)):
        return a
    if not a.size:
        return b
    if (a.dtype.kind in "biuf") != (b.dtype.kind in "biuf"):
        raise InputError("A column has numbers in one part of the data and text in another.")
    return np.union1d(a, b)
