"""Accuracy is counted here for speed; it stays scikit-learn's to the last digit."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from holdfast.contracts import Problem
from holdfast.criteria import Estimator

MODEL = make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("labels", ["numbers", "strings", "list"])
def test_it_is_the_named_scorers(load, labels):
    X, y = load(return_X_y=True)
    if labels == "strings":
        y = np.array(["c", "a", "b"])[y]
    scorer = Estimator(MODEL, scoring="accuracy").prepare(
        Problem(X, y.tolist() if labels == "list" else y, X.shape[1])
    )
    subset = np.array([1, 3, 6])
    scorer.value(subset)
    expected = cross_val_score(MODEL, X[:, subset], y, scoring="accuracy", cv=5)
    np.testing.assert_array_equal(scorer.folds(subset), expected)


def test_it_weighs_as_scikit_learns():
    X, y = load_breast_cancer(return_X_y=True)
    weight = np.random.default_rng(0).random(y.size)
    problem = Problem(X, y, X.shape[1], sample_weight=weight)
    subset = np.array([0, 4])
    named = Estimator(MODEL, scoring="accuracy").prepare(problem)
    made = Estimator(MODEL, scoring=make_scorer(accuracy_score)).prepare(problem)
    assert named.value(subset) == pytest.approx(made.value(subset), rel=1e-12)
    np.testing.assert_allclose(named.folds(subset), made.folds(subset), rtol=1e-12)
