"""Fold accuracies of support vector machines for many subsets of features."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holdfast._kernels.jit import compiled, part
from holdfast._kernels.svm import (
    ALPHA,
    BOUND,
    CURVE,
    EXAMPLE,
    ORIGIN,
    PLACE_ROWS,
    SIGN,
    STATE_ROWS,
    solve,
)
from holdfast._kernels.svm_rows import Floats, Ints, Pairs, Singles, kernel_with, pairs_with

# So that a distance of 0 times the width is 0 for any variance.
WIDEST = 1e300


class Parts(NamedTuple):
    """Where the examples of each fold are, and what is known of each feature in them.

    Attributes
    ----------
    train : array
        Training examples of all folds, one fold after the other, by class within each.
    starts : array, folds x (classes + 1)
        Where each class of each fold begins in `train`.
    test : array
        Test examples of all parts.
    test_starts : array
        Where each fold begins in `test`.
    sizes : array
        Number of training examples that the spread is taken over.
    means, spreads : array, folds x features
        Mean and sum of squared deviations of each feature among them.
    """

    train: Ints
    starts: Ints
    test: Ints
    test_starts: Ints
    sizes: Floats
    means: Floats
    spreads: Floats


class Machine(NamedTuple):
    """What all problems share.

    Attributes
    ----------
    linear : bool
        Linear kernel, else RBF.
    gamma : float
        Width of the RBF; NaN: 1 over features times the variance of the fold's training part.
    tol : float
        How far from optimal a solution may be.
    most_steps : int
        Where to give up.
    bounds : array
        Upper bound of each example's multiplier.
    weights : array
        What a correct prediction of each example counts.
    codes : array
        Class of each example.
    """

    linear: bool
    gamma: float
    tol: float
    most_steps: int
    bounds: Floats
    weights: Floats
    codes: Ints


@compiled
def gamma_of(parts: Parts, fold: int, subset: Ints) -> float:
    """One over the number of features times the variance of all their values in the training part.

    From the features' own means and spreads, in O(d).
    """
    centre = 0.0
    for f in subset:
        centre += parts.means[fold, f]
    centre /= subset.size
    within, between = 0.0, 0.0
    for f in subset:
        within += parts.spreads[fold, f]
        between += (parts.means[fold, f] - centre) ** 2
    total = within / parts.sizes[fold] + between
    return min(1.0 / total, WIDEST) if total > 0.0 else 1.0


@part
def decide(
    pairs: Pairs,
    gamma: float,
    members: Ints,
    n_first: int,
    machine: Machine,
    room: Singles,
    asked: Ints,
) -> tuple[Floats, int]:
    """Learn one class against another and compute decision values: positive is the first class.

    `members` are the training examples, those of the first class in front. Returns the values of
    the examples asked for and the steps of the solver.
    """
    size = members.size
    n_slots = min(size, room.size // size)
    state, places = np.ones((STATE_ROWS, size)), np.empty((PLACE_ROWS, size), np.int64)
    for k in range(size):
        places[EXAMPLE, k] = members[k]
        state[SIGN, k] = 1.0 if k < n_first else -1.0
        state[BOUND, k] = machine.bounds[members[k]]
        if pairs.linear:
            state[CURVE, k] = pairs_with(pairs, members[k])[members[k]]
    gram = room[: n_slots * size].reshape(n_slots, size)
    held = np.empty(n_slots + 2, np.int64)
    bias, steps = solve(pairs, gamma, state, places, gram, held, machine.tol, machine.most_steps)
    share = np.empty(size)
    for k in range(size):
        share[places[ORIGIN, k]] = state[SIGN, k] * state[ALPHA, k]
    values, kernel, spare = np.zeros(asked.size), np.empty(asked.size), np.empty(asked.size)
    for k in range(size):
        if share[k] != 0.0:
            kernel_with(pairs, members[k], asked, gamma, kernel, spare)
            for t in range(asked.size):
                values[t] += share[k] * kernel[t]
    for t in range(asked.size):
        values[t] -= bias
    return values, steps


@compiled
def fold_accuracies(
    table: Floats,
    subsets: Ints,
    parts: Parts,
    machine: Machine,
    kept_rows: int,
    gram_numbers: int,
    out: Floats,
) -> int:
    """Write the accuracies (subsets x folds); return the most steps that a problem took.

    One vote for each pair of classes; the first of the classes with most votes wins. `table` is
    features x examples. All rows of distances are kept or one, and `gram_numbers` kernel values;
    neither changes any result.
    """
    rows = np.empty((kept_rows, table.shape[1]))
    known = np.zeros(table.shape[1], np.bool_)
    room = np.empty(gram_numbers, np.float32)
    n_classes = parts.starts.shape[1] - 1
    longest = 0
    for c in range(subsets.shape[0]):
        for k in range(known.size):
            known[k] = False
        pairs = Pairs(table, subsets[c], machine.linear, rows, known)
        for fold in range(parts.sizes.size):
            gamma = machine.gamma
            if np.isnan(gamma) and not machine.linear:
                gamma = gamma_of(parts, fold, subsets[c])
            asked = parts.test[parts.test_starts[fold] : parts.test_starts[fold + 1]]
            votes = np.zeros((asked.size, n_classes), np.int64)
            for pair in range(n_classes * n_classes):
                a, b = pair // n_classes, pair % n_classes
                members, n_first = members_of(parts.train, parts.starts[fold], a, b)
                if n_first == 0:
                    continue
                values, steps = decide(pairs, gamma, members, n_first, machine, room, asked)
                longest = max(longest, steps)
                for t in range(asked.size):
                    votes[t, a if values[t] > 0.0 else b] += 1
            out[c, fold] = accuracy(votes, asked, machine)
    return longest


@compiled
def members_of(train: Ints, starts: Ints, a: int, b: int) -> tuple[Ints, int]:
    """Give the training examples of two classes and how many are of the first.

    None unless the first class comes before the second and both have examples.
    """
    n_first, n_second = starts[a + 1] - starts[a], starts[b + 1] - starts[b]
    if a >= b or n_first == 0 or n_second == 0:
        return train[:0], 0
    members = np.empty(n_first + n_second, np.int64)
    for k in range(n_first):
        members[k] = train[starts[a] + k]
    for k in range(n_second):
        members[n_first + k] = train[starts[b] + k]
    return members, n_first


@compiled
def accuracy(votes: Ints, asked: Ints, machine: Machine) -> float:
    """Share of the weight of the examples asked for whose class has the most votes."""
    right, total = 0.0, 0.0
    for t in range(asked.size):
        weight = machine.weights[asked[t]]
        total += weight
        if np.argmax(votes[t]) == machine.codes[asked[t]]:
            right += weight
    return right / total
