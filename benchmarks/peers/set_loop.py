"""The pairwise loop over Python sets that most code on stability consists of."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

Sets = list[set[int]]


def overlaps(subsets: Sets) -> list[int]:
    """The least that any pairwise measure needs."""
    return [len(a & b) for a, b in combinations(subsets, 2)]


def jaccard(subsets: Sets) -> float:
    """One measure, on one line."""
    values = [len(a & b) / len(a | b) for a, b in combinations(subsets, 2)]
    return sum(values) / len(values)


def all_measures(subsets: Sets, d: int) -> dict[str, float]:
    """Every pairwise set measure in one loop that shares the overlap; no subset empty or full."""
    totals = dict.fromkeys(_of_pair(subsets[0], subsets[0], d), 0.0)
    n_pairs = 0
    for a, b in combinations(subsets, 2):
        for key, value in _of_pair(a, b, d).items():
            totals[key] += value
        n_pairs += 1
    return {key: total / n_pairs for key, total in totals.items()}


def _of_pair(a: set[int], b: set[int], d: int) -> dict[str, float]:
    r, k1, k2 = len(a & b), len(a), len(b)
    expected = k1 * k2 / d
    beyond = r - expected
    smaller, lowest = min(k1, k2), max(0, k1 + k2 - d)
    agree = (d - k1 - k2 + 2 * r) / d
    agree_by_chance = (k1 * k2 + (d - k1) * (d - k2)) / d**2
    return {
        "jaccard": r / (k1 + k2 - r),
        "hamming": agree,
        "dice": 2 * r / (k1 + k2),
        "ochiai": r / sqrt(k1 * k2),
        "kuncheva": beyond / (k1 - k1 * k1 / d),
        "lustgarten": beyond / (smaller - lowest),
        "wald": beyond / (smaller - expected),
        "npog": (beyond / (k1 - expected) + beyond / (k2 - expected)) / 2,
        "nogueira2016": beyond / max(expected - lowest, smaller - expected),
        "phi": beyond / sqrt(k1 * (1 - k1 / d) * k2 * (1 - k2 / d)),
        "kappa": (agree - agree_by_chance) / (1 - agree_by_chance),
        "unadjusted": beyond / (sqrt(k1 * k2) - expected),
    }
