"""A criterion that writes down every subset its scorer is asked about, and what it answered."""

from __future__ import annotations

import numpy as np

from holdfast.contracts import Criterion, Scorer


class RecordingScorer(Scorer):
    def __init__(self, inner: Scorer, log: list) -> None:
        self.inner = inner
        self.log = log

    def score(self, subset):
        return self._recorded([subset], self.inner.score(subset)[None, :])[0]

    def additions(self, base, tuples):
        subsets = [np.union1d(base, t) for t in tuples]
        return self._recorded(subsets, self.inner.additions(base, tuples))

    def removals(self, base, tuples):
        subsets = [np.setdiff1d(base, t) for t in tuples]
        return self._recorded(subsets, self.inner.removals(base, tuples))

    def others(self, subset):
        return self.inner.others(subset)

    def _recorded(self, subsets, answers):
        self.log += [(tuple(s.tolist()), a.copy()) for s, a in zip(subsets, answers, strict=True)]
        return answers


class Recorded(Criterion):
    """`inner`, with a `log` of (subset, fold scores)."""

    def __init__(self, inner: Criterion, log: list) -> None:
        self.inner = inner
        self.log = log

    def prepare(self, problem):
        judge = self.inner.prepare(problem)
        judge.scorer = RecordingScorer(judge.scorer, self.log)
        return judge
