"""Work against stated seconds: a limit of our own, or what a paper printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from timeit import Timer
from typing import Any

from benchmarks.harness.rows import Outcome

SPENT = 1.5  # seconds for one row, calls of more than that aside
FEWEST, MOST = 5, 500  # calls


@dataclass(frozen=True)
class Limit:
    """Ours, timed alone, call by call.

    What counts is the fastest call, as a busy machine only makes calls slower; the lower end of the
    range is that of the median call.

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
    """

    work: str
    against: str
    ours: Callable[[], Any]
    seconds: float
    required: float | None = 1.0

    def measure(self) -> Outcome:
        self.ours()
        timer = Timer(self.ours)
        calls = min(MOST, max(FEWEST, round(SPENT / timer.timeit(1))))
        times = timer.repeat(repeat=calls, number=1)
        best = self.seconds / min(times)
        return Outcome(
            self.work,
            self.against,
            "s",
            min(times),
            self.seconds,
            best,
            self.seconds / median(times),
            best,
            self.required,
        )
