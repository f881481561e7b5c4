"""How many test examples normal models of the classes get right, with one feature more or less.

Parts are ordered by fold, then class; the points of a part are the fold's test examples.
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

# Decisions nearer to the best than this, relative to its size, are ties, and so are those nearer
# than the second times the largest inflation: well above rounding, so that neither the way to a
# subset nor the order of columns shows.
TIE = 1e-9
TIE_INFLATED = 1e-14


class Ballot(NamedTuple):
    """The test examples, fold after fold.

    Attributes
    ----------
    starts : array
        The test examples of fold r are ``starts[r]`` up to ``starts[r + 1]``.
    codes, weights : array
        Class and weight of each.
    log_priors : array
        One for each part.
    """

    starts: Ints
    codes: Ints
    weights: Floats
    log_priors: Floats


@compiled
def accuracies(ballot: Ballot, decisions: Floats, inflations: Floats, scores: Floats) -> None:
    """Weighted share of each fold's test examples whose own class decides highest.

    Ties go to the class with the lowest code. NaN where decisions are not numbers.
    """
    n_folds = ballot.starts.size - 1
    n_classes = ballot.log_priors.size // n_folds
    for r in range(n_folds):
        low, n = ballot.starts[r], ballot.starts[r + 1] - ballot.starts[r]
        right = total = 0.0
        tie = TIE
        for p in range(r * n_classes, (r + 1) * n_classes):
            tie = max(tie, TIE_INFLATED * inflations[p])
        for i in range(n):
            at = n_classes * low + i
            best = -np.inf
            for c in range(n_classes):
                best = max(best, decisions[at + c * n])
            enough = best - tie * (1.0 + abs(best))
            winner = 0
            while winner < n_classes and not decisions[at + winner * n] >= enough:
                winner += 1
            weight = ballot.weights[low + i]
            total += weight
            if winner == n_classes:
                right = np.nan
            elif winner == ballot.codes[low + i]:
                right += weight
        scores[r] = right / total


@compiled
def score_neighbours(
    design: Design, swept: Swept, ballot: Ballot, features: Ints, ridged: Floats
) -> Floats:
    """Score the base with each of the features added, or removed where it is inside.

    `ridged` gets the largest ridge of each. O(points) for each candidate, and O(parts x d) for one
    to be added; a part that a candidate makes singular costs O(d^3 + d^2 points).
    """
    n_folds, n_parts = ballot.starts.size - 1, ballot.log_priors.size
    n_points = swept.distances.size
    scores = np.empty((features.size, n_folds))
    decisions = np.empty(n_points)
    anew = np.empty(n_parts, np.bool_)
    models = Models(
        np.empty(n_parts),
        np.empty(n_points),
        np.empty(n_parts),
        np.empty(n_parts),
        np.empty(n_parts),
    )
    for t in range(features.size):
        feature = features[t]
        mend(design, swept, feature, anew, models)
        entries = swept.points[feature]
        sign = -0.5 if swept.inside[feature] else 0.5
        ridged[t] = 0.0
        for p in range(n_parts):
            low, high = design.segments[p], design.segments[p + 1]
            ridged[t] = max(ridged[t], models.ridges[p])
            if anew[p]:
                level = ballot.log_priors[p] - 0.5 * models.log_determinants[p]
                for m in range(low, high):
                    decisions[m] = level - 0.5 * models.distances[m]
                continue
            pivot = swept.pivots[p, feature]
            level = ballot.log_priors[p] - 0.5 * (swept.log_determinants[p] + np.log(pivot))
            share = sign / pivot
            for m in range(low, high):
                decisions[m] = level - 0.5 * swept.distances[m] - share * (entries[m] * entries[m])
        accuracies(ballot, decisions, models.inflations, scores[t])
    return scores
