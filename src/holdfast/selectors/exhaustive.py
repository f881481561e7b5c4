"""Exhaustive search as a scikit-learn selector."""

from __future__ import annotations

from typing import Any

from holdfast.search.exhaustive import exhaustive
from holdfast.search.moves import Moves
from holdfast.selectors.base import SubsetSelector
from holdfast.selectors.space import Names, Sizes


class ExhaustiveSelector(SubsetSelector):
    """Try every subset of the sizes asked for: the judge of all other searches, for few features.

    Evaluates sum over sizes k of C(D, k) subsets: 2^D - 1 for all sizes.

    Parameters
    ----------
    criterion : Criterion or scikit-learn estimator
        How good a subset is.
    n_features_to_select : int, float, (low, high), "best", "one_standard_error" or "knee"
        Which sizes to try, and how to choose among them; see :class:`SequentialSelector`.
    tolerance, prefer, prefer_margin, include, exclude, feature_groups
        As for :class:`SequentialSelector`.
    max_evaluations, max_seconds, callback, n_jobs, max_bytes, verbose
        As for :class:`SequentialSelector`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from holdfast.criteria import Mahalanobis
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = ExhaustiveSelector(Mahalanobis(), n_features_to_select=2).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 2])
    >>> selector.n_evaluations_
    6
    """

    def __init__(
        self,
        criterion: Any,
        *,
        n_features_to_select: Any = "best",
        tolerance: Any = 0.0,
        prefer: Any = "smaller",
        prefer_margin: float = 0.0,
        include: Any = None,
        exclude: Any = None,
        feature_groups: Any = None,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        callback: Any = None,
        n_jobs: int | None = None,
        max_bytes: int = 2 << 30,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.n_features_to_select = n_features_to_select
        self.tolerance = tolerance
        self.prefer = prefer
        self.prefer_margin = prefer_margin
        self.include = include
        self.exclude = exclude
        self.feature_groups = feature_groups
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.max_bytes = max_bytes
        self.verbose = verbose

    def _search(self, moves: Moves, sizes: Sizes, names: Names) -> None:
        exhaustive(moves, sizes)
