"""Similarity-adjusted stability, computed the slow and obvious way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations, permutations, product

import numpy as np

Matrix = np.ndarray
Pair = Callable[[frozenset[int], frozenset[int], Matrix, float], float]


def _partners(x: int, others: frozenset[int], sim: Matrix, threshold: float) -> list[int]:
    return [y for y in sorted(others) if sim[x, y] >= threshold]


def similar_count(a: frozenset[int], b: frozenset[int], sim: Matrix, threshold: float) -> int:
    """How many features only in a have a similar one among those only in b."""
    return sum(bool(_partners(x, b - a, sim, threshold)) for x in a - b)


def similar_mean(a: frozenset[int], b: frozenset[int], sim: Matrix, threshold: float) -> float:
    total = 0.0
    for x in sorted(a - b):
        partners = _partners(x, b - a, sim, threshold)
        if partners:
            total += sum(sim[x, y] for y in partners) / len(partners)
    return total


def greedy_matching(a: frozenset[int], b: frozenset[int], sim: Matrix, threshold: float) -> int:
    """Most similar pair first; ties to the pair that comes first in feature order."""
    edges = [(-sim[x, y], x, y) for x, y in product(a - b, b - a) if sim[x, y] >= threshold]
    used_x: set[int] = set()
    used_y: set[int] = set()
    for _, x, y in sorted(edges):
        if x not in used_x and y not in used_y:
            used_x.add(x)
            used_y.add(y)
    return len(used_x)


def maximum_matching(a: frozenset[int], b: frozenset[int], sim: Matrix, threshold: float) -> int:
    """Largest number of disjoint similar pairs: augmenting paths, plain recursion."""
    partner: dict[int, int] = {}

    def augment(x: int, seen: set[int]) -> bool:
        for y in _partners(x, b - a, sim, threshold):
            if y not in seen:
                seen.add(y)
                if y not in partner or augment(partner[y], seen):
                    partner[y] = x
                    return True
        return False

    return sum(augment(x, set()) for x in sorted(a - b))


def count_score(a: frozenset[int], b: frozenset[int], sim: Matrix, t: float) -> float:
    return len(a & b) + min(similar_count(a, b, sim, t), similar_count(b, a, sim, t))


def mean_score(a: frozenset[int], b: frozenset[int], sim: Matrix, t: float) -> float:
    return len(a & b) + min(similar_mean(a, b, sim, t), similar_mean(b, a, sim, t))


def greedy_score(a: frozenset[int], b: frozenset[int], sim: Matrix, t: float) -> float:
    return len(a & b) + greedy_matching(a, b, sim, t)


def mbm_score(a: frozenset[int], b: frozenset[int], sim: Matrix, t: float) -> float:
    return len(a & b) + maximum_matching(a, b, sim, t)


def yu2012_score(a: frozenset[int], b: frozenset[int], sim: Matrix, t: float) -> float:
    return len(a & b) + (similar_count(a, b, sim, t) + similar_count(b, a, sim, t)) / 2


def pogr_score(a: frozenset[int], b: frozenset[int], sim: Matrix, t: float) -> float:
    """Shared features and those of a that have a similar one anywhere in b."""
    return len(a & b) + sum(bool(_partners(x, b, sim, t)) for x in a - b)


def zucknick_score(a: frozenset[int], b: frozenset[int], sim: Matrix, t: float) -> float:
    if not a and not b:
        return 1.0

    def one_way(k: frozenset[int], other: frozenset[int]) -> float:
        pairs = product(k, other - k)
        return sum(sim[x, y] for x, y in pairs if sim[x, y] >= t) / len(other) if other else 0.0

    return (len(a & b) + one_way(a, b) + one_way(b, a)) / len(a | b)


def yu_score(a: frozenset[int], b: frozenset[int], sim: Matrix) -> float:
    """Weight of the best one-to-one pairing, tried one by one, over the mean size."""
    if not a and not b:
        return 1.0
    small, large = sorted((sorted(a), sorted(b)), key=len)
    best = max(
        sum(sim[x, y] if x != y else 1.0 for x, y in zip(small, chosen, strict=True))
        for chosen in permutations(large, len(small))
    )
    return 2 * best / (len(a) + len(b))


def expected(score: Pair, ka: int, kb: int, sim: Matrix, threshold: float) -> float:
    """Mean of the score over all pairs of subsets of the two sizes."""
    features = range(len(sim))
    values = [
        score(frozenset(a), frozenset(b), sim, threshold)
        for a, b in product(combinations(features, ka), combinations(features, kb))
    ]
    return sum(values) / len(values)


def root_of_sizes(ka: int, kb: int) -> float:
    return math.sqrt(ka * kb)


def mean_of_sizes(ka: int, kb: int) -> float:
    return (ka + kb) / 2


def one(ka: int, kb: int) -> float:
    return 1.0


def corrected(value: float, chance: float, highest: float) -> float:
    room = highest - chance
    return (value - chance) / room if abs(room) > 1e-12 else 0.0


def sechidis(
    subsets: Sequence[frozenset[int]], d: int, sim: Matrix, threshold: float = 0.9
) -> float:
    """1 - trace(C S) / trace(C Sigma), feature by feature and run by run."""
    m = len(subsets)
    mean_size = sum(len(s) for s in subsets) / m
    mean_square = sum(len(s) ** 2 for s in subsets) / m
    share = mean_size / d
    beside = (mean_square - mean_size) / (d * d - d) - share**2 if d > 1 else 0.0
    means = [sum(f in s for s in subsets) / m for f in range(d)]
    observed = by_chance = 0.0
    for x, y in product(range(d), repeat=2):
        if sim[x, y] >= threshold:
            products = sum(((x in s) - means[x]) * ((y in s) - means[y]) for s in subsets)
            observed += sim[x, y] * products / (m - 1)
            by_chance += sim[x, y] * (share * (1 - share) if x == y else beside)
    return 1 - observed / by_chance if abs(by_chance) > 1e-12 else 0.0


def sechidis_of_matrices(
    subsets: Sequence[frozenset[int]], d: int, sim: Matrix, threshold: float = 0.9
) -> float:
    """The same as products of whole matrices."""
    m = len(subsets)
    weights = np.where(sim >= threshold, sim, 0.0)
    z = np.array([[float(f in s) for f in range(d)] for s in subsets])
    observed = np.cov(z, rowvar=False, ddof=1).reshape(d, d)
    k = z.sum() / m
    k2 = (z.sum(axis=1) ** 2).mean()
    diagonal = k / d * (1 - k / d)
    off = (k2 - k) / (d * d - d) - (k / d) ** 2 if d > 1 else 0.0
    by_chance = np.full((d, d), off)
    np.fill_diagonal(by_chance, diagonal)
    room = float(np.trace(weights @ by_chance))
    return 1 - float(np.trace(weights @ observed)) / room if abs(room) > 1e-12 else 0.0
