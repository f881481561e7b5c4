"""The k-nearest-neighbour wrapper: cross-validated accuracy of a subset of features."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.contracts import Criterion, Judge, Problem
from holdfast.criteria.folds import weights_of
from holdfast.criteria.knn_scorer import KNNScorer
from holdfast.criteria.memory import Remembering
from holdfast.criteria.splits import splits_of
from holdfast.criteria.table import Matrix, Scale, classes_of, numbers_of, scaled
from holdfast.exceptions import refusal

OWNER = "criteria.KNN"
# The squares of wider differences might not fit a float.
WIDEST = 1e150


class KNN(Criterion):
    """Accuracy of k-nearest-neighbour classification, Euclidean, by majority.

    Predictions are those of :class:`sklearn.neighbors.KNeighborsClassifier` under the same splits,
    but for exact ties of distance: they go to the example with the lowest index, whatever the
    order of the features and however the search came to a subset. Ties of votes go to the class
    that sorts first, as in scikit-learn.

    Parameters
    ----------
    n_neighbors : int, default=3
        How many neighbours vote.
    cv : int, splitter or iterable, default=10
        The same folds for every subset; a number makes stratified folds.
    scale : {None, "range", "standard"}, default=None
        Scale each feature to [0, 1], or to mean 0 and variance 1. None takes the data as they are,
        so that a feature counts by its unit.
    scale_within : bool, default=False
        Learn the scaling from the training part of each split, not from all data.

    Notes
    -----
    A candidate adds to the distances over the base subset, or takes from them, and the nearest few
    of each class decide. Sums are plain floats where they decide beyond doubt, else they are summed
    exactly and rounded once. Time per candidate is O(examples^2), some tenths of a nanosecond for
    each pair of them; with many candidates for large data it hardly grows with the examples, as
    only what is near over the base matters. A new base takes O(examples^2 x features added).

    Sample weights weigh the accuracy; the model itself takes none, as scikit-learn's.
    """

    def __init__(
        self, n_neighbors: int = 3, cv: Any = 10, scale: Scale = None, scale_within: bool = False
    ) -> None:
        self.n_neighbors = n_neighbors
        self.cv = cv
        self.scale = scale
        self.scale_within = scale_within

    def prepare(self, problem: Problem) -> Judge:
        k = self.n_neighbors
        if not isinstance(k, (int, np.integer)) or isinstance(k, bool) or k < 1:
            raise refusal("n_neighbors", OWNER, "a whole number >= 1", repr(k))
        if not isinstance(self.scale_within, (bool, np.bool_)):
            raise refusal("scale_within", OWNER, "True or False", repr(self.scale_within))
        X = numbers_of(problem, OWNER)
        codes = classes_of(problem, OWNER)[1]
        splits = splits_of(self.cv, problem, True, OWNER)
        weights_of(problem, OWNER, splits)
        smallest = min(train.size for train, _ in splits)
        if k > smallest:
            raise refusal(
                "n_neighbors", OWNER, f"at most {smallest}, the smallest training part", k
            )
        X, within = scaled(X, self.scale, None, OWNER), None
        if self.scale_within and self.scale is not None:
            X, within = numbers_of(problem, OWNER), self.scale
        _refuse_wide(X)
        # Kernels are compiled once, for tables of one layout that may be written to.
        X = np.require(X, requirements=["C", "W"])
        scorer = KNNScorer(X, codes, splits, int(k), within, problem)
        return Remembering(scorer, "KNN", problem.n_features, problem.budget)


def _refuse_wide(X: Matrix) -> None:
    with np.errstate(over="ignore"):
        width = np.ptp(X, axis=0)
    wide = np.flatnonzero(~(width < WIDEST))
    if wide.size:
        raise refusal(
            "X",
            OWNER,
            f"within a range below {WIDEST:g} in every column",
            f"a wider one in column {wide[0]}",
            "Divide it by a constant.",
        )
