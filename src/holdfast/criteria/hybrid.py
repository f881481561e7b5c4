"""A fast filter chooses which candidates a slow wrapper gets to see.

Somol, Grim, Novovičová & Pudil (2011), section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from sklearn.utils import Tags

from holdfast.contracts import Candidates, Criterion, Floats, Ints, Judge, Problem, Verdict
from holdfast.criteria.parts import pick, tags_of_all
from holdfast.exceptions import refusal


class Hybrid(Criterion):
    """Judge each step by a filter first and the most promising candidates by a wrapper.

    Parameters
    ----------
    filter : Criterion
        Judges all candidates of a step.
    wrapper : Criterion
        Judges the share of them that the filter likes best, and alone decides. Either may be a
        vote or another hybrid.
    share : float, default=0.2
        From 0 to 1 (lambda): of T candidates ``max(1, round(share * T))`` go to the wrapper, ties
        in the filter to the first in feature order. Half is rounded up.
    """

    def __init__(self, filter: Criterion, wrapper: Criterion, share: float = 0.2) -> None:
        self.filter = filter
        self.wrapper = wrapper
        self.share = share

    @property
    def needs_numbers(self) -> bool:  # type: ignore[override]
        """Whether the filter or the wrapper does."""
        return any(getattr(part, "needs_numbers", False) for part in (self.filter, self.wrapper))

    def __sklearn_tags__(self) -> Tags:
        return tags_of_all(super().__sklearn_tags__(), [self.filter, self.wrapper])

    def prepare(self, problem: Problem) -> Judge:
        owner = "criteria.Hybrid"
        for name in ("filter", "wrapper"):
            if not isinstance(getattr(self, name), Criterion):
                raise refusal(name, owner, "a criterion", repr(getattr(self, name)))
        is_number = isinstance(self.share, (int, float, np.number))
        if not is_number or isinstance(self.share, bool) or not 0 <= self.share <= 1:
            raise refusal("share", owner, "a number from 0 to 1", repr(self.share))
        uncounted = replace(problem, budget=problem.budget.time_only())
        return Filtering(
            self.filter.prepare(uncounted), self.wrapper.prepare(problem), float(self.share)
        )


class Filtering(Judge):
    """The filter's judge before the wrapper's."""

    def __init__(self, first: Judge, second: Judge, share: float) -> None:
        self.first = first
        self.second = second
        self.share = share
        self.comparable = second.comparable

    @property
    def evaluations(self) -> int:
        return self.second.evaluations

    @property
    def counts(self) -> Mapping[str, int]:
        return {
            **{f"filter {name}": n for name, n in self.first.counts.items()},
            **self.second.counts,
        }

    def value(self, subset: Ints) -> float:
        return self.second.value(subset)

    def judge(self, base: Ints, candidates: Candidates, adding: bool) -> Verdict:
        liked = self.first.judge(base, candidates, adding).preference
        n_passed = max(1, int(np.floor(self.share * liked.size + 0.5)))
        passed = np.sort(np.argsort(-liked, kind="stable")[:n_passed])
        passed = passed[~np.isneginf(liked[passed])]
        values = np.full(liked.size, np.nan)
        preference = np.full(liked.size, -np.inf)
        if passed.size:
            verdict = self.second.judge(base, pick(candidates, passed), adding)
            values[passed], preference[passed] = verdict.values, verdict.preference
        return Verdict(values, preference)

    def folds(self, subset: Ints) -> Floats:
        return self.second.folds(subset)

    def others(self, subset: Ints) -> Mapping[str, Floats]:
        return self.second.others(subset)
