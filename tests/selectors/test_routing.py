"""Sample weights and groups reach fitting, scoring and splitting, with routing on and off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from holdfast import SequentialSelector
from holdfast.criteria import KNN, Estimator, NaiveBayes
from holdfast.exceptions import InputError
from tests.selectors.cases import chosen, wine

SEEN: dict[str, list[Any]] = {}


class Witness(ClassifierMixin, BaseEstimator):
    """Notes the metadata it is given."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, mark: Any = None) -> Witness:
        SEEN["fit"].append((X[:, 0], sample_weight, mark))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), int)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        SEEN["score"].append((X[:, 0], sample_weight))
        return 0.5


class NotingKFold(KFold):
    """Notes the groups it is given."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Any]:
        SEEN["split"].append(groups)
        return super().split(X, y)


@pytest.fixture(autouse=True)
def _nothing_seen() -> None:
    SEEN.clear()
    SEEN.update(fit=[], score=[], split=[])


def numbered(n: int = 24) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Examples whose first column is their number, and whose weight tells it, too."""
    X = np.column_stack([np.arange(n), np.zeros(n)]).astype(float)
    return X, np.arange(n) % 2, 1.0 + np.arange(n), np.arange(n) // 3


def test_weights_and_groups_without_routing() -> None:
    X, y, weights, groups = numbered()
    selector = SequentialSelector(
        Estimator(Witness(), cv=NotingKFold(3)), n_features_to_select=1, exclude=[1]
    )
    selector.fit(X, y, sample_weight=pd.Series(weights), groups=groups)
    assert len(SEEN["fit"]) == len(SEEN["score"]) == 3
    for number, own, *_ in SEEN["fit"] + SEEN["score"]:
        np.testing.assert_array_equal(own, 1 + number)
    np.testing.assert_array_equal(SEEN["split"][0], groups)


def test_weights_reach_the_last_step_of_a_pipeline() -> None:
    X, y, weights, _ = numbered()
    pipe = Pipeline([("scale", StandardScaler(with_mean=False, with_std=False)), ("m", Witness())])
    SequentialSelector(Estimator(pipe, cv=2), exclude=[1]).fit(X, y, sample_weight=weights)
    for number, own, *_ in SEEN["fit"] + SEEN["score"]:
        np.testing.assert_array_equal(own, 1 + number)


def test_with_routing_metadata_go_where_they_are_requested() -> None:
    X, y, weights, groups = numbered()
    with config_context(enable_metadata_routing=True):
        model = Witness().set_fit_request(sample_weight=True, mark=True)
        model.set_score_request(sample_weight=False)
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        criterion = Estimator(model, {"own": scorer}, cv=GroupKFold(3))
        selector = SequentialSelector(criterion, exclude=[1])
        selector.fit(X, y, sample_weight=weights, groups=groups, mark="as it is")
        for number, own, mark in SEEN["fit"]:
            np.testing.assert_array_equal(own, 1 + number)
            assert mark == "as it is"
        # Weighted accuracies of always saying 0.
        folds = GroupKFold(3).split(X, y, groups)
        expected = [weights[test][y[test] == 0].sum() / weights[test].sum() for _, test in folds]
        np.testing.assert_allclose(selector.fold_scores_, expected)

        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            SequentialSelector(Estimator(Witness(), cv=2)).fit(X, y, sample_weight=weights)


def test_a_pipeline_routes_to_what_is_inside_the_selector() -> None:
    X, y, weights, groups = numbered()
    with config_context(enable_metadata_routing=True):
        model = Witness().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        selector = SequentialSelector(Estimator(model, cv=GroupKFold(3)), exclude=[1])
        last = GaussianNB().set_fit_request(sample_weight=False)
        pipe = make_pipeline(selector, last)
        pipe.fit(X, y, sample_weight=weights, groups=groups)
        for number, own, *_ in SEEN["fit"] + SEEN["score"]:
            np.testing.assert_array_equal(own, 1 + number)


@pytest.mark.parametrize("criterion", [KNN(1, cv=3), NaiveBayes(cv=GroupKFold(3))])
def test_a_pipeline_routes_to_a_fast_criterion(criterion: Any) -> None:
    """Criteria that compute by themselves ask by way of the selector."""
    X, y = wine()
    weights = np.random.default_rng(0).uniform(0.1, 1, len(y))
    groups = np.arange(len(y)) // 2
    if isinstance(criterion, KNN):
        groups = None
    given = {"sample_weight": weights, "groups": groups}
    given = {name: values for name, values in given.items() if values is not None}
    alone = SequentialSelector(criterion, n_features_to_select=2).fit(X, y, **given)
    with config_context(enable_metadata_routing=True):
        selector = SequentialSelector(criterion, n_features_to_select=2)
        selector.set_fit_request(**dict.fromkeys(given, True))
        last = GaussianNB().set_fit_request(sample_weight=False)
        pipe = make_pipeline(selector, last).fit(X, y, **given)
        routed = pipe[0]
    assert chosen(routed) == chosen(alone)
    assert routed.score_ == alone.score_
    assert (
        alone.score_
        != SequentialSelector(criterion, n_features_to_select=2)
        .fit(X, y, **({"groups": groups} if groups is not None else {}))
        .score_
    )


def test_weights_act_as_repetition() -> None:
    """With folds that keep repeated examples together, a weight of 2 is an example twice."""
    X, y = wine()
    rng = np.random.default_rng(5)
    weights = rng.integers(1, 4, len(y))
    fold = rng.permutation(len(y)) % 3
    again = fold.repeat(weights)

    def pairs(which: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(np.flatnonzero(which != f), np.flatnonzero(which == f)) for f in range(3)]

    for make in (NaiveBayes, lambda cv: Estimator(GaussianNB(), cv=cv)):
        weighted = SequentialSelector(make(cv=pairs(fold))).fit(X, y, sample_weight=weights)
        repeated = SequentialSelector(make(cv=pairs(again)))
        repeated.fit(X.repeat(weights, axis=0), y.repeat(weights))
        assert chosen(weighted) == chosen(repeated)
        assert weighted.score_ == pytest.approx(repeated.score_)


def test_what_cannot_be_passed_on_is_refused() -> None:
    X, y = wine()
    with pytest.raises(InputError, match="enable_metadata_routing"):
        SequentialSelector(GaussianNB()).fit(X, y, mark=1)
    with pytest.raises(InputError, match="whose fit takes no weights"):
        SequentialSelector(KNeighborsClassifier()).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(InputError, match="'groups' parameter of SequentialSelector"):
        SequentialSelector(KNN()).fit(X, y, groups=[1, 2])
    with pytest.raises(InputError, match="'sample_weight' parameter of SequentialSelector"):
        SequentialSelector(KNN()).fit(X, y, sample_weight=np.ones((len(y), 2)))
    for criterion in (KNN(cv=3), NaiveBayes(cv=3)):
        for bad in (-1.0, np.nan, np.inf):
            with pytest.raises(InputError, match="finite, not negative"):
                SequentialSelector(criterion).fit(X, y, sample_weight=np.full(len(y), bad))
