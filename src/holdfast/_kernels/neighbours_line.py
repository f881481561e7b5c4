"""Correct k-NN predictions of single features: walk along the sorted values, outwards."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import Flags, Floats, Ints, Places, Queries, Table
from holdfast._kernels.neighbours_exact import majority, n_classes_of, offer


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

    O(k) a query and feature, and the columns of
    equal values that the split leaves out.
    """
    labels, points, rank = table.labels, table.points, table.rank
    point, split, truth, weight = queries.point, queries.split, queries.truth, queries.weight
    barred, barred_from = queries.barred, queries.barred_from
    votes = np.zeros(n_classes_of(labels), np.int32)
    distance, column = np.empty(k), np.empty(k, np.int32)
    flags = np.zeros(labels.size, np.bool_)
    for t in range(features.size):
        f = features[t]
        values, order, reach = table.by_feature[f], table.order[f], table.reach[f]
        start = first
        while start < last:
            s, stop = split[start], start
            outside = barred[barred_from[s] : barred_from[s + 1]]
            for j in outside:
                flags[j] = True
            while stop < last and split[stop] == s:
                i = point[stop]
                _nearest_on_line(
                    points[i, f], rank[i, f], values, order, reach, flags, distance, column
                )
                if majority(labels, votes, column, k) == truth[stop]:
                    out[s, t] += weight[stop]
                stop += 1
            for j in outside:
                flags[j] = False
            start = stop
