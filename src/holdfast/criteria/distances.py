"""Distances between classes under normal models: Bhattacharyya, divergence, Mahalanobis.

With more than two classes the value is the mean over pairs of classes, weighted by the product of
their shares of the examples. Covariances are mean squares (divided by n), as for `Gaussian`. They
do not see the units of the features, so that `scale` changes a value by rounding alone.

Values are rounded to 12 digits, so that neither the way to a subset nor the order of columns shows
but where covariances are nearly singular. More features never lower a value, unless a covariance
needs a ridge; see `Gaussian` for that.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import distances as kernel
from holdfast._kernels.gaussian_scratch import Models
from holdfast._kernels.gaussian_sweep import Swept
from holdfast.contracts import Criterion, Floats, Ints, Judge, Problem
from holdfast.criteria.folds import weights_of
from holdfast.criteria.memory import Remembering
from holdfast.criteria.swept import SweptScorer
from holdfast.criteria.table import Scale, classes_of, numbers_of, scaled
from holdfast.exceptions import refusal
from holdfast.statistics.moments import GroupMoments, standardised
from holdfast.statistics.sweep import models_of


class Classes(NamedTuple):
    """What distances are made of.

    Attributes
    ----------
    moments : GroupMoments
        A group for each class.
    shares : array
        Weight of each pair of classes, symmetric, 0 on the diagonal; pairs sum to 1.
    """

    moments: GroupMoments
    shares: Floats


class Layout(NamedTuple):
    """One distance as parts, points and terms; see `Design`, `CovarianceRows` and `Terms`."""

    mixture: Floats
    points: list[Floats]
    sources: list[tuple[int, int]]
    terms: kernel.Terms


class NormalDistance(Criterion):
    """A mean distance between pairs of normal classes.

    Parameters
    ----------
    scale : None, "range" or "standard", default=None
        Scaling of the features before all else.
    """

    def __init__(self, scale: Scale = None) -> None:
        self.scale = scale

    @abstractmethod
    def layout(self, classes: Classes) -> Layout:
        """Say what is summed."""

    def prepare(self, problem: Problem) -> Judge:
        """Bind the data."""
        owner = type(self).__name__
        table = standardised(scaled(numbers_of(problem, owner), self.scale, None, owner))[0]
        codes = classes_of(problem, owner)[1]
        weights = weights_of(problem, owner)
        groups = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
        moments = GroupMoments(table, groups, weights)
        if np.count_nonzero(moments.totals) < 2:
            raise refusal("sample_weight", owner, "positive in at least 2 classes", "fewer")
        shares = np.outer(moments.totals, moments.totals)
        np.fill_diagonal(shares, 0.0)
        classes = Classes(moments, 2 * shares / shares.sum())
        scorer = DistanceScorer(problem, owner, moments, self.layout(classes))
        return Remembering(scorer, owner, problem.n_features, problem.budget)


class Bhattacharyya(NormalDistance):
    """Bhattacharyya distance between classes, as normal distributions.

    With the means apart by m, and S the mean of the covariances S1 and S2, it is
    ``m' inv(S) m / 8 + log(det(S) / sqrt(det(S1) det(S2))) / 2``. One feature more or less costs
    O(C^2 d) for C classes and a base of d features; moving to another base, O(C^2 d D), and O(n D)
    where a feature of the base is new.

    Parameters
    ----------
    scale : None, "range" or "standard", default=None
        Scaling of the features before all else; the distance is the same for each.
    """

    def layout(self, classes: Classes) -> Layout:
        n_classes = len(classes.shares)
        pairs = list(combinations(range(n_classes), 2))
        own = np.eye(n_classes)
        share = np.array([classes.shares[pair] for pair in pairs])
        mixture = [own, *((own[a] + own[b])[None, :] / 2 for a, b in pairs)]
        n_parts = n_classes + len(pairs)
        return Layout(
            mixture=np.concatenate(mixture),
            points=[
                *(np.empty((0, classes.moments.means.shape[1])) for _ in own),
                *(_apart(classes, a, b) / np.sqrt(8) for a, b in pairs),
            ],
            sources=[*((c, c) for c in range(n_classes)), *pairs],
            terms=kernel.Terms(
                np.concatenate((classes.shares.sum(axis=1) / -4, share / 2)),
                np.zeros((n_parts, n_parts)),
                0.0,
            ),
        )


class Divergence(NormalDistance):
    """Divergence (symmetric Kullback–Leibler) between classes, as normal distributions.

    With the means apart by m and the covariances S1 and S2, it is ``m' (inv(S1) + inv(S2)) m / 2
    + trace(inv(S1) S2 + inv(S2) S1 - 2 I) / 2``. It is computed as the mean squared length of each
    class in the metric of the other, from as many points as there are features. One feature more or
    less costs O(C^2 min(n, D)) for C classes, n examples and D features.

    Parameters
    ----------
    scale : None, "range" or "standard", default=None
        Scaling of the features before all else; the divergence is the same for each.
    """

    def layout(self, classes: Classes) -> Layout:
        n_classes = len(classes.shares)
        spreads = [classes.moments.spread(code) for code in range(n_classes)]
        points: list[list[Floats]] = [[] for _ in range(n_classes)]
        for a, b in permutations(range(n_classes), 2):
            others = np.sqrt(classes.shares[a, b]) * spreads[b]
            points[a].append(np.concatenate((_apart(classes, a, b), others)) / np.sqrt(2))
        return Layout(
            mixture=np.eye(n_classes),
            points=[np.concatenate(own) for own in points],
            sources=[(c, c) for c in range(n_classes)],
            terms=kernel.Terms(np.zeros(n_classes), classes.shares / 2, -1.0),
        )


class Mahalanobis(NormalDistance):
    """Squared Mahalanobis distance between class means.

    With the means apart by m and S the mean of all class covariances, weighted by the classes'
    shares of the examples, it is ``m' inv(S) m``. One feature more or less costs O(C^2 + d) for C
    classes and a base of d features.

    Parameters
    ----------
    scale : None, "range" or "standard", default=None
        Scaling of the features before all else; the distance is the same for each.
    """

    def layout(self, classes: Classes) -> Layout:
        totals = classes.moments.totals
        pairs = combinations(range(len(totals)), 2)
        return Layout(
            mixture=(totals / totals.sum())[None, :],
            points=[np.concatenate([_apart(classes, a, b) for a, b in pairs])],
            sources=[(0, 0)],
            terms=kernel.Terms(np.zeros(1), np.zeros((1, 1)), 0.0),
        )


def _apart(classes: Classes, a: int, b: int) -> Floats:
    """Difference of two means, one row, so that its square counts with the pair's weight."""
    means = classes.moments.means
    apart: Floats = np.sqrt(classes.shares[a, b]) * (means[a] - means[b])[None, :]
    return apart


