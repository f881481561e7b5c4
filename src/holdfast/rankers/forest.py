"""How many trees of a random forest use a feature."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from holdfast.contracts import Floats, Problem, Ranker
from holdfast.criteria.table import classes_of
from holdfast.exceptions import refusal

OWNER = "rankers.Forest"


class Forest(Ranker):
    """Share of the trees of a random forest that split on a feature (Nogueira and Brown 2016).

    A top-k of it, or those in at least a share of the trees, is the selection of their section 5:
    ``RankedSelector(Forest(), threshold=0.5)``.

    Parameters
    ----------
    n_trees : int, default=100
        Trees of the forest.
    criterion : {"entropy", "gini", "log_loss"}, default="entropy"
        What a split is chosen by; the paper takes mutual information, which is "entropy".
    max_depth : int, optional
        Depth of a tree at most; small trees use only what is strongest.
    max_features : "sqrt", "log2", int, float or None, default="sqrt"
        Features looked at for a split, as for scikit-learn's RandomForestClassifier.
    min_samples_leaf : int or float, default=1
        Examples in a leaf, at least.
    n_jobs : int, optional
        Threads. The scores do not depend on it.
    random_state : int, RandomState or None, default=None
        Draws samples and features.

    Notes
    -----
    The scores depend on the order of the columns, as a forest's draws do. Missing values go where
    scikit-learn's trees send them.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> scores = Forest(n_trees=50, max_depth=2, random_state=0).score(X, y)
    >>> bool(scores.max() <= 1.0)
    True
    """

    takes_sparse = True
    takes_missing = True

    def __init__(
        self,
        n_trees: int = 100,
        criterion: str = "entropy",
        max_depth: int | None = None,
        max_features: Any = "sqrt",
        min_samples_leaf: float = 1,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_trees = n_trees
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_features = max_features
        self.min_samples_leaf = min_samples_leaf
        self.n_jobs = n_jobs
        self.random_state = random_state

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """Score the features."""
        whole = isinstance(self.n_trees, Integral) and not isinstance(self.n_trees, bool)
        if not whole or self.n_trees < 1:
            raise refusal("n_trees", OWNER, "a whole number >= 1", repr(self.n_trees))
        _, codes = classes_of(Problem(X, y, 0), OWNER)
        forest = RandomForestClassifier(
            self.n_trees,
            criterion=self.criterion,
            max_depth=self.max_depth,
            max_features=self.max_features,
            min_samples_leaf=self.min_samples_leaf,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )
        forest.fit(X, codes, sample_weight=sample_weight)
        used = np.zeros(forest.n_features_in_)
        for tree in forest.estimators_:
            features = tree.tree_.feature
            used[np.unique(features[features >= 0])] += 1
        scores: Floats = used / self.n_trees
        return scores
