"""What a pair of subsets scores where similar features count too, and what it can score at most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import similar as kernel
from holdfast.selections import Selections
from holdfast.stability.chance import ratio_or_zero
from holdfast.stability.similarity import Links

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# Sizes of left and right subsets, and the kernel's answer for each pair.
Formula = Callable[[Floats, Floats, Floats], Floats]


@dataclass(frozen=True)
class Score:
    """What one measure gives a pair of subsets, and what it can give at most.

    Attributes
    ----------
    how : int or None
        What members find in the other subset (a constant of the kernel); None for a matching.
    formula : callable
        From sizes and the kernel's answer to the score.
    highest : callable
        Highest score for given sizes.
    greedy : bool
        Which matching, where `how` is None.
    """

    how: int | None
    formula: Formula
    highest: Callable[[Floats, Floats], Floats]
    greedy: bool = False

    def of_pairs(
        self,
        left: NDArray[np.int32],
        left_bounds: tuple[Ints, Ints],
        right: NDArray[np.int32],
        right_bounds: tuple[Ints, Ints],
        links: Links,
    ) -> Floats:
        """Score the p-th left subset with the p-th right one, for all p."""
        left_start, left_stop = left_bounds
        right_start, right_stop = right_bounds
        both = left, left_start, left_stop, right, right_start, right_stop, links[:]
        if self.how is None:
            answer = np.empty(left_start.size)
            kernel.matchings(self.greedy, *both, answer)
        else:
            answer = np.empty((3, left_start.size))
            kernel.two_ways(self.how, *both, answer)
        k1 = (left_stop - left_start).astype(np.float64)
        k2 = (right_stop - right_start).astype(np.float64)
        return self.formula(k1, k2, answer)

    def of_runs(self, runs: Selections, links: Links, i: Ints, j: Ints) -> Floats:
        """Score run i[p] with run j[p], for all p."""
        start, stop = runs.indptr[:-1], runs.indptr[1:]
        return self.of_pairs(
            runs.indices, (start[i], stop[i]), runs.indices, (start[j], stop[j]), links
        )


def _root(k1: Floats, k2: Floats) -> Floats:
    root: Floats = np.sqrt(k1 * k2)
    return root


def _overlap_and_lesser(k1: Floats, k2: Floats, found: Floats) -> Floats:
    score: Floats = found[0] + np.minimum(found[1], found[2])
    return score


def _zucknick(k1: Floats, k2: Floats, found: Floats) -> Floats:
    ways = ratio_or_zero(found[1], k2) + ratio_or_zero(found[2], k1)
    union = k1 + k2 - found[0]
    score: Floats = np.where(k1 + k2 == 0, 1.0, ratio_or_zero(found[0] + ways, union))
    return score


ZUCKNICK = Score(kernel.TOTAL, _zucknick, lambda k1, k2: np.ones_like(k1))
COUNT = Score(kernel.COUNT, _overlap_and_lesser, _root)
MEAN = Score(kernel.MEAN, _overlap_and_lesser, _root)
GREEDY = Score(None, lambda k1, k2, matched: matched, _root, greedy=True)
MBM = Score(None, lambda k1, k2, matched: matched, _root)
YU2012 = Score(
    kernel.COUNT,
    lambda k1, k2, found: found[0] + (found[1] + found[2]) / 2,
    lambda k1, k2: (k1 + k2) / 2,
)
POGR = Score(kernel.ANYWHERE, lambda k1, k2, found: found[0] + found[1], lambda k1, k2: k1)
