"""k-NN accuracies of many candidates at once, from what is known of their base."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.neighbours import OPEN, Moves, States
from holdfast._kernels.neighbours_lanes import LANES, tally_lanes
from holdfast._kernels.neighbours_line import tally_single
from holdfast._kernels.neighbours_near import tally_near
from holdfast._kernels.neighbours_scan import tally_open
from holdfast.contracts import Floats, Ints, Problem, Scorer
from holdfast.criteria.knn_views import View, Views
from holdfast.criteria.splits import Splits
from holdfast.criteria.table import Codes, Matrix, Scale
from holdfast.criteria.threads import map_chunks

# Columns, candidates and features of the base from which on it is faster to look at what is near
# over the base alone.
LEAST_COLUMNS, LEAST_CANDIDATES, LEAST_BASE = 1024, 16, 2

# With more neighbours it is faster to bound the distance of the last one.
MOST_IN_LANES = 9

# Threads are not woken for fewer predictions than this.
LEAST_WORK = 2048

Whole = NDArray[np.int64]
Run = Callable[[View, int, int, Floats], None]
Look = Callable[[View, int, int, States, Floats], int]


class Move(NamedTuple):
    """Candidates; see `Moves`."""

    base: Whole
    members: Whole
    adding: bool
    margin: float


class KNNScorer(Scorer):
    """Fold accuracies of subsets, from the distances over the last base.

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
        self._exact = within is None and _sums_exactly(X, 2.0**53)
        # By this times their numbers equal columns are told apart, where there are bits for it.
        most = max(codes.size, *(train.size for train, _ in splits))
        self._unit = 2.0 ** -int(most).bit_length()
        if within is not None or not _sums_exactly(X, 2.0**53 * self._unit):
            self._unit = 0.0
        self._views = Views(X, codes, weights, splits, within, problem.max_bytes, self._unit)
        self._near_pays = codes.size >= LEAST_COLUMNS
        # The base whose sums are kept.
        self._known: Whole | None = None

    def score(self, subset: Ints) -> Floats:
        return self.additions(subset[:-1], subset[None, -1:])[0]  # type: ignore[no-any-return]

    def additions(self, base: Ints, tuples: Ints) -> Floats:
        if base.size > 0:
            return self._moved(base, tuples, adding=True)
        if tuples.shape[1] == 1:
            return self._alone(tuples[:, 0])
        # Without a base there are no neighbours to start from: the first of each tuple is one.
        out = np.empty((tuples.shape[0], self._totals.size))
        for feature in np.unique(tuples[:, 0]):
            same = np.flatnonzero(tuples[:, 0] == feature)
            out[same] = self.additions(tuples[same[0], :1], tuples[same, 1:])
        return out

    def removals(self, base: Ints, tuples: Ints) -> Floats:
        if base.size - tuples.shape[1] == 1:
            return self._alone(np.array([np.setdiff1d(base, members)[0] for members in tuples]))
        return self._moved(base, tuples, adding=False)

    def _alone(self, features: Ints) -> Floats:
        features = np.ascontiguousarray(features, np.int64)

        def run(view: View, first: int, last: int, out: Floats) -> None:
            tally_single(first, last, view.table, view.queries, features, self.k, out)

        return self._tallied(run, features.size)

    def _moved(self, base: Ints, members: Ints, adding: bool) -> Floats:
        base, members = (np.ascontiguousarray(part, np.int64) for part in (base, members))
        error = (base.size + members.shape[1] + 4) * 2.0**-53
        # What a removal leaves of a distance may have lost 8 bits; 4 more for what is compared.
        margin = 0.0 if self._exact else error * 2.0 ** (4 if adding else 12)
        move = Move(base, members, adding, margin)
        if adding and self._near_pays and _is_wide(base, members) and self.k <= MOST_IN_LANES:
            look, known = self._near_look(move), self._known
        elif self.k <= MOST_IN_LANES:
            look, known = self._lanes_look(move), base if self._views.keeps_sums else None
        else:
            look, known = _no_look, self._known

        def run(view: View, first: int, last: int, out: Floats) -> None:
            state = np.zeros((last - first, members.shape[0]), np.int8)
            if look(view, first, last, state, out):
                part = first, last, view.table, view.queries
                tally_open(*part, _moves(move), self.k, state, out)

        # Nothing is known, if this is interrupted.
        self._known = None
        out = self._tallied(run, members.shape[0])
        self._known = known
        return out

    def _lanes_look(self, move: Move) -> Look:
        added = _added(self._known, move.base)

        def look(view: View, first: int, last: int, state: States, out: Floats) -> int:
            blocks = first // LANES, -(-last // LANES)
            return tally_lanes(
                *blocks, view.crowd, view.queries, self._views.sums(view), move.base,
                added is None, move.base[:0] if added is None else added,
                move.adding, move.members, move.margin, self.k, state, out,
            )  # fmt: skip

        return look

    def _near_look(self, move: Move) -> Look:
        def look(view: View, first: int, last: int, state: States, out: Floats) -> int:
            return tally_near(
                first, last, view.table, view.queries, move.base, move.members, self._unit,
                move.margin, self.k, state, out,
            )  # fmt: skip

        return look

    def _tallied(self, run: Run, n_candidates: int) -> Floats:
        """Run a kernel over the queries of all views, in threads; candidates x folds."""
        out = np.zeros((self._totals.size, n_candidates))
        for view in self._views:
            self._tally_view(view, run, out)
        return (out / self._totals[:, None]).T  # type: ignore[no-any-return]

    def _tally_view(self, view: View, run: Run, out: Floats) -> None:
        n_queries = view.queries.split.size

        def piece(first: int, last: int) -> Floats:
            part = np.zeros((view.splits.size, out.shape[1]))
            run(view, first * LANES, min(last * LANES, n_queries), part)
            return part

        at_least = max(1, LEAST_WORK // (LANES * max(1, out.shape[1])))
        for part in map_chunks(piece, view.n_blocks, self._n_jobs, at_least):
            out[view.splits] += part


def _is_wide(base: Whole, members: Whole) -> bool:
    """Whether there are many candidates, of one feature, and the base leaves few columns near."""
    return (
        base.size >= LEAST_BASE and members.shape[0] >= LEAST_CANDIDATES and members.shape[1] == 1
    )


def _no_look(view: View, first: int, last: int, state: States, out: Floats) -> int:
    state[:] = OPEN
    return state.size


def _added(known: Whole | None, base: Whole) -> Whole | None:
    """What leads from the known base to another by fewer features than make it anew."""
    if known is None:
        return None
    before, now = set(known.tolist()), base.tolist()
    added = [f for f in now if f not in before]
    if len(added) + len(before) > len(now) or len(added) == len(now):
        return None
    return np.array(added, np.int64)


def _moves(move: Move) -> Moves:
    """With the subsets that it leads to."""
    base, members = move.base, move.members
    if move.adding:
        subsets = np.hstack((np.broadcast_to(base, (members.shape[0], base.size)), members))
    else:
        stays = (base[None, :, None] != members[:, None, :]).all(axis=2)
        subsets = np.broadcast_to(base, stays.shape)[stays].reshape(members.shape[0], -1)
    return Moves(move.adding, base, members, np.ascontiguousarray(subsets), move.margin)


def _summed_exactly(weights: Floats) -> Floats:
    """Weights rounded to multiples of a unit, 2^-52 of their sum, with which no order matters."""
    unit = np.spacing(2.0 * weights.sum())
    rounded: Floats = np.rint(weights / unit) * unit
    return rounded


def _sums_exactly(X: Matrix, most: float) -> bool:
    """Whether values and sums of squared differences are whole numbers below so many."""
    width = np.ptp(X, axis=0)
    fits = (width * width).sum() < most and np.abs(X).max() < most
    return bool(fits and (np.rint(X) == X).all())
