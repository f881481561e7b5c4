"""Correct k-NN predictions of single features: walk along the sorted values, outwards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import Flags, Queries, Table
from holdfast._kernels.neighbours_exact import PARTS, majority
from holdfast._kernels.neighbours_vote import Best, offer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]


@compiled
def _first_not_below(x: float, values: Floats, order: Places) -> int:
    low, high = 0, order.size
    while low < high:
        middle = (low + high) // 2
        if values[order[middle]] < x:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _offer_run(
    best: Best, k: int, distance: float, order: Places, first: int, last: int, barred: Flags
) -> None:
    """Offer equally far columns, lowest index first, until one is too far."""
    for place in range(first, last + 1):
        j = order[place]
        if barred[j]:
            continue
        if distance == best.distance[k - 1] and j > best.column[k - 1]:
            break
        offer(best, 0, k, distance, j)


@compiled
def _nearest_on_line(
    best: Best, k: int, x: float, values: Floats, order: Places, reach: Places, barred: Flags
) -> None:
    """Find the k nearest by (distance, index). Squares of differences are exact by definition."""
    best.distance[:] = np.inf
    best.column[:] = order.size
    right = _first_not_below(x, values, order)
    left = right - 1
    while True:
        below, above = np.inf, np.inf
        if left >= 0:
            below = (x - values[order[left]]) * (x - values[order[left]])
        if right < order.size:
            above = (x - values[order[right]]) * (x - values[order[right]])
        nearer = min(below, above)
        if nearer > best.distance[k - 1] or nearer == np.inf:
            break
        if below <= above:
            _offer_run(best, k, below, order, reach[left], left, barred)
            left = reach[left] - 1
        else:
            _offer_run(best, k, above, order, right, reach[right], barred)
            right = reach[right] + 1


@compiled
def tally_alone(
    first: int,
    last: int,
    table: Table,
    queries: Queries,
    features: Ints,
    k: int,
    out: Floats,
) -> None:
    """Add the weights of correct predictions of queries first..last-1 to splits x features.

    Row 0 of `out` is the split of the first query. O(log columns + k) a query and feature; columns
    left out of the split are stepped over.
    """
    n_columns = table.columns.shape[0]
    best = Best(
        np.empty(k),
        np.empty(k, np.int32),
        np.empty(0, np.int32),
        np.empty(PARTS),
        np.zeros(table.labels.max() + 1, np.int32),
    )
    flags = np.zeros(n_columns, np.bool_)
    current = -1
    for q in range(first, last):
        s = queries.split[q]
        if s != current:
            flags[:] = False
            for place in range(queries.barred_from[s], queries.barred_from[s + 1]):
                flags[queries.barred[place]] = True
            current = s
        x = table.points[queries.point[q]]
        for t in range(features.size):
            f = features[t]
            _nearest_on_line(
                best, k, x[f], table.by_feature[f], table.order[f], table.reach[f], flags
            )
            if majority(table.labels, best.votes, best.column, k) == queries.truth[q]:
                out[s - queries.split[first], t] += queries.weight[q]
