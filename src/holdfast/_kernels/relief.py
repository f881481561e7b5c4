"""Distances and neighbours for ReliefF, and the sums over them.

Two units measure a distance. The fine one says which of two examples is nearer, and its sums are
whole numbers, so no order of columns can change a tie. The rough one fits 32 bits, where vector
instructions are many times as fast; it is off by a stated slack, and whoever could be on either
side of the last neighbour within that slack is measured again in the fine unit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Small = NDArray[np.int32]
Ints = NDArray[np.int64]

# 16 times the least common multiple of 1 to 25: columns of whole numbers with a range up to 25,
# and halves of them four times over, have differences that are whole numbers in this unit.
FINE = 428338310400
# Columns measured before the sums are put down: so that rows stay in the nearest cache.
SPAN = 512
FARTHEST = 0x7FFFFFFFFFFFFFFF


class Columns(NamedTuple):
    """Columns by kind, the examples ordered by class.

    Attributes
    ----------
    numeric : array, examples x features
        Complete numeric columns over their range.
    nominal : array, examples x features
        Codes of complete nominal columns.
    gaps : array, features x examples
        Columns with missing values (NaN): over their range, or codes.
    gap_nominal : array of bool
        Which of those are nominal.
    expected : array, features with gaps x classes x examples
        The difference to expect between an example and a missing value of that class.
    both : array, features with gaps x classes x classes
        The same between two missing values.
    codes : array
        Class of each example.
    """

    numeric: Floats
    nominal: Small
    gaps: Floats
    gap_nominal: NDArray[np.bool_]
    expected: Floats
    both: Floats
    codes: Ints


@compiled
def eight_rows(table: Small, rows: Ints, first: int, start: int, stop: int, out: Small) -> None:
    """Add the distances of eight examples to some others; each of those is read once for all."""
    for low in range(0, table.shape[1], SPAN):
        high = min(low + SPAN, table.shape[1])
        a, b = table[rows[first], low:high], table[rows[first + 1], low:high]
        c, d = table[rows[first + 2], low:high], table[rows[first + 3], low:high]
        e, f = table[rows[first + 4], low:high], table[rows[first + 5], low:high]
        g, h = table[rows[first + 6], low:high], table[rows[first + 7], low:high]
        for j in range(start, stop):
            other = table[j, low:high]
            # Each in a name of its own, to live in a register; 32 bits said again and again, since
            # numba would widen.
            sa = sb = sc = sd = se = sf = sg = sh = np.int32(0)
            for k in range(other.size):
                x = other[k]
                sa = np.int32(sa + abs(np.int32(a[k] - x)))
                sb = np.int32(sb + abs(np.int32(b[k] - x)))
                sc = np.int32(sc + abs(np.int32(c[k] - x)))
                sd = np.int32(sd + abs(np.int32(d[k] - x)))
                se = np.int32(se + abs(np.int32(e[k] - x)))
                sf = np.int32(sf + abs(np.int32(f[k] - x)))
                sg = np.int32(sg + abs(np.int32(g[k] - x)))
                sh = np.int32(sh + abs(np.int32(h[k] - x)))
            column = out[first : first + 8, j]
            column[0] += sa
            column[1] += sb
            column[2] += sc
            column[3] += sd
            column[4] += se
            column[5] += sf
            column[6] += sg
            column[7] += sh


@compiled
def add_numeric(table: Small, rows: Ints, start: int, stop: int, out: Small) -> None:
    """Add the distances of some examples to those from `start` to `stop`. O(rows others d)."""
    whole = rows.size - rows.size % 8
    for first in range(0, whole, 8):
        eight_rows(table, rows, first, start, stop, out)
    for r in range(whole, rows.size):
        row = table[rows[r]]
        for j in range(start, stop):
            other, total = table[j], np.int32(0)
            for k in range(other.size):
                total = np.int32(total + abs(np.int32(row[k] - other[k])))
            out[r, j] += total


@compiled
def add_nominal(
    table: Small, rows: Ints, start: int, stop: int, unit: int, out: NDArray[np.integer]
) -> None:
    """Add a unit for each column in which two examples have different codes."""
    for r in range(rows.size):
        row = table[rows[r]]
        for j in range(start, stop):
            other, total = table[j], np.int32(0)
            for k in range(other.size):
                total = np.int32(total + np.int32(row[k] != other[k]))
            out[r, j] += unit * total


@compiled
def gap_difference(columns: Columns, g: int, i: int, j: int) -> float:
    """Difference of two examples in a column with missing values."""
    x, y = columns.gaps[g, i], columns.gaps[g, j]
    if np.isnan(x):
        if np.isnan(y):
            return columns.both[g, columns.codes[i], columns.codes[j]]
        return columns.expected[g, columns.codes[i], j]
    if np.isnan(y):
        return columns.expected[g, columns.codes[j], i]
    if columns.gap_nominal[g]:
        return 0.0 if x == y else 1.0
    return abs(x - y)


@compiled
def add_gaps(
    columns: Columns, rows: Ints, start: int, stop: int, unit: int, out: NDArray[np.integer]
) -> None:
    """Add the differences in columns with missing values, each rounded to the unit."""
    for g in range(columns.gaps.shape[0]):
        for r in range(rows.size):
            for j in range(start, stop):
                out[r, j] += np.int64(np.rint(unit * gap_difference(columns, g, rows[r], j)))


@compiled
def add_tile(
    columns: Columns,
    table: Small,
    rows: Ints,
    start: int,
    stop: int,
    unit: int,
    out: Small,
) -> None:
    """Add all kinds of columns, in the rough unit; `table` holds the numeric ones in it."""
    add_numeric(table, rows, start, stop, out)
    if columns.nominal.shape[1] > 0:
        add_nominal(columns.nominal, rows, start, stop, unit, out)
    add_gaps(columns, rows, start, stop, unit, out)


@compiled
def mirror(out: Small, first: int, last: int, start: int, stop: int) -> None:
    """Copy a tile of a symmetric matrix to its other side."""
    for j in range(start, stop):
        for i in range(first, last):
            out[j, i] = out[i, j]


@compiled
def fine_distance(columns: Columns, i: int, j: int) -> int | np.int64:
    """Distance of two examples in the fine unit. O(d)."""
    a, b, total = columns.numeric[i], columns.numeric[j], np.int64(0)
    for k in range(a.size):
        total += np.int64(np.rint(FINE * abs(a[k] - b[k])))
    x, y, different = columns.nominal[i], columns.nominal[j], 0
    for k in range(x.size):
        different += x[k] != y[k]
    total += FINE * different
    for g in range(columns.gaps.shape[0]):
        total += np.int64(np.rint(FINE * gap_difference(columns, g, i, j)))
    return total


@compiled
def keep_nearest(keys: Ints, places: Ints, held: int, key: int | np.int64, place: int) -> int:
    """Put a key into the ascending list unless it is full of lower or equal ones; return its size.

    Offered in the order of places, equal keys stay in that order.
    """
    if held == keys.size and key >= keys[held - 1]:
        return held
    at = held if held < keys.size else held - 1
    while at > 0 and keys[at - 1] > key:
        keys[at], places[at] = keys[at - 1], places[at - 1]
        at -= 1
    keys[at], places[at] = key, place
    return min(held + 1, keys.size)


@compiled
def nearest_by_key(
    distances: NDArray[np.integer], own: int, start: int, keys: Ints, places: Ints
) -> int:
    """List the examples with the least keys, ascending; return how many. `start` is the first."""
    held, limit = 0, np.int64(FARTHEST)
    for j in range(distances.size):
        if distances[j] < limit and start + j != own:
            held = keep_nearest(keys, places, held, distances[j], start + j)
            if held == keys.size:
                limit = keys[held - 1]
    return held


@compiled
def settle(
    columns: Columns,
    distances: NDArray[np.integer],
    own: int,
    start: int,
    slack: int,
    keys: Ints,
    places: Ints,
) -> None:
    """Find the same examples where the slack leaves open which they are, by measuring again.

    `keys` ends with the last of the nearest. O(d) for each example that is as near to that.
    """
    low, high = keys[-1] - 2 * slack, keys[-1] + 2 * slack
    sure = 0
    for j in range(distances.size):
        if distances[j] < low and start + j != own:
            places[sure] = start + j
            sure += 1
    held = 0
    for j in range(distances.size):
        if low <= distances[j] <= high and start + j != own:
            key = fine_distance(columns, own, start + j)
            held = keep_nearest(keys[sure:], places[sure:], held, key, start + j)


@compiled
def find_neighbours(
    columns: Columns,
    distances: NDArray[np.integer],
    rows: Ints,
    starts: Ints,
    slack: int,
    neighbours: Ints,
    counts: Ints,
) -> None:
    """Find the nearest examples of each class for each row; where the slack decides, in no order.

    `starts` says where each class begins. Filled: `neighbours`, rows x classes x k, and how many
    of them there are. O(n + k) for each row, unless many are equally near.
    """
    k = neighbours.shape[2]
    # One more than asked for: if it is far enough from the last, no slack can change places.
    keys, places = np.empty(k + 1, np.int64), np.empty(k + 1, np.int64)
    for r in range(rows.size):
        for c in range(starts.size - 1):
            of_class = distances[r, starts[c] : starts[c + 1]]
            held = nearest_by_key(of_class, rows[r], starts[c], keys, places)
            if slack > 0 and held > k and keys[k] <= keys[k - 1] + 2 * slack:
                settle(columns, of_class, rows[r], starts[c], slack, keys[:k], places[:k])
            counts[r, c] = min(held, k)
            neighbours[r, c, : counts[r, c]] = places[: counts[r, c]]


@compiled
def sum_numeric(
    table: Floats, rows: Ints, neighbours: Ints, shares: Floats, low: int, high: int, out: Floats
) -> None:
    """Add the weighted differences to the neighbours, in the columns from `low` to `high`.

    `shares` is the weight of a neighbour, rows x classes x k; 0 where there is none.
    """
    total = out[low:high]
    for r in range(rows.size):
        own = table[rows[r], low:high]
        for c in range(neighbours.shape[1]):
            for t in range(neighbours.shape[2]):
                share = shares[r, c, t]
                if share != 0.0:
                    other = table[neighbours[r, c, t], low:high]
                    for k in range(total.size):
                        total[k] += share * abs(own[k] - other[k])


@compiled
def sum_nominal(
    table: Small, rows: Ints, neighbours: Ints, shares: Floats, low: int, high: int, out: Floats
) -> None:
    """The same for codes."""
    total = out[low:high]
    for r in range(rows.size):
        own = table[rows[r], low:high]
        for c in range(neighbours.shape[1]):
            for t in range(neighbours.shape[2]):
                share = shares[r, c, t]
                if share != 0.0:
                    other = table[neighbours[r, c, t], low:high]
                    for k in range(total.size):
                        total[k] += share if own[k] != other[k] else 0.0


@compiled
def sum_gaps(
    columns: Columns, rows: Ints, neighbours: Ints, shares: Floats, low: int, high: int, out: Floats
) -> None:
    """The same for columns with missing values."""
    for g in range(low, high):
        for r in range(rows.size):
            for c in range(neighbours.shape[1]):
                for t in range(neighbours.shape[2]):
                    share = shares[r, c, t]
                    if share != 0.0:
                        difference = gap_difference(columns, g, rows[r], neighbours[r, c, t])
                        out[g] += share * difference
