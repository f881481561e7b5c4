"""Budgets, callbacks, Ctrl-C and failures: what was found is kept, and the reason is told."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from holdfast import IndividualSelector, SequentialSelector
from holdfast.criteria import KNN, Estimator, Hybrid, Mahalanobis, NaiveBayes, Vote
from holdfast.exceptions import (
    EstimatorFailedError,
    EstimatorFailedWarning,
    SearchFailedError,
    SearchStoppedWarning,
)
from tests.selectors.cases import SELECTORS, chosen, wine

every = pytest.mark.parametrize("name", SELECTORS)


class Fragile(ClassifierMixin, BaseEstimator):
    """Cannot stand some columns; others it knows the worth of."""

    def __init__(self, poison: float = np.inf, delay: float = 0.0, error: Any = ValueError) -> None:
        self.poison = poison
        self.delay = delay
        self.error = error

    def fit(self, X: Any, y: Any) -> Fragile:
        time.sleep(self.delay)
        if (X[0] == self.poison).any():
            raise self.error("poison")
        self.classes_ = np.unique(y)
        return self

    def score(self, X: Any, y: Any) -> float:
        return float(X[0].sum())


def numbered(n_features: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Each column is its own worth: 1, 2, 3, …"""
    return np.tile(np.arange(1.0, 1 + n_features), (8, 1)), np.arange(8) % 2


@every
@pytest.mark.parametrize("limit", [1, 4, 7, 10])
@pytest.mark.parametrize(
    "criterion",
    [
        KNN(1, cv=3),
        Vote([NaiveBayes(cv=3), KNN(1, cv=3)]),
        Hybrid(Mahalanobis(), NaiveBayes(cv=3), 0.5),
    ],
    ids=["knn", "vote", "hybrid"],
)
def test_evaluations_are_never_exceeded(name: str, limit: int, criterion: Any) -> None:
    X, y = wine()
    whole = SELECTORS[name](criterion).fit(X, y)
    selector = SELECTORS[name](criterion, max_evaluations=limit)
    if whole.n_evaluations_ <= limit:
        assert chosen(selector.fit(X, y)) == chosen(whole)
        assert selector.stop_reason_ == "complete"
        return
    with pytest.warns(SearchStoppedWarning, match="max_evaluations"):
        selector.fit(X, y)
    assert selector.stop_reason_ == "max_evaluations"
    assert selector.n_evaluations_ == limit
    assert selector.score_ in selector.scores_by_size_.values()
    if 2 in selector.scores_by_size_:
        assert len(chosen(selector)) == 2
        assert selector.score_ == selector.scores_by_size_[2]


def test_a_limit_that_is_just_enough_is_no_early_end() -> None:
    X, y = wine()
    whole = SequentialSelector(KNN(1, cv=3)).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same = SequentialSelector(KNN(1, cv=3), max_evaluations=whole.n_evaluations_).fit(X, y)
    assert same.stop_reason_ == "complete"


@every
def test_seconds(name: str) -> None:
    X, y = numbered()
    slow = Estimator(Fragile(delay=0.02), cv=2)
    selector = SELECTORS[name](slow, max_seconds=0.1)
    began = time.perf_counter()
    with pytest.warns(SearchStoppedWarning, match="max_seconds"):
        selector.fit(X, y)
    assert selector.stop_reason_ == "max_seconds"
    # One evaluation takes 0.04 s, and none begins after the end.
    assert time.perf_counter() - began < 2.0
    assert 1 <= selector.n_evaluations_ <= 4


def test_seconds_end_every_part_of_a_composition() -> None:
    X, y = numbered()
    slow = Estimator(Fragile(delay=0.02), cv=2)
    nested = Vote([slow, Hybrid(slow, Vote([slow, slow]), 0.5)])
    with pytest.warns(SearchStoppedWarning, match="max_seconds"):
        selector = SequentialSelector(nested, max_seconds=0.3).fit(X, y)
    # One evaluation takes 0.04 s, whoever asks for it; each part may do one at least.
    assert sum(selector.evaluations_.values()) <= 14
    assert len(chosen(selector)) >= 1


def test_however_short_the_time_one_subset_is_scored() -> None:
    X, y = wine()
    with pytest.warns(SearchStoppedWarning, match="max_seconds"):
        selector = SequentialSelector(KNN(1, cv=3), max_seconds=1e-9).fit(X, y)
    assert selector.n_evaluations_ == 1
    assert chosen(selector) == [0]


