"""What the criteria from normal models share: additions and removals by a sweep of the base."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.gaussian_scratch import Design
from holdfast._kernels.gaussian_sweep import Swept
from holdfast.contracts import Floats, Ints, Problem, Scorer
from holdfast.criteria.threads import map_chunks
from holdfast.exceptions import SingularCovarianceWarning, refusal
from holdfast.statistics.moments import CovarianceRows, GroupMoments
from holdfast.statistics.sweep import Sweep

Move: TypeAlias = Callable[[Ints, Ints], Ints]

# Fewer than this many multiplications are not worth another thread.
LEAST_WORK = 50_000


class SweptScorer(Scorer):
    """Score subsets by normal models of parts; see `Design`.

    One feature more or less costs O(points). Tuples of c features share sweeps of their first
    c - 1; where there is little to share, each subset is scored from scratch.

    The models of a subset are the same to rounding for every way that leads to it.

    Parameters
    ----------
    problem : Problem
        For the limits on threads and memory.
    owner : str
        Name of the criterion.
    moments : GroupMoments
        Of the standardised table.
    mixture, diagonal, points, segments, sources : array
        As for `CovarianceRows` and `Design`.
    """

    def __init__(
        self,
        problem: Problem,
        owner: str,
        moments: GroupMoments,
        *,
        mixture: Floats,
        diagonal: Floats,
        points: Floats,
        segments: NDArray[np.int64],
        sources: NDArray[np.int64],
    ) -> None:
        self._owner = owner
        self._n_jobs = problem.n_jobs
        self._warned = False
        n_slots = self._affordable_rows(problem.max_bytes, diagonal, points)
        self._covariances = CovarianceRows(moments, mixture, n_slots)
        self.design = Design(
            self._covariances.rows, self._covariances.slots, diagonal, points, segments, sources
        )
        at_least = 1 + LEAST_WORK // max(1, points.shape[1])
        self._pieces = partial(map_chunks, n_jobs=problem.n_jobs, at_least=at_least)
        self._sweep: Sweep | None = None

    @abstractmethod
    def score_from_scratch(self, subset: Ints) -> tuple[Floats, float]:
        """Score one subset; return the largest ridge too."""

    @abstractmethod
    def score_neighbours(self, swept: Swept, features: Ints, ridged: Floats) -> Floats:
        """Score the base with each feature added, or removed where inside; fill in the ridges."""

    def score(self, subset: Ints) -> Floats:
        self._fetch(subset)
        scores, ridge = self.score_from_scratch(subset)
        self._warn_once(ridge)
        return scores

    def additions(self, base: Ints, tuples: Ints) -> Floats:
        return self._neighbours(base, tuples, np.union1d)

    def removals(self, base: Ints, tuples: Ints) -> Floats:
        return self._neighbours(base, tuples, np.setdiff1d)

    def _neighbours(self, base: Ints, tuples: Ints, moved: Move) -> Floats:
        if tuples.shape[1] == 1:
            return self._score(self._swept(base), tuples[:, 0])
        firsts, group = np.unique(tuples[:, :-1], axis=0, return_inverse=True)
        sweeps = 2 * firsts.size * self.design.diagonal.shape[1]
        if sweeps > tuples.shape[0] * (base.size + tuples.shape[1]) ** 2:
            return np.stack([self.score(moved(base, t)) for t in tuples])
        self._swept(base)
        shared = cast(Sweep, self._sweep)
        rows = [np.flatnonzero(group.ravel() == g) for g in range(len(firsts))]
        parts = []
        for first, own in zip(firsts, rows, strict=True):
            sweep = shared.fork()
            parts.append(self._score(sweep.move_to(moved(base, first)), tuples[own, -1]))
        scores = np.empty((tuples.shape[0], parts[0].shape[1]))
        scores[np.concatenate(rows)] = np.concatenate(parts)
        return scores

    def _swept(self, base: Ints) -> Swept:
        if self._sweep is None:
            self._sweep = Sweep(self.design, self._covariances, self._pieces)
        self._refuse_too_large(base)
        return self._sweep.move_to(base)

    def _score(self, swept: Swept, features: Ints) -> Floats:
        ridged = np.empty(features.size)
        scores = self._pieces(
            lambda low, high: self.score_neighbours(swept, features[low:high], ridged[low:high]),
            features.size,
        )
        self._warn_once(float(ridged.max()))
        return scores[0] if len(scores) == 1 else np.concatenate(scores)

    def _fetch(self, subset: Ints) -> None:
        self._refuse_too_large(subset)
        self._covariances.fetch(subset)

    def _refuse_too_large(self, subset: Ints) -> None:
        if subset.size > self._covariances.rows.shape[1]:
            raise refusal(
                "max_bytes",
                self._owner,
                f"enough for subsets of {subset.size} features",
                f"room for {self._covariances.rows.shape[1]}",
            )

    def _affordable_rows(self, max_bytes: int, diagonal: Floats, points: Floats) -> int:
        """How many covariance rows fit besides the points, at each of their three copies."""
        row, fixed = 3 * diagonal.nbytes, 3 * points.nbytes + 4 * diagonal.nbytes
        if max_bytes < fixed + row:
            raise refusal("max_bytes", self._owner, f"at least {fixed + row}", max_bytes)
        return (max_bytes - fixed) // row

    def _warn_once(self, ridge: float) -> None:
        if ridge == 0 or self._warned:
            return
        self._warned = True
        warnings.warn(
            f"{self._owner}: the covariance of a class is singular for some subset, because its "
            "examples are too few or features follow from others; a ridge of "
            f"{ridge:g} of each feature's variance makes it positive definite. "
            "This is said once.",
            SingularCovarianceWarning,
            stacklevel=2,
        )
