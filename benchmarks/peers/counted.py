"""Searches of other packages, with the subsets that they score counted, and stopped after some."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

from sklearn.base import is_classifier

from benchmarks.harness.rows import Searched


class Enough(BaseException):
    """The part of the search that is measured is over."""


class CountedAccuracy:
    """A scorer that counts its calls, one for each fold of each subset.

    Parameters
    ----------
    n_folds : int
    most : int, optional
        Subsets after which the search is stopped.
    """

    def __init__(self, n_folds: int, most: int | None) -> None:
        self.n_folds = n_folds
        self.most = most
        self.calls = 0

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        assert is_classifier(estimator)
        if self.most is not None and self.calls == self.most * self.n_folds:
            raise Enough
        self.calls += 1
        return float((estimator.predict(X) == y).mean())


def mlxtend_floating(
    estimator: Any, X: Any, y: Any, splits: Any, size: int | None, most: int | None
) -> Callable[[], Searched]:
    """SFFS of mlxtend up to a size, or as many subsets as are measured."""
    from mlxtend.feature_selection import SequentialFeatureSelector

    def search() -> Searched:
        scoring = CountedAccuracy(len(splits), most)
        selector = SequentialFeatureSelector(
            estimator,
            k_features=X.shape[1] if size is None else size,
            floating=True,
            scoring=scoring,
            cv=splits,
        )
        return _run(lambda: selector.fit(X, y), scoring, lambda: _found(selector.subsets_))

    return search


def scikit_learn_forward(
    estimator: Any, X: Any, y: Any, splits: Any, size: int
) -> Callable[[], Searched]:
    """SFS of scikit-learn to a size."""
    from sklearn.feature_selection import SequentialFeatureSelector

    def search() -> Searched:
        scoring = CountedAccuracy(len(splits), None)
        selector = SequentialFeatureSelector(
            estimator, n_features_to_select=size, scoring=scoring, cv=splits
        )
        chosen = lambda: {size: tuple(selector.get_support(indices=True).tolist())}  # noqa: E731
        return _run(lambda: selector.fit(X, y), scoring, chosen)

    return search


def _run(
    fit: Callable[[], Any], scoring: CountedAccuracy, found: Callable[[], dict[int, Any]]
) -> Searched:
    """Run a search; all its time counts as scoring, as hardly any goes elsewhere."""
    start, complete = process_time(), True
    try:
        fit()
    except Enough:
        complete = False
    seconds = process_time() - start
    evaluations = scoring.calls // scoring.n_folds
    return Searched(evaluations, seconds, seconds, complete, found() if complete else {})


def _found(subsets: dict[int, Any]) -> dict[int, Any]:
    return {size: tuple(entry["feature_idx"]) for size, entry in subsets.items()}
