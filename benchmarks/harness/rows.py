"""The rows of a benchmark: what is measured against what, and what came out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any, Protocol

from benchmarks.harness.memory import peak_of_fresh_process
from benchmarks.harness.timing import SHORTEST, in_turns


@dataclass(frozen=True)
class Searched:
    """What a search came to.

    Attributes
    ----------
    evaluations : int
        Subsets it scored.
    seconds : float
        Of the processor, for all of it.
    scoring : float
        What of that went into scoring subsets.
    complete : bool
        Whether it ended by itself, not because enough of it was measured.
    found : dict
        The subset found of each size.
    """

    evaluations: int
    seconds: float
    scoring: float
    complete: bool
    found: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class Whole:
    """The work behind seconds for each subset."""

    evaluations: int
    seconds: float
    complete: bool


@dataclass(frozen=True)
class Outcome:
    """One line of a table; `figure` is what counts, better where it is higher.

    For a comparison, `ours` and `peer` are the median seconds and the figure is how many times
    faster ours is: the median over the turns, with the lowest and the highest of them. For memory,
    `ours` is the peak and `peer` the limit, both in bytes, the figure is their ratio, and `seconds`
    is how long it took. For searches, `ours` and `peer` are seconds for each subset scored, and
    the wholes say how many subsets were scored in how many seconds.
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
    ours_whole: Whole | None = None
    peer_whole: Whole | None = None

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
class PerEvaluation:
    """Two searches in turns, compared by the seconds that go into scoring each subset.

    Parameters
    ----------
    work, against : str
        What is searched, and by what it is searched otherwise.
    ours, peer : callable
        Each runs its whole search, or as much of it as is measured, and returns a `Searched`.
    required, turns, same
        As for `Comparison`.
    """

    work: str
    against: str
    ours: Callable[[], Searched]
    peer: Callable[[], Searched]
    required: float | None = None
    turns: int = 3
    same: Callable[[Searched, Searched], None] | None = None

    def measure(self) -> Outcome:
        ours, peer = self.ours(), self.peer()
        if self.same is not None:
            self.same(ours, peer)
        turns = [(_repeated(self.ours), self.peer()) for _ in range(self.turns)]
        mine, theirs = (
            [one.scoring / one.evaluations for one in side] for side in zip(*turns, strict=True)
        )
        ratios = [b / a for a, b in zip(mine, theirs, strict=True)]
        return Outcome(
            self.work,
            self.against,
            "s",
            median(mine),
            median(theirs),
            median(ratios),
            min(ratios),
            max(ratios),
            self.required,
            ours_whole=_whole([one for one, _ in turns]),
            peer_whole=_whole([one for _, one in turns]),
        )


def _repeated(search: Callable[[], Searched]) -> Searched:
    """The mean of as many searches as take a while, since a short one is badly timed."""
    done = [search()]
    while sum(one.seconds for one in done) < SHORTEST:
        done.append(search())
    seconds = sum(one.seconds for one in done) / len(done)
    return replace(done[0], seconds=seconds, scoring=sum(o.scoring for o in done) / len(done))


def _whole(turns: list[Searched]) -> Whole:
    return Whole(turns[0].evaluations, median(one.seconds for one in turns), turns[0].complete)


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


@dataclass(frozen=True)
class Limit:
    """Seconds of some work against a limit.

    Parameters
    ----------
    work : str
        What is done.
    limit : float
        In seconds; below it is reached.
    seconds : callable
        Does the work once and returns its seconds.
    """

    work: str
    limit: float
    seconds: Callable[[], float]

    def measure(self) -> Outcome:
        seconds = self.seconds()
        ratio, limit = self.limit / seconds, f"a limit of {self.limit:g} s"
        return Outcome(self.work, limit, "s", seconds, self.limit, ratio, ratio, ratio, 1.0)


@dataclass(frozen=True)
class SearchLimit:
    """Seconds of one long search against a limit.

    Parameters
    ----------
    work : str
        What is searched.
    limit : float
        In seconds; below it is reached.
    search : callable
        Runs it once; returns what it came to and its score.
    """

    work: str
    limit: float
    search: Callable[[], tuple[Searched, float]]

    def measure(self) -> Outcome:
        done, score = self.search()
        ratio, limit = self.limit / done.seconds, f"a limit of {self.limit:g} s"
        (size,) = done.found
        return Outcome(
            f"{self.work}: {size} features, score {score:.4f}",
            limit,
            "s",
            done.seconds,
            self.limit,
            ratio,
            ratio,
            ratio,
            1.0,
            ours_whole=Whole(done.evaluations, done.seconds, done.complete),
        )


def significant(number: float) -> str:
    """Three figures, without an exponent."""
    digits = 2 - math.floor(math.log10(number)) if number > 0 else 0
    return f"{round(number, digits):,.{max(0, digits)}f}"
