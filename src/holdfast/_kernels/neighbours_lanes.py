"""The first look: the nearest of each class, for a block of queries and one candidate at a time.

The queries of a block lie side by side, one to a *lane*, and every loop runs over the lanes without
jumps, so that the processor does several at a time. With k neighbours, a class with more than k/2
of them has the majority; so the k//2 + 1 nearest of each class are all that a vote needs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import DECIDED, OPEN, Floats, Ints, Places, Queries, States

# Queries of a block.
LANES = 64
# Columns that are looked at at once; each class is filled up to a multiple.
AT_ONCE = 4


class Crowd(NamedTuple):
    """The data of one view by class and by lane.

    Attributes
    ----------
    values : array, features x places
        Of the columns, sorted by class.
    asked : array, blocks x features x lanes
        Of the queries' points.
    widest : array, blocks x features x lanes
        The largest squared difference of the query from any column.
    edges : array
        Places ``edges[c]`` to ``edges[c + 1] - 1`` are of class c, the last of them maybe empty.
    place : array
        Of each column.
    start : array
        What the distances of each place begin with: infinity where there is no column; elsewhere 0,
        or a fraction that grows with the column's number, so that equal distances are in order.
    """

    values: Floats
    asked: Floats
    widest: Floats
    edges: Ints
    place: Ints
    start: Floats


@compiled
def _copy(old: Floats, new: Floats) -> None:
    for j in range(old.shape[0]):
        for lane in range(LANES):
            new[j, lane] = old[j, lane]


@compiled
def _move(block: Floats, values: Floats, asked: Floats, f: int, sign: float) -> None:
    """Add a feature's squared differences, or take them away."""
    for j in range(block.shape[0]):
        value = values[f, j]
        for lane in range(LANES):
            away = asked[f, lane] - value
            block[j, lane] += sign * (away * away)


@compiled
def _sum_up(block: Floats, values: Floats, asked: Floats, features: Ints) -> None:
    """Add the squared differences of features, four at a time."""
    fours = features.size // 4 * 4
    for j in range(block.shape[0]):
        for b in range(0, fours, 4):
            f, g, h, i = features[b], features[b + 1], features[b + 2], features[b + 3]
            vf, vg, vh, vi = values[f, j], values[g, j], values[h, j], values[i, j]
            for lane in range(LANES):
                block[j, lane] += (
                    (asked[f, lane] - vf) * (asked[f, lane] - vf)
                    + (asked[g, lane] - vg) * (asked[g, lane] - vg)
                    + (asked[h, lane] - vh) * (asked[h, lane] - vh)
                    + (asked[i, lane] - vi) * (asked[i, lane] - vi)
                )
    for b in range(fours, features.size):
        _move(block, values, asked, features[b], 1.0)


@compiled
def _fill(
    block: Floats,
    values: Floats,
    asked: Floats,
    features: Ints,
    place: Ints,
    start: Floats,
    barred: Places,
    barred_from: Ints,
    splits: Ints,
) -> None:
    """Squared distances over the features; infinite where there is nothing to be near to."""
    for j in range(block.shape[0]):
        for lane in range(LANES):
            block[j, lane] = start[j]
    _sum_up(block, values, asked, features)
    lane = 0
    while lane < splits.size:
        s, stop = splits[lane], lane
        while stop < splits.size and splits[stop] == s:
            stop += 1
        for p in range(barred_from[s], barred_from[s + 1]):
            for own in range(lane, stop):
                block[place[barred[p]], own] = np.inf
        lane = stop


