"""k-NN accuracies of many candidates at once, from what is known of their base."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from holdfast._kernels.neighbours import find_prefixes
from holdfast._kernels.neighbours_line import tally_alone
from holdfast._kernels.neighbours_vote import tally
from holdfast.contracts import Floats, Ints, Problem, Scorer
from holdfast.criteria.knn_views import View, Views
from holdfast.criteria.splits import Splits
from holdfast.criteria.table import Codes, Matrix, Scale
from holdfast.criteria.threads import map_chunks

# Threads are not woken for fewer predictions than this.
LEAST_WORK = 2048

Run = Callable[[View, int, int, Floats], None]


class KNNScorer(Scorer):
    """Fold accuracies of subsets, from prefixes of nearest neighbours of the last base.

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
        self._weighted = problem.sample_weight is not None
        weight = np.ones(codes.size)
        if problem.sample_weight is not None:
            weight = np.asarray(problem.sample_weight, np.float64)
        self._totals = np.array([weight[test].sum() for _, test in splits])
        self._n_jobs = problem.n_jobs
        self._exact = within is None and _sums_exactly(X)
        self._views = Views(
            X, codes, weight, splits, within, max(64, 8 * n_neighbors), problem.max_bytes
        )
        self._base = b"none yet"

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
        subsets = np.array([np.setdiff1d(base, members) for members in tuples], np.intp)
        if subsets.shape[1] == 1:
            return self._alone(subsets[:, 0])
        return self._moved(base, tuples, subsets, adding=False)

    def _alone(self, features: Ints) -> Floats:
        features = np.ascontiguousarray(features, np.int64)

        def run(view: View, first: int, last: int, out: Floats) -> None:
            tally_alone(first, last, view.table, view.queries, features, self.k, out)

        return self._tallied(run, features.size)

    def _moved(self, base: Ints, tuples: Ints, subsets: Ints, adding: bool) -> Floats:
        base, tuples, subsets = (np.ascontiguousarray(a, np.int64) for a in (base, tuples, subsets))
        # Relative error of plain sums, many times over; those of removals may lose 8 bits.
        operations = base.size + tuples.shape[1] + 16
        margin = 0.0 if self._exact else operations * 2.0 ** (-50 if adding else -42)
        known = self._views.keeps_prefixes and self._base == base.tobytes()
        self._base = b"being changed"

        def run(view: View, first: int, last: int, out: Floats) -> None:
            table, queries = view.table, view.queries
            kept = self._views.prefixes_of(view)
            split = queries.split[first]
            for start, stop, near in self._views.pieces(kept, first, last, self._n_jobs):
                if not known:
                    find_prefixes(start, stop, table, queries, base, near)
                part = out[queries.split[start] - split :]
                tally(
                    start, stop, table, queries, base, near,
                    tuples, subsets, adding, self.k, margin, part,
                )  # fmt: skip

        out = self._tallied(run, tuples.shape[0])
        self._base = base.tobytes()
        return out

    def _tallied(self, run: Run, n_candidates: int) -> Floats:
        """Run a kernel over the queries of all views, in threads; candidates x folds."""
        out = np.zeros((self._totals.size, n_candidates))
        for view in self._views:
            self._views.prefixes_of(view)  # made before the threads would each make it
            self._tally_view(view, run, out)
        return (out / self._totals[:, None]).T  # type: ignore[no-any-return]

    def _tally_view(self, view: View, run: Run, out: Floats) -> None:
        split = view.queries.split
        # Sums of weights are rounded: a split may not be summed in pieces that vary.
        edges = view.edges if self._weighted else range(split.size + 1)

        def piece(start: int, stop: int) -> tuple[Ints, Floats]:
            first, last = int(edges[start]), int(edges[stop])
            splits = view.splits[split[first] : split[last - 1] + 1]
            part = np.zeros((splits.size, out.shape[1]))
            run(view, first, last, part)
            return splits, part

        at_least = 1 if self._weighted else max(1, LEAST_WORK // max(1, out.shape[1]))
        for splits, part in map_chunks(piece, len(edges) - 1, self._n_jobs, at_least):
            out[splits] += part


def _sums_exactly(X: Matrix) -> bool:
    """Whether any sum of squared differences is a whole number that a float holds exactly."""
    width = np.ptp(X, axis=0)
    return bool((width * width).sum() < 2.0**53 and (np.rint(X) == X).all())
