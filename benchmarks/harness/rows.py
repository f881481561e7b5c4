"""The rows of a benchmark: what is measured against what, and what came out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Protocol

from benchmarks.harness.memory import peak_of_fresh_process
from benchmarks.harness.timing import in_turns


@dataclass(frozen=True)
class Outcome:
    """One line of a table; `figure` is what counts, better where it is higher.

    For a comparison, `ours` and `peer` are the median seconds and the figure is how many times
    faster ours is: the median over the turns, with the lowest and the highest of them. For memory,
    `ours` is the peak and `peer` the limit, both in bytes, the figure is their ratio, and `seconds`
    is how long it took.
    """

    work: str
    against: str
    unit: str
    ours: float
    peer: float
    figure: float
    lowest: float
    highest: float
    required: float | None
    seconds: float | None = None

    @property
    def reached(self) -> bool | None:
        """Whether the required figure was reached; None where none is required."""
        return None if self.required is None else self.figure >= self.required

    def __str__(self) -> str:
        verdict = {None: "", True: ", reached", False: ", NOT REACHED"}[self.reached]
        return f"{self.work}, against {self.against}: x {significant(self.figure)}{verdict}"

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "reached": self.reached}


class Row(Protocol):
    """Something to measure."""

    def measure(self) -> Outcome: ...


@dataclass(frozen=True)
class Section:
    """Rows that belong together. They are made when their turn comes, and their data with them."""

    title: str
    text: str
    rows: Callable[[], Iterable[Row]]


@dataclass(frozen=True)
class Comparison:
    """Ours and a peer, timed in turns.

    Parameters
    ----------
    work, against : str
        What is computed, and by what it is computed otherwise.
    ours, peer : callable
        Each does its whole work when called; nothing may be left over from the call before.
    required : float, optional
        How many times faster ours has to be; 0.5 allows it twice the time.
    turns : int
        How often each is timed.
    same : callable, optional
        Given what both returned, raises where they differ. Left out only where the peer computes
        something else.
    """

    work: str
    against: str
    ours: Callable[[], Any]
    peer: Callable[[], Any]
    required: float | None = None
    turns: int = 5
    same: Callable[[Any, Any], None] | None = None

    def measure(self) -> Outcome:
        # The first calls warm up: they compile, import and fill caches, and are not timed.
        ours, peer = self.ours(), self.peer()
        if self.same is not None:
            self.same(ours, peer)
        times = in_turns(self.ours, self.peer, self.turns)
        ratios = [theirs / mine for mine, theirs in times]
        return Outcome(
            self.work,
            self.against,
            "s",
            median(mine for mine, _ in times),
            median(theirs for _, theirs in times),
            median(ratios),
            min(ratios),
            max(ratios),
            self.required,
        )


@dataclass(frozen=True)
class Memory:
    """The peak memory of some work in a process of its own, against a limit.

    Parameters
    ----------
    work : str
        What is computed.
    function : str
        What gets the input ready and returns the work, as "module:name".
    limit : int
        In bytes; below it is reached.
    """

    work: str
    function: str
    limit: int

    def measure(self) -> Outcome:
        peak, seconds = peak_of_fresh_process(self.function)
        ratio = self.limit / peak
        limit = f"a limit of {self.limit / 2**30:g} GiB"
        return Outcome(self.work, limit, "B", peak, self.limit, ratio, ratio, ratio, 1.0, seconds)


def significant(number: float) -> str:
    """Three figures, without an exponent."""
    digits = 2 - math.floor(math.log10(number)) if number > 0 else 0
    return f"{round(number, digits):,.{max(0, digits)}f}"
