"""What random choices of the same sizes give on average: exactly, without drawing."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import refusal

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def checked_chance(chance: object, allowed: tuple[str, ...], owner: str) -> str:
    """One of the ways to correct for chance that the measure knows."""
    if chance not in allowed:
        raise refusal("chance", f"the measure {owner!r}", f"one of {allowed}", repr(chance))
    return str(chance)


def checked_count(n: object, parameter: str, owner: str) -> None:
    """How many times to draw: a whole number, at least 1."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise refusal(parameter, owner, "a whole number >= 1", repr(n))


def checked_seed(seed: object, owner: str) -> None:
    """Refuse what is no seed; None would give another answer every time."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise refusal("random_state", owner, "a whole number >= 0", repr(seed))


@lru_cache(maxsize=4096)
def overlap_distribution(k1: int, k2: int, n_features: int) -> tuple[Ints, Floats]:
    """Overlaps of random subsets of sizes k1 and k2, and their probabilities (hypergeometric).

    Ratios of neighbours from the mode outwards, so that no large logarithm costs digits.
    O(min(k1, k2)).
    """
    low, high = max(0, k1 + k2 - n_features), min(k1, k2)
    r = np.arange(low, high + 1, dtype=np.float64)
    # p(r + 1) / p(r)
    ratio = ((k1 - r) * (k2 - r) / ((r + 1) * (n_features - k1 - k2 + r + 1)))[:-1]
    mode = int(np.argmax(ratio < 1)) if (ratio < 1).any() else ratio.size
    weight = np.ones(r.size)
    weight[mode + 1 :] = np.cumprod(ratio[mode:])
    weight[:mode] = np.cumprod(1 / ratio[:mode][::-1])[::-1]
    weight /= weight.sum()
    overlap = r.astype(np.int64)
    for array in (overlap, weight):
        array.setflags(write=False)
    return overlap, weight


def expected_over_sizes(
    smaller: Ints, larger: Ints, n_features: int, formula: Callable[..., Any]
) -> Floats:
    """Mean of ``formula(k1, k2, r, D)`` over random overlaps r, for each given pair of sizes."""
    sizes, where = np.unique(np.stack((smaller, larger)), axis=1, return_inverse=True)
    means = np.empty(sizes.shape[1])
    for p, (k1, k2) in enumerate(sizes.T.tolist()):
        overlap, probability = overlap_distribution(k1, k2, n_features)
        means[p] = formula(np.float64(k1), np.float64(k2), overlap, n_features) @ probability
    return means[where.reshape(-1)]


def frequency_distribution(sizes: Ints, n_features: int) -> Floats:
    """Distribution of one feature's frequency when every run draws its size at random.

    The runs are independent trials with probabilities k_i / D. O(n_runs**2).
    """
    distribution = np.ones(1)
    for share in sizes / n_features:
        grown = np.zeros(distribution.size + 1)
        grown[:-1] += distribution * (1 - share)
        grown[1:] += distribution * share
        distribution = grown
    return distribution


def union_distribution(sizes: Ints, n_features: int) -> Floats:
    """Distribution of how many features occur at all, over 0 .. D, by adding run after run.

    O(n_runs * reach * k), reach being the sizes' sum or the number of features.
    """
    distribution = np.zeros(n_features + 1)
    distribution[0] = 1.0
    reach = 0
    for k in sizes.tolist():
        grown = np.zeros(n_features + 1)
        for used in np.flatnonzero(distribution[: reach + 1]).tolist():
            shared, probability = overlap_distribution(used, k, n_features)
            grown[used + k - shared] += distribution[used] * probability
        distribution = grown
        reach = min(n_features, reach + k)
    return distribution


def corrected(value: Any, by_chance: Any, highest: Any) -> Any:
    """(value - by chance) / (highest - by chance); 0 where chance leaves no room."""
    return ratio_or_zero(value - by_chance, highest - by_chance)


def ratio_or_zero(numerator: Any, denominator: Any) -> Any:
    """Divide; 0 where the denominator is 0 up to rounding, as published for such subsets."""
    tiny = np.abs(denominator) < 1e-12
    return np.where(tiny, 0.0, numerator / np.where(tiny, 1.0, denominator))
