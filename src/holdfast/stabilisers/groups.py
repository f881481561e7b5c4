"""Select groups of correlated features, and from each a representative."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin, f_classif
from sklearn.model_selection import ShuffleSplit
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast.exceptions import refusal
from holdfast.stabilisers.dense_groups import consensus_groups, dense_groups, unit_points

OWNER = "GroupSelector"


class GroupSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Group correlated features, rank the groups, and keep features of the best ones.

    Of redundant features, selectors keep now this one, now that one; the group stays. Dense groups
    after Yu, Ding & Loscalzo (2008), consensus groups after Loscalzo, Yu & Ding (2009).

    Parameters
    ----------
    n_groups : int, default=10
        How many groups to keep.
    method : {"consensus", "dense"}, default="consensus"
        Groups that many samples agree on, or those of the data as they are.
    keep : {"representative", "all"}, default="representative"
        From each group its most typical feature, which is nearest to its middle, or all. Of
        features as near, as two always are, the one with the best score.
    score_func : callable, default=f_classif
        From (X, y) to a score a feature, higher is better, or to (scores, p-values). A group is as
        good as the mean of its features.
    n_neighbors : int, default=5
        The larger, the wider the groups.
    n_samples : int, default=20
        How many samples of the examples consensus groups come from.
    agreement : float, default=0.5
        Share of them on which features of one group fall together.
    random_state : int, optional
        For the samples.

    Attributes
    ----------
    support_ : array of bool
    labels_ : array of int
        The group of each feature.
    group_scores_ : array
        Of each group.
    chosen_groups_ : array of int
        Best first; ties to the group with the first feature.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> selector = GroupSelector(5, random_state=0).fit(X, y)
    >>> int(selector.support_.sum()), int(selector.labels_.max()) + 1 < 30
    (5, True)
    """

    def __init__(
        self,
        n_groups: int = 10,
        *,
        method: str = "consensus",
        keep: str = "representative",
        score_func: Any = f_classif,
        n_neighbors: int = 5,
        n_samples: int = 20,
        agreement: float = 0.5,
        random_state: Any = None,
    ) -> None:
        self.n_groups = n_groups
        self.method = method
        self.keep = keep
        self.score_func = score_func
        self.n_neighbors = n_neighbors
        self.n_samples = n_samples
        self.agreement = agreement
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> GroupSelector:
        """Group, rank and keep."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=4)
        self._check()
        self.labels_ = self._grouped(X)
        found = self.score_func(X, y)
        scores = np.asarray(found[0] if isinstance(found, tuple) else found, dtype=np.float64)
        if scores.shape != (X.shape[1],):
            raise refusal(
                "score_func", OWNER, "a function to one score a feature", f"shape {scores.shape}"
            )
        # Constant features have no F statistic; they tell nothing.
        scores = np.nan_to_num(scores, nan=0.0, posinf=np.finfo(float).max)
        sizes = np.bincount(self.labels_)
        self.group_scores_ = np.bincount(self.labels_, scores / sizes[self.labels_])
        best = np.argsort(-self.group_scores_, kind="stable")[: self.n_groups]
        self.chosen_groups_ = best
        self.support_ = np.zeros(X.shape[1], dtype=bool)
        points = unit_points(X)
        for group in best:
            members = np.flatnonzero(self.labels_ == group)
            chosen = members if self.keep == "all" else _typical(points, members, scores)
            self.support_[chosen] = True
        return self

    def _grouped(self, X: NDArray[np.float64]) -> NDArray[np.intp]:
        if self.method == "dense":
            return dense_groups(X, self.n_neighbors)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        splitter = ShuffleSplit(self.n_samples, train_size=0.8, random_state=seed)
        samples = [train for train, _ in splitter.split(X)]
        return consensus_groups(X, samples, self.n_neighbors, self.agreement)

    def _check(self) -> None:
        if self.method not in ("consensus", "dense"):
            raise refusal("method", OWNER, "'consensus' or 'dense'", repr(self.method))
        if self.keep not in ("representative", "all"):
            raise refusal("keep", OWNER, "'representative' or 'all'", repr(self.keep))
        for name in ("n_groups", "n_neighbors", "n_samples"):
            value = getattr(self, name)
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            if not whole or value < 1:
                raise refusal(name, OWNER, "a whole number >= 1", repr(value))
        if not 0 < self.agreement <= 1:
            raise refusal("agreement", OWNER, "above 0, at most 1", repr(self.agreement))

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _typical(
    points: NDArray[np.float64], members: NDArray[np.intp], scores: NDArray[np.float64]
) -> int:
    """The member nearest to the middle; of two, which are as near, the better one."""
    away = np.linalg.norm(points[members] - points[members].mean(axis=0), axis=1)
    nearest = members[away <= away.min() + 1e-9]
    return int(nearest[np.argmax(scores[nearest])])
