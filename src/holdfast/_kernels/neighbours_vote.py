"""Correct k-NN predictions of many candidate subsets, from the prefixes of their base."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import Prefixes, Queries, Table, fill_row
from holdfast._kernels.neighbours_exact import PARTS, exact_distance, majority

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]

# A difference is summed anew where less than this share of the base distance remains.
CANCELLED = 2.0**-8
# What bounds of removals are lowered by, relative; far above their rounding.
SLACK = 2.0**-40


class Best(NamedTuple):
    """The nearest columns so far, by (distance, index), and room to settle what is too close.

    Attributes
    ----------
    distance, column : array
        One more than the neighbours asked for.
    band : array
        Columns whose distances must be summed exactly.
    parts : array
        For exact sums.
    votes : array
        One count a class.
    """

    distance: Floats
    column: Places
    band: Places
    parts: Floats
    votes: Places


@compiled
def offer(best: Best, first: int, last: int, distance: float, column: int) -> None:
    """Put a column in its place among the slots first..last-1; the last one falls out."""
    place = last
    while place > first:
        d = best.distance[place - 1]
        if distance > d or (distance == d and column > best.column[place - 1]):
            break
        place -= 1
        if place + 1 < last:
            best.distance[place + 1] = d
            best.column[place + 1] = best.column[place]
    if place < last:
        best.distance[place] = distance
        best.column[place] = column


@compiled
def _moved(
    adding: bool, distance: float, x: Floats, y: Floats, members: Ints, subset: Ints
) -> float:
    """Distance over the candidate's subset, from the distance over the base."""
    term = 0.0
    for f in members:
        term += (x[f] - y[f]) * (x[f] - y[f])
    if adding:
        return distance + term
    left = distance - term
    if left < distance * CANCELLED:
        left = 0.0
        for f in subset:
            left += (x[f] - y[f]) * (x[f] - y[f])
    return left


@compiled
def _reach(x: Floats, members: Ints, low: Floats, high: Floats) -> float:
    """Upper bound of what removing the members takes off any distance from x."""
    total = 0.0
    for f in members:
        widest = max(x[f] - low[f], high[f] - x[f])
        total += widest * widest
    return total * (1.0 + SLACK)


@compiled
def _settle(
    best: Best,
    x: Floats,
    columns: Floats,
    labels: Places,
    adding: bool,
    members: Ints,
    subset: Ints,
    distance: Floats,
    column: Places,
    k: int,
    margin: float,
) -> None:
    """Find the k nearest among columns with the given base distances where sums are too close.

    What is surely nearer than the k-th needs no exact sum, nor does anything where all that might
    be the k-th are of one class.
    """
    low = best.distance[k - 1] * (1.0 - 2.0 * margin)
    high = best.distance[k - 1] * (1.0 + 2.0 * margin)
    sure, unsure = 0, 0
    mixed = False
    for p in range(distance.size):
        if distance[p] == np.inf:
            continue
        j = column[p]
        moved = _moved(adding, distance[p], x, columns[j], members, subset)
        if moved < low:
            best.column[sure] = j
            sure += 1
        elif moved <= high:
            best.band[unsure] = j
            unsure += 1
            mixed = mixed or labels[j] != labels[best.band[0]]
    for s in range(sure, k):
        best.distance[s] = np.inf
        best.column[s] = best.band[s - sure]
    if mixed:
        for u in range(unsure):
            j = best.band[u]
            offer(best, sure, k, exact_distance(x, columns[j], subset, best.parts), j)


@compiled
def _search_row(
    best: Best,
    x: Floats,
    columns: Floats,
    row: Floats,
    radius: float,
    adding: bool,
    members: Ints,
    subset: Ints,
) -> None:
    """Offer the columns outside of the prefix."""
    last = best.distance.size
    for j in range(row.size):
        if row[j] > radius and row[j] < np.inf:
            if adding and row[j] > best.distance[last - 1]:
                continue
            offer(best, 0, last, _moved(adding, row[j], x, columns[j], members, subset), j)


@compiled
def tally(
    first: int,
    last: int,
    table: Table,
    queries: Queries,
    base: Ints,
    prefixes: Prefixes,
    tuples: Ints,
    subsets: Ints,
    adding: bool,
    k: int,
    margin: float,
    out: Floats,
) -> None:
    """Add the weights of correct predictions of queries first..last-1 to splits x candidates.

    Row 0 of `out` is the split of the first query, row 0 of `prefixes` its own. `subsets`
    holds what each candidate comes to. Sums within the relative `margin` of each other are settled
    exactly; a margin of 0 says that all sums are exact.
    """
    n_columns = table.columns.shape[0]
    n_features = table.columns.shape[1]
    row = np.empty(n_columns)
    every = np.arange(n_columns).astype(np.int32)
    best = Best(
        np.empty(k + 1),
        np.empty(k + 1, np.int32),
        np.empty(n_columns, np.int32),
        np.empty(PARTS),
        np.zeros(table.labels.max() + 1, np.int32),
    )
    lowest, highest = np.empty(n_features), np.empty(n_features)
    for f in range(n_features):
        lowest[f] = table.by_feature[f, table.order[f, 0]]
        highest[f] = table.by_feature[f, table.order[f, n_columns - 1]]
    for q in range(first, last):
        s = queries.split[q]
        barred = queries.barred[queries.barred_from[s] : queries.barred_from[s + 1]]
        x = table.points[queries.point[q]]
        distance = prefixes.distance[q - first, : prefixes.size[q - first]]
        column = prefixes.column[q - first, : prefixes.size[q - first]]
        radius = prefixes.radius[q - first]
        have_row = False
        for t in range(tuples.shape[0]):
            members, subset = tuples[t], subsets[t]
            best.distance[:] = np.inf
            best.column[:] = n_columns
            shrink = 0.0 if adding else _reach(x, members, lowest, highest)
            covered = False
            for p in range(distance.size):
                bound = distance[p] if adding else distance[p] * (1.0 - SLACK) - shrink
                if bound > best.distance[k - 1] * (1.0 + 2.0 * margin):
                    covered = True
                    break
                j = column[p]
                moved = _moved(adding, distance[p], x, table.columns[j], members, subset)
                offer(best, 0, k + 1, moved, j)
            bound = radius if adding else radius * (1.0 - SLACK) - shrink
            covered = covered or bound >= best.distance[k - 1] * (1.0 + 2.0 * margin)
            if not covered:
                if not have_row:
                    fill_row(x, table.by_feature, base, barred, row)
                    have_row = True
                _search_row(best, x, table.columns, row, radius, adding, members, subset)
            if margin > 0.0 and best.distance[k] <= best.distance[k - 1] * (1.0 + margin):
                if covered:
                    _settle(
                        best,
                        x,
                        table.columns,
                        table.labels,
                        adding,
                        members,
                        subset,
                        distance,
                        column,
                        k,
                        margin,
                    )
                else:
                    _settle(
                        best,
                        x,
                        table.columns,
                        table.labels,
                        adding,
                        members,
                        subset,
                        row,
                        every,
                        k,
                        margin,
                    )
            if majority(table.labels, best.votes, best.column, k) == queries.truth[q]:
                out[s - queries.split[first], t] += queries.weight[q]
