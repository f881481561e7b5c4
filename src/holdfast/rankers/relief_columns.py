"""Tables as ReliefF's kernels need them: scaled, ordered by class, missing values accounted for."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.sparsefuncs import min_max_axis

from holdfast._kernels.relief import FINE, Columns
from holdfast.contracts import Floats, Ints
from holdfast.rankers.relief_input import Table, is_sparse

LARGEST = np.iinfo(np.int32).max


class Prepared(NamedTuple):
    """The table by kind; numeric and nominal columns as CSC where the input is sparse.

    Attributes
    ----------
    columns : Columns
        Dense parts; those that are sparse are empty here.
    numeric, nominal : array or CSC matrix
        Complete columns.
    at : tuple of arrays
        Where numeric, nominal and incomplete columns are in the input.
    starts : array
        Where each class begins among the ordered examples.
    order : array
        The examples in order of their classes.
    """

    columns: Columns
    numeric: Any
    nominal: Any
    at: tuple[Ints, Ints, Ints]
    starts: NDArray[np.int64]
    order: Ints


def prepare(table: Table, codes: NDArray[np.int64]) -> Prepared:
    """Order the examples by class, scale numeric columns, set those with missing values aside."""
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(codes)))).astype(np.int64)
    numeric = scaled_by_range(_ordered(table.numeric, order))
    nominal = _ordered(table.nominal, order)
    numeric_gaps, nominal_gaps = _with_gaps(numeric), _with_gaps(nominal)
    gaps = np.vstack((_dense(numeric, numeric_gaps).T, _dense(nominal, nominal_gaps).T))
    gap_nominal = np.arange(gaps.shape[0]) >= np.count_nonzero(numeric_gaps)
    ordered_codes = codes[order]
    expected, both = expected_differences(gaps, gap_nominal, ordered_codes)
    at = (
        table.numeric_at[~numeric_gaps],
        table.nominal_at[~nominal_gaps],
        np.concatenate((table.numeric_at[numeric_gaps], table.nominal_at[nominal_gaps])),
    )
    if numeric_gaps.any():
        numeric = numeric[:, ~numeric_gaps]
    nominal = nominal[:, ~nominal_gaps]
    if is_sparse(numeric):
        dense = np.empty((order.size, 0)), np.empty((order.size, 0), np.int32)
    else:
        nominal = np.ascontiguousarray(nominal, np.int32)
        numeric = np.ascontiguousarray(numeric)
        dense = numeric, nominal
    columns = Columns(*dense, gaps, gap_nominal, expected, both, ordered_codes)
    return Prepared(columns, numeric, nominal, at, starts, order)


def _ordered(part: Any, order: Ints) -> Any:
    if not is_sparse(part):
        return part[order]
    rank = np.argsort(order)
    indices = rank[part.indices].astype(np.int32)
    moved = sparse.csc_matrix((part.data, indices, part.indptr.astype(np.int32)), part.shape)
    moved.sum_duplicates()
    return moved


def _with_gaps(part: Any) -> NDArray[np.bool_]:
    mask = np.zeros(part.shape[1], dtype=bool)
    if is_sparse(part):
        entry = np.flatnonzero(np.isnan(part.data))
        mask[np.searchsorted(part.indptr, entry, side="right") - 1] = True
        return mask
    # A sum shows a NaN (or two opposed infinities) without a second table of truth values.
    with np.errstate(over="ignore", invalid="ignore"):
        doubtful = np.flatnonzero(np.isnan(part.sum(axis=0)))
    mask[doubtful] = np.isnan(part[:, doubtful]).any(axis=0)
    return mask


def _dense(part: Any, mask: NDArray[np.bool_]) -> Floats:
    chosen = part[:, mask]
    dense: Floats = chosen.toarray() if is_sparse(part) else chosen
    return dense


def scaled_by_range(part: Any) -> Any:
    """Divide each column by its range, and move it so that the value nearest to 0 becomes 0.

    So the zeros of a sparse matrix stay, and a large mean takes no digits from the differences.
    Changes the part in place. A constant column becomes 0 throughout.
    """
    low, high = _extremes(part)
    with np.errstate(over="ignore"):
        wide = np.isinf(high - low)
    if wide.any():
        shrink = np.where(wide, 0.25, 1.0)
        _each_column(part, np.multiply, shrink)
        low, high = low * shrink, high * shrink
    width = high - low
    anchor = np.clip(0.0, low, high)
    if anchor.any():
        _each_column(part, np.subtract, anchor)
    _each_column(part, np.divide, np.where(width == 0, 1.0, width))
    return part


def _extremes(part: Any) -> tuple[Floats, Floats]:
    if is_sparse(part):
        if part.shape[1] == 0:
            return np.empty(0), np.empty(0)
        low, high = min_max_axis(part, axis=0, ignore_nan=True)
        return low, high
    return np.fmin.reduce(part, axis=0), np.fmax.reduce(part, axis=0)


def _each_column(part: Any, operation: np.ufunc, numbers: Floats) -> None:
    if is_sparse(part):
        numbers = np.repeat(numbers, np.diff(part.indptr))
        operation(part.data, numbers, out=part.data)
    else:
        operation(part, numbers, out=part)


def expected_differences(
    gaps: Floats, nominal: NDArray[np.bool_], codes: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Differences to expect of a missing value by its class: from each example, from another such.

    A missing value may be any known value of its class, as often as those occur; of any class where
    its own has none. For nominal columns that is the textbook's 1 - P(value | class).
    """
    n_classes = int(codes.max()) + 1
    expected = np.empty((gaps.shape[0], n_classes, gaps.shape[1]))
    both = np.empty((gaps.shape[0], n_classes, n_classes))
    for g, column in enumerate(gaps):
        known = ~np.isnan(column)
        of_class = [known & (codes == c) for c in range(n_classes)]
        pools = [column[mask if mask.any() else known] for mask in of_class]
        distance = _share_of_others if nominal[g] else _mean_distance
        expected[g] = [distance(pool, column) for pool in pools]
        table = np.array([[distance(a, b).mean() for b in pools] for a in pools])
        both[g] = (table + table.T) / 2
    return expected, both


