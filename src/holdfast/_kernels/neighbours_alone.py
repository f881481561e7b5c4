"""The second look: one candidate of one query at a time, where the prefix did not decide."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import (
    OPEN,
    SLACK,
    TIED,
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
    LAST,
    Keys,
    beyond,
    distance_of,
    insert,
    key_of,
    label_bits_of,
    slack_of,
    winner_of,
)
from holdfast._kernels.neighbours_rows import most_removed, moved_distance, row_of

# Columns are looked at in blocks: most blocks hold none that is near enough.
BLOCK = 64
# No winner yet, and why.
UNSEEN, CLOSE = -1, -2


@compiled
def _offer_prefix(
    keys: Keys,
    x: Floats,
    columns: Floats,
    labels: Places,
    adding: bool,
    members: Ints,
    subset: Ints,
    distance: Floats,
    column: Places,
    label_bits: int,
) -> None:
    first, second, third, fourth = LAST, LAST, LAST, LAST
    keys[:] = LAST
    for p in range(distance.size):
        if adding and distance[p] > distance_of(fourth if keys.size == 4 else keys[-1]):
            break
        j = column[p]
        moved = moved_distance(adding, distance[p], x, columns[j], members, subset)
        key = key_of(moved, labels[j], label_bits)
        if keys.size > 4:
            insert(keys, key)
            continue
        passed = max(first, key)
        first = min(first, key)
        key = max(second, passed)
        second = min(second, passed)
        passed = max(third, key)
        third = min(third, key)
        fourth = min(fourth, passed)
    if keys.size == 4:
        keys[0], keys[1], keys[2], keys[3] = first, second, third, fourth


@compiled
def _near_in_block(
    part: Floats,
    by_feature: Floats,
    start: int,
    x: Floats,
    sign: float,
    error: float,
    members: Ints,
    radius: float,
    limit: float,
    sums: Floats,
) -> int:
    """Say how many columns of a block, outside of the prefix, may be within the limit.

    What a removal leaves is off by up to `error` of what there was.
    """
    near = 0
    if members.size == 1:
        mine, theirs = x[members[0]], by_feature[members[0], start : start + part.size]
        for i in range(part.size):
            change = (mine - theirs[i]) * (mine - theirs[i])
            near += (part[i] * (1.0 - error) + sign * change <= limit) & (part[i] > radius)
        return near
    for i in range(part.size):
        sums[i] = part[i] * (1.0 - error)
    for f in members:
        mine, theirs = x[f], by_feature[f, start : start + part.size]
        for i in range(part.size):
            sums[i] += sign * ((mine - theirs[i]) * (mine - theirs[i]))
    for i in range(part.size):
        near += (sums[i] <= limit) & (part[i] > radius)
    return near


@compiled
def _offer_rest(
    keys: Keys,
    k: int,
    slack: float,
    enemies_only: bool,
    x: Floats,
    columns: Floats,
    by_feature: Floats,
    labels: Places,
    adding: bool,
    margin: float,
    members: Ints,
    subset: Ints,
    row: Floats,
    radius: float,
    label_bits: int,
    sums: Floats,
) -> bool:
    """Offer all columns outside of the prefix that may be among the nearest. O(columns).

    Or only say whether one of another class may be nearer than the middle key, which makes a
    majority with those before.
    """
    judge = k // 2 if enemies_only else k - 1
    sign, error = (1.0, 0.0) if adding else (-1.0, margin)
    friend = keys[0] & label_bits
    limit = beyond(keys[judge], slack)
    for start in range(0, row.size, BLOCK):
        part = row[start : start + BLOCK]
        if not _near_in_block(
            part, by_feature, start, x, sign, error, members, radius, limit, sums
        ):
            continue
        for i in range(part.size):
            j = start + i
            if not radius < part[i] < np.inf or (enemies_only and labels[j] == friend):
                continue
            if adding and part[i] > limit:
                continue
            moved = moved_distance(adding, part[i], x, columns[j], members, subset)
            if moved <= limit:
                if enemies_only:
                    return True
                insert(keys, key_of(moved, labels[j], label_bits))
                limit = beyond(keys[judge], slack)
    return False


@compiled
def _verdict(
    keys: Keys,
    k: int,
    label_bits: int,
    slack: float,
    bound: float,
    friend: int,
    enemy: float,
    votes: Places,
) -> int:
    """Winner by the keys; UNSEEN where other columns may matter, CLOSE where order is in doubt."""
    middle = beyond(keys[k // 2], slack)
    if middle < distance_of(keys[k // 2 + 1]) and _agreed(keys, k, label_bits):
        label = keys[0] & label_bits
        if middle < (enemy if label == friend else bound):
            return label
    if beyond(keys[k - 1], slack) >= bound:
        return UNSEEN
    if beyond(keys[k - 1], slack) >= distance_of(keys[k]):
        return CLOSE
    return winner_of(keys, k, label_bits, votes)


@compiled
def _agreed(keys: Keys, k: int, label_bits: int) -> bool:
    """Whether the nearest are of one class, as many as make a majority."""
    agreed = True
    for s in range(1, k // 2 + 1):
        agreed &= (keys[s] ^ keys[0]) & label_bits == 0
    return agreed


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
) -> int:
    """Add the weights of correct predictions where the state (queries x candidates) is OPEN.

    Row 0 of `out` is the split of the first query, row 0 of `near` and `state` its own. Returns how
    many are TIED then. O(prefix) a query and candidate, or O(columns) where that is not enough.
    """
    columns, by_feature, labels = table.columns, table.by_feature, table.labels
    label_bits = label_bits_of(labels)
    slack = slack_of(moves.margin, label_bits)
    votes = np.zeros(label_bits + 1, np.int32)
    keys, sums = np.empty(max(4, k + 1), np.int64), np.empty(BLOCK)
    adding, margin = moves.adding, moves.margin
    lowered = 1.0 if adding else 1.0 - SLACK
    room = np.empty(labels.size)
    row = room
    tied = 0
    for q in range(first, last):
        i, s, x = q - first, queries.split[q], table.points[queries.point[q]]
        barred = queries.barred[queries.barred_from[s] : queries.barred_from[s + 1]]
        n_near, radius, enemy = near.size[i], near.radius[i], near.enemy[i]
        distance, column = near.distance[i, :n_near], near.column[i, :n_near]
        friend = labels[column[0]] if n_near > 0 else 0
        filled = False
        for t in range(state.shape[1]):
            if state[i, t] != OPEN:
                continue
            members, subset = moves.members[t], moves.subsets[t]
            _offer_prefix(
                keys, x, columns, labels, adding, members, subset, distance, column, label_bits
            )
            less = 0.0 if adding else most_removed(x, members, table.low, table.high)
            winner = _verdict(
                keys, k, label_bits, slack, radius * lowered - less, friend,
                max(radius, enemy) * lowered - less, votes,
            )  # fmt: skip
            for look in range(2):
                if winner != UNSEEN:
                    break
                if not filled:
                    row = row_of(i, near.rows, x, by_feature, moves.base, barred, room)
                    filled = True
                enemies_only = look == 0
                if enemies_only and not _agreed(keys, k, label_bits):
                    continue
                if not _offer_rest(
                    keys, k, slack, enemies_only, x, columns, by_feature, labels, adding, margin,
                    members, subset, row, radius, label_bits, sums,
                ):  # fmt: skip
                    bound = 0.0 if enemies_only else np.inf
                    winner = _verdict(
                        keys, k, label_bits, slack, bound, keys[0] & label_bits, np.inf, votes
                    )
            if winner == CLOSE:
                state[i, t] = TIED
                tied += 1
            elif winner == queries.truth[q]:
                out[s - queries.split[first], t] += queries.weight[q]
    return tied
