"""One selection out of the selections on many samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast.criteria.slices import rows_of
from holdfast.exceptions import refusal
from holdfast.resampling import Bootstrap, ComplementaryPairs
from holdfast.selections import Selections
from holdfast.selections.preferences import cut, scores_of, subset_of
from holdfast.stabilisers.bounds import unimodal, worst_case
from holdfast.stabilisers.seeding import common_generators, seeded

Floats = NDArray[np.float64]
OWNER = "EnsembleSelector"
AGGREGATES = ("frequency", "mean_rank", "median_rank")
SAMPLINGS = ("subsample", "bootstrap", "complementary")


class EnsembleSelector(SelectorMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Select on many samples of the examples and keep what they agree on.

    Saeys, Abeel & Van de Peer (2008) for ranks; stability selection for frequencies, after
    Meinshausen & Bühlmann (2010), and in complementary pairs after Shah & Samworth (2013).

    Parameters
    ----------
    estimator : selector, or model with weights
        Cloned and fitted on each sample.
    n_features_to_select : int or None, default=None
        How many to keep. None, with "frequency", keeps all that reach the threshold.
    aggregate : {"frequency", "mean_rank", "median_rank"}, default="frequency"
        Order features by how often they were chosen, or by the mean or median of their ranks (for
        estimators that score all features). Ties go to the first in feature order.
    threshold : float, default=0.6
        Share of the samples that must have chosen a feature.
    n_chosen : int or None, default=None
        How many features a sample chooses of an estimator that scores features; None takes the
        estimator's own choice.
    n_samples : int, default=50
        How many samples; complementary halves come in pairs, so it is rounded up to an even number.
    sampling : {"subsample", "bootstrap", "complementary"}, default="subsample"
        Without or with replacement, or as disjoint halves; within classes.
    share : float, default=0.5
        Of the examples, that a subsample takes.
    n_jobs : int, optional
        Processes; the result is the same.
    random_state : int, optional
        For the samples, and for what the estimator leaves open.

    Attributes
    ----------
    support_ : array of bool
    frequencies_ : array
        Share of the samples that chose each feature.
    scores_ : array
        What features are ordered by; higher is better.
    ranking_ : array of int
        1 for the best.
    selections_ : Selections
        What each sample chose: its stability is that of the estimator, not of the ensemble.
    error_bound_ : float
        With a threshold above 1/2: expected number of features kept although they are no better
        than random ones (q² / ((2τ - 1) p); for complementary pairs the sharper bound for unimodal
        shares). NaN otherwise.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.feature_selection import SelectKBest
    >>> X, y = load_wine(return_X_y=True)
    >>> ensemble = EnsembleSelector(SelectKBest(k=4), threshold=0.8, random_state=0).fit(X, y)
    >>> ensemble.get_support(indices=True)
    array([ 6, 11, 12])
    """

    def __init__(
        self,
        estimator: Any,
        n_features_to_select: int | None = None,
        *,
        aggregate: str = "frequency",
        threshold: float = 0.6,
        n_chosen: int | None = None,
        n_samples: int = 50,
        sampling: str = "subsample",
        share: float = 0.5,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.aggregate = aggregate
        self.threshold = threshold
        self.n_chosen = n_chosen
        self.n_samples = n_samples
        self.sampling = sampling
        self.share = share
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> EnsembleSelector:
        """Select on every sample and put the choices together."""
        # Dataframes reach the estimator as they are; the check learns their names.
        tags = self.__sklearn_tags__().input_tags
        checked = validate_data(
            self,
            X,
            y="no_validation" if y is not None else None,
            dtype=None,
            accept_sparse=["csr", "csc"] if tags.sparse else False,
            ensure_all_finite=not tags.allow_nan,
            ensure_min_samples=4,
        )
        X = X if hasattr(X, "columns") else checked
        y = None if y is None else np.asarray(y)
        self._check(self.n_features_in_)
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=2)
        splits = [train for train, _ in self._splitter(y, int(seeds[0])).split(checked, y)]
        model = seeded(clone(self.estimator), int(seeds[1]))
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_chosen_on)(model, X, y, train, self.n_chosen, self.aggregate, seed)
            for seed, train in enumerate(splits, int(seeds[1]))
        )
        self._put_together([one[0] for one in found], [one[1] for one in found])
        return self

    def _put_together(self, subsets: list[NDArray[np.int32]], ranks: list[Floats]) -> None:
        n_features = self.n_features_in_
        self.selections_ = Selections.from_subsets(subsets, n_features=n_features)
        self.frequencies_ = self.selections_.frequencies / len(subsets)
        if self.aggregate == "frequency":
            self.scores_ = self.frequencies_.copy()
        else:
            middle: Callable[..., Any] = np.mean if self.aggregate == "mean_rank" else np.median
            self.scores_ = -np.asarray(middle(np.stack(ranks), axis=0))
        order = np.argsort(-self.scores_, kind="stable")
        self.ranking_ = np.empty(n_features, dtype=np.int64)
        self.ranking_[order] = np.arange(1, n_features + 1)
        eligible = np.ones(n_features, dtype=bool)
        if self.aggregate == "frequency":
            # A share such as 0.6 of 50 is 30, whatever floats make of it.
            eligible = self.selections_.frequencies >= self.threshold * len(subsets) - 1e-9
        most = n_features if self.n_features_to_select is None else self.n_features_to_select
        self.support_ = eligible & (self.ranking_ <= most)
        self.error_bound_ = self._bound(np.mean([s.size for s in subsets]), len(subsets))

    def _bound(self, n_chosen: Any, n_samples: int) -> float:
        if self.aggregate != "frequency" or self.threshold <= 0.5:
            return np.nan
        q = float(n_chosen)
        if self.sampling == "complementary":
            return unimodal(q, self.n_features_in_, self.threshold, n_samples // 2)
        return worst_case(q, self.n_features_in_, self.threshold)

    def _splitter(self, y: Any, seed: int) -> Any:
        stratify = y is not None and not type_of_target(y).startswith("continuous")
        if self.sampling == "bootstrap":
            return Bootstrap(self.n_samples, stratify=stratify, random_state=seed)
        if self.sampling == "complementary":
            n_pairs = (self.n_samples + 1) // 2
            return ComplementaryPairs(n_pairs, stratify=stratify, random_state=seed)
        kind = StratifiedShuffleSplit if stratify else ShuffleSplit
        return kind(self.n_samples, train_size=self.share, random_state=seed)

    def _check(self, n_features: int) -> None:
        for name, allowed in (("aggregate", AGGREGATES), ("sampling", SAMPLINGS)):
            if getattr(self, name) not in allowed:
                raise refusal(name, OWNER, f"one of {allowed}", repr(getattr(self, name)))
        if not 0 < self.threshold <= 1:
            raise refusal("threshold", OWNER, "above 0, at most 1", repr(self.threshold))
        if not 0 < self.share < 1:
            raise refusal("share", OWNER, "between 0 and 1", repr(self.share))
        for name in ("n_samples", "n_chosen", "n_features_to_select"):
            value = getattr(self, name)
            if value is None and name != "n_samples":
                continue
            most = None if name == "n_samples" else n_features
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            if not whole or value < 1 or (most is not None and value > most):
                limit = "" if most is None else f" to {most}"
                raise refusal(name, OWNER, f"a whole number from 1{limit}", repr(value))
        if self.aggregate != "frequency" and self.n_features_to_select is None:
            raise refusal(
                "n_features_to_select", OWNER, f"a number with aggregate={self.aggregate!r}", None
            )

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            inner = get_tags(self.estimator)
            tags.input_tags.sparse = inner.input_tags.sparse
            tags.input_tags.allow_nan = inner.input_tags.allow_nan
            tags.target_tags.required = inner.target_tags.required
        return tags


def _chosen_on(
    model: Any, X: Any, y: Any, rows: Any, n_chosen: int | None, aggregate: str, seed: int
) -> tuple[NDArray[np.int32], Floats]:
    """The subset that one sample chooses, and the ranks of all features where it has some."""
    with common_generators(seed):
        fitted = clone(model).fit(rows_of(X, rows), None if y is None else rows_of(y, rows))
    n_features = X.shape[1]
    kind, scores = scores_of(fitted, n_features)
    if not kind and (n_chosen is not None or aggregate != "frequency"):
        raise refusal(
            "estimator", OWNER, "one that scores all features, for ranks or n_chosen", repr(model)
        )
    subset = cut(kind, scores, n_chosen) if n_chosen else subset_of(fitted, n_features, OWNER)
    if subset is None:
        raise refusal(
            "n_chosen", OWNER, "a number for a model that chooses no features by itself", None
        )
    ranks = rankdata(scores if kind == "ranks" else -scores) if kind else np.empty(0)
    return subset, ranks
