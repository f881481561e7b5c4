"""Bugs that others shipped, each as a test that would have found it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from holdfast import SequentialSelector
from holdfast.criteria import KNN, Estimator, Mahalanobis, NaiveBayes
from tests.search.tables import Table, row_of
from tests.selectors.cases import SELECTORS, SIZING, chosen, wine


def sized(name: str, criterion: Any, size: Any, **parameters: Any) -> Any:
    """Of the searches that choose a size; DOS with a swing that reaches all."""
    if name == "dynamic":
        parameters["swing"] = 6
    return SELECTORS[name](criterion, **parameters, **{"n_features_to_select": size})


@pytest.mark.parametrize("name", SIZING)
@pytest.mark.parametrize("scoring", ["neg_mean_squared_error", "neg_mean_absolute_error", "r2"])
def test_the_worst_size_for_a_minimised_score(name: str, scoring: str) -> None:
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:120, :5], y[:120]
    criterion = Estimator(LinearRegression(), scoring, cv=KFold(3))
    selector = sized(name, criterion, "best").fit(X, y)
    scores = selector.scores_by_size_
    assert selector.score_ == max(scores.values())
    assert scores[len(chosen(selector))] == selector.score_
    own = cross_val_score(LinearRegression(), X[:, chosen(selector)], y, scoring=scoring, cv=3)
    assert selector.score_ == pytest.approx(own.mean())
    # A tolerance leaves a share of the error below the best, not above it.
    near = sized(name, criterion, "best", tolerance=0.05).fit(X, y)
    assert near.score_ >= selector.score_ - 0.05 * abs(selector.score_)
    assert near.support_.sum() <= selector.support_.sum()


@pytest.mark.parametrize("floating", [False, True])
def test_backward_with_a_tolerance_may_drop_nothing(floating: bool) -> None:
    table = np.array([[0.1 * bin(bits).count("1")] for bits in range(32)])
    selector = SequentialSelector(
        Table(table), direction="backward", tolerance=0.01, floating=floating
    )
    assert selector.fit(np.ones((4, 5)), np.zeros(4)).support_.all()


@pytest.mark.parametrize("name", SELECTORS)
def test_an_unstable_sort_on_ties(name: str) -> None:
    """Among many equal candidates the first in feature order, however many there are."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    one = rng.normal(size=40) + y
    for n_features in (5, 17, 40):
        if name == "exhaustive" and n_features == 40:
            continue
        X = np.repeat(one[:, None], n_features, axis=1)
        selector = SELECTORS[name](NaiveBayes(cv=2)).fit(X, y)
        size = len(chosen(selector))
        if "backward" in name:
            assert chosen(selector) == list(range(n_features - size, n_features))
        else:
            assert chosen(selector) == list(range(size))


@pytest.mark.parametrize("name", SELECTORS)
@pytest.mark.parametrize("criterion", [KNN(1, cv=3), Mahalanobis()])
def test_all_features_selected_crashes(name: str, criterion: Any) -> None:
    X, y = wine()
    selector = SELECTORS[name](
        criterion, **{"n_features_to_select": (6, 6) if name in SIZING else 6}
    )
    if name == "dynamic":
        selector.set_params(swing=6)
    selector.fit(X, y)
    assert selector.support_.all()
    np.testing.assert_array_equal(selector.transform(X), X)
    single = SELECTORS[name](criterion, **{"n_features_to_select": 1}).fit(X[:, :1], y)
    assert single.support_.tolist() == [True]


@pytest.mark.parametrize("name", SELECTORS)
@pytest.mark.parametrize("seed", range(3))
def test_refitting_gives_another_subset(name: str, seed: int) -> None:
    X, y = wine()
    splitter = StratifiedKFold(3, shuffle=True, random_state=np.random.RandomState(seed))
    selector = SELECTORS[name](KNN(1, cv=splitter))
    parameters = selector.get_params(deep=False)
    first = chosen(selector.fit(X, y))
    for _ in range(3):
        assert chosen(selector.fit(X, y)) == first
    assert all(selector.get_params(deep=False)[key] is value for key, value in parameters.items())
    # Other data in between leave nothing behind.
    selector.fit(X[::2, :4], y[::2])
    assert selector.n_features_in_ == 4
    assert chosen(selector.fit(X, y)) == first


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_forced_features_ignored_in_parallel(n_jobs: int) -> None:
    X, y = wine()
    for criterion in (KNN(1, cv=3), Estimator(GaussianNB(), cv=2)):
        selector = SequentialSelector(
            criterion, n_features_to_select=3, include=[4], exclude=[0, 1], n_jobs=n_jobs
        ).fit(X, y)
        for subset in selector.history_["features"].to_list():
            assert 4 in subset
            assert not {0, 1} & set(subset)


def test_floating_never_loses_what_it_found() -> None:
    """The restricted floating search of a peer ends below the plain one at some sizes."""
    rng = np.random.default_rng(2)
    for _ in range(30):
        table = Table(rng.normal(size=(128, 1)))
        X, y = np.ones((4, 7)), np.zeros(4)
        for direction in ("forward", "backward"):
            plain = SequentialSelector(table, direction=direction).fit(X, y)
            floating = SequentialSelector(table, direction=direction, floating=True).fit(X, y)
            restored = floating.history_.filter(floating.history_["action"] == "restore")
            assert all(
                floating.scores_by_size_[size] >= score
                for size, score in zip(restored["size"], restored["score"], strict=True)
            )
            assert floating.score_ >= max(floating.scores_by_size_.values())
            first = 1 if direction == "forward" else 7
            assert floating.scores_by_size_[first] >= plain.scores_by_size_[first]


def test_a_singular_subset_does_not_lose_the_search() -> None:
    """One bad subset ends the whole search elsewhere."""
    table = np.full((16, 2), 0.5)
    table[row_of(np.array([1]))] = np.nan
    table[row_of(np.array([0, 2])), 1] = np.nan
    selector = SequentialSelector(Table(table), n_features_to_select=2)
    selector.fit(np.ones((4, 4)), np.zeros(4))
    assert chosen(selector) == [0, 1]


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_agrees_with_scikit_learn(direction: Any) -> None:
    """Likelihoods leave no ties, so that both must choose the same."""
    X, y = wine(6, step=2)
    splits = StratifiedKFold(3)
    for size in (2, 4):
        peer = SequentialFeatureSelector(
            GaussianNB(),
            n_features_to_select=size,
            direction=direction,
            scoring="neg_log_loss",
            cv=splits,
        ).fit(X, y)
        ours = SequentialSelector(
            Estimator(GaussianNB(), "neg_log_loss", cv=splits),
            n_features_to_select=size,
            direction=direction,
        ).fit(X, y)
        assert chosen(ours) == np.flatnonzero(peer.support_).tolist()
