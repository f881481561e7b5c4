"""The one place every evaluated subset goes past: best per size, choices, history, stopping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from holdfast.search.budget import SearchStopped
from holdfast.search.preference import Choice
from holdfast.trace import Step, Trace, Working

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class Observer:
    """Follows a search.

    Parameters
    ----------
    choices : sequence of Choice
        One per tolerance asked for; told of every subset of a size in `sizes`.
    sizes : (int, int)
        Smallest and largest size that may be chosen.
    on_step : callable, optional
        Called with each step; a true answer stops the search.
    """

    def __init__(
        self,
        choices: Sequence[Choice],
        sizes: tuple[int, int],
        on_step: Callable[[Step], object] | None = None,
    ) -> None:
        self.trace = Trace()
        self.choices = choices
        self.sizes = sizes
        self.began = perf_counter()
        self._on_step = on_step

    def saw(self, subset: Working) -> None:
        """Take note of one evaluated subset."""
        if np.isnan(subset.value):
            return
        known = self.trace.best.get(subset.size)
        if known is None or subset.value > known.value:
            self.trace.best[subset.size] = subset
        if self.sizes[0] <= subset.size <= self.sizes[1]:
            for choice in self.choices:
                choice.consider(subset)

    def saw_all(
        self, values: Floats, size: int, subset_of: Callable[[int], tuple[int, ...]], uniform: bool
    ) -> None:
        """Take note of all candidates of one step, which have one size.

        Where the second criterion sees sizes only (`uniform`), no candidate but the first of the
        best ones can change anything.
        """
        if np.isnan(values).all():
            return
        top = int(np.nanargmax(values))
        if uniform or not self.sizes[0] <= size <= self.sizes[1]:
            self.saw(Working(subset_of(top), float(values[top])))
            return
        worth = [choice.worth_considering(values) for choice in self.choices]
        for i in np.unique(np.concatenate([[top], *worth])).tolist():
            self.saw(Working(subset_of(i), float(values[i])))

    def value_of(self, size: int) -> float:
        """Best value known of a size; minus infinity where none is."""
        known = self.trace.best.get(size)
        return -np.inf if known is None else known.value

    @property
    def best(self) -> Working | None:
        """The best subset that may be chosen, so far."""
        return self.choices[0].best

    @property
    def n_steps(self) -> int:
        """How many steps the history has."""
        return len(self.trace.steps)

    def keep_from(self, first: int) -> None:
        """Mark the steps from this one on as a way the search goes on from."""
        steps = self.trace.steps
        steps[first:] = [replace(step, kept=True) for step in steps[first:]]

    def record(self, step: Step) -> None:
        """Append a step to the history and tell whoever wants to know."""
        self.trace.steps.append(step)
        if self._on_step is not None and self._on_step(step):
            raise SearchStopped("callback")
