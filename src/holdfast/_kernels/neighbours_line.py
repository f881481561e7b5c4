"""Correct k-NN predictions of single features: walk along the sorted values, outwards."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import Flags, Floats, Ints, Places, Queries, Table
from holdfast._kernels.neighbours_exact import majority, offer


@compiled
def _nearest_on_line(
    x: float,
    right: int,
    values: Floats,
    order: Places,
    reach: Places,
    barred: Flags,
    distance: Floats,
    column: Places,
) -> None:
    """Find the nearest by (distance, index); `right` is the first place not below x."""
    k = column.size
    distance[:] = np.inf
    column[:] = order.size
    left = right - 1
    while left >= 0 or right < order.size:
        below, above = np.inf, np.inf
        if left >= 0:
            below = (x - values[order[left]]) * (x - values[order[left]])
        if right < order.size:
            above = (x - values[order[right]]) * (x - values[order[right]])
        nearer = min(below, above)
        if nearer > distance[k - 1]:
            break
        # All that are equal on one side, lowest index first, until one comes too late.
        if below <= above:
            start, stop = reach[left], left + 1
            left = start - 1
        else:
            start, stop = right, reach[right] + 1
            right = stop
        for place in range(start, stop):
            j = order[place]
            if nearer == distance[k - 1] and j > column[k - 1]:
                break
            if not barred[j]:
                offer(distance, column, 0, k, nearer, j)


@compiled
def tally_single(
    first: int,
    last: int,
    table: Table,
    queries: Queries,
    features: Ints,
    k: int,
    out: Floats,
) -> None:
    """Add the weights of correct predictions of queries first..last-1 to splits x features.

    Row 0 of `out` is the split of the first query. O(k) a query and feature, and the columns of
    equal values that the split leaves out.
    """
    labels = table.labels
    votes = np.zeros(labels.max() + 1, np.int32)
    distance, column = np.empty(k), np.empty(k, np.int32)
    flags = np.zeros(labels.size, np.bool_)
    current = -1
    for q in range(first, last):
        s = queries.split[q]
        if s != current:
            flags[:] = False
            for place in range(queries.barred_from[s], queries.barred_from[s + 1]):
                flags[queries.barred[place]] = True
            current = s
        i = queries.point[q]
        for t in range(features.size):
            f = features[t]
            _nearest_on_line(
                table.points[i, f], table.rank[i, f], table.by_feature[f], table.order[f],
                table.reach[f], flags, distance, column,
            )  # fmt: skip
            if majority(labels, votes, column, k) == queries.truth[q]:
                out[s - queries.split[first], t] += queries.weight[q]
