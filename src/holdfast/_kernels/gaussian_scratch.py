"""Normal models of one subset of features from nothing: factor, whiten, and mend what is singular.

A *part* is one covariance matrix together with some points around its mean: a class of one training
part with the examples to be classified, or two classes with the difference of their means. Tables
hold features with unit variance over all data, so one ridge suits them all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

# The inflation of a feature is its variance over what the other features leave of that; rounding
# grows with it. A matrix counts as singular from this largest inflation on, which depends neither
# on the order of the features nor on their units.
SINGULAR = 1e10
SMALLEST_RIDGE = 1e-9
LARGEST_RIDGE = 1e9


class Design(NamedTuple):
    """What stays the same while subsets change.

    Attributes
    ----------
    rows, slots : array
        Covariance of feature f with feature g in part p is ``rows[p, slots[f], g]``, for f != g.
        At most one feature of a subset may have no slot.
    diagonal : array
        Parts x features: the variances.
    points : array
        Features x points, each minus the mean of its part.
    segments : array
        The points of part p are ``segments[p]`` up to ``segments[p + 1]``.
    sources : array
        Parts x 2. The ridge of a part is the mean of the ridges of these two parts; a part that
        names itself has its ridge found for it.
    """

    rows: Floats
    slots: Ints
    diagonal: Floats
    points: Floats
    segments: Ints
    sources: Ints


class Models(NamedTuple):
    """What the models of one subset say.

    Attributes
    ----------
    ridges : array
        What was added to each feature's variance, one for each part.
    distances : array
        Squared Mahalanobis length of each point.
    log_determinants, traces : array
        Of the covariance, and of its inverse; one for each part.
    inflations : array
        The largest of each part.
    """

    ridges: Floats
    distances: Floats
    log_determinants: Floats
    traces: Floats
    inflations: Floats


@compiled
def factor(
    design: Design, part: int, subset: Ints, ridge: float, matrix: Floats, inverse: Floats
) -> tuple[float, float]:
    """Invert the Cholesky factor; return the log determinant and the largest inflation.

    The inflation is infinite where the matrix is singular. `inverse` gets the inverse factor in its
    lower half, `matrix` the factor. O(d^3).
    """
    half_log = largest = 0.0
    for i in range(subset.size):
        own = design.diagonal[part, subset[i]] + ridge
        slot = design.slots[subset[i]]
        for j in range(i):
            if slot >= 0:
                rest = design.rows[part, slot, subset[j]]
            else:
                rest = design.rows[part, design.slots[subset[j]], subset[i]]
            for k in range(j):
                rest -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = rest / matrix[j, j]
        pivot = own
        for k in range(i):
            pivot -= matrix[i, k] * matrix[i, k]
        if not pivot * SINGULAR > own:
            return np.nan, np.inf
        matrix[i, i] = np.sqrt(pivot)
        half_log += np.log(matrix[i, i])
    for i in range(subset.size):
        row = inverse[i]
        for j in range(i):
            row[j] = 0.0
        for k in range(i):
            share = matrix[i, k] / matrix[i, i]
            for j in range(k + 1):
                row[j] -= share * inverse[k, j]
        row[i] = 1.0 / matrix[i, i]
    for j in range(subset.size):
        own = design.diagonal[part, subset[j]] + ridge
        precision = 0.0
        for i in range(j, subset.size):
            precision += inverse[i, j] * inverse[i, j]
        largest = max(largest, precision * own)
    if not largest < SINGULAR:
        return np.nan, np.inf
    return 2.0 * half_log, largest


@compiled
def find_ridges(design: Design, subset: Ints, sought: Flags, ridges: Floats) -> None:
    """Find the first of 0, 1e-9, 1e-8, ... that leaves the covariances positive definite.

    Only for the parts that are sought; those that take theirs from others get it in any case.
    """
    matrix = np.empty((subset.size, subset.size))
    inverse = np.empty((subset.size, subset.size))
    for p in range(ridges.size):
        if not sought[p] or design.sources[p, 0] != p:
            continue
        ridges[p] = 0.0
        while ridges[p] < LARGEST_RIDGE:
            if factor(design, p, subset, ridges[p], matrix, inverse)[1] < SINGULAR:
                break
            ridges[p] = max(10.0 * ridges[p], SMALLEST_RIDGE)
    for p in range(ridges.size):
        if design.sources[p, 0] != p:
            ridges[p] = 0.5 * (ridges[design.sources[p, 0]] + ridges[design.sources[p, 1]])


@compiled
def whiten(design: Design, subset: Ints, wanted: Flags, models: Models) -> None:
    """Fill in the models of the wanted parts, whose ridges are there. O(d^3 + d^2 points) a part.

    NaN where not even the largest ridge gives a factor, which takes values that overflow.
    """
    matrix = np.empty((subset.size, subset.size))
    inverse = np.empty((subset.size, subset.size))
    whitened = np.empty(design.points.shape[1])
    for p in range(wanted.size):
        if not wanted[p]:
            continue
        log_determinant, inflation = factor(design, p, subset, models.ridges[p], matrix, inverse)
        models.log_determinants[p], models.inflations[p] = log_determinant, inflation
        models.traces[p] = 0.0
        for m in range(design.segments[p], design.segments[p + 1]):
            models.distances[m] = 0.0
        for a in range(0 if np.isnan(log_determinant) else subset.size):
            for m in range(design.segments[p], design.segments[p + 1]):
                whitened[m] = 0.0
            for b in range(a + 1):
                share = inverse[a, b]
                models.traces[p] += share * share
                entries = design.points[subset[b]]
                for m in range(design.segments[p], design.segments[p + 1]):
                    whitened[m] += share * entries[m]
            for m in range(design.segments[p], design.segments[p + 1]):
                models.distances[m] += whitened[m] * whitened[m]
