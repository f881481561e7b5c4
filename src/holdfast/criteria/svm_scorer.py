"""Fold accuracies of support vector machines: what the kernels need, made once."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from holdfast._kernels.svm_folds import Machine, Parts, fold_accuracies
from holdfast.contracts import Floats, Ints, Problem, Scorer
from holdfast.criteria.folds import Folds
from holdfast.criteria.table import Matrix
from holdfast.criteria.threads import map_chunks

MOST_STEPS = 10_000_000
# Kernel rows that a problem may keep at once, however little memory is allowed.
FEWEST_ROWS = 64
# Machines take unequally many steps, so each thread comes for more work several times.
PIECES_EACH = 4


class Training(NamedTuple):
    """One table and the folds that learn from it.

    Attributes
    ----------
    table : array
        Features x examples, the features in canonical order.
    parts : Parts
        Examples and moments of these folds.
    folds : list of int
        Which ones of all.
    """

    table: Matrix
    parts: Parts
    folds: Sequence[int]


def training_of(X: Matrix, order: Ints, folds: Folds, numbers: Sequence[int]) -> Training:
    """Collect the examples of some folds by class, and the moments of each feature.

    `order` is that of the columns in the table.
    """
    table = X[:, order]
    n_classes = folds.classes.size
    groups, means, spreads = [], [], []
    for number in numbers:
        train = folds.splits[number][0]
        mean = table[train].mean(axis=0)
        # A constant has no spread, though its mean may be rounded.
        same = table[train].min(axis=0) == table[train].max(axis=0)
        mean[same] = table[train[0], same]
        means.append(mean)
        spreads.append(((table[train] - mean) ** 2).sum(axis=0))
        if folds.weights is not None:
            train = train[folds.weights[train] > 0]
        groups += [train[folds.codes[train] == code] for code in range(n_classes)]
    tests = [folds.splits[number][1] for number in numbers]
    edges = np.cumsum([0, *map(len, groups)])
    firsts = np.arange(0, len(groups), n_classes)[:, None]
    parts = Parts(
        train=np.concatenate(groups).astype(np.int64),
        starts=edges[firsts + np.arange(n_classes + 1)],
        test=np.concatenate(tests).astype(np.int64),
        test_starts=np.cumsum([0, *map(len, tests)]),
        sizes=np.array([folds.splits[number][0].size for number in numbers], np.float64),
        means=np.array(means),
        spreads=np.array(spreads),
    )
    return Training(np.ascontiguousarray(table.T), parts, numbers)


def canonical_order(X: Matrix) -> Ints:
    """Order the columns by their values, those of the first example first.

    Sums over features taken in this order are the same however the columns of X are permuted.
    """
    return np.lexsort(X[::-1])


class SVMScorer(Scorer):
    """Accuracies, one a fold; see `SVM`.

    Parameters
    ----------
    trainings : sequence of Training
        Together they have all folds.
    order : array
        Of the features in their tables.
    folds : Folds
        Classes and weights.
    linear : bool
        Linear kernel, else RBF.
    price : float
        Upper bound of the multipliers.
    gamma : "scale", "auto" or float
        For the RBF kernel.
    tol : float
        How far from optimal a solution may be.
    problem : Problem
        For threads and memory.
    """

    def __init__(
        self,
        trainings: Sequence[Training],
        order: Ints,
        folds: Folds,
        *,
        linear: bool,
        price: float,
        gamma: float | str,
        tol: float,
        problem: Problem,
    ) -> None:
        weights = np.ones(folds.codes.size) if folds.weights is None else folds.weights
        self._machine = Machine(
            linear=linear,
            gamma=np.nan if isinstance(gamma, str) else float(gamma),
            tol=tol,
            most_steps=MOST_STEPS,
            bounds=price * weights,
            weights=weights,
            codes=folds.codes,
        )
        self._trainings, self._ranks = trainings, np.argsort(order)
        self._n_folds = len(folds.splits)
        self._by_count = gamma == "auto"
        self._n_jobs = problem.n_jobs
        self._room = _room(trainings, problem)
        self._warned = False

    def score(self, subset: Ints) -> Floats:
        return self._score(subset[None, :])[0]  # type: ignore[no-any-return]

    def additions(self, base: Ints, tuples: Ints) -> Floats:
        whole = np.broadcast_to(base, (tuples.shape[0], base.size))
        return self._score(np.hstack((whole, tuples)))

    def removals(self, base: Ints, tuples: Ints) -> Floats:
        return self._score(np.array([np.setdiff1d(base, members) for members in tuples]))

    def _score(self, subsets: Ints) -> Floats:
        subsets = np.ascontiguousarray(np.sort(self._ranks[subsets], axis=1), np.int64)
        machine = self._machine
        if self._by_count:
            machine = machine._replace(gamma=1.0 / subsets.shape[1])
        scores = np.empty((subsets.shape[0], self._n_folds))

        def run(first: int, last: int) -> int:
            longest = 0
            for table, parts, folds in self._trainings:
                out = np.empty((last - first, len(folds)))
                steps = fold_accuracies(
                    table, subsets[first:last], parts, machine, *self._room, out
                )
                scores[first:last, folds] = out
                longest = max(longest, steps)
            return longest

        steps = map_chunks(run, subsets.shape[0], self._n_jobs, pieces_each=PIECES_EACH)
        self._warn_if_unsolved(max(steps, default=0))
        return scores

    def _warn_if_unsolved(self, steps: int) -> None:
        if steps >= MOST_STEPS and not self._warned:
            self._warned = True
            warnings.warn(
                f"A support vector machine was not solved after {MOST_STEPS} steps and is used as "
                "it is. Scale the data, for example by scale='range', or raise tol.",
                ConvergenceWarning,
                stacklevel=2,
            )


def _room(trainings: Sequence[Training], problem: Problem) -> tuple[int, int]:
    """How many rows of distances and how many kernel values each thread may keep."""
    n = trainings[0].table.shape[1]
    largest = max(int(np.diff(t.parts.starts[:, [0, -1]]).max()) for t in trainings)
    allowed = problem.max_bytes // max(1, problem.n_jobs)
    values = min(largest * largest, max(FEWEST_ROWS * largest, allowed // 4))
    keeps_distances = 8 * n * n + 4 * values <= allowed
    return (n if keeps_distances else 1), values
