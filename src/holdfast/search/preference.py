"""Treated-as-equal subsets: the choice by a second criterion among the nearly best.

Somol, Grim, Novovičová & Pudil (2011), section 2.2.1. Any number of thresholds are followed in one
search, without any further evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast.trace import Working

SecondCriterion = Callable[[tuple[int, ...]], float]


def fewer(units: tuple[int, ...]) -> float:
    """Prefer fewer units: J2 = -|X|."""
    return -float(len(units))


def lowered(value: float, share: float) -> float:
    """The lowest value treated as equal: a share below, whatever the sign."""
    return value - share * abs(value)


@dataclass
class Choice:
    """The best subset so far, and the one preferred among those treated as equal to it.

    Parameters
    ----------
    tolerance : float
        Share of the best value within which subsets are treated as equal (tau).
    second : callable
        From a subset to its value under the second criterion; higher is preferred (J2).
    margin : float
        Share within which values of the second criterion are treated as equal (sigma, Remark 2.3).
    """

    tolerance: float
    second: SecondCriterion
    margin: float = 0.0
    best: Working | None = None
    chosen: Working | None = None

    def consider(self, subset: Working) -> None:
        """Update on an evaluated subset; the paper's steps 1 to 4."""
        if self.best is None or self.chosen is None:
            self.best = self.chosen = subset
            return
        if subset.value > self.best.value:
            self.best = subset
            lost = self.chosen.value < lowered(subset.value, self.tolerance)
            if lost or self.second(self.chosen.units) <= self.second(subset.units):
                self.chosen = subset
                return
        if subset.value >= lowered(self.best.value, self.tolerance) and self._preferred(subset):
            self.chosen = subset

    def _preferred(self, subset: Working) -> bool:
        assert self.chosen is not None
        new, old = self.second(subset.units), self.second(self.chosen.units)
        alike = abs(new - old) <= self.margin * abs(min(new, old))
        if alike and subset.value != self.chosen.value:
            return subset.value > self.chosen.value
        return new > old

    def worth_considering(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """Positions of the values that can change anything, in order."""
        if self.best is None:
            return np.flatnonzero(~np.isnan(values))
        return np.flatnonzero(values >= lowered(self.best.value, self.tolerance))
