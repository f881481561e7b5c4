"""The nearest columns of each query over the base features."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import Floats, Ints, Near, Places, Queries, Table
from holdfast._kernels.neighbours_rows import add_feature, fill_row, remove_feature

# Rows are scanned in this many lanes at once.
LANES = 16
# Most blocks of columns hold none that is near.
BLOCK = 32
# Above any distance but those of barred columns.
FAR = np.finfo(np.float64).max


@compiled
def _lane_minima(row: Floats, lanes: Floats) -> None:
    lanes[:] = np.inf
    for start in range(0, row.size - lanes.size + 1, lanes.size):
        for lane in range(lanes.size):
            value = row[start + lane]
            lanes[lane] = value if value < lanes[lane] else lanes[lane]


@compiled
def _radius_of(row: Floats, lanes: Floats, n_groups: int) -> float:
    """A distance that at least `n_groups` columns do not exceed, and not many times more do.

    The largest of the minima of as many groups of columns; about ``n_groups * log(n_groups)``
    columns are within it.
    """
    _lane_minima(row, lanes)
    radius = 0.0
    for group in range(n_groups):
        nearest = np.inf
        for lane in range(group, lanes.size, n_groups):
            nearest = min(nearest, lanes[lane])
        radius = max(radius, nearest)
    return radius


@compiled
def _drop_farthest(distance: Floats, column: Places, size: int) -> tuple[int, float]:
    """Keep what is nearer than the farthest; return how many, and the radius that says so."""
    farthest = 0.0
    for p in range(size):
        farthest = max(farthest, distance[p])
    kept = 0
    for p in range(size):
        if distance[p] < farthest:
            distance[kept], column[kept] = distance[p], column[p]
            kept += 1
    return kept, np.nextafter(farthest, -1.0)


@compiled
def _gather(row: Floats, radius: float, distance: Floats, column: Places) -> tuple[int, float]:
    """Collect the columns within the radius; a smaller one where there is no room for all.

    Down to none, where too many are equally far.
    """
    capacity = column.size
    radius = min(radius, FAR)
    size = 0
    for start in range(0, row.size, BLOCK):
        part = row[start : start + BLOCK]
        near = 0
        for i in range(part.size):
            near += part[i] <= radius
        if near == 0:
            continue
        for i in range(part.size):
            # Written in any case: a jump that cannot be foreseen costs more than a store.
            distance[size] = part[i]
            column[size] = start + i
            size += part[i] <= radius
            if size == capacity:
                size, radius = _drop_farthest(distance, column, size)
    return size, radius


@compiled
def _sort_into(
    gathered: Floats, gathered_column: Places, size: int, distance: Floats, column: Places
) -> None:
    """Sort by counting how many come before each, which needs no jumps."""
    for p in range(size):
        d = gathered[p]
        before = 0
        for other in range(p):
            before += gathered[other] <= d
        for other in range(p + 1, size):
            before += gathered[other] < d
        distance[before] = d
        column[before] = gathered_column[p]


@compiled
def _enemy_of(
    row: Floats, radius: float, labels: Places, column: Places, size: int, lanes: Floats
) -> float:
    """Distance of the nearest column of another class than the nearest column's."""
    if size == 0:
        return 0.0
    friend = labels[column[0]]
    for p in range(1, size):
        if labels[column[p]] != friend:
            return float(row[column[p]])
    lanes[:] = np.inf
    full = row.size - row.size % lanes.size
    for start in range(0, full, lanes.size):
        for lane in range(lanes.size):
            value = np.inf if labels[start + lane] == friend else row[start + lane]
            lanes[lane] = value if value < lanes[lane] else lanes[lane]
    nearest = np.inf
    for lane in range(lanes.size):
        nearest = min(nearest, lanes[lane])
    for j in range(full, row.size):
        if labels[j] != friend:
            nearest = min(nearest, row[j])
    return nearest


@compiled
def find_prefixes(
    first: int,
    last: int,
    table: Table,
    queries: Queries,
    base: Ints,
    added: Ints,
    removed: Ints,
    anew: bool,
    n_groups: int,
    near: Near,
) -> None:
    """Find what is near to queries first..last-1, of which the first has row 0 in `near`.

    Kept rows are moved from the last base by the features added and removed, unless `anew`.
    O(columns x features moved) a query, or x features of the base.
    """
    n_columns = table.columns.shape[0]
    kept = near.rows.shape[0] > 0
    row = np.empty(n_columns)
    lanes = np.empty(LANES)
    # One place more than may be used, for what is written before it is known to be near.
    distance = np.empty(near.column.shape[1] + 1)
    column = np.empty(near.column.shape[1] + 1, np.int32)
    for q in range(first, last):
        i = q - first
        x = table.points[queries.point[q]]
        if kept:
            row = near.rows[i]
        if anew or not kept:
            s = queries.split[q]
            barred = queries.barred[queries.barred_from[s] : queries.barred_from[s + 1]]
            fill_row(x, table.by_feature, base, barred, row)
        else:
            for f in added:
                add_feature(x[f], table.by_feature[f], row)
            for f in removed:
                remove_feature(x, table.columns, table.by_feature[f], f, base, row)
        radius = _radius_of(row, lanes, n_groups)
        size, radius = _gather(row, radius, distance, column)
        _sort_into(distance, column, size, near.distance[i], near.column[i])
        near.size[i] = size
        near.radius[i] = radius
        near.enemy[i] = _enemy_of(row, radius, table.labels, near.column[i], size, lanes)
