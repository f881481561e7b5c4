"""BIF as a scikit-learn selector."""

from __future__ import annotations

from typing import Any

from holdfast.exceptions import refusal
from holdfast.search.exhaustive import individual
from holdfast.search.moves import Moves
from holdfast.selectors.base import SubsetSelector
from holdfast.selectors.space import Names, Sizes, Space


class IndividualSelector(SubsetSelector):
    """Choose the features that are best on their own (BIF).

    Each feature is evaluated once, by itself or beside the included ones; ties go to the first in
    feature order. Blind to redundancy, cheap, and often the most stable.

    Parameters
    ----------
    criterion : Criterion or scikit-learn estimator
        How good a subset is.
    n_features_to_select : int or float, default=10
        Number of features, or share of them. A block counts as one.
    include, exclude, feature_groups
        As for :class:`SequentialSelector`.
    max_evaluations, max_seconds, callback, n_jobs, max_bytes, verbose
        As for :class:`SequentialSelector`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from holdfast.criteria import NaiveBayes
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = IndividualSelector(NaiveBayes(), 2).fit(X, y)
    >>> selector.get_feature_names_out()
    array(['worst radius', 'worst perimeter'], dtype=object)
    """

    # One size: nothing to prefer, and nothing of several sizes to treat as equal.
    tolerance = 0.0
    prefer = "smaller"
    prefer_margin = 0.0

    def __init__(
        self,
        criterion: Any,
        n_features_to_select: Any = 10,
        *,
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
        self.include = include
        self.exclude = exclude
        self.feature_groups = feature_groups
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.max_bytes = max_bytes
        self.verbose = verbose

    def _sizes(self, space: Space, owner: str) -> tuple[Sizes, str]:
        sizes, rule = super()._sizes(space, owner)
        if rule != "best" or sizes[0] != sizes[1]:
            raise refusal(
                "n_features_to_select", owner, "one size", repr(self.n_features_to_select)
            )
        return sizes, rule

    def _search(self, moves: Moves, sizes: Sizes, names: Names) -> None:
        individual(moves, sizes[0])
