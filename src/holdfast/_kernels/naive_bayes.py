"""Accuracy of Gaussian naive Bayes, for a base with features more or less.

Log-likelihoods add up over features, so a base's sums serve all its neighbours. Sums are kept as a
value and what its rounding lost, which makes them the same for any order of the features and for
any way of adding and removing to a subset.

The smoothing depends on the subset: it is a share of the largest variance in it. Where a neighbour
changes that, its fold is summed anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.ballot import Ballot, accuracies
from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TWO_PI = 2.0 * np.pi


class Likelihoods(NamedTuple):
    """What is learned from the training parts, and the test examples, fold after fold.

    Attributes
    ----------
    tests : array
        Features x test examples.
    means, variances : array
        Classes x folds x features.
    spreads : array
        Folds x features: the variance over all classes.
    least : array
        Folds x features: the variance to take where it is 0 even with the smoothing.
    smoothing : float
        Share of the largest spread of the subset that is added to each variance.
    """

    tests: Floats
    means: Floats
    variances: Floats
    spreads: Floats
    least: Floats
    smoothing: float


class Sums(NamedTuple):
    """Sums over the features of a subset, each a value and its correction.

    Attributes
    ----------
    logs : array
        Classes x folds x 2: logarithms of 2 pi times the variance.
    squares, corrections : array
        Classes x test examples: squared distances to the class mean over the variance.
    largest : array
        The largest spread of each fold; -1 for no features.
    """

    logs: Floats
    squares: Floats
    corrections: Floats
    largest: Floats


@compiled
def smoothed(given: Likelihoods, code: int, fold: int, feature: int, largest: float) -> float:
    """Variance of a feature in a class; negative where it is but a stand-in for 0."""
    variance: float = given.variances[code, fold, feature] + given.smoothing * largest
    return variance if variance > 0.0 else -1.0 * given.least[fold, feature]


@compiled
def include(
    ballot: Ballot, given: Likelihoods, fold: int, feature: int, sign: float, sums: Sums
) -> bool:
    """Add a feature to the sums of a fold, or take it out; say whether some variance was 0."""
    low, high = ballot.starts[fold], ballot.starts[fold + 1]
    values = given.tests[feature, low:high]
    mended = False
    for c in range(sums.logs.shape[0]):
        variance = smoothed(given, c, fold, feature, sums.largest[fold])
        mended |= variance < 0.0
        variance, mean = abs(variance), given.means[c, fold, feature]
        term = sign * np.log(TWO_PI * variance)
        before = sums.logs[c, fold, 0]
        after = before + term
        kept = after - before
        sums.logs[c, fold, 0] = after
        sums.logs[c, fold, 1] += (before - (after - kept)) + (term - kept)
        squares, corrections = sums.squares[c, low:high], sums.corrections[c, low:high]
        for i in range(values.size):
            away = values[i] - mean
            term = sign * (away * away / variance)
            before = squares[i]
            after = before + term
            kept = after - before
            squares[i] = after
            corrections[i] += (before - (after - kept)) + (term - kept)
    return mended


@compiled
def decide(
    ballot: Ballot,
    given: Likelihoods,
    fold: int,
    feature: int,
    sign: float,
    sums: Sums,
    decisions: Floats,
) -> bool:
    """Decisions of a fold with a feature added to the sums or taken out; else as `include`."""
    low, high = ballot.starts[fold], ballot.starts[fold + 1]
    values = given.tests[feature, low:high]
    mended = False
    for c in range(sums.logs.shape[0]):
        variance = smoothed(given, c, fold, feature, sums.largest[fold])
        mended |= variance < 0.0
        variance, mean = abs(variance), given.means[c, fold, feature]
        term = sign * np.log(TWO_PI * variance)
        before = sums.logs[c, fold, 0]
        after = before + term
        kept = after - before
        lost = (before - (after - kept)) + (term - kept)
        logs = -0.5 * (after + (sums.logs[c, fold, 1] + lost))
        squares, corrections = sums.squares[c, low:high], sums.corrections[c, low:high]
        log_prior, own = ballot.log_priors[c, fold], decisions[c, low:high]
        for i in range(values.size):
            away = values[i] - mean
            term = sign * (away * away / variance)
            before = squares[i]
            after = before + term
            kept = after - before
            lost = (before - (after - kept)) + (term - kept)
            own[i] = log_prior + (logs - 0.5 * (after + (corrections[i] + lost)))
    return mended


@compiled
def sum_fold(ballot: Ballot, given: Likelihoods, fold: int, subset: Ints, sums: Sums) -> bool:
    """Sum a fold over features from nothing, O(d n C); `sums.largest` must be there."""
    mended = False
    for c in range(sums.logs.shape[0]):
        sums.logs[c, fold, 0] = 0.0
        sums.logs[c, fold, 1] = 0.0
        for i in range(ballot.starts[fold], ballot.starts[fold + 1]):
            sums.squares[c, i] = 0.0
            sums.corrections[c, i] = 0.0
    for feature in subset:
        mended |= include(ballot, given, fold, feature, 1.0, sums)
    return mended


@compiled
def sum_base(ballot: Ballot, given: Likelihoods, base: Ints, sums: Sums) -> bool:
    """Sum all folds over a subset; say whether some variance was 0."""
    mended = False
    for r in range(sums.largest.size):
        sums.largest[r] = -1.0
        for feature in base:
            sums.largest[r] = max(sums.largest[r], given.spreads[r, feature])
        mended |= sum_fold(ballot, given, r, base, sums)
    return mended


@compiled
def copy_fold(ballot: Ballot, fold: int, sums: Sums, out: Sums) -> None:
    """Copy the sums of one fold."""
    out.largest[fold] = sums.largest[fold]
    for c in range(sums.logs.shape[0]):
        out.logs[c, fold, 0] = sums.logs[c, fold, 0]
        out.logs[c, fold, 1] = sums.logs[c, fold, 1]
        for i in range(ballot.starts[fold], ballot.starts[fold + 1]):
            out.squares[c, i] = sums.squares[c, i]
            out.corrections[c, i] = sums.corrections[c, i]


@compiled
def score_neighbours(
    ballot: Ballot, given: Likelihoods, sums: Sums, tuples: Ints, subsets: Ints, added: bool
) -> tuple[Floats, bool]:
    """Score each of the subsets, which are the base with one of the tuples added or removed.

    `sums` are those of the base. O(n C c) for a tuple of c features, O(n C d) in each fold whose
    smoothing it changes. Say whether some variance was 0.
    """
    scores = np.empty((tuples.shape[0], sums.largest.size))
    own = Sums(
        np.empty(sums.logs.shape),
        np.empty(sums.squares.shape),
        np.empty(sums.squares.shape),
        np.empty(sums.largest.size),
    )
    decisions = np.empty(sums.squares.shape)
    no_ties = np.zeros(sums.largest.size)
    mended = False
    for t in range(tuples.shape[0]):
        for r in range(sums.largest.size):
            largest = -1.0
            for feature in subsets[t]:
                largest = max(largest, given.spreads[r, feature])
            used, last, sign = own, tuples[t, -1], 1.0 if added else -1.0
            if largest != sums.largest[r]:
                own.largest[r], last, sign = largest, subsets[t, -1], 1.0
                mended |= sum_fold(ballot, given, r, subsets[t, :-1], own)
            elif tuples.shape[1] == 1:
                used = sums
            else:
                copy_fold(ballot, r, sums, own)
                for feature in tuples[t, :-1]:
                    mended |= include(ballot, given, r, feature, sign, own)
            mended |= decide(ballot, given, r, last, sign, used, decisions)
        accuracies(ballot, decisions, no_ties, scores[t])
    return scores, mended
