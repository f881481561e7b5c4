"""From the decisions for each class to the share of test examples that are decided right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Ballot(NamedTuple):
    """The test examples, fold after fold.

    Attributes
    ----------
    starts : array
        The test examples of fold r are ``starts[r]`` up to ``starts[r + 1]``.
    codes : array
        Class of each.
    weights : array
        Weight of each, or nothing where all count the same.
    log_priors : array
        Classes x folds; minus infinity for a class that no training example has.
    """

    starts: Ints
    codes: Ints
    weights: Floats
    log_priors: Floats


@compiled
def accuracies(ballot: Ballot, decisions: Floats, ties: Floats, scores: Floats) -> None:
    """Weighted share of each fold's examples whose own class has the highest decision.

    Decisions (classes x examples) within the fold's tie of the best, relative to one more than its
    size, count as equal to it, and the first class of equals wins. NaN where the tie is infinite.
    The loops over all examples vectorise, which slices that may begin anywhere would not.
    """
    best = np.empty(ballot.codes.size)
    winners = np.empty(ballot.codes.size, np.int64)
    for i in range(best.size):
        best[i] = -np.inf
    for c in range(decisions.shape[0]):
        own = decisions[c]
        for i in range(best.size):
            best[i] = own[i] if own[i] > best[i] else best[i]
    for r in range(ties.size):
        if ties[r] > 0.0:
            for i in range(ballot.starts[r], ballot.starts[r + 1]):
                best[i] -= ties[r] * (1.0 + abs(best[i]))
    for c in range(decisions.shape[0] - 1, -1, -1):
        own = decisions[c]
        for i in range(best.size):
            winners[i] = c if own[i] >= best[i] else winners[i]
    for r in range(ties.size):
        right = total = 0.0
        if ballot.weights.size == 0:
            hits = 0
            for i in range(ballot.starts[r], ballot.starts[r + 1]):
                hits += 1 if winners[i] == ballot.codes[i] else 0
            right, total = float(hits), float(ballot.starts[r + 1] - ballot.starts[r])
        else:
            for i in range(ballot.starts[r], ballot.starts[r + 1]):
                total += ballot.weights[i]
                right += ballot.weights[i] if winners[i] == ballot.codes[i] else 0.0
        scores[r] = right / total if ties[r] < np.inf else np.nan
