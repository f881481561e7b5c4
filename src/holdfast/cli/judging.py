"""From options to the criterion of a search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from holdfast.exceptions import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.contracts import Criterion


class Measure(str, Enum):
    """Which criterion."""

    knn = "knn"
    gaussian = "gaussian"
    naive_bayes = "naive-bayes"
    svm = "svm"
    bhattacharyya = "bhattacharyya"
    divergence = "divergence"
    mahalanobis = "mahalanobis"


FILTERS = {Measure.bhattacharyya, Measure.divergence, Measure.mahalanobis}


class Scale(str, Enum):
    """How features are scaled."""

    range = "range"
    standard = "standard"
    none = "none"


class Kernel(str, Enum):
    """Kernel of the support vector machine."""

    rbf = "rbf"
    linear = "linear"


class Ballot(str, Enum):
    """How several criteria vote."""

    order = "order"
    weight = "weight"


@dataclass(frozen=True)
class Judging:
    """What makes a subset good, as asked for.

    Attributes
    ----------
    measures : list of Measure
        Several vote.
    filter : Measure or None
        What chooses the candidates that the others get to see.
    neighbours : list of int
        A k-NN criterion for each.
    kernel, price : Kernel, float
        Of the support vector machine.
    n_folds : int
        Of the wrapper criteria.
    scale : Scale
        Of all criteria.
    ballot : Ballot
        How several criteria vote.
    share : float
        Of the candidates that the filter passes.
    seed : int
        Of the folds.
    """

    measures: list[Measure]
    filter: Measure | None
    neighbours: list[int]
    kernel: Kernel
    price: float
    n_folds: int
    scale: Scale
    ballot: Ballot
    share: float
    seed: int

    @property
    def used(self) -> set[Measure]:
        """All measures, the filter's included."""
        return {*self.measures} | ({self.filter} if self.filter else set())

    @property
    def votes(self) -> bool:
        """Whether several criteria decide together."""
        return max(self._n_members(self.measures), self._n_members([self.filter])) > 1

    @property
    def has_folds(self) -> bool:
        """Whether a criterion trains and tests."""
        return bool(self.used - FILTERS)

    def _n_members(self, measures: list[Any]) -> int:
        return sum(len(self.neighbours) if one is Measure.knn else 1 for one in measures)

    def criterion(self, y: NDArray[np.generic]) -> Criterion:
        """Make the criterion for this target."""
        from holdfast import criteria

        if self.has_folds:
            _refuse_small_classes(y, self.n_folds)
        wrapper = self._together([one for measure in self.measures for one in self._made(measure)])
        if self.filter is None:
            return wrapper
        return criteria.Hybrid(self._together(self._made(self.filter)), wrapper, self.share)

    def _made(self, measure: Measure) -> list[Criterion]:
        from sklearn.model_selection import StratifiedKFold

        from holdfast import criteria

        scale = None if self.scale is Scale.none else self.scale.value
        if measure in FILTERS:
            made = {
                Measure.bhattacharyya: criteria.Bhattacharyya,
                Measure.divergence: criteria.Divergence,
                Measure.mahalanobis: criteria.Mahalanobis,
            }
            return [made[measure](scale=scale)]
        folds = StratifiedKFold(self.n_folds, shuffle=True, random_state=self.seed)
        shared: dict[str, Any] = {"cv": folds, "scale": scale}
        if measure is Measure.knn:
            return [criteria.KNN(k, **shared) for k in self.neighbours]
        if measure is Measure.svm:
            return [criteria.SVM(kernel=self.kernel.value, C=self.price, **shared)]
        return [
            criteria.Gaussian(**shared)
            if measure is Measure.gaussian
            else criteria.NaiveBayes(**shared)
        ]

    def _together(self, members: list[Criterion]) -> Criterion:
        from holdfast import criteria

        return members[0] if len(members) == 1 else criteria.Vote(members, by=self.ballot.value)


def _refuse_small_classes(y: NDArray[np.generic], n_folds: int) -> None:
    """Refuse numbers that are no classes, and classes too small for the folds."""
    import numpy as np
    from sklearn.utils.multiclass import type_of_target

    if type_of_target(y).startswith("continuous"):
        raise InputError(
            "The target holds numbers that are no class labels, and each criterion here tells "
            "classes apart. For regression, use criteria.Estimator with a regressor in Python."
        )
    classes, counts = np.unique(y, return_counts=True)
    if counts.min() < n_folds:
        rarest = int(counts.argmin())
        cure = (
            f"Use --cv {counts[rarest]} or less."
            if counts[rarest] > 1
            else "Leave that class out of the data."
        )
        raise InputError(
            f"--cv asks for {n_folds} folds, but class {str(classes[rarest])!r} has "
            f"{counts[rarest]} examples. {cure}"
        )
