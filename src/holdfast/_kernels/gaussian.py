"""Accuracy of normal models of the classes, for a base with one feature more or less.

Parts are ordered by class, then fold; the points of a part are the fold's test examples.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.ballot import Ballot, accuracies
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


@compiled
def measure_ties(inflations: Floats, ties: Floats) -> None:
    """How near two decisions of a fold are a tie; infinite where a model overflows."""
    n_folds = ties.size
    for r in range(n_folds):
        ties[r] = TIE
        for p in range(r, inflations.size, n_folds):
            ties[r] = max(ties[r], TIE_INFLATED * inflations[p])


@compiled
def score_neighbours(
    design: Design, swept: Swept, ballot: Ballot, features: Ints, ridged: Floats
) -> Floats:
    """Score the base with each of the features added, or removed where it is inside.

    `ridged` gets the largest ridge of each. O(points + parts x d) for each candidate; a part that
    it makes singular costs O(d^3 + d^2 points).
    """
    n_folds, n_parts = ballot.starts.size - 1, ballot.log_priors.size
    n_points = swept.distances.size
    scores = np.empty((features.size, n_folds))
    decisions = np.empty((n_parts // n_folds, ballot.codes.size))
    ties = np.empty(n_folds)
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
        sign = -0.5 if swept.inside[feature] else 0.5
        ridged[t] = 0.0
        for p in range(n_parts):
            c, r = p // n_folds, p % n_folds
            points = slice(design.segments[p], design.segments[p + 1])
            own = decisions[c, ballot.starts[r] : ballot.starts[r + 1]]
            ridged[t] = max(ridged[t], models.ridges[p])
            if anew[p]:
                level = ballot.log_priors[c, r] - 0.5 * models.log_determinants[p]
                distances = models.distances[points]
                for i in range(own.size):
                    own[i] = level - 0.5 * distances[i]
                continue
            pivot = swept.pivots[p, feature]
            level = ballot.log_priors[c, r] - 0.5 * (swept.log_determinants[p] + np.log(pivot))
            share = sign / pivot
            distances, entries = swept.distances[points], swept.points[feature, points]
            for i in range(own.size):
                own[i] = level - 0.5 * distances[i] - share * (entries[i] * entries[i])
        measure_ties(models.inflations, ties)
        accuracies(ballot, decisions, ties, scores[t])
    return scores