@every
def test_a_callback_can_stop(name: str) -> None:
    X, y = wine()
    whole = SELECTORS[name](Mahalanobis()).fit(X, y)
    with pytest.warns(SearchStoppedWarning, match="callback"):
        selector = SELECTORS[name](Mahalanobis(), callback=lambda step: True).fit(X, y)
    assert selector.stop_reason_ == "callback"
    assert selector.history_.height == 1
    assert selector.n_evaluations_ <= whole.n_evaluations_


@every
def test_an_interrupt_keeps_the_best_so_far(name: str) -> None:
    X, y = wine()

    def interrupt(step: Any) -> None:
        raise KeyboardInterrupt

    with pytest.warns(SearchStoppedWarning, match="interrupted"):
        selector = SELECTORS[name](NaiveBayes(cv=3), callback=interrupt).fit(X, y)
    assert selector.stop_reason_ == "interrupted"
    assert selector.score_ == selector.scores_by_size_[len(chosen(selector))]


def test_an_interrupt_inside_a_model() -> None:
    X, y = numbered()
    model = Fragile(poison=1.0, error=KeyboardInterrupt)
    criterion = Estimator(model, cv=2)
    selector = SequentialSelector(criterion, include=[5], exclude=[1], n_features_to_select=(1, 3))
    with pytest.warns(SearchStoppedWarning, match="interrupted"):
        selector.fit(X, y)
    assert chosen(selector) == [5]
    # Nothing to keep: it goes on as any other interrupt.
    with pytest.raises(KeyboardInterrupt):
        SequentialSelector(criterion, include=[0]).fit(X, y)


@pytest.mark.parametrize(("name", "n_jobs"), [*((name, 1) for name in SELECTORS), ("forward", 2)])
# Floating goes on to all features, where nothing but the poison is left to add.
@pytest.mark.filterwarnings("ignore::holdfast.exceptions.SearchStoppedWarning")
def test_failing_subsets_are_left_out(name: str, n_jobs: int) -> None:
    X, y = numbered()
    criterion = Estimator(Fragile(poison=6.0), cv=2)
    selector = SELECTORS[name](criterion, n_jobs=n_jobs)
    if "backward" in name:
        with (
            pytest.warns(EstimatorFailedWarning),
            pytest.raises(SearchFailedError, match="starting subset"),
        ):
            selector.fit(X, y)
        return
    with pytest.warns(
        EstimatorFailedWarning, match=r"Fragile failed on features \[.*5.*\] in fold [01]"
    ) as seen:
        selector.fit(X, y)
    assert len([one for one in seen if one.category is EstimatorFailedWarning]) <= 3
    assert chosen(selector) == [3, 4]
    assert not np.isnan(selector.history_["score"].to_numpy()).any()


def test_a_failure_can_end_the_search_and_keeps_what_was_found() -> None:
    X, y = numbered()
    criterion = Estimator(Fragile(poison=3.0), cv=2, error_score="raise")
    selector = SequentialSelector(criterion, init=[5], n_features_to_select=(1, 4))
    with pytest.raises(
        EstimatorFailedError, match=r"on features \[2, 5\] in fold 0: ValueError: p"
    ):
        selector.fit(X, y)
    assert selector.stop_reason_ == "failed"
    assert chosen(selector) == [5]
    assert selector.history_.height == 1


def test_a_failed_fold_can_score_a_number() -> None:
    X, y = numbered()
    criterion = Estimator(Fragile(poison=6.0), cv=2, error_score=-1.0)
    with pytest.warns(EstimatorFailedWarning):
        selector = IndividualSelector(criterion, 6).fit(X, y)
    assert selector.score_ == -1.0


def test_where_nothing_can_be_scored_it_says_so() -> None:
    X, y = numbered(1)
    with (
        pytest.warns(EstimatorFailedWarning),
        pytest.raises(SearchFailedError, match="could be scored"),
    ):
        SequentialSelector(Estimator(Fragile(poison=1.0), cv=2)).fit(X, y)


def test_an_error_of_a_callback_is_passed_on() -> None:
    X, y = wine()

    def fail(step: Any) -> None:
        raise LookupError("mine")

    selector = SequentialSelector(Mahalanobis(), callback=fail)
    with pytest.raises(LookupError, match="mine"):
        selector.fit(X, y)
    assert selector.stop_reason_ == "failed"