def _share_of_others(pool: Floats, values: Floats) -> Floats:
    """Share of the pool that differs from each value."""
    kinds, counts = np.unique(pool, return_counts=True)
    place = np.searchsorted(kinds, values).clip(max=kinds.size - 1)
    same = np.where(kinds[place] == values, counts[place], 0)
    return (pool.size - same) / pool.size


def _mean_distance(pool: Floats, values: Floats) -> Floats:
    """Mean distance of each value from the pool. O((p + v) log p)."""
    ascending = np.sort(pool)
    sums = np.concatenate(([0.0], np.cumsum(ascending)))
    below = np.searchsorted(ascending, values)
    above = pool.size - below
    left = values * below - sums[below]
    right = (sums[-1] - sums[below]) - values * above
    mean: Floats = np.maximum(left + right, 0.0) / pool.size
    return mean


def rough_unit(prepared: Prepared) -> tuple[int, int]:
    """What a range counts in 32 bits, and by how much a sum of differences may then be off.

    Columns of whole numbers may have a unit in which all is exact.
    """
    numeric, n_gaps = prepared.columns.numeric, prepared.columns.gaps.shape[0]
    n_features = numeric.shape[1] + prepared.columns.nominal.shape[1] + n_gaps
    widest = LARGEST // n_features - 2
    if n_gaps == 0:
        exact = _exact_unit(numeric)
        if exact is not None and exact <= widest and FINE % exact == 0:
            return exact, 0
    # Each rough difference is off by at most 1, each fine one by far less than a hundredth.
    return widest, math.ceil(1.01 * (numeric.shape[1] + n_gaps)) + 1


def _exact_unit(numeric: Floats) -> int | None:
    """The least unit up to `FINE` in which all scaled values are whole, if there is one."""
    unit = 1
    for row in numeric:
        # Whatever is not whole in some row adds its denominator.
        while True:
            off = row * unit
            off = np.flatnonzero(np.abs(off - np.rint(off)) > 1e-9)
            if off.size == 0:
                break
            share = float(row[off[0]])
            denominator = _denominator(share)
            if denominator is None:
                return None
            unit = math.lcm(unit, denominator)
            if unit > FINE:
                return None
    return unit


def _denominator(share: float) -> int | None:
    """The least denominator up to 64 of a number between -1 and 1, if it has one."""
    below = np.arange(1, 65)
    whole = np.flatnonzero(np.abs(share * below - np.rint(share * below)) < 1e-12)
    return int(below[whole[0]]) if whole.size else None
