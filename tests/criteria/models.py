"""Estimators that do what a test wants to see."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier


class Failing(ClassifierMixin, BaseEstimator):
    """Fails, or predicts the majority, by what is in the columns it gets.

    A column that holds `bad` makes it fail, when fitting or when predicting.
    """

    def __init__(self, bad=99.0, when="fit"):
        self.bad = bad
        self.when = when

    def fit(self, X, y):
        self._fail_on(X, "fit")
        self.classes_ = np.unique(y)
        self.model_ = DummyClassifier().fit(X, y)
        return self

    def predict(self, X):
        self._fail_on(X, "predict")
        return self.model_.predict(X)

    def _fail_on(self, X, when):
        if self.when == when and (np.asarray(X) == self.bad).any():
            raise ArithmeticError("a bad column")


class Curious(ClassifierMixin, BaseEstimator):
    """Writes down what it is given; `seen` is shared by all clones."""

    seen: list = []  # noqa: RUF012

    def fit(self, X, y, sample_weight=None, colour=None):
        type(self).seen.append(("fit", X, y, sample_weight, colour))
        self.classes_ = np.unique(np.asarray(y))
        return self

    def predict(self, X):
        type(self).seen.append(("predict", X))
        return np.repeat(self.classes_[:1], X.shape[0])