@compiled
def _two_least(
    block: Floats,
    values: Floats,
    asked: Floats,
    f: int,
    sign: float,
    start: int,
    stop: int,
    least: Floats,
) -> None:
    """The two least of the moved distances to one class, lane by lane."""
    for j in range(start, stop, AT_ONCE):
        va, vb, vc, vd = values[f, j], values[f, j + 1], values[f, j + 2], values[f, j + 3]
        for lane in range(LANES):
            x = asked[f, lane]
            a = block[j, lane] + sign * ((x - va) * (x - va))
            b = block[j + 1, lane] + sign * ((x - vb) * (x - vb))
            c = block[j + 2, lane] + sign * ((x - vc) * (x - vc))
            d = block[j + 3, lane] + sign * ((x - vd) * (x - vd))
            a, b = a if a < b else b, b if a < b else a
            c, d = c if c < d else d, d if c < d else c
            passed = c if a < c else a
            a = a if a < c else c
            b = b if b < d else d
            b = b if b < passed else passed
            first, second = least[0, lane], least[1, lane]
            passed = a if first < a else first
            second = second if second < b else b
            least[0, lane] = first if first < a else a
            least[1, lane] = second if second < passed else passed


@compiled
def insert(new: Floats, least: Floats) -> None:
    """Put a number in its place among the least of its lane; `new` is used up."""
    for s in range(least.shape[0]):
        for lane in range(LANES):
            a, b = least[s, lane], new[lane]
            least[s, lane] = a if a < b else b
            new[lane] = b if a < b else a


@compiled
def _any_least(
    block: Floats,
    values: Floats,
    asked: Floats,
    f: int,
    sign: float,
    start: int,
    stop: int,
    least: Floats,
    new: Floats,
) -> None:
    """The same for any number of the least."""
    for j in range(start, stop):
        value = values[f, j]
        for lane in range(LANES):
            away = asked[f, lane] - value
            new[lane] = block[j, lane] + sign * (away * away)
        insert(new, least)


@compiled
def merge(least: Floats, nearest: Floats, label: Floats, new: Floats, new_label: Floats) -> None:
    """The nearest of all classes together, in order, and their labels."""
    known = least.shape[1]
    for place in range(nearest.shape[0]):
        for lane in range(LANES):
            nearest[place, lane] = least[0, place, lane] if place < known else np.inf
            label[place, lane] = 0.0
    for c in range(1, least.shape[0]):
        for s in range(known):
            for lane in range(LANES):
                new[lane] = least[c, s, lane]
                new_label[lane] = c
            # So many of its class are nearer already.
            for place in range(s, nearest.shape[0]):
                for lane in range(LANES):
                    a, b = nearest[place, lane], new[lane]
                    mine, other = label[place, lane], new_label[lane]
                    nearest[place, lane] = b if b < a else a
                    label[place, lane] = other if b < a else mine
                    new[lane] = a if b < a else b
                    new_label[lane] = mine if b < a else other


@compiled
def _vote_of_three(
    nearest: Floats, label: Floats, slack: float, spread: Floats, winner: Places
) -> None:
    """Who wins where three vote."""
    for lane in range(LANES):
        a, b, c = label[0, lane], label[1, lane], label[2, lane]
        low = a if a < b else b
        low = c if c < low else low
        low = b if b == c else low
        low = a if a == c else low
        low = a if a == b else low
        second = nearest[1, lane] * slack + spread[lane] < nearest[2, lane]
        third = nearest[2, lane] * slack + spread[lane] < nearest[3, lane]
        sure = third | (second & (a == b))
        winner[lane] = low if sure else -1


@compiled
def _vote_of_any(
    nearest: Floats, label: Floats, slack: float, spread: Floats, votes: Ints, winner: Places
) -> None:
    """The same for any number of neighbours."""
    k = nearest.shape[0] - 1
    for lane in range(LANES):
        votes[:] = 0
        best, last = 0, k - 1
        for s in range(k):
            c = int(label[s, lane])
            votes[c] += 1
            if votes[c] > votes[best] or (votes[c] == votes[best] and c < best):
                best = c
            # All of the first are of one class, and more than half.
            if s == k // 2 and votes[c] == s + 1:
                last = s
        sure = nearest[last, lane] * slack + spread[lane] < nearest[last + 1, lane]
        sure = sure or nearest[k - 1, lane] * slack + spread[lane] < nearest[k, lane]
        winner[lane] = best if sure else -1


