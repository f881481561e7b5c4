"""The last look: all columns, for one candidate of one query at a time.

Passes over a row move the distances, bound what is near and collect what is within the bound;
the nearest of that vote.
"""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import (
    OPEN,
    Floats,
    Ints,
    Moves,
    Places,
    Queries,
    States,
    Table,
)
from holdfast._kernels.neighbours_exact import PARTS, exact_distance, majority, n_classes_of, offer
from holdfast._kernels.neighbours_least import (
    FAR,
    collect,
    fold_first,
    fold_second,
    fourth_least,
    last_of_least,
    room_for,
)
from holdfast._kernels.neighbours_rows import LEFT, fill_row

# Share of the columns that are summed one by one; beyond it all are, several at a time.
FEW = 0.05


@compiled
def _add_one(row: Floats, x: float, by_feature: Floats, feature: int, sums: Floats) -> None:
    """Distances with one feature more."""
    for j in range(row.size):
        away = x - by_feature[feature, j]
        sums[j] = row[j] + away * away


@compiled
def _take_one(row: Floats, x: float, by_feature: Floats, feature: int, sums: Floats) -> int:
    """Distances with one feature less; count those of which too little is left to be trusted."""
    lost = 0
    for j in range(row.size):
        away = x - by_feature[feature, j]
        left = row[j] - away * away
        sums[j] = left
        lost += left < row[j] * LEFT
    return lost


@compiled
def _sum_anew(
    row: Floats, points: Floats, point: int, by_feature: Floats, subsets: Ints, t: int, sums: Floats
) -> None:
    """Distances over the candidate's subset, from who is barred alone. O(subset x columns)."""
    for j in range(row.size):
        sums[j] = np.inf if row[j] == np.inf else 0.0
    for m in range(subsets.shape[1]):
        f = subsets[t, m]
        x = points[point, f]
        for j in range(row.size):
            away = x - by_feature[f, j]
            sums[j] += away * away


@compiled
def _sum_lost_anew(
    row: Floats,
    points: Floats,
    point: int,
    columns: Floats,
    subsets: Ints,
    t: int,
    sums: Floats,
) -> None:
    """The same for the few columns that `_take_one` counted."""
    for j in range(row.size):
        if sums[j] < row[j] * LEFT:
            total = 0.0
            for m in range(subsets.shape[1]):
                f = subsets[t, m]
                total += (points[point, f] - columns[j, f]) * (points[point, f] - columns[j, f])
            sums[j] = total


@compiled
def _find_nearest(
    sums: Floats, place: Places, size: int, distance: Floats, column: Places, n_columns: int
) -> None:
    """Find the nearest of what is at `place`; equal ones stay in order."""
    last = distance.size - 1
    for s in range(distance.size):
        distance[s], column[s] = np.inf, n_columns
    for p in range(size):
        moved = sums[place[p]]
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
        if sums[place[p]] < low:
            column[sure] = place[p]
            sure += 1
        elif sums[place[p]] <= high:
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
    moves: Moves,
    k: int,
    state: States,
    out: Floats,
) -> None:
    """Add the weights of correct predictions where the state (queries x candidates) is OPEN.

    The k nearest by (exact distance, index) vote. Row 0 of `state` is the first query. O(columns) a
    query and candidate.
    """
    points, columns, by_feature, labels = (
        table.points,
        table.columns,
        table.by_feature,
        table.labels,
    )
    members, subsets, margin = moves.members, moves.subsets, moves.margin
    n_columns = labels.size
    votes = np.zeros(n_classes_of(labels), np.int32)
    distance, column = np.empty(k + 1), np.empty(k + 1, np.int32)
    room, nearest = room_for(n_columns, k + 1), np.empty(k + 1)
    sums, by_row, folded, folded_by_row, lanes, flags, words = room
    place = np.empty(sums.size, np.int32)
    band, parts, row = np.empty(n_columns, np.int32), np.empty(PARTS), np.empty(n_columns)
    # Taken out of their tuples once: whoever takes an array out is counted.
    asked, split, truth, weight = queries.point, queries.split, queries.truth, queries.weight
    barred, barred_from, base = queries.barred, queries.barred_from, moves.base
    for q in range(first, last):
        i, s, point = q - first, split[q], asked[q]
        filled = False
        for t in range(state.shape[1]):
            if state[i, t] != OPEN:
                continue
            if not filled:
                outside = barred[barred_from[s] : barred_from[s + 1]]
                fill_row(points[point], by_feature, base, outside, row)
                filled = True
            f = members[t, 0] if members.shape[1] == 1 else -1
            if f < 0:
                _sum_anew(row, points, point, by_feature, subsets, t, sums)
            elif moves.adding:
                _add_one(row, points[point, f], by_feature, f, sums)
            else:
                lost = _take_one(row, points[point, f], by_feature, f, sums)
                if lost > FEW * n_columns:
                    _sum_anew(row, points, point, by_feature, subsets, t, sums)
                elif lost > 0:
                    _sum_lost_anew(row, points, point, columns, subsets, t, sums)
            fold_first(by_row, folded)
            fold_second(folded_by_row, lanes)
            limit = fourth_least(lanes) if k == 3 else last_of_least(lanes, nearest)
            limit = min(FAR, limit * (1.0 + 4.0 * margin))
            size = collect(sums, limit, flags, words, place)
            _find_nearest(sums, place, size, distance, column, n_columns)
            if margin > 0.0 and distance[k] <= distance[k - 1] * (1.0 + margin):
                _settle(
                    points, point, columns, labels, sums, place, size, subsets[t], margin, band,
                    parts, distance, column,
                )  # fmt: skip
            if majority(labels, votes, column, k) == truth[q]:
                out[s, t] += weight[q]
