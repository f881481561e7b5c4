"""FCBF: the fast correlation-based filter (Yu & Liu 2003)."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.consistency.uncertainty import Uncertainties, UncertaintySelector
from holdfast.exceptions import refusal


class FCBF(UncertaintySelector):
    """Keep what tells about the class, unless a better feature tells about it more than the class.

    Features are ordered by symmetrical uncertainty with the class, ties by index. The first is
    kept, and removes all later ones whose uncertainty with it is not below that with the class; so
    does the first of those left, and so on.

    Parameters
    ----------
    threshold : float, default=0.0
        Least symmetrical uncertainty with the class that makes a feature relevant. One of exactly 0
        is never relevant.
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features.

    Attributes
    ----------
    support_ : array of bool
        The chosen features.
    ranking_ : array of int
        The chosen features, the most relevant first.
    removed_by_ : array of int
        For each relevant feature that was removed, the feature that did it; -1 for all others.
    scores_ : array
        Symmetrical uncertainty of each feature with the class.
    classes_ : array
        The classes.
    discretiser_ : transformer or None
        The fitted discretiser.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    O(cells) for each feature kept, less for what is removed early.

    References
    ----------
    L. Yu, H. Liu, "Feature selection for high-dimensional data: a fast correlation-based filter
    solution", ICML 2003.

    Examples
    --------
    >>> from holdfast.consistency.fcbf import FCBF
    >>> X = [[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 1, 1], [0, 0, 1]]
    >>> FCBF().fit(X, [0, 0, 0, 1, 1, 1]).get_support()
    array([ True, False,  True])
    """

    def __init__(self, threshold: float = 0.0, discretiser: Any = None) -> None:
        self.threshold = threshold
        self.discretiser = discretiser

    def _check_parameters(self, owner: str) -> None:
        number = isinstance(self.threshold, (int, float, np.number))
        if not number or not 0 <= self.threshold <= 1:
            raise refusal("threshold", owner, "from 0 to 1", repr(self.threshold))

    def _choose(self, uncertainties: Uncertainties) -> Any:
        relevance = uncertainties.of_class
        order = np.argsort(-relevance, kind="stable")
        left = order[(relevance[order] >= self.threshold) & (relevance[order] > 0)]
        self.removed_by_ = np.full(relevance.size, -1)
        chosen = []
        while left.size:
            best, left = int(left[0]), left[1:]
            chosen.append(best)
            if left.size:
                redundant = uncertainties.beside(best, left) >= relevance[left]
                self.removed_by_[left[redundant]] = best
                left = left[~redundant]
        self.ranking_ = np.array(chosen, np.intp)
        return self.ranking_
