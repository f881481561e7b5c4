"""Work against stated seconds: a limit of our own, or what a paper printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from timeit import Timer
from typing import Any

from benchmarks.harness.rows import Outcome
from benchmarks.harness.timing import SHORTEST


@dataclass(frozen=True)
class Limit:
    """Ours, timed alone. What counts is the fastest turn: a busy machine only makes it slower.

    Parameters
    ----------
    work, against : str
        What is computed, and where the seconds come from.
    ours : callable
        Does its whole work when called.
    seconds : float
        What it is compared with.
    required : float, optional
        How many times faster it has to be.
    turns : int
        How often it is timed.
    """

    work: str
    against: str
    ours: Callable[[], Any]
    seconds: float
    required: float | None = 1.0
    turns: int = 7

    def measure(self) -> Outcome:
        self.ours()
        timer = Timer(self.ours)
        calls = max(1, round(SHORTEST / timer.timeit(1)))
        times = [timer.timeit(calls) / calls for _ in range(self.turns)]
        ratios = [self.seconds / one for one in times]
        return Outcome(
            self.work,
            self.against,
            "s",
            min(times),
            self.seconds,
            max(ratios),
            min(ratios),
            max(ratios),
            self.required,
        )
