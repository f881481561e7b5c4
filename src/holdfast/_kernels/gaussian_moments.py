"""Means and covariances of groups of examples, and the table with unit variances.

Sums run over the examples in their order, for every feature alike, so that equal columns have equal
moments to the last digit, which no matrix product promises.

Loops are spelt out in kernels: an expression on slices can take a second to compile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Groups(NamedTuple):
    """Groups of examples, which may share examples, with their totals and means.

    Attributes
    ----------
    starts, members : array
        Group q holds the rows ``members[starts[q] : starts[q + 1]]``.
    weights : array
        One for each example of the table.
    totals : array
        Sum of the weights of each group.
    means : array
        Groups x features; 0 for a group without weight.
    """

    starts: Ints
    members: Ints
    weights: Floats
    totals: Floats
    means: Floats


@compiled
def first_moments(
    table: Floats, starts: Ints, members: Ints, weights: Floats
) -> tuple[Floats, Floats]:
    """Total weight and mean of each group.

    Differences to the group's first example are summed, so that a feature with one value
    throughout a group has exactly that value for its mean, and exactly no variance.
    """
    n_groups, n_features = starts.size - 1, table.shape[1]
    totals = np.zeros(n_groups)
    means = np.zeros((n_groups, n_features))
    for q in range(n_groups):
        first = -1
        for position in range(starts[q], starts[q + 1]):
            example = members[position]
            weight = weights[example]
            if weight == 0.0:
                continue
            if first < 0:
                first = example
            totals[q] += weight
            for g in range(n_features):
                means[q, g] += weight * (table[example, g] - table[first, g])
        if first >= 0:
            for g in range(n_features):
                means[q, g] = table[first, g] + means[q, g] / totals[q]
    return totals, means


@compiled
def variances(table: Floats, groups: Groups) -> Floats:
    """Weighted mean squares around the mean of each group: groups x features."""
    out = np.zeros(groups.means.shape)
    for q in range(groups.starts.size - 1):
        for position in range(groups.starts[q], groups.starts[q + 1]):
            example = groups.members[position]
            for g in range(table.shape[1]):
                away = table[example, g] - groups.means[q, g]
                out[q, g] += groups.weights[example] * (away * away)
        if groups.totals[q] > 0.0:
            for g in range(table.shape[1]):
                out[q, g] /= groups.totals[q]
    return out


@compiled
def covariance_rows(table: Floats, groups: Groups, features: Ints) -> Floats:
    """Covariances of some features with every feature: groups x some x features.

    Four examples at a time, which spares three of four passes over the result.
    """
    n_features = table.shape[1]
    out = np.zeros((groups.starts.size - 1, features.size, n_features))
    away = np.zeros((4, n_features))
    shares = np.zeros(4)
    for q in range(out.shape[0]):
        for first in range(groups.starts[q], groups.starts[q + 1], 4):
            for k in range(4):
                shares[k] = 0.0
                if first + k < groups.starts[q + 1]:
                    example = groups.members[first + k]
                    shares[k] = groups.weights[example]
                    for g in range(n_features):
                        away[k, g] = table[example, g] - groups.means[q, g]
            for f in range(features.size):
                row, feature = out[q, f], features[f]
                a, b = shares[0] * away[0, feature], shares[1] * away[1, feature]
                c, d = shares[2] * away[2, feature], shares[3] * away[3, feature]
                for g in range(n_features):
                    row[g] += (a * away[0, g] + b * away[1, g]) + (c * away[2, g] + d * away[3, g])
        for f in range(features.size):
            for g in range(n_features):
                out[q, f, g] /= max(groups.totals[q], np.finfo(np.float64).tiny)
    return out


@compiled
def standardise(table: Floats) -> tuple[Floats, Floats]:
    """Give every feature mean 0 and variance 1; return the table and the spreads before.

    A constant feature becomes 0, with spread 1. Dividing by the range first keeps values near the
    limits of floating point from overflowing when squared.
    """
    n, n_features = table.shape
    out = np.empty((n, n_features))
    low, width = table[0].copy(), table[0].copy()
    for i in range(n):
        for g in range(n_features):
            low[g] = min(low[g], table[i, g])
            width[g] = max(width[g], table[i, g])
    means, squares = np.zeros(n_features), np.zeros(n_features)
    for g in range(n_features):
        width[g] = width[g] - low[g] if width[g] > low[g] else 1.0
    for i in range(n):
        for g in range(n_features):
            out[i, g] = (table[i, g] - low[g]) / width[g]
            means[g] += out[i, g]
    for g in range(n_features):
        means[g] /= n
    for i in range(n):
        for g in range(n_features):
            out[i, g] -= means[g]
            squares[g] += out[i, g] * out[i, g]
    for g in range(n_features):
        squares[g] = np.sqrt(squares[g] / n) if squares[g] > 0.0 else 1.0
    for i in range(n):
        for g in range(n_features):
            out[i, g] /= squares[g]
    return out, squares * width
