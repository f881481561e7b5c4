"""Similarity-adjusted stability over sets: the naive twins of the tests, put together."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

from tests.naive import correlated as naive

Sets = list[frozenset[int]]
Matrix = np.ndarray


def mean_score(sets: Sets, sim: Matrix, score: naive.Pair, threshold: float) -> float:
    values = [score(a, b, sim, threshold) for a, b in combinations(sets, 2)]
    return sum(values) / len(values)


def corrected_mean(
    sets: Sets,
    sim: Matrix,
    score: naive.Pair,
    highest: Callable[[int, int], float],
    *,
    threshold: float,
    n_draws: int,
    ordered: bool = False,
) -> float:
    """Mean over pairs less the mean of as many random pairs; all subsets have one size."""
    size = len(sets[0])
    rng = np.random.default_rng(1)
    draw = lambda: frozenset(rng.permutation(len(sim))[:size].tolist())  # noqa: E731
    by_chance = sum(score(draw(), draw(), sim, threshold) for _ in range(n_draws)) / n_draws
    pairs = permutations(sets, 2) if ordered else combinations(sets, 2)
    room = highest(size, size)
    values = [naive.corrected(score(a, b, sim, threshold), by_chance, room) for a, b in pairs]
    return sum(values) / len(values)


def yu(sets: Sets, sim: Matrix) -> float:
    """One assignment problem a pair; the twin would try all pairings."""
    values = []
    for a, b in combinations(sets, 2):
        weights = sim[np.ix_(sorted(a), sorted(b))]
        best = weights[linear_sum_assignment(weights, maximize=True)].sum()
        values.append(2 * float(best) / (len(a) + len(b)))
    return sum(values) / len(values)
