"""Distances between normal classes, for a base with one feature more or less.

Every distance here is a sum over parts of squared lengths of points, of log determinants and of
traces, and one constant for each feature; the criteria say which.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.gaussian_scratch import Design, Models
from holdfast._kernels.gaussian_sweep import Swept, mend
from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Veltkamp's constant: leaves 40 bits, 12 digits, of the 53.
SHORTEN = 2.0**13 + 1.0


class Terms(NamedTuple):
    """What a distance sums besides the squared lengths of all points.

    Attributes
    ----------
    log_determinants : array
        Factor of each part's log determinant.
    traces : array
        Parts x parts: factor of the first's inverse trace times the second's ridge.
    per_feature : float
        Added for each feature of the subset.
    """

    log_determinants: Floats
    traces: Floats
    per_feature: float


@compiled
def shorten(value: float) -> float:
    """Round to 12 digits: what is equal but for rounding shall not be told apart by it."""
    large = SHORTEN * value
    return large - (large - value)


@compiled
def add_traces(terms: Terms, traces: Floats, ridges: Floats) -> float:
    """What the ridges of classes add to the traces of others' inverses."""
    total = 0.0
    for p in range(ridges.size):
        for q in range(ridges.size):
            if ridges[q] > 0.0:
                total += terms.traces[p, q] * ridges[q] * traces[p]
    return total


@compiled
def trace_of_neighbour(swept: Swept, part: int, feature: int) -> float:
    """Trace of the inverse covariance with one feature more or less. O(d)."""
    pivot = swept.pivots[part, feature]
    removed = swept.inside[feature]
    sign = -1.0 if removed else 1.0
    trace = 0.0 if removed else 1.0 / pivot
    for k in range(swept.order.size):
        share, own = swept.table[part, k, feature], swept.order[k]
        if own != feature:
            trace += swept.pivots[part, own] + sign * (share * share / pivot)
    return trace


@compiled
def value_of(models: Models, terms: Terms, size: int) -> float:
    """Value of a subset of some size from its models."""
    value = terms.per_feature * size + add_traces(terms, models.traces, models.ridges)
    for m in range(models.distances.size):
        value += models.distances[m]
    for p in range(models.ridges.size):
        value += terms.log_determinants[p] * models.log_determinants[p]
    return shorten(value)


@compiled
def score_additions(
    segments: Ints,
    inside: Flags,
    pivots: Floats,
    points: Floats,
    inflations: Floats,
    log_pivots: Floats,
    factors: Floats,
    base: float,
    features: Ints,
    scores: Floats,
) -> bool:
    """Write the value of the base with each of the features added, where all goes by the sweep.

    NaN for a feature that is inside or makes a part singular; returns whether there is any. No part
    may have a ridge. `base` is what the value sums apart from what the feature changes, and
    `factors` are those of `Terms` for log determinants; the rest is from `Design` and `Swept`.
    """
    complete = True
    for t in range(features.size):
        feature = features[t]
        value, plain = base, not inside[feature]
        for p in range(segments.size - 1):
            pivot, gained = pivots[p, feature], 0.0
            plain = plain and inflations[p, feature] < np.inf
            if not plain:
                break
            for m in range(segments[p], segments[p + 1]):
                gained += points[feature, m] * points[feature, m]
            value += gained / pivot + factors[p] * log_pivots[p, feature]
        scores[t, 0] = shorten(value) if plain else np.nan
        complete = complete and plain
    return complete


@compiled
def score_neighbours(
    design: Design, swept: Swept, terms: Terms, features: Ints, ridged: Floats
) -> Floats:
    """Value of the base with each of the features added, or removed where it is inside.

    `ridged` gets the largest ridge of each. O(points + parts x d) for each candidate; a part that
    it makes singular costs O(d^3 + d^2 points).
    """
    n_parts, n_points = swept.ridges.size, swept.distances.size
    scores = np.empty((features.size, 1))
    anew = np.empty(n_parts, np.bool_)
    models = Models(
        np.empty(n_parts),
        np.empty(n_points),
        np.empty(n_parts),
        np.empty(n_parts),
        np.empty(n_parts),
    )
    base_lengths = np.zeros(n_parts)
    for p in range(n_parts):
        for m in range(design.segments[p], design.segments[p + 1]):
            base_lengths[p] += swept.distances[m]
    for t in range(features.size):
        feature = features[t]
        mend(design, swept, feature, anew, models)
        sign = -1.0 if swept.inside[feature] else 1.0
        value = terms.per_feature * (swept.order.size + sign)
        ridged[t] = 0.0
        for p in range(n_parts):
            ridged[t] = max(ridged[t], models.ridges[p])
        for p in range(n_parts):
            low, high = design.segments[p], design.segments[p + 1]
            if anew[p]:
                for m in range(low, high):
                    value += models.distances[m]
                value += terms.log_determinants[p] * models.log_determinants[p]
                continue
            pivot, gained = swept.pivots[p, feature], 0.0
            for m in range(low, high):
                gained += swept.points[feature, m] * swept.points[feature, m]
            value += base_lengths[p] + sign * gained / pivot
            if terms.log_determinants[p] != 0.0:
                log_determinant = swept.log_determinants[p] + np.log(pivot)
                value += terms.log_determinants[p] * log_determinant
            if ridged[t] > 0.0:
                models.traces[p] = trace_of_neighbour(swept, p, feature)
        if ridged[t] > 0.0:
            value += add_traces(terms, models.traces, models.ridges)
        scores[t, 0] = shorten(value)
    return scores