class DistanceScorer(SweptScorer):
    """Values of a distance, with one column; see `NormalDistance`."""

    def __init__(self, problem: Problem, owner: str, moments: GroupMoments, layout: Layout) -> None:
        self._terms = layout.terms
        super().__init__(
            problem,
            owner,
            moments,
            mixture=layout.mixture,
            diagonal=layout.mixture @ moments.variances,
            points=np.ascontiguousarray(np.concatenate(layout.points).T),
            segments=np.cumsum([0, *map(len, layout.points)]),
            sources=np.array(layout.sources),
        )

    def score_from_scratch(self, subset: Ints) -> tuple[Floats, float]:
        models: Models = models_of(self.design, subset)
        value = kernel.value_of(models, self._terms, subset.size)
        return np.array([value]), float(models.ridges.max())

    def score_neighbours(self, swept: Swept, features: Ints, ridged: NDArray[np.float64]) -> Floats:
        if swept.ridges.any():
            return kernel.score_neighbours(self.design, swept, self._terms, features, ridged)
        ridged[:] = 0.0
        scores = np.empty((features.size, 1))
        factors = self._terms.log_determinants
        base = self._terms.per_feature * (swept.order.size + 1)
        base += swept.distances.sum() + factors @ swept.log_determinants
        # The pivots of parts that need care may be 0. numpy takes logarithms several at a time.
        with np.errstate(divide="ignore", invalid="ignore"):
            log_pivots = np.log(swept.pivots)
        if not kernel.score_additions(
            self.design.segments,
            swept.inside,
            swept.pivots,
            swept.points,
            swept.inflations,
            log_pivots,
            factors,
            base,
            features,
            scores,
        ):
            rest = np.flatnonzero(np.isnan(scores[:, 0]))
            careful = np.empty(rest.size)
            scores[rest] = kernel.score_neighbours(
                self.design, swept, self._terms, features[rest], careful
            )
            ridged[rest] = careful
        return scores
