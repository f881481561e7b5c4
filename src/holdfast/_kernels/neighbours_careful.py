"""The third look: candidates of queries where distances tie or nearly do."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import (
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
from holdfast._kernels.neighbours_exact import PARTS, exact_distance, majority, offer
from holdfast._kernels.neighbours_rows import most_removed, moved_distance, row_of


@compiled
def _find_roughly(
    x: Floats,
    columns: Floats,
    known: Floats,
    place: Places,
    adding: bool,
    members: Ints,
    subset: Ints,
    moved: Floats,
    distance: Floats,
    column: Places,
) -> None:
    """Move the known distances of the columns at `place`, and find the nearest by plain sums."""
    last = column.size
    distance[:] = np.inf
    column[:] = columns.shape[0]
    for p in range(known.size):
        moved[p] = known[p]
        # Lower bounds do where an addition leaves it too far anyhow.
        if known[p] < np.inf and not (adding and known[p] > distance[last - 1]):
            j = place[p]
            moved[p] = moved_distance(adding, known[p], x, columns[j], members, subset)
            offer(distance, column, 0, last, moved[p], j)


@compiled
def _settle(
    x: Floats,
    columns: Floats,
    labels: Places,
    moved: Floats,
    place: Places,
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
    for p in range(moved.size):
        if moved[p] < low:
            column[sure] = place[p]
            sure += 1
        elif moved[p] <= high:
            band[unsure] = place[p]
            unsure += 1
            mixed = mixed or labels[place[p]] != labels[band[0]]
    for s in range(sure, k):
        distance[s] = np.inf
        column[s] = band[s - sure]
    if mixed:
        for u in range(unsure):
            j = band[u]
            offer(distance, column, sure, k, exact_distance(x, columns[j], subset, parts), j)


@compiled
def tally_tied(
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
    """Add the weights of correct predictions where the state (queries x candidates) is TIED.

    The k nearest by (exact distance, index) vote. O(columns) a query and candidate.
    """
    n_columns = table.labels.size
    votes = np.zeros(table.labels.max() + 1, np.int32)
    distance, column = np.empty(k + 1), np.empty(k + 1, np.int32)
    band, parts, moved = np.empty(n_columns, np.int32), np.empty(PARTS), np.empty(n_columns)
    row, every = np.empty(n_columns), np.arange(n_columns).astype(np.int32)
    for q in range(first, last):
        i, s, x = q - first, queries.split[q], table.points[queries.point[q]]
        barred = queries.barred[queries.barred_from[s] : queries.barred_from[s + 1]]
        filled = False
        for t in range(state.shape[1]):
            if state[i, t] != TIED:
                continue
            members, subset = moves.members[t], moves.subsets[t]
            known, place = near.distance[i, : near.size[i]], near.column[i, : near.size[i]]
            for look in range(2):
                if look == 1:
                    # All columns: some outside of the prefix may be as near.
                    if not filled:
                        row = row_of(i, near.rows, x, table.by_feature, moves.base, barred, row)
                        filled = True
                    known, place = row, every
                _find_roughly(
                    x, table.columns, known, place, moves.adding, members, subset,
                    moved, distance, column,
                )  # fmt: skip
                bound = near.radius[i]
                if not moves.adding:
                    bound = bound * (1.0 - SLACK) - most_removed(x, members, table.low, table.high)
                if bound > distance[k - 1] * (1.0 + 2.0 * moves.margin):
                    break
            if moves.margin > 0.0 and distance[k] <= distance[k - 1] * (1.0 + moves.margin):
                _settle(
                    x, table.columns, table.labels, moved[: known.size], place, subset,
                    moves.margin, band, parts, distance, column,
                )  # fmt: skip
            if majority(table.labels, votes, column, k) == queries.truth[q]:
                out[s - queries.split[first], t] += queries.weight[q]
