"""Scores of subsets from the classes among equal examples; exact, whichever way one comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.contracts import Floats, Ints, Problem, Scorer
from holdfast.criteria.folds import weights_of
from holdfast.criteria.threads import map_chunks
from holdfast.discretisers.parameter import discrete_codes
from holdfast.exceptions import refusal
from holdfast.statistics.codes import Codes
from holdfast.statistics.groups import Grouper, Groups
from holdfast.statistics.labels import labels_of
from holdfast.statistics.row_hashes import RowComparer, RowHashes


class Discrete:
    """A problem as counts need it: codes, classes and weights of the examples that have some.

    Parameters
    ----------
    problem : Problem
        Discrete data, or continuous data and a discretiser.
    discretiser : None, str or transformer
        As for :class:`holdfast.consistency.CWC`.
    owner : str
        For refusals.
    """

    def __init__(self, problem: Problem, discretiser: Any, owner: str) -> None:
        classes = labels_of(problem.y, owner)[1]
        self.discretiser, self.codes = discrete_codes(discretiser, problem.X, classes, owner)
        self.classes = classes.astype(np.int64)
        self.weights = weights_of(problem, owner)
        self.left_out = np.zeros(classes.size, bool)
        if self.weights is not None:
            self.left_out = self.weights == 0
            if np.unique(classes[~self.left_out]).size < 2:
                raise refusal("sample_weight", owner, "positive in at least 2 classes", "fewer")
        needed = 8 * 8 * classes.size
        if problem.max_bytes < needed:
            raise refusal("max_bytes", owner, f"at least {needed}", problem.max_bytes)


class GroupScorer(Scorer):
    """One function of the counts of classes in groups of equal examples, as the only column.

    A feature more splits the groups of the base, O(n); for a feature less, rows are hashed under
    the base, O(n), and the groups that fall together are compared value by value.

    Parameters
    ----------
    data : Discrete
        The problem.
    of_counts : callable
        Counts, groups x classes, to a number, higher being better.
    n_jobs : int
        Threads over candidates.
    bits : int, default=64
        Width of the random words; few bits are for tests of what happens when hashes collide.
    """

    def __init__(
        self,
        data: Discrete,
        of_counts: Callable[[NDArray[Any]], float],
        n_jobs: int,
        bits: int = 64,
    ) -> None:
        self._data = data
        self._of_counts = of_counts
        self._n_classes = int(data.classes.max()) + 1
        self._n_jobs = n_jobs
        self._bits = bits
        self._comparer = RowComparer(data.codes)
        self._base: bytes | None = None
        self._groups: Groups

    @property
    def _codes(self) -> Codes:
        return self._data.codes

    def score(self, subset: Ints) -> Floats:
        return np.array([self._value(self._grouper().by_features(self._codes, subset))])

    def additions(self, base: Ints, tuples: Ints) -> Floats:
        start = self._groups_of(base)

        def some(low: int, high: int) -> Floats:
            grouper, values = self._grouper(), np.empty((high - low, 1))
            for i, added in enumerate(tuples[low:high]):
                groups = start
                for feature in added:
                    groups = grouper.split(groups, self._codes.feature(int(feature)))
                values[i] = self._value(groups)
            return values

        return np.concatenate(map_chunks(some, tuples.shape[0], self._n_jobs))

    def removals(self, base: Ints, tuples: Ints) -> Floats:
        start = self._groups_of(base)
        if not tuples.size:
            return np.empty((0, 1))
        self._comparer.prepare()

        def some(low: int, high: int) -> Floats:
            grouper, values = self._grouper(), np.empty((high - low, 1))
            hashes = RowHashes(self._codes, self._bits)
            hashes.add(base)
            for i, removed in enumerate(tuples[low:high]):
                hashes.remove(removed)
                groups = grouper.by_words(hashes.words)
                left = np.setdiff1d(base, removed)
                if not self._only_equal_joined(start, groups, left):
                    groups = grouper.by_features(self._codes, left)
                values[i] = self._value(groups)
                hashes.add(removed)
            return values

        return np.concatenate(map_chunks(some, tuples.shape[0], self._n_jobs))

    def _only_equal_joined(self, before: Groups, after: Groups, features: Ints) -> bool:
        """Whether groups that are one now have equal first rows; each was of equal rows before."""
        heads = before.heads.astype(np.int64)
        firsts = after.heads[after.ids[heads]].astype(np.int64)
        joined = heads != firsts
        return self._comparer.differing(features, heads[joined], firsts[joined]) < 0

    def _groups_of(self, base: Ints) -> Groups:
        if base.tobytes() != self._base:
            self._groups = self._grouper().by_features(self._codes, base)
            self._base = base.tobytes()
        return self._groups

    def _grouper(self) -> Grouper:
        return Grouper(self._codes.n_examples, self._data.left_out)

    def _value(self, groups: Groups) -> float:
        data = self._data
        return self._of_counts(groups.counts(data.classes, self._n_classes, data.weights))