@compiled
def vote(
    nearest: Floats, label: Floats, slack: float, spread: Floats, votes: Ints, winner: Places
) -> None:
    """Who wins in each lane, ties to the lowest class; -1 where it is too close to tell.

    The nearest are one more than the neighbours that vote.
    """
    if nearest.shape[0] == 4:
        _vote_of_three(nearest, label, slack, spread, winner)
    else:
        _vote_of_any(nearest, label, slack, spread, votes, winner)


@compiled
def _spread_of(widest: Floats, removed: Ints, margin: float, spread: Floats) -> None:
    """What distances may be wrong by beyond the margin, where a removal took most of them."""
    spread[:] = 0.0
    for f in removed:
        for lane in range(LANES):
            spread[lane] += margin * widest[f, lane]


@compiled
def _enter(
    winner: Places,
    truth: Places,
    weight: Floats,
    split: Ints,
    state: States,
    out: Floats,
) -> int:
    """Add the weights of correct predictions; return how many are left open."""
    left_open, lane = 0, 0
    while lane < weight.size:
        s, correct = split[lane], 0.0
        while lane < weight.size and split[lane] == s:
            correct += weight[lane] * (winner[lane] == truth[lane])
            state[lane] = OPEN if winner[lane] < 0 else DECIDED
            left_open += winner[lane] < 0
            lane += 1
        out[s] += correct
    return left_open


@compiled
def tally_lanes(
    first: int,
    last: int,
    crowd: Crowd,
    queries: Queries,
    sums: Floats,
    base: Ints,
    anew: bool,
    added: Ints,
    adding: bool,
    members: Ints,
    margin: float,
    k: int,
    state: States,
    out: Floats,
) -> int:
    """Add the weights of correct predictions of blocks first..last-1 to splits x candidates.

    `sums` are the distances over the base (blocks x places x lanes), made anew or from those over a
    smaller one; a single block is room for one after the other. Each row of `members` is added to
    the base or removed. Row 0 of `state` is the first query of the first block. Returns how many
    queries x candidates are left OPEN. O(columns) a query, candidate and moved feature.
    """
    values, edges, place = crowd.values, crowd.edges, crowd.place
    barred, barred_from = queries.barred, queries.barred_from
    n_places, n_classes, most = values.shape[1], edges.size - 1, k // 2 + 1
    sign = 1.0 if adding else -1.0
    slack = 1.0 + margin
    least = np.empty((n_classes, most, LANES))
    new, new_label = np.empty(LANES), np.empty(LANES)
    nearest = np.empty((k + 1, LANES))
    label = np.zeros((k + 1, LANES))
    moved = np.empty((n_places, LANES))
    winner = np.empty(LANES, np.int32)
    spread, votes = np.empty(LANES), np.empty(n_classes, np.int64)
    left_open = 0
    for b in range(first, last):
        start, stop = b * LANES, min((b + 1) * LANES, queries.point.size)
        split, weight = queries.split[start:stop], queries.weight[start:stop]
        truth = queries.truth[start:stop]
        asked, widest = crowd.asked[b], crowd.widest[b]
        known = sums[b if sums.shape[0] > 1 else 0]
        if anew:
            _fill(known, values, asked, base, place, crowd.start, barred, barred_from, split)
        else:
            _sum_up(known, values, asked, added)
        own = state[start - first * LANES : stop - first * LANES]
        for t in range(members.shape[0]):
            block = known
            f = members[t, 0]
            if members.shape[1] > 1:
                block = moved
                _copy(known, block)
                for other in members[t, 1:]:
                    _move(block, values, asked, other, sign)
            least[:] = np.inf
            for c in range(n_classes):
                if most == 2:
                    _two_least(block, values, asked, f, sign, edges[c], edges[c + 1], least[c])
                else:
                    _any_least(block, values, asked, f, sign, edges[c], edges[c + 1], least[c], new)
            merge(least, nearest, label, new, new_label)
            removed = members[t, : 0 if adding else members.shape[1]]
            _spread_of(widest, removed, margin, spread)
            vote(nearest, label, slack, spread, votes, winner)
            left_open += _enter(winner, truth, weight, split, own[:, t], out[:, t])
    return left_open
