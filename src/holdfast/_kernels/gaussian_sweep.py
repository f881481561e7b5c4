"""What a base subset tells about every other feature, moved from one base to a neighbouring one.

Beale's sweep operator, kept only in the rows of the features that are swept in. With S the base and
A the covariance of a part, row k of the table holds, for a feature g outside, the coefficient of k
in the regression of g on S, and for j inside, the entry (k, j) of the inverse of A_SS. For a point,
the entry of a feature outside is its residual, that of a feature inside the product of the inverse
with the point. The pivot of a feature is the variance that S leaves of it if it is outside, its
entry on the diagonal of the inverse if inside. Then one feature more or less changes a squared
Mahalanobis length by ``entry ** 2 / pivot``: O(1) for a point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.gaussian_scratch import SINGULAR, Design, Models, find_ridges, whiten
from holdfast._kernels.jit import compiled

# Points whose squared length shrinks by more than this lose digits that decisions may need.
LARGEST_SHRINKAGE = 1e5

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Swept(NamedTuple):
    """All parts with one base swept in.

    Attributes
    ----------
    base : array
        The features, ascending.
    order : array
        The same features, in the order of the rows of `table`.
    inside : array
        Which features those are.
    table : array
        Parts x rows x features.
    variances, pivots : array
        Parts x features; variances with the ridge in them.
    points : array
        Features x points.
    distances : array
        Squared length of each point.
    log_determinants, ridges : array
        One for each part.
    inflations : array
        Parts x features: the largest of a part with this feature more, or less; infinite where
        that is singular.
    """

    base: Ints
    order: Ints
    inside: Flags
    table: Floats
    variances: Floats
    pivots: Floats
    points: Floats
    distances: Floats
    log_determinants: Floats
    ridges: Floats
    inflations: Floats


@compiled
def sweep_in(
    rows: Floats,
    slots: Ints,
    order: Ints,
    inside: Flags,
    table: Floats,
    pivots: Floats,
    log_determinants: Floats,
    feature: int,
) -> Floats:
    """Take a feature into the table; return what the points of each feature change by.

    The feature's own entries in the result are 0. O(parts x d x features). Arguments are those of
    `Design` and `Swept` one by one, since looking through a tuple takes longer than a small step.
    """
    n_parts, n_features = pivots.shape
    d = order.size
    factors = np.zeros((n_parts, n_features))
    step = np.empty(n_features)
    for p in range(n_parts):
        pivot = pivots[p, feature]
        covariance = rows[p, slots[feature]]
        for g in range(n_features):
            step[g] = covariance[g]
        for k in range(d):
            row, share = table[p, k], covariance[order[k]]
            for g in range(n_features):
                step[g] -= share * row[g]
        for g in range(n_features):
            step[g] /= pivot
            if not inside[g]:
                pivots[p, g] -= step[g] * step[g] * pivot
                factors[p, g] = -step[g]
        for k in range(d):
            step[order[k]] = -table[p, k, feature] / pivot
            factors[p, order[k]] = step[order[k]]
        step[feature] = 1.0 / pivot
        factors[p, feature] = 0.0
        for k in range(d):
            row = table[p, k]
            share = row[feature]
            for g in range(n_features):
                row[g] -= share * step[g]
            row[feature] = -share / pivot
            pivots[p, order[k]] = row[order[k]]
        for g in range(n_features):
            table[p, d, g] = step[g]
        pivots[p, feature] = 1.0 / pivot
        log_determinants[p] += np.log(pivot)
    return factors


@compiled
def sweep_out(swept: Swept, feature: int) -> Floats:
    """Take a feature out of the table again; as `sweep_in` otherwise."""
    n_parts, n_features = swept.pivots.shape
    d = swept.order.size
    position = 0
    while swept.order[position] != feature:
        position += 1
    factors = np.zeros((n_parts, n_features))
    step = np.empty(n_features)
    for p in range(n_parts):
        pivot = swept.pivots[p, feature]
        for g in range(n_features):
            step[g] = swept.table[p, position, g]
            factors[p, g] = step[g] / pivot
            if swept.inside[g]:
                factors[p, g] = -factors[p, g]
            else:
                swept.pivots[p, g] += step[g] * step[g] / pivot
        factors[p, feature] = 0.0
        for k in range(d):
            row = swept.table[p, k]
            share = row[feature] / pivot
            if k == position:
                continue
            for g in range(n_features):
                row[g] -= share * step[g]
            row[feature] = -share
            swept.pivots[p, swept.order[k]] = row[swept.order[k]]
        for k in range(position, d - 1):
            for g in range(n_features):
                swept.table[p, k, g] = swept.table[p, k + 1, g]
        swept.pivots[p, feature] = 1.0 / pivot
        swept.log_determinants[p] += np.log(pivot)
    for k in range(position, d - 1):
        swept.order[k] = swept.order[k + 1]
    return factors


@compiled
def update_points(
    segments: Ints,
    points: Floats,
    distances: Floats,
    factors: Floats,
    own: Floats,
    change: Floats,
    feature: int,
    low: int,
    high: int,
) -> None:
    """Move the points' entries of features low up to high, and their lengths with `feature`'s own.

    `own` is a copy of its entries, and `change` what a squared length changes by for each square of
    them in each part: the inverse of its pivot, negative where it was taken out.
    """
    for p in range(segments.size - 1):
        first, last = segments[p], segments[p + 1]
        for g in range(low, high):
            if g == feature:
                continue
            row, share = points[g], factors[p, g]
            for m in range(first, last):
                row[m] += share * own[m]
        if low <= feature < high:
            row = points[feature]
            for m in range(first, last):
                row[m] = own[m] * abs(change[p])
                distances[m] += own[m] * (own[m] * change[p])


@compiled
def inflate(
    order: Ints, inside: Flags, table: Floats, variances: Floats, pivots: Floats, inflations: Floats
) -> None:
    """Find the largest inflations with each feature more or less. O(parts x d x features)."""
    n_parts, n_features = pivots.shape
    inverse = np.empty(n_features)
    for p in range(n_parts):
        largest = inflations[p]
        for g in range(n_features):
            pivot = pivots[p, g]
            inverse[g], largest[g] = 0.0, np.inf
            if inside[g]:
                inverse[g], largest[g] = -1.0 / pivot, 1.0
            elif pivot * SINGULAR > variances[p, g]:
                inverse[g] = 1.0 / pivot
                largest[g] = variances[p, g] * inverse[g]
        for k in range(order.size):
            row, own = table[p, k], order[k]
            variance, precision = variances[p, own], pivots[p, own]
            for g in range(n_features):
                new = (precision + row[g] * row[g] * inverse[g]) * variance
                largest[g] = new if new > largest[g] else largest[g]
        for g in range(n_features):
            largest[g] = largest[g] if largest[g] < SINGULAR else np.inf


@compiled
def with_or_without(swept: Swept, feature: int) -> Ints:
    """The base with one feature more or less, ascending."""
    removed = swept.inside[feature]
    out = np.empty(swept.base.size - 1 if removed else swept.base.size + 1, swept.base.dtype)
    size = 0
    placed = removed
    for f in swept.base:
        if not placed and f > feature:
            out[size] = feature
            size += 1
            placed = True
        if f != feature:
            out[size] = f
            size += 1
    if not placed:
        out[size] = feature
    return out


@compiled
def find_cancelling(design: Design, swept: Swept, feature: int, found: Flags) -> bool:
    """Flag the parts that lose digits when a feature is taken out: far points that come near."""
    any_found = False
    entries = swept.points[feature]
    for p in range(found.size):
        limit = LARGEST_SHRINKAGE * swept.pivots[p, feature]
        for m in range(design.segments[p], design.segments[p + 1]):
            if not entries[m] * entries[m] < limit:
                found[p] = any_found = True
                break
    return any_found


@compiled
def mend(design: Design, swept: Swept, feature: int, anew: Flags, models: Models) -> bool:
    """Say which parts cannot go by the sweep with one feature more or less, and model those anew.

    They are those whose ridge changes, and those that would lose digits. More features never need
    a smaller ridge, fewer never a larger one; so only parts that the new feature makes singular, or
    that were singular, have theirs looked for. `models` gets all ridges and inflations.
    """
    removed = swept.inside[feature]
    any_sought = any_anew = False
    for p in range(anew.size):
        models.ridges[p] = swept.ridges[p]
        models.inflations[p] = swept.inflations[p, feature]
        anew[p] = swept.ridges[p] > 0.0 if removed else models.inflations[p] == np.inf
        any_sought |= anew[p]
    if any_sought:
        find_ridges(design, with_or_without(swept, feature), anew, models.ridges)
        for p in range(anew.size):
            anew[p] = models.ridges[p] != swept.ridges[p]
            any_anew |= anew[p]
    if removed:
        any_anew |= find_cancelling(design, swept, feature, anew)
    if any_anew:
        whiten(design, with_or_without(swept, feature), anew, models)
    return any_anew
