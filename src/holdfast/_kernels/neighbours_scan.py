"""The second look: all columns, for one candidate of one query at a time.

Three passes over a row: move the distances and keep the least of each lane, which bounds what is
near; collect what is within that bound; let the nearest of it vote. The first two have no jumps, so
the processor does several columns at a time, and little is left for the third.
"""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import (
    OPEN,
    Floats,
    Ints,
    Moves,
    Near,
    Places,
    Queries,
    States,
    Table,
)
from holdfast._kernels.neighbours_exact import PARTS, exact_distance, majority, offer
from holdfast._kernels.neighbours_rows import LEFT, row_of

# Columns j, j + LANES, j + 2 LANES … share a lane.
LANES = 32
# Above any distance but those of barred columns.
FAR = np.finfo(np.float64).max
# Of what has to be summed anew, since a removal left too little of it.
LOST = -1.0


@compiled
def _move(
    row: Floats,
    points: Floats,
    point: int,
    by_feature: Floats,
    members: Ints,
    t: int,
    sign: float,
    sums: Floats,
) -> None:
    """Distances over the candidate's subset, from those over the base; LOST where they cannot."""
    if members.shape[1] == 1:
        f = members[t, 0]
        x = points[point, f]
        for j in range(row.size):
            moved = row[j] + sign * ((x - by_feature[f, j]) * (x - by_feature[f, j]))
            sums[j] = moved if moved >= row[j] * LEFT else LOST
        return
    for j in range(row.size):
        sums[j] = row[j]
    for m in range(members.shape[1]):
        f = members[t, m]
        x = points[point, f]
        for j in range(row.size):
            sums[j] += sign * ((x - by_feature[f, j]) * (x - by_feature[f, j]))
    for j in range(row.size):
        sums[j] = sums[j] if sums[j] >= row[j] * LEFT else LOST


@compiled
def _limit_of(sums: Floats, minima: Floats, nearest: Floats) -> float:
    """A distance that as many columns do not exceed as `nearest` has room for, and few more do.

    The columns are dealt to lanes, of which there must be as many.
    """
    for lane in range(minima.size):
        minima[lane] = FAR
    n_blocks = sums.size // LANES
    room = minima.size // LANES
    for block in range(n_blocks):
        start, lanes = block * LANES, (block % room) * LANES
        for lane in range(LANES):
            value = FAR if sums[start + lane] == LOST else sums[start + lane]
            least = minima[lanes + lane]
            minima[lanes + lane] = value if value < least else least
    last = nearest.size - 1
    for s in range(nearest.size):
        nearest[s] = FAR
    for lane in range(minima.size):
        value = minima[lane]
        if value < nearest[last]:
            place = last
            while place > 0 and nearest[place - 1] > value:
                nearest[place] = nearest[place - 1]
                place -= 1
            nearest[place] = value
    return nearest[last]


@compiled
def _collect(
    sums: Floats,
    limit: float,
    points: Floats,
    point: int,
    columns: Floats,
    subsets: Ints,
    t: int,
    place: Places,
) -> int:
    """Collect the columns within the limit, in order, with their distances in front of `sums`.

    Those that were lost are summed anew and always collected, unless barred or out of the table.
    """
    size = 0
    for start in range(0, sums.size, LANES):
        near = 0
        for lane in range(LANES):
            near += sums[start + lane] <= limit
        if near == 0:
            continue
        for j in range(start, start + LANES):
            if sums[j] > limit:
                continue
            moved = sums[j]
            if moved == LOST:
                moved = 0.0
                for m in range(subsets.shape[1]):
                    f = subsets[t, m]
                    moved += (points[point, f] - columns[j, f]) * (points[point, f] - columns[j, f])
            sums[size], place[size] = moved, j
            size += 1
    return size


