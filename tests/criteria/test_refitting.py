"""Models are fitted again only where that is a clone's fit to the last digit."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_val_score
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from holdfast.contracts import Problem
from holdfast.criteria import Estimator
from holdfast.criteria.refitting import forgets


class Counting(ClassifierMixin, BaseEstimator):
    """Breaks the contract: it counts its fits."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.fits_ = getattr(self, "fits_", 0) + 1
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[min(self.fits_, 3) - 1])


FORGETS = [
    make_pipeline(StandardScaler(), LogisticRegression()),
    SVC(),
    DecisionTreeClassifier(random_state=0),
    SGDClassifier(random_state=3),
    RandomForestClassifier(5, random_state=1),
]
REMEMBERS = [
    SGDClassifier(random_state=np.random.RandomState(0)),
    make_pipeline(StandardScaler(), SGDClassifier(warm_start=True, random_state=0)),
    MLPClassifier((3,), max_iter=500, tol=0.1, warm_start=True, random_state=0),
    make_pipeline(FunctionTransformer(np.abs), SVC()),
    Counting(),
    make_pipeline(StandardScaler(), Counting()),
]


@pytest.mark.parametrize("model", FORGETS, ids=lambda one: type(one).__name__)
def test_it_knows_who_forgets(model):
    assert forgets(model)


@pytest.mark.parametrize("model", REMEMBERS, ids=lambda one: type(one).__name__)
def test_it_knows_who_may_not(model):
    assert not forgets(model)


@pytest.mark.parametrize("model", FORGETS + REMEMBERS, ids=lambda one: type(one).__name__)
def test_scores_are_those_of_clones(model):
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    judge = Estimator(model, scoring="accuracy").prepare(Problem(X, y, X.shape[1]))
    candidates = np.array([[3], [5], [9]])
    judge.judge(np.array([0, 6]), candidates, True)
    for (feature,) in candidates:
        subset = np.sort([0, 6, feature])
        expected = cross_val_score(model, X[:, subset], y, scoring="accuracy", cv=5)
        np.testing.assert_array_equal(judge.folds(subset), expected)


def test_scorers_that_keep_models_get_clones():
    X, y = load_wine(return_X_y=True)
    kept = []

    def scorer(model, X, y):
        kept.append(model)
        return model.score(X, y)

    Estimator(SVC(), scoring=scorer).prepare(Problem(X, y, X.shape[1])).value(np.array([0, 1]))
    assert len({id(model) for model in kept}) == 5
    made = Estimator(SVC(), scoring=make_scorer(lambda a, b: float((a == b).mean())))
    assert made.prepare(Problem(X, y, X.shape[1])).value(np.array([0, 1])) > 0.3
