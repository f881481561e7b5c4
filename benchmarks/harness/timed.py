"""What of a search goes into scoring subsets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

from holdfast.contracts import Candidates, Criterion, Floats, Ints, Judge, Problem, Verdict


class Clock:
    """Seconds of the processor that went into scoring."""

    scoring = 0.0

    def timed(self, function: Callable[..., Any], *arguments: Any) -> Any:
        start = process_time()
        try:
            return function(*arguments)
        finally:
            self.scoring += process_time() - start


class Timed(Criterion):
    """A criterion whose judge looks at the clock."""

    def __init__(self, criterion: Criterion, clock: Clock) -> None:
        self.criterion = criterion
        self.clock = clock

    def prepare(self, problem: Problem) -> Judge:
        return TimedJudge(self.criterion.prepare(problem), self.clock)


class TimedJudge(Judge):
    """A judge that looks at the clock before and after."""

    def __init__(self, judge: Judge, clock: Clock) -> None:
        self._judge = judge
        self._clock = clock
        self.comparable = judge.comparable

    @property
    def evaluations(self) -> int:
        return self._judge.evaluations

    @property
    def counts(self) -> Mapping[str, int]:
        return self._judge.counts

    def value(self, subset: Ints) -> float:
        return float(self._clock.timed(self._judge.value, subset))

    def judge(self, base: Ints, candidates: Candidates, adding: bool) -> Verdict:
        verdict: Verdict = self._clock.timed(self._judge.judge, base, candidates, adding)
        return verdict

    def folds(self, subset: Ints) -> Floats:
        return self._judge.folds(subset)

    def others(self, subset: Ints) -> Mapping[str, Floats]:
        return self._judge.others(subset)
