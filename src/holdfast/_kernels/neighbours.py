"""The nearest training examples of each test example, by squared distance over the base features.

One *query* is a test example of one split. Its *prefix* holds every column (training example) of
that split whose distance is at most `radius`, nearest first, so all other columns are farther.
Distances here are plain sums of doubles: each is within a relative error that callers know and
settle exactly wherever it could matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]

# Lanes whose minima bound the prefix: each lane gives at least one member.
LANES = 16


class Table(NamedTuple):
    """The data of one view. Columns are what may be a neighbour, points what may ask for them.

    Attributes
    ----------
    points : array, points x features
    columns : array, columns x features
    by_feature : array, features x columns
        The transpose of `columns`, contiguous.
    order : array, features x columns
        Columns sorted by value, equal values by index.
    reach : array, features x columns
        Along `order`, in a run of equal values: at its first place the last, at its last the first.
    labels : array
        Class of each column.
    """

    points: Floats
    columns: Floats
    by_feature: Floats
    order: Places
    reach: Places
    labels: Places


class Queries(NamedTuple):
    """What is asked, sorted by split.

    Attributes
    ----------
    point, split : array
        Row of `Table.points` and number of the split.
    truth : array
        Class of the point.
    weight : array
        What a correct prediction counts.
    barred_from, barred : array
        ``barred[barred_from[s]:barred_from[s + 1]]`` are the columns that split s
        does not train on.
    """

    point: Ints
    split: Ints
    truth: Places
    weight: Floats
    barred_from: Ints
    barred: Places


class Prefixes(NamedTuple):
    """The prefix of each query.

    Attributes
    ----------
    distance, column : array, queries x capacity
    size : array
        How many entries are used.
    radius : array
        All columns outside of the prefix are farther than this.
    """

    distance: Floats
    column: Places
    size: Places
    radius: Floats


@compiled
def fill_row(point: Floats, by_feature: Floats, base: Ints, barred: Places, row: Floats) -> None:
    """Squared distances of a point to all columns; infinite to barred ones. O(base x columns)."""
    row[:] = 0.0
    done = base.size % 4
    for b in range(done):
        x = point[base[b]]
        values = by_feature[base[b]]
        for j in range(row.size):
            row[j] += (x - values[j]) * (x - values[j])
    while done < base.size:
        x0, values0 = point[base[done]], by_feature[base[done]]
        x1, values1 = point[base[done + 1]], by_feature[base[done + 1]]
        x2, values2 = point[base[done + 2]], by_feature[base[done + 2]]
        x3, values3 = point[base[done + 3]], by_feature[base[done + 3]]
        for j in range(row.size):
            row[j] += (
                (x0 - values0[j]) * (x0 - values0[j])
                + (x1 - values1[j]) * (x1 - values1[j])
                + (x2 - values2[j]) * (x2 - values2[j])
                + (x3 - values3[j]) * (x3 - values3[j])
            )
        done += 4
    for j in barred:
        row[j] = np.inf


@compiled
def _radius_of(row: Floats, lanes: Floats) -> float:
    """A distance that at least `lanes.size` columns do not exceed, and not many times more do."""
    width = lanes.size
    lanes[:] = np.inf
    full = row.size // width
    for block in range(full):
        part = row[block * width : (block + 1) * width]
        for lane in range(width):
            lanes[lane] = part[lane] if part[lane] < lanes[lane] else lanes[lane]
    radius = 0.0
    for lane in range(width):
        radius = max(radius, lanes[lane])
    return radius


@compiled
def _sort(distance: Floats, column: Places, size: int) -> None:
    for i in range(1, size):
        d, j = distance[i], column[i]
        place = i
        while place > 0 and distance[place - 1] > d:
            distance[place] = distance[place - 1]
            column[place] = column[place - 1]
            place -= 1
        distance[place] = d
        column[place] = j


@compiled
def _drop_farthest(distance: Floats, column: Places, size: int) -> tuple[int, float]:
    """Keep what is nearer than the farthest; return how many, and the radius that says so."""
    farthest = distance[:size].max()
    kept = 0
    for p in range(size):
        if distance[p] < farthest:
            distance[kept], column[kept] = distance[p], column[p]
            kept += 1
    return kept, np.nextafter(farthest, -1.0)


@compiled
def prefix_of_row(
    row: Floats, lanes: Floats, distance: Floats, column: Places
) -> tuple[int, float]:
    """Write the nearest columns of a row, nearest first; return how many, and their radius.

    Takes fewer, down to none, where too many columns are equally far.
    """
    capacity = column.size
    radius = _radius_of(row, lanes)
    size = 0
    for j in range(row.size):
        if row[j] <= radius and row[j] < np.inf:
            if size == capacity:
                size, radius = _drop_farthest(distance, column, size)
                if row[j] > radius:
                    continue
            distance[size], column[size] = row[j], j
            size += 1
    _sort(distance, column, size)
    return size, radius


@compiled
def find_prefixes(
    first: int, last: int, table: Table, queries: Queries, base: Ints, prefixes: Prefixes
) -> None:
    """Fill the prefixes of queries first..last-1, of which the first has row 0."""
    row = np.empty(table.columns.shape[0])
    lanes = np.empty(LANES)
    for q in range(first, last):
        s = queries.split[q]
        barred = queries.barred[queries.barred_from[s] : queries.barred_from[s + 1]]
        fill_row(table.points[queries.point[q]], table.by_feature, base, barred, row)
        size, radius = prefix_of_row(
            row, lanes, prefixes.distance[q - first], prefixes.column[q - first]
        )
        prefixes.size[q - first] = size
        prefixes.radius[q - first] = radius
