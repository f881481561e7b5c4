"""Sequential search beside scikit-learn's, with the same estimators and splits.

The same subsets wherever no step is tied (`tests.peers.steps` says what a tie is). In a tie
scikit-learn takes the candidate whose sum of floats happens to end higher, holdfast the first.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from holdfast.criteria import KNN, Estimator, NaiveBayes
from holdfast.selectors import SequentialSelector
from tests.peers.steps import best_candidates

FORWARD = {True: "forward", False: "backward"}


def chosen_by_peer(model, X, y, size, *, forward=True, scoring=None, cv=5):
    selector = SequentialFeatureSelector(
        model, n_features_to_select=size, direction=FORWARD[forward], scoring=scoring, cv=cv
    )
    return selector.fit(X, y).get_support(indices=True).tolist()


def untied_way(criterion, X, y, forward=True):
    """Subsets of a sequential search by size, up to the first tie."""
    here = [] if forward else list(range(X.shape[1]))
    way = {}
    while len(here) < X.shape[1] if forward else len(here) > 1:
        best = best_candidates(criterion, X, y, here, forward)
        if len(best) > 1:
            break
        here = sorted(set(here) ^ set(best))
        way[len(here)] = here
    return way


def assert_same(criteria, model, X, y, *, at_least, forward=True, scoring=None, cv=5):
    way = untied_way(criteria[0], X, y, forward)
    assert len(way) >= at_least
    sizes = [size for size in way if size < X.shape[1]]
    for size in sizes:
        assert way[size] == chosen_by_peer(
            model, X, y, size, forward=forward, scoring=scoring, cv=cv
        )
        for criterion in criteria:
            ours = SequentialSelector(
                criterion, direction=FORWARD[forward], n_features_to_select=size
            ).fit(X, y)
            assert ours.get_support(indices=True).tolist() == way[size]


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(
    ("model", "scoring", "cv"),
    [
        (LinearRegression(), "r2", 5),
        (Ridge(), "neg_mean_absolute_error", KFold(3, shuffle=True, random_state=0)),
        (make_pipeline(StandardScaler(), KNeighborsRegressor()), None,
         ShuffleSplit(3, test_size=1 / 3, random_state=0)),
    ],
    ids=["linear", "ridge", "k-NN"],
)  # fmt: skip
def test_regression_has_no_ties(model, scoring, cv, forward):
    X, y = load_diabetes(return_X_y=True)
    X = X[:, :7]
    criterion = Estimator(model, scoring=scoring, cv=cv)
    assert_same([criterion], model, X, y, at_least=6, forward=forward, scoring=scoring, cv=cv)


@pytest.mark.parametrize("forward", [True, False])
def test_classification_by_a_score_that_does_not_tie(forward):
    X, y = load_wine(return_X_y=True)
    X = X[:, :7]
    criterion = Estimator(GaussianNB(), scoring="neg_log_loss")
    assert_same(
        [criterion], GaussianNB(), X, y, at_least=6, forward=forward, scoring="neg_log_loss"
    )


def test_accuracy_up_to_the_first_tie():
    X, y = load_wine(return_X_y=True)
    fast = NaiveBayes(cv=10)
    slow = Estimator(GaussianNB(), cv=10)
    assert_same([fast, slow], GaussianNB(), X, y, at_least=2, cv=10)
    # Without ties of distance, which k-NN may settle in several ways.
    X = X * (1 + 1e-6 * np.random.default_rng(0).random(X.shape))
    model = KNeighborsClassifier(3)
    assert_same([KNN(3), Estimator(model, cv=10)], model, X, y, at_least=2, cv=10)


def test_splits_by_group():
    X, y = load_diabetes(return_X_y=True)
    X, groups = X[:, :6], np.arange(len(y)) % 9
    splits = list(GroupKFold(3).split(X, y, groups))
    for size in (2, 4):
        ours = SequentialSelector(
            Estimator(LinearRegression(), cv=GroupKFold(3)), n_features_to_select=size
        ).fit(X, y, groups=groups)
        assert ours.get_support(indices=True).tolist() == chosen_by_peer(
            LinearRegression(), X, y, size, cv=splits
        )


def test_in_a_tie_holdfast_takes_the_first():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack((X[:, 0], X[:, 3], X[:, 3], X[:, 1]))
    assert best_candidates(NaiveBayes(), X, y, [], True) == [1, 2]
    ours = SequentialSelector(NaiveBayes(), n_features_to_select=1).fit(X, y)
    assert ours.get_support(indices=True).tolist() == [1]
