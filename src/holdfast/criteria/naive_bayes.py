"""Accuracy of Gaussian naive Bayes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

from holdfast._kernels import naive_bayes as kernel
from holdfast._kernels.ballot import Ballot
from holdfast.contracts import Criterion, Floats, Ints, Judge, Problem, Scorer
from holdfast.criteria.folds import Folds
from holdfast.criteria.memory import Remembering
from holdfast.criteria.table import Scale, numbers_of, scaled
from holdfast.criteria.threads import map_chunks
from holdfast.exceptions import SingularCovarianceWarning, refusal

# Stands in for a variance that is 0 even with the smoothing, as a share of the feature's variance
# in the training part, or by itself if that is 0 too.
LEAST_SHARE = 1e-9


class NaiveBayes(Criterion):
    """Cross-validated accuracy of Gaussian naive Bayes.

    The same predictions as scikit-learn's `GaussianNB`. The smoothing is a share of the largest
    variance among the features *of the subset*, in the training part, as there. A variance that is
    0 all the same (a subset of constants, or no smoothing) is replaced by 1e-9 of the feature's
    variance, and a `SingularCovarianceWarning` says so once; `GaussianNB` divides by 0 there.

    Scores do not depend on the order of columns, nor on the way to a subset: sums over features
    carry twice the digits.

    Parameters
    ----------
    cv : int, splitter or iterable, default=10
        Folds; an integer means stratified ones in the order of the data.
    scale : None, "range" or "standard", default=None
        Scaling of the features. It matters by way of the smoothing.
    scale_within : bool, default=False
        Learn the scaling from each training part alone.
    var_smoothing : float, default=1e-9
        Share of the largest variance in the subset that is added to all.

    Notes
    -----
    A tuple of c features more or less costs O(n C c) for n examples and C classes, after O(n C d)
    for each new base of d features; O(n C d) where it brings or takes the largest variance. Memory
    is O(n (D + C)) for D features. Weights of examples count in fitting and in the accuracy.
    """

    def __init__(
        self,
        cv: Any = 10,
        scale: Scale = None,
        scale_within: bool = False,
        var_smoothing: float = 1e-9,
    ) -> None:
        self.cv = cv
        self.scale = scale
        self.scale_within = scale_within
        self.var_smoothing = var_smoothing

    def prepare(self, problem: Problem) -> Judge:
        """Bind the data."""
        owner = type(self).__name__
        smoothing = self.var_smoothing
        if not isinstance(smoothing, Real) or not 0 <= smoothing < np.inf:
            raise refusal("var_smoothing", owner, "a number of at least 0", repr(smoothing))
        if not isinstance(self.scale_within, bool):
            raise refusal("scale_within", owner, "True or False", repr(self.scale_within))
        table = numbers_of(problem, owner)
        folds = Folds.of(problem, self.cv, owner)
        needed = 8 * folds.tests.size * (table.shape[1] + 4 * folds.classes.size)
        if problem.max_bytes < needed:
            raise refusal("max_bytes", owner, f"at least {needed}", problem.max_bytes)
        whole = scaled(table, self.scale, None, owner)
        tables = (
            scaled(table, self.scale, train, owner) if self.scale_within else whole
            for train, _ in folds.splits
        )
        ballot, given = likelihoods(tables, folds, float(smoothing))
        scorer = NaiveBayesScorer(ballot, given, problem.n_jobs, owner)
        return Remembering(scorer, owner, problem.n_features, problem.budget)


def likelihoods(
    tables: Iterable[Floats], folds: Folds, smoothing: float
) -> tuple[Ballot, kernel.Likelihoods]:
    """Learn means and variances from each training part of its own table."""
    n_folds = len(folds.splits)
    groups = folds.training_classes()
    tests, spreads, by_fold = [], [], []
    for fold, ((train, test), table) in enumerate(zip(folds.splits, tables, strict=True)):
        tests.append(table[test].T)
        spreads.append(table[train].var(axis=0))
        own = groups[fold::n_folds]
        by_fold.append([_moments(table, members, folds.weights) for members in own])
    spread = np.stack(spreads)
    sizes = np.array([[size for size, _, _ in cells] for cells in by_fold])
    moments = np.array([[cell[1:] for cell in cells] for cells in by_fold]).transpose(2, 1, 0, 3)
    given = kernel.Likelihoods(
        tests=np.ascontiguousarray(np.concatenate(tests, axis=1)),
        means=np.ascontiguousarray(moments[0]),
        variances=np.ascontiguousarray(moments[1]),
        spreads=spread,
        least=np.where(spread == 0, 1.0, spread) * LEAST_SHARE,
        smoothing=smoothing,
    )
    return folds.ballot(sizes.T), given


def _moments(table: Floats, members: Ints, weights: Floats | None) -> tuple[float, Floats, Floats]:
    """Total weight, mean and variance of one class, by the sums that scikit-learn makes."""
    values = table[members]
    total = float(members.size if weights is None else weights[members].sum())
    if total == 0:
        # The prior is 0: the class is never chosen, whatever its density.
        return 0.0, np.zeros(table.shape[1]), np.ones(table.shape[1])
    if weights is None:
        return total, values.mean(axis=0), values.var(axis=0)
    mean = np.average(values, axis=0, weights=weights[members])
    return total, mean, np.average((values - mean) ** 2, axis=0, weights=weights[members])


class NaiveBayesScorer(Scorer):
    """Accuracies, one a fold; see `NaiveBayes`."""

    def __init__(self, ballot: Ballot, given: kernel.Likelihoods, n_jobs: int, owner: str) -> None:
        self._ballot = ballot
        self._given = given
        self._n_jobs = n_jobs
        self._owner = owner
        self._warned = False
        n_classes, n_folds = ballot.log_priors.shape
        self._sums = kernel.Sums(
            np.empty((n_classes, n_folds, 2)),
            np.empty((n_classes, ballot.codes.size)),
            np.empty((n_classes, ballot.codes.size)),
            np.empty(n_folds),
        )
        self._base: bytes | None = None

    def score(self, subset: Ints) -> Floats:
        whole = subset[None, :]
        scores: Floats = self._neighbours(subset[:0], whole, whole, True)[0]
        return scores

    def additions(self, base: Ints, tuples: Ints) -> Floats:
        repeated = np.broadcast_to(base, (tuples.shape[0], base.size))
        return self._neighbours(base, tuples, np.concatenate((repeated, tuples), axis=1), True)

    def removals(self, base: Ints, tuples: Ints) -> Floats:
        kept = (base[None, :, None] != tuples[:, None, :]).all(axis=2)
        subsets = np.broadcast_to(base, kept.shape)[kept].reshape(tuples.shape[0], -1)
        return self._neighbours(base, tuples, subsets, False)

    def _neighbours(self, base: Ints, tuples: Ints, subsets: Ints, added: bool) -> Floats:
        if base.tobytes() != self._base:
            self._warn_once(kernel.sum_base(self._ballot, self._given, base, self._sums))
            self._base = base.tobytes()
        pieces = map_chunks(
            lambda low, high: kernel.score_neighbours(
                self._ballot, self._given, self._sums, tuples[low:high], subsets[low:high], added
            ),
            tuples.shape[0],
            self._n_jobs,
        )
        self._warn_once(any(mended for _, mended in pieces))
        return np.concatenate([scores for scores, _ in pieces])

    def _warn_once(self, mended: bool) -> None:
        if not mended or self._warned:
            return
        self._warned = True
        warnings.warn(
            f"{self._owner}: the variance of a feature within a class is 0, smoothing included, "
            f"for some subset; {LEAST_SHARE:g} of the feature's variance takes its place. "
            "This is said once.",
            SingularCovarianceWarning,
            stacklevel=2,
        )