@compiled
def _find_nearest(
    sums: Floats, place: Places, size: int, distance: Floats, column: Places, n_columns: int
) -> None:
    """Find the nearest of what was collected; equal ones stay in order."""
    last = distance.size - 1
    for s in range(distance.size):
        distance[s], column[s] = np.inf, n_columns
    for p in range(size):
        moved = sums[p]
        if moved >= distance[last]:
            continue
        s = last
        while s > 0 and distance[s - 1] > moved:
            distance[s], column[s] = distance[s - 1], column[s - 1]
            s -= 1
        distance[s], column[s] = moved, place[p]


@compiled
def _settle(
    points: Floats,
    point: int,
    columns: Floats,
    labels: Places,
    sums: Floats,
    place: Places,
    size: int,
    subset: Ints,
    margin: float,
    band: Places,
    parts: Floats,
    distance: Floats,
    column: Places,
) -> None:
    """Sum exactly whatever might be the last but one of the nearest.

    What is surely nearer needs no exact sum, nor does anything where all that might be in its place
    are of one class.
    """
    k = column.size - 1
    low = distance[k - 1] * (1.0 - 2.0 * margin)
    high = distance[k - 1] * (1.0 + 2.0 * margin)
    sure, unsure = 0, 0
    mixed = False
    for p in range(size):
        if sums[p] < low:
            column[sure] = place[p]
            sure += 1
        elif sums[p] <= high:
            band[unsure] = place[p]
            unsure += 1
            mixed = mixed or labels[place[p]] != labels[band[0]]
    for s in range(sure, k):
        distance[s] = np.inf
        column[s] = band[s - sure]
    if mixed:
        for u in range(unsure):
            j = band[u]
            exact = exact_distance(points[point], columns[j], subset, parts)
            offer(distance, column, sure, k, exact, j)


@compiled
def tally_open(
    first: int,
    last: int,
    table: Table,
    queries: Queries,
    near: Near,
    moves: Moves,
    k: int,
    state: States,
    out: Floats,
) -> None:
    """Add the weights of correct predictions where the state (queries x candidates) is OPEN.

    The k nearest by (exact distance, index) vote. Row 0 of `out` is the split of the first query,
    row 0 of `near` and `state` its own. O(columns) a query and candidate.
    """
    points, columns, by_feature, labels = table.points, table.columns, table.by_feature, table.labels
    members, subsets, margin = moves.members, moves.subsets, moves.margin
    n_columns = labels.size
    sign = 1.0 if moves.adding else -1.0
    votes = np.zeros(labels.max() + 1, np.int32)
    distance, column = np.empty(k + 1), np.empty(k + 1, np.int32)
    padded = (n_columns + LANES - 1) // LANES * LANES
    sums, place = np.full(padded, np.inf), np.empty(padded, np.int32)
    minima, nearest = np.empty((2 * k // LANES + 1) * LANES), np.empty(k + 1)
    band, parts, row = np.empty(n_columns, np.int32), np.empty(PARTS), np.empty(n_columns)
    for q in range(first, last):
        i, s, point = q - first, queries.split[q], queries.point[q]
        filled = False
        for t in range(state.shape[1]):
            if state[i, t] != OPEN:
                continue
            if not filled:
                barred = queries.barred[queries.barred_from[s] : queries.barred_from[s + 1]]
                row = row_of(i, near.rows, points[point], by_feature, moves.base, barred, row)
                filled = True
            _move(row, points, point, by_feature, members, t, sign, sums)
            limit = min(FAR, _limit_of(sums, minima, nearest) * (1.0 + 4.0 * margin))
            size = _collect(sums, limit, points, point, columns, subsets, t, place)
            _find_nearest(sums, place, size, distance, column, n_columns)
            if margin > 0.0 and distance[k] <= distance[k - 1] * (1.0 + margin):
                _settle(
                    points, point, columns, labels, sums, place, size, subsets[t], margin, band,
                    parts, distance, column,
                )  # fmt: skip
            if majority(labels, votes, column, k) == queries.truth[q]:
                out[s - queries.split[first], t] += queries.weight[q]
