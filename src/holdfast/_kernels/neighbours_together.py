"""The first look at additions: all candidates of one query at once, by its prefix."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import (
    DECIDED,
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
from holdfast._kernels.neighbours_keys import (
    ALL,
    LAST,
    UNKNOWN,
    Keys,
    decide_all,
    label_bits_of,
    offer_to_all,
    slack_of,
    winner_of,
)

# How many neighbours are looked at between two looks at what is decided.
STRIDE = 16
# Loops over fewer candidates than this are not done several at a time.
LEAST_CANDIDATES = 16
# Few enough for the processor's nearest cache.
MOST_CANDIDATES = 64


@compiled
def _moved_values(columns: Floats, members: Ints, moved: Floats) -> None:
    """Gather the moved features: columns x members x candidates."""
    for j in range(columns.shape[0]):
        for t in range(members.shape[0]):
            for m in range(members.shape[1]):
                moved[j, m, t] = columns[j, members[t, m]]


@compiled
def _look_at(points: Floats, point: int, members: Ints, mine: Floats) -> None:
    """Gather the point's moved features."""
    for t in range(members.shape[0]):
        for m in range(members.shape[1]):
            mine[m, t] = points[point, members[t, m]]


@compiled
def _enter(
    keys: Keys,
    known: Ints,
    k: int,
    label_bits: int,
    truth: int,
    weight: float,
    votes: Places,
    own: Keys,
    state: States,
    out: Floats,
) -> int:
    """Add the weight where a decided candidate is right; return how many are not decided."""
    left = 0
    for t in range(state.size):
        winner = keys[0, t] & label_bits
        state[t] = DECIDED
        if known[t] == ALL:
            for s in range(k):
                own[s] = keys[s, t]
            winner = winner_of(own, k, label_bits, votes)
        elif known[t] == UNKNOWN:
            state[t] = OPEN
            left += 1
            continue
        if winner == truth:
            out[t] += weight
    return left


@compiled
def tally_together(
    first: int,
    last: int,
    table: Table,
    queries: Queries,
    near: Near,
    moves: Moves,
    k: int,
    state: States,
    out: Floats,
) -> int:
    """Add the weights of correct predictions of queries first..last-1 to splits x candidates.

    Row 0 of `out` is the split of the first query, row 0 of `near` and `state` its own. Returns how
    many queries x candidates are OPEN.
    """
    n_members = moves.members.shape[1]
    label_bits = label_bits_of(table.labels)
    slack = slack_of(moves.margin, label_bits)
    votes, own = np.zeros(label_bits + 1, np.int32), np.empty(k + 1, np.int64)
    left = 0
    n_candidates = moves.members.shape[0]
    n_batches = (n_candidates + MOST_CANDIDATES - 1) // MOST_CANDIDATES
    for b in range(n_batches):
        start, stop = n_candidates * b // n_batches, n_candidates * (b + 1) // n_batches
        size = stop - start
        width = max(LEAST_CANDIDATES, size)
        members = moves.members[start:stop]
        moved = np.zeros((table.columns.shape[0], n_members, width))
        _moved_values(table.columns, members, moved)
        mine, sums = np.zeros((n_members, width)), np.empty(width)
        keys, new, known = (
            np.empty((max(4, k + 1), width), np.int64),
            np.empty(width, np.int64),
            np.empty(width, np.int64),
        )
        for q in range(first, last):
            i = q - first
            n_near, radius = near.size[i], near.radius[i]
            distance, column = near.distance[i], near.column[i]
            _look_at(table.points, queries.point[q], members, mine)
            keys[:] = LAST
            known[:] = UNKNOWN
            friend = table.labels[column[0]] if n_near > 0 else 0
            looked, unknown = 0, size
            while looked < n_near and unknown * 8 > size:
                until = min(looked + STRIDE, n_near)
                offer_to_all(
                    looked, until, distance, column, table.labels, mine, moved, label_bits,
                    keys, sums, new,
                )  # fmt: skip
                bound = distance[until] if until < n_near else radius
                unknown = decide_all(
                    keys, size, k, label_bits, slack, bound, friend,
                    max(bound, near.enemy[i]), known,
                )  # fmt: skip
                looked = until
            left += _enter(
                keys, known, k, label_bits, queries.truth[q], queries.weight[q], votes, own,
                state[i, start:stop], out[queries.split[q] - queries.split[first], start:stop],
            )  # fmt: skip
    return left
