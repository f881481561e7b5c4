"""What random subsets of two sizes score on average where similar features count too.

In closed form where the score is a sum over features, by listing all subsets where they are few,
else by seeded draws.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError
from holdfast.stability.chance import overlap_distribution
from holdfast.stability.scores import Score
from holdfast.stability.similarity import Links

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_LISTED_PAIRS = 2_000_000


class DrawnChance:
    """Mean score of random subsets, from one bank of seeded draws shared by all sizes.

    Draw t of size k is the first k of the t-th random order, so a size's draws do not depend on
    which other sizes there are.
    """

    def __init__(self, score: Score, links: Links, largest: int, n_draws: int, seed: int) -> None:
        d = links.near_ptr.size - 1
        rng = np.random.default_rng(seed)
        self.score, self.links, self.n_draws, self.width = score, links, n_draws, largest
        self.left = np.empty((n_draws, largest), np.int32)
        self.right = np.empty((n_draws, largest), np.int32)
        for t in range(n_draws):
            self.left[t] = rng.permutation(d)[:largest]
            self.right[t] = rng.permutation(d)[:largest]

    def __call__(self, k1: int, k2: int) -> float:
        """Mean score of the drawn pairs of these sizes."""
        start = np.arange(self.n_draws, dtype=np.int64) * self.width
        scores = self.score.of_pairs(
            self.left.ravel(),
            (start, start + k1),
            self.right.ravel(),
            (start, start + k2),
            self.links,
        )
        return float(scores.mean())


def listed_chance(score: Score, links: Links, key: str, k1: int, k2: int) -> float:
    """Average the score over all pairs of subsets of these sizes, one by one."""
    d = links.near_ptr.size - 1
    n_left, n_right = math.comb(d, k1), math.comb(d, k2)
    if n_left * n_right > MOST_LISTED_PAIRS:
        raise InputError(
            f"The measure {key!r} with chance='exact' would list {n_left * n_right} pairs of "
            f"subsets (sizes {k1} and {k2} of {d} features). Use chance='estimate'."
        )
    left = np.array(list(combinations(range(d), k1)), np.int32).reshape(n_left, k1)
    right = np.array(list(combinations(range(d), k2)), np.int32).reshape(n_right, k2)
    a = np.repeat(np.arange(n_left, dtype=np.int64), n_right) * k1
    b = np.tile(np.arange(n_right, dtype=np.int64), n_left) * k2
    scores = score.of_pairs(left.ravel(), (a, a + k1), right.ravel(), (b, b + k2), links)
    return float(scores.mean())


def zucknick_by_chance(links: Links, k1: int, k2: int) -> float:
    """Give the mean Zucknick score: for a given overlap, all ordered pairs are as likely.

    Given the overlap r, any ordered pair of different features lies in the first subset and only
    in the second with probability k1 (k2 - r) / (D (D - 1)).
    """
    if k1 + k2 == 0:
        return 1.0
    d = links.near_ptr.size - 1
    r, probability = overlap_distribution(k1, k2, d)
    per_pair = float(links.weight.sum()) / (d * (d - 1)) if d > 1 else 0.0
    found = np.zeros(r.size)
    if k2:
        found += per_pair * k1 * (k2 - r) / k2
    if k1:
        found += per_pair * k2 * (k1 - r) / k1
    return float(probability @ ((r + found) / (k1 + k2 - r)))


def yu2012_by_chance(links: Links, k1: int, k2: int) -> float:
    """Give the mean of the overlap plus half of what each finds only in the other."""
    d = links.near_ptr.size - 1
    forward = _found_by_chance(links, False, k1, k2)
    return k1 * k2 / d + (forward + _found_by_chance(links, False, k2, k1)) / 2


def pogr_by_chance(links: Links, k1: int, k2: int) -> float:
    """Give the mean of the overlap plus what the first subset finds anywhere in the second."""
    d = links.near_ptr.size - 1
    return k1 * k2 / d + _found_by_chance(links, True, k1, k2)


def _found_by_chance(links: Links, anywhere: bool, k1: int, k2: int) -> float:
    """Expect how many features only in a random k1-subset find a similar one in a k2-subset.

    They look in the whole k2-subset, or in its part outside the k1-subset. Given the overlap r,
    a given feature is only in the first subset with probability (k1 - r) / D, and the features it
    looks at are then a random sample of the D - 1 others. So only the number of features similar
    to it counts.
    """
    d = links.near_ptr.size - 1
    degrees, how_many = np.unique(np.diff(links.near_ptr), return_counts=True)
    overlaps, probability = overlap_distribution(k1, k2, d)
    expected = 0.0
    for r, p in zip(overlaps.tolist(), probability.tolist(), strict=True):
        looks_at = k2 if anywhere else k2 - r
        misses = _none_of(degrees, looks_at, d - 1)
        expected += p * (k1 - r) / d * float(how_many @ (1 - misses))
    return expected


def _none_of(degrees: Ints, n_looked_at: int, n_others: int) -> Floats:
    """Probability that a random sample of the others holds none of `degree` marked ones."""
    out = np.ones(degrees.size)
    for position, g in enumerate(degrees.tolist()):
        if g > n_others - n_looked_at:
            out[position] = 0.0
        else:
            steps = np.arange(g)
            out[position] = np.prod((n_others - n_looked_at - steps) / (n_others - steps))
    return out
