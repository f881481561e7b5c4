"""Cross-validated scores of an estimator, the slow and obvious way: a loop over folds."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone


def scores(model, X, y, subset, splits, scorer, *, weight=None, fit_prefix=""):
    """One score a fold; `weight` goes to fitting, under its prefix, and to scoring."""
    X, y = np.asarray(X)[:, subset], np.asarray(y)
    found = []
    for train, test in splits:
        to_fit, to_score = {}, {}
        if weight is not None:
            to_fit = {f"{fit_prefix}sample_weight": weight[train]}
            to_score = {"sample_weight": weight[test]}
        fitted = clone(model).fit(X[train], y[train], **to_fit)
        found.append(scorer(fitted, X[test], y[test], **to_score))
    return np.array(found)
