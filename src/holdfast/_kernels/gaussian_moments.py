"""Means and covariances of groups of examples, one covariance row at a time.

A search asks for the covariances of the features that it takes in, so a row of the matrix is made
when its feature is first needed: O(n D) then, and O(n D^2) only if every feature is.

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
def covariance_rows(table: Floats, groups: Groups, feature: int) -> Floats:
    """Covariances of one feature with every feature: groups x features."""
    out = np.zeros(groups.means.shape)
    for q in range(groups.starts.size - 1):
        means, row = groups.means[q], out[q]
        for position in range(groups.starts[q], groups.starts[q + 1]):
            example = groups.members[position]
            values = table[example]
            factor = groups.weights[example] * (values[feature] - means[feature])
            for g in range(row.size):
                row[g] += factor * (values[g] - means[g])
        if groups.totals[q] > 0.0:
            for g in range(row.size):
                row[g] /= groups.totals[q]
    return out
