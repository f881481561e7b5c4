"""k-NN accuracies of many candidates at once, from what is known of their base."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.neighbours import OPEN, Moves, Near
from holdfast._kernels.neighbours_line import tally_single
from holdfast._kernels.neighbours_prefix import find_near
from holdfast._kernels.neighbours_scan import tally_open
from holdfast._kernels.neighbours_together import tally_together
from holdfast.contracts import Floats, Ints, Problem, Scorer
from holdfast.criteria.knn_views import View, Views
from holdfast.criteria.splits import Splits
from holdfast.criteria.table import Codes, Matrix, Scale
from holdfast.criteria.threads import map_chunks

# With fewer candidates it is faster to look at all columns than to find the nearest first.
LEAST_TOGETHER = 16

# More columns than this are not looked at together, however many there are.
MOST_NEAR = 64

# Threads are not woken for fewer predictions than this.
LEAST_WORK = 2048

# Relative error of distances that were moved from base to base; made anew beyond it.
WORST_ERROR = 2.0**-40

Run = Callable[[View, int, int, Floats], None]


class Step(NamedTuple):
    """How to come to a base.

    Attributes
    ----------
    needed : bool
        Whether anything must be done at all.
    n_near : int
        How many nearest columns must be found; 0 for none.
    anew : bool
        Whether from the features of the base; else from what was known, by the features
    added, removed : array
    error : float
        Relative error of the distances then.
    """

    needed: bool
    n_near: int
    anew: bool
    added: NDArray[np.int64]
    removed: NDArray[np.int64]
    error: float


class KNNScorer(Scorer):
    """Fold accuracies of subsets, from the nearest neighbours over the last base.

    Parameters
    ----------
    X : array
        Scaled already, unless the scaling is learned within the splits.
    codes : array
        Class of each example.
    splits : list of (train, test)
    n_neighbors : int
    within : {None, "range", "standard"}
        What to learn from each training part.
    problem : Problem
        For weights, threads and memory.
    """

    def __init__(
        self,
        X: Matrix,
        codes: Codes,
        splits: Splits,
        n_neighbors: int,
        within: Scale,
        problem: Problem,
    ) -> None:
        self.k = n_neighbors
        weight = np.ones(codes.size)
        if problem.sample_weight is not None:
            weight = np.asarray(problem.sample_weight, np.float64)
        weights = [_summed_exactly(weight[test]) for _, test in splits]
        self._totals = np.array([own.sum() for own in weights])
        self._n_jobs = problem.n_jobs
        self._exact = within is None and _sums_exactly(X)
        self._views = Views(
            X,
            codes,
            weights,
            splits,
            within,
            max(4 * MOST_NEAR, 8 * n_neighbors),
            problem.max_bytes,
        )
        self._n_near = max(16, 3 * n_neighbors, min(MOST_NEAR, codes.size // 64))
        self._has_near = False
        self._known: NDArray[np.int64] | None = None
        self._error = 0.0

    def score(self, subset: Ints) -> Floats:
        if subset.size == 1:
            return self._alone(subset)[0]  # type: ignore[no-any-return]
        nothing = np.empty((1, 0), np.intp)
        return self._moved(subset, nothing, subset[None, :], adding=True)[0]  # type: ignore[no-any-return]

    def additions(self, base: Ints, tuples: Ints) -> Floats:
        if base.size > 0:
            wholes = np.broadcast_to(base, (tuples.shape[0], base.size))
            return self._moved(base, tuples, np.hstack((wholes, tuples)), adding=True)
        if tuples.shape[1] == 1:
            return self._alone(tuples[:, 0])
        # Without a base there are no neighbours to start from: the first of each tuple is one.
        out = np.empty((tuples.shape[0], self._totals.size))
        for feature in np.unique(tuples[:, 0]):
            same = np.flatnonzero(tuples[:, 0] == feature)
            out[same] = self.additions(tuples[same[0], :1], tuples[same, 1:])
        return out

    def removals(self, base: Ints, tuples: Ints) -> Floats:
        stays = (base[None, :, None] != tuples[:, None, :]).all(axis=2)
        subsets = np.broadcast_to(base, stays.shape)[stays].reshape(tuples.shape[0], -1)
        if subsets.shape[1] == 1:
            return self._alone(subsets[:, 0])
        return self._moved(base, tuples, subsets, adding=False)

    def _alone(self, features: Ints) -> Floats:
        features = np.ascontiguousarray(features, np.int64)

        def run(view: View, first: int, last: int, out: Floats) -> None:
            tally_single(first, last, view.table, view.queries, features, self.k, out)

        return self._tallied(run, features.size)

    def _moved(self, base: Ints, members: Ints, subsets: Ints, adding: bool) -> Floats:
        base, members, subsets = (
            np.ascontiguousarray(part, np.int64) for part in (base, members, subsets)
        )
        # What removals may take off bounds leaves little of them.
        together = adding and members.shape[0] >= LEAST_TOGETHER
        step = self._step_to(base, self._n_near if together else 0)
        # What a removal leaves of a distance may have lost 8 bits; 4 more for what is compared.
        error = step.error + (base.size + members.shape[1] + 4) * 2.0**-53
        margin = 0.0 if self._exact else error * 2.0 ** (4 if adding else 12)
        moves = Moves(adding, base, members, subsets, margin)

        def run(view: View, first: int, last: int, out: Floats) -> None:
            table, queries = view.table, view.queries
            kept = self._views.near(view)
            split = queries.split[first]
            for start, stop, near in self._views.pieces(kept, first, last, self._n_jobs):
                if step.needed:
                    find_near(
                        start, stop, table, queries, base, step.added, step.removed, step.anew,
                        step.n_near, near,
                    )  # fmt: skip
                votes = out[queries.split[start] - split :]
                self._vote(start, stop, view, near, moves, together, votes)

        out = self._tallied(run, members.shape[0])
        self._known, self._error = base, step.error
        return out

    def _vote(
        self,
        first: int,
        last: int,
        view: View,
        near: Near,
        moves: Moves,
        together: bool,
        out: Floats,
    ) -> None:
        """Look at what is near, for all candidates together, then at all for those still open."""
        part = first, last, view.table, view.queries, near, moves, self.k
        state = np.full((last - first, moves.members.shape[0]), OPEN, np.int8)
        if not together or tally_together(*part, state, out):
            tally_open(*part, state, out)

    def _step_to(self, base: Ints, n_near: int) -> Step:
        """How to come to a base from the one that is known, which is forgotten meanwhile."""
        known, self._known = self._known, None
        had_near, self._has_near = self._has_near, n_near > 0
        nothing = np.empty(0, np.int64)
        if known is not None and self._views.keeps_near:
            added, removed = _without(base, known), _without(known, base)
            if added.size == removed.size == 0 and (had_near or n_near == 0):
                self._has_near = had_near
                return Step(False, 0, False, nothing, nothing, self._error)
            if self._views.keeps_rows:
                error = (self._error + added.size * 2.0**-53) * 4.0**removed.size + 2.0**-51
                if removed.size < 2 and added.size < base.size and error < WORST_ERROR:
                    return Step(True, n_near, False, added, removed, error)
        needed = n_near > 0 or self._views.keeps_rows
        return Step(needed, n_near, True, nothing, nothing, (base.size + 1) * 2.0**-53)

    def _tallied(self, run: Run, n_candidates: int) -> Floats:
        """Run a kernel over the queries of all views, in threads; candidates x folds."""
        out = np.zeros((self._totals.size, n_candidates))
        for view in self._views:
            self._views.near(view)  # made before the threads would each make it
            self._tally_view(view, run, out)
        return (out / self._totals[:, None]).T  # type: ignore[no-any-return]

    def _tally_view(self, view: View, run: Run, out: Floats) -> None:
        split = view.queries.split

        def piece(first: int, last: int) -> tuple[Ints, Floats]:
            splits = view.splits[split[first] : split[last - 1] + 1]
            part = np.zeros((splits.size, out.shape[1]))
            run(view, first, last, part)
            return splits, part

        at_least = max(1, LEAST_WORK // max(1, out.shape[1]))
        for splits, part in map_chunks(piece, split.size, self._n_jobs, at_least):
            out[splits] += part


def _without(features: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """The features that are not among the others; for few of them faster than numpy's own."""
    there = set(others.tolist())
    return np.array([f for f in features.tolist() if f not in there], np.int64)


def _summed_exactly(weights: Floats) -> Floats:
    """Weights rounded to multiples of a unit, 2^-52 of their sum, with which no order matters."""
    unit = np.spacing(2.0 * weights.sum())
    rounded: Floats = np.rint(weights / unit) * unit
    return rounded


def _sums_exactly(X: Matrix) -> bool:
    """Whether any sum of squared differences is a whole number that a float holds exactly."""
    width = np.ptp(X, axis=0)
    return bool((width * width).sum() < 2.0**53 and (np.rint(X) == X).all())
