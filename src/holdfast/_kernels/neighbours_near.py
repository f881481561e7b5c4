"""Another first look, at many candidates of large data: all candidates of one query side by side.

Few columns are near over the base, and a feature more brings none nearer: whatever votes is nearly
always among the first dozens. Candidates take the lanes here that queries have in the other look.
"""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import DECIDED, OPEN, Floats, Ints, Places, Queries, States, Table
from holdfast._kernels.neighbours_exact import n_classes_of
from holdfast._kernels.neighbours_lanes import LANES, insert, merge, vote
from holdfast._kernels.neighbours_least import FAR, collect, fold_first, fold_second, room_for
from holdfast._kernels.neighbours_rows import fill_row

# The columns are dealt to so many groups, the nearest of as many of which are near for sure.
GROUPS, NEAR_GROUPS = 64, 48


@compiled
def _value_of_rank(numbers: Floats, rank: int) -> float:
    """The number with so many smaller ones, or an equal one; counting takes no jumps."""
    found = 0.0
    for p in range(numbers.size):
        value = numbers[p]
        smaller = 0
        for other in range(numbers.size):
            smaller += numbers[other] < value
        found = value if smaller <= rank and value > found else found
    return found


@compiled
def _offer(
    row: Floats,
    place: Places,
    size: int,
    labels: Places,
    mine: Floats,
    theirs: Floats,
    new: Floats,
    least: Floats,
) -> None:
    """Offer what is near over the base to all candidates."""
    least[:] = np.inf
    for p in range(size):
        j = place[p]
        d, c = row[j], labels[j]
        if least.shape[1] == 2:
            for lane in range(LANES):
                moved = d + (mine[lane] - theirs[j, lane]) * (mine[lane] - theirs[j, lane])
                first, second = least[c, 0, lane], least[c, 1, lane]
                passed = moved if first < moved else first
                least[c, 0, lane] = first if first < moved else moved
                least[c, 1, lane] = second if second < passed else passed
        else:
            for lane in range(LANES):
                new[lane] = d + (mine[lane] - theirs[j, lane]) * (mine[lane] - theirs[j, lane])
            insert(new, least[c])


@compiled
def _cut(nearest: Floats, bound: float) -> None:
    """Take nothing for nearer than what was not looked at may be."""
    for s in range(nearest.shape[0]):
        for lane in range(LANES):
            nearest[s, lane] = nearest[s, lane] if nearest[s, lane] < bound else bound


@compiled
def _moved_values(columns: Floats, members: Ints, moved: Floats) -> None:
    """Gather the candidates' values: columns x lanes."""
    for j in range(columns.shape[0]):
        for t in range(members.shape[0]):
            moved[j, t] = columns[j, members[t, 0]]


@compiled
def tally_near(
    first: int,
    last: int,
    table: Table,
    queries: Queries,
    base: Ints,
    members: Ints,
    unit: float,
    margin: float,
    k: int,
    state: States,
    out: Floats,
) -> int:
    """Add the weights of correct predictions of queries first..last-1 to splits x candidates.

    Each row of `members`, one feature, is added to the base; columns' distances grow by `unit`
    times their numbers, as in `Crowd`. Row 0 of `state` is the first query. Returns how many
    queries x candidates are left OPEN. O(columns x features of the base) a query.
    """
    points, columns, by_feature, labels = (
        table.points, table.columns, table.by_feature, table.labels,
    )  # fmt: skip
    point, split, truth, weight = queries.point, queries.split, queries.truth, queries.weight
    barred, barred_from = queries.barred, queries.barred_from
    n_columns, n_candidates, n_classes = labels.size, members.shape[0], n_classes_of(labels)
    n_batches = (n_candidates + LANES - 1) // LANES
    moved = np.zeros((n_batches, n_columns, LANES))
    for b in range(n_batches):
        _moved_values(columns, members[b * LANES : (b + 1) * LANES], moved[b])
    numbers, by_row, folded, folded_by_row, lanes, flags, words = room_for(n_columns, GROUPS // 2)
    place = np.empty(numbers.size, np.int32)
    row = numbers[:n_columns]
    least, new = np.empty((n_classes, k // 2 + 1, LANES)), np.empty(LANES)
    nearest, label, new_label = np.empty((k + 1, LANES)), np.zeros((k + 1, LANES)), np.empty(LANES)
    mine, spread, votes = np.zeros(LANES), np.zeros(LANES), np.empty(n_classes, np.int64)
    winner = np.empty(LANES, np.int32)
    left_open = 0
    for q in range(first, last):
        s, i = split[q], point[q]
        fill_row(points[i], by_feature, base, barred[barred_from[s] : barred_from[s + 1]], row)
        for j in range(n_columns):
            row[j] += unit * j
        fold_first(by_row, folded)
        fold_second(folded_by_row, lanes)
        bound = min(FAR, _value_of_rank(lanes, lanes.size * NEAR_GROUPS // GROUPS))
        size = collect(numbers, bound, flags, words, place)
        for b in range(n_batches):
            start, stop = b * LANES, min((b + 1) * LANES, n_candidates)
            for t in range(start, stop):
                mine[t - start] = points[i, members[t, 0]]
            _offer(row, place, size, labels, mine, moved[b], new, least)
            merge(least, nearest, label, new, new_label)
            _cut(nearest, bound)
            vote(nearest, label, 1.0 + margin, spread, votes, winner)
            for t in range(start, stop):
                if winner[t - start] == truth[q]:
                    out[s, t] += weight[q]
                state[q - first, t] = OPEN if winner[t - start] < 0 else DECIDED
                left_open += winner[t - start] < 0
    return left_open
