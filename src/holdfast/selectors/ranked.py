"""The best features of a ranking as a scikit-learn selector."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from holdfast.contracts import Floats, Ints, OrderingRanker, Ranker
from holdfast.exceptions import refusal
from holdfast.selectors.space import Names, Space, sizes_of, space_of

# How many features are chosen where nothing is said.
USUAL = 10


class RankedSelector(SelectorMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Choose the features that a ranker puts first: so many, a share, or all above a threshold.

    Parameters
    ----------
    ranker : Ranker or callable
        One of ``holdfast.rankers``, or a function of `X` and `y` that returns a score a feature
        (or a pair that begins with those), such as scikit-learn's ``f_classif``.
    n_features_to_select : int, float or None, default=None
        Number of features, or share of them between 0 and 1; rounded down, but at least one. A
        block counts as one. None means all that reach the threshold, or 10 (or all of fewer) where
        there is none.
    threshold : float, optional
        Choose the features that score at least this; may be none. An ordering ranker (SVMRFE)
        gives the first feature 0, the next -1, and so on.
    include, exclude : list of indices or names, optional
        Features that are always chosen, and that never are. Included ones count.
    feature_groups : list or dict of lists, optional
        Blocks of features that are chosen together, at the place of their best.

    Attributes
    ----------
    scores_ : array
        One a feature; higher is better.
    ranking_ : array of int
        1 for the best feature, and so on; ties go to the first in feature order. A score that is
        NaN comes last. Where the number to choose is known, MRMR and JMI put those not chosen in
        the order of their value beside the chosen ones, which saves most of the time.
    support_ : array of bool
        The chosen features.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from holdfast.rankers import ReliefF
    >>> X, y = load_wine(return_X_y=True)
    >>> RankedSelector(ReliefF(), 3).fit(X, y).get_support(indices=True)
    array([ 6, 11, 12])
    """

    def __init__(
        self,
        ranker: Any,
        n_features_to_select: Any = None,
        *,
        threshold: float | None = None,
        include: Any = None,
        exclude: Any = None,
        feature_groups: Any = None,
    ) -> None:
        self.ranker = ranker
        self.n_features_to_select = n_features_to_select
        self.threshold = threshold
        self.include = include
        self.exclude = exclude
        self.feature_groups = feature_groups

    def fit(self, X: Any, y: Any = None, **params: Any) -> RankedSelector:
        """Rank the features and choose.

        Parameters
        ----------
        X : array, sparse matrix or dataframe, examples x features
            What the ranker takes.
        y : array
            Targets.
        **params
            What else the ranker takes, such as ``sample_weight``; by request, where scikit-learn's
            metadata routing is enabled.
        """
        owner = type(self).__name__
        self._check_ranker(owner)
        X = self._checked(X, y)
        names = Names(self.n_features_in_, getattr(self, "feature_names_in_", None), owner)
        space = space_of(names, self.feature_groups, self.include, self.exclude)
        size = self._size(space, owner)
        number = self.n_features_in_ if size is None else _deepest(space, size, self.n_features_in_)
        scores, order = self._ranked(X, y, number, self._routed(X, params, owner))
        position = np.empty(order.size, np.intp)
        position[order] = np.arange(order.size)
        self.scores_, self.ranking_ = scores, position + 1
        chosen = self._chosen(space, position, scores, size)
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        for unit in (*space.fixed, *chosen):
            self.support_[space.units[unit]] = True
        return self

    def _chosen(self, space: Space, position: Ints, scores: Floats, size: int | None) -> list[int]:
        """The free units that are chosen; a unit stands where its best feature does."""
        best_first = sorted(space.free, key=lambda unit: position[space.units[unit]].min())
        if size is not None:
            return best_first[: size - len(space.fixed)]
        threshold = cast("float", self.threshold)
        return [u for u in best_first if (scores[space.units[u]] >= threshold).any()]

    def _check_ranker(self, owner: str) -> None:
        usable = isinstance(self.ranker, Ranker) or callable(self.ranker)
        if not usable or (isinstance(self.ranker, type) and issubclass(self.ranker, Ranker)):
            cure = "Try rankers.ReliefF()."
            expected = "a ranker, or a function of X and y"
            raise refusal("ranker", owner, expected, repr(self.ranker), cure)

    def _size(self, space: Space, owner: str) -> int | None:
        """How many units; None where the threshold decides."""
        if self.threshold is not None:
            if self.n_features_to_select is not None:
                cure = "Give one of the two."
                expected = "None where threshold is given"
                raise refusal(
                    "n_features_to_select", owner, expected, repr(self.n_features_to_select), cure
                )
            number = isinstance(self.threshold, (int, float, np.number))
            if not number or isinstance(self.threshold, bool) or np.isnan(self.threshold):
                raise refusal("threshold", owner, "a number or None", repr(self.threshold))
            return None
        if self.n_features_to_select is None:
            return max(space.smallest, min(USUAL, space.largest))
        sizes, rule = sizes_of(self.n_features_to_select, space, owner)
        if rule != "best" or sizes[0] != sizes[1]:
            wanted = repr(self.n_features_to_select)
            raise refusal("n_features_to_select", owner, "a number, a share or None", wanted)
        return sizes[0]

    def _checked(self, X: Any, y: Any) -> Any:
        """Learn the columns, and refuse what scikit-learn's estimators refuse."""
        tags = self.__sklearn_tags__().input_tags
        checked = validate_data(
            self,
            X,
            y="no_validation" if y is not None else None,
            accept_sparse=["csr", "csc"] if tags.sparse else False,
            dtype=None if tags.string else "numeric",
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
            ensure_min_samples=2,
        )
        if y is not None:
            check_consistent_length(X, y)
        # Dataframes stay as they are: their types say which columns are nominal.
        return X if hasattr(X, "columns") and tags.string else checked

    def _routed(self, X: Any, params: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
        """What of the parameters of fit goes to the ranker; refuses what it does not take."""
        method = "order" if isinstance(self.ranker, OrderingRanker) else "score"
        taken = signature(getattr(self.ranker, method, self.ranker)).parameters
        given = {name: value for name, value in params.items() if value is not None}
        for name in given:
            if name not in taken:
                expected = f"left out, since {_name_of(self.ranker)} does not take it"
                raise refusal(name, owner, expected, "one")
        if "sample_weight" in given:
            weights = np.asarray(given["sample_weight"])
            if weights.shape != (X.shape[0],):
                expected = f"one for each of {X.shape[0]} examples"
                raise refusal("sample_weight", owner, expected, f"shape {weights.shape}")
        if not (isinstance(self.ranker, Ranker) and get_config()["enable_metadata_routing"]):
            return given
        routed: Mapping[str, Any] = process_routing(self, "fit", **given).ranker[method]
        return routed

    def _ranked(
        self, X: Any, y: Any, number: int, weights: Mapping[str, Any]
    ) -> tuple[Floats, Ints]:
        """Scores, and the features best first, of which so many must be right."""
        if isinstance(self.ranker, OrderingRanker):
            order = self.ranker.leading(X, y, number, **weights)
            scores = np.empty(order.size)
            scores[order] = -np.arange(order.size)
            return scores, order
        if isinstance(self.ranker, Ranker):
            scores = self.ranker.score(X, y, **weights)
        else:
            returned = self.ranker(X, y, **weights)
            scores = np.asarray(returned[0] if isinstance(returned, tuple) else returned, float)
        if scores.shape != (self.n_features_in_,):
            expected = f"such that it gives {self.n_features_in_} scores, one a feature"
            raise refusal("ranker", type(self).__name__, expected, f"shape {scores.shape}")
        known = np.where(np.isnan(scores), -np.inf, scores)
        return scores, np.lexsort((np.isnan(scores), -known))

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_

    def get_metadata_routing(self) -> MetadataRouter:
        """Who may get which metadata of ``fit``."""
        router = MetadataRouter(owner=self)
        if isinstance(self.ranker, Ranker):
            method = "order" if isinstance(self.ranker, OrderingRanker) else "score"
            mapping = MethodMapping().add(caller="fit", callee=method)
            router.add(ranker=self.ranker, method_mapping=mapping)
        return router

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if isinstance(self.ranker, Ranker):
            tags.input_tags.sparse = self.ranker.takes_sparse
            tags.input_tags.allow_nan = self.ranker.takes_missing
            tags.input_tags.string = tags.input_tags.categorical = self.ranker.takes_nominal
        return tags


def _deepest(space: Space, size: int, n_features: int) -> int:
    """How deep in any order the last unit chosen can be: what cannot be chosen may come before."""
    widths = sorted((len(space.units[unit]) for unit in space.free), reverse=True)
    return n_features - sum(widths[size - len(space.fixed) :])


def _name_of(ranker: Any) -> str:
    return type(ranker).__name__ if isinstance(ranker, Ranker) else repr(ranker)
