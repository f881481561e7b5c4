"""Accuracy of the normal Bayes classifier with a full covariance for each class."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from holdfast._kernels import gaussian as kernel
from holdfast._kernels.ballot import accuracies
from holdfast._kernels.gaussian_scratch import Models
from holdfast._kernels.gaussian_sweep import Swept
from holdfast.contracts import Criterion, Floats, Ints, Judge, Problem
from holdfast.criteria.folds import Folds
from holdfast.criteria.memory import Remembering
from holdfast.criteria.swept import SweptScorer
from holdfast.criteria.table import Scale, numbers_of, scaled
from holdfast.exceptions import refusal
from holdfast.statistics.moments import GroupMoments, standardised
from holdfast.statistics.sweep import models_of

# A ridge this many times the variance of a feature leaves nothing of it, and can still be squared.
LARGEST_SHARE = 1e100


class Gaussian(Criterion):
    """Cross-validated accuracy of normal Bayes with a full covariance for each class.

    The decisions are those of scikit-learn's `QuadraticDiscriminantAnalysis` of version 1.9 or
    later (earlier ones divide covariances by one example less) with the same `reg_param`, to
    rounding. Decisions within 1e-9 of the best (more in nearly singular models), relative to its
    size, are ties and go to the class that comes first. A covariance is singular where the other
    features leave less than 1e-10 of the variance of one of them; it then gets the smallest ridge
    of 1e-9, 1e-8, … times the variance that each feature has over all data, and a
    `SingularCovarianceWarning` says so once.

    Parameters
    ----------
    cv : int, splitter or iterable, default=10
        Folds; an integer means stratified ones in the order of the data.
    scale : None, "range" or "standard", default=None
        Scaling of the features. It matters only with `reg_param`.
    scale_within : bool, default=False
        Learn the scaling from each training part alone.
    reg_param : float, default=0.0
        Share of the identity matrix in each covariance, from 0 to 1.

    Notes
    -----
    One feature more or less costs O(n C) for n examples and C classes, after O(n C D) for each new
    base out of D features. Memory is O(n C D), and for a base of d features O(folds C d D).
    Weights of examples count in the accuracy; the model knows none.
    """

    def __init__(
        self,
        cv: Any = 10,
        scale: Scale = None,
        scale_within: bool = False,
        reg_param: float = 0.0,
    ) -> None:
        self.cv = cv
        self.scale = scale
        self.scale_within = scale_within
        self.reg_param = reg_param

    def prepare(self, problem: Problem) -> Judge:
        """Bind the data."""
        owner = type(self).__name__
        if not isinstance(self.reg_param, Real) or not 0 <= self.reg_param <= 1:
            raise refusal("reg_param", owner, "a number from 0 to 1", repr(self.reg_param))
        table = numbers_of(problem, owner)
        folds = Folds.of(problem, self.cv, owner)
        spreads = spreads_of(table, folds, self.scale, self.scale_within, owner)
        scorer = GaussianScorer(problem, owner, table, folds, spreads, float(self.reg_param))
        return Remembering(scorer, owner, problem.n_features, problem.budget)


def spreads_of(table: Floats, folds: Folds, scale: Scale, scale_within: bool, owner: str) -> Floats:
    """Standard deviation of each feature after scaling, over all data: folds x features.

    All that scaling does to a normal model is to change the units of its regularisation.
    """
    if not isinstance(scale_within, bool):
        raise refusal("scale_within", owner, "True or False", repr(scale_within))
    if scale is None or not scale_within:
        spread = standardised(scaled(table, scale, None, owner))[1]
        return np.tile(spread, (len(folds.splits), 1))
    trains = (train for train, _ in folds.splits)
    return np.stack([standardised(scaled(table, scale, train, owner))[1] for train in trains])


class GaussianScorer(SweptScorer):
    """Accuracies, one a fold; see `Gaussian`.

    The table is standardised; `spreads` says by how much, and so what the identity matrix is.
    """

    def __init__(
        self,
        problem: Problem,
        owner: str,
        table: Floats,
        folds: Folds,
        spreads: Floats,
        reg_param: float,
    ) -> None:
        n_classes = folds.classes.size
        table = standardised(table)[0]
        moments = GroupMoments(table, folds.training_classes())
        n_parts = moments.totals.size
        identity = np.minimum(reg_param / spreads / spreads, LARGEST_SHARE)
        super().__init__(
            problem,
            owner,
            moments,
            mixture=(1 - reg_param) * np.eye(n_parts),
            diagonal=(1 - reg_param) * moments.variances + np.tile(identity, (n_classes, 1)),
            points=_centred_tests(table, folds, moments.means),
            segments=np.cumsum([0, *np.tile(np.diff(folds.starts), n_classes)]),
            sources=np.arange(n_parts).repeat(2).reshape(-1, 2),
        )
        self._spreads = spreads
        self._ballot = folds.ballot(moments.totals)

    def decisions(self, subset: Ints) -> list[Floats]:
        """Log of prior times density, but for a constant: test examples x classes, by fold."""
        self._fetch(subset)
        values = self._decisions(models_of(self.design, subset))
        units = np.log(self._spreads[:, subset]).sum(axis=1)
        by_fold = np.split(values, self._ballot.starts[1:-1], axis=1)
        return [part.T - unit for part, unit in zip(by_fold, units, strict=True)]

    def score_from_scratch(self, subset: Ints) -> tuple[Floats, float]:
        models = models_of(self.design, subset)
        ties, scores = np.empty((2, len(self._spreads)))
        kernel.measure_ties(models.inflations, ties)
        accuracies(self._ballot, self._decisions(models), ties, scores)
        return scores, float(models.ridges.max())

    def score_neighbours(self, swept: Swept, features: Ints, ridged: Floats) -> Floats:
        return kernel.score_neighbours(self.design, swept, self._ballot, features, ridged)

    def _decisions(self, models: Models) -> Floats:
        levels = self._ballot.log_priors.ravel() - 0.5 * models.log_determinants
        values = levels.repeat(np.diff(self.design.segments)) - 0.5 * models.distances
        return values.reshape(len(self._ballot.log_priors), -1)


def _centred_tests(table: Floats, folds: Folds, means: Floats) -> Floats:
    """Test examples minus each class mean of their fold: features x (class, fold, example)."""
    n_examples = np.diff(folds.starts)
    blocks = [
        table[folds.tests] - own.repeat(n_examples, axis=0)
        for own in means.reshape(folds.classes.size, len(n_examples), -1)
    ]
    return np.ascontiguousarray(np.concatenate(blocks).T)
