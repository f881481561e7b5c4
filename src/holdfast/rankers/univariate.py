"""Rankers that count: each discrete feature by itself against the class."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import contingency as kernel
from holdfast.contracts import Floats, Ranker
from holdfast.discretisers.parameter import discrete_codes, refuse_discretiser, takes
from holdfast.exceptions import refusal
from holdfast.statistics.chunks import Chunks
from holdfast.statistics.codes import Codes
from holdfast.statistics.counts import Counts
from holdfast.statistics.information import Target
from holdfast.statistics.labels import labels_of


class DiscreteRanker(Ranker):
    """Base of the rankers that count: what they take is what their discretiser takes."""

    discrete = True
    discretiser: Any

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether it takes sparse matrices, without making them dense."""
        return takes(self.discretiser, "sparse")

    @property
    def takes_missing(self) -> bool:  # type: ignore[override]
        """Whether it takes NaN."""
        return takes(self.discretiser, "allow_nan")

    @property
    def takes_nominal(self) -> bool:  # type: ignore[override]
        """Whether it takes text and categories."""
        return self.discretiser is None


class CountingRanker(DiscreteRanker):
    """Base of the rankers that see each feature's contingency table with the class and no more."""

    def __init__(self, discretiser: Any = None) -> None:
        self.discretiser = discretiser

    def score(self, X: Any, y: Any = None) -> Floats:
        """Score the features; higher is better, and never NaN.

        Parameters
        ----------
        X : array, sparse matrix, dataframe or Chunks, examples x features
            Discrete data, or what the discretiser takes. Sparse data never become dense; a missing
            value is a level of its own. Chunks hold the classes, too, and are read part by part.
        y : array
            Classes, at least two.

        Returns
        -------
        array
            One score a feature.
        """
        owner = type(self).__name__
        if isinstance(X, Chunks):
            refuse_discretiser(self.discretiser, owner)
            return self._of_counts(X.counts(owner))
        return self._score(*counted(self.discretiser, X, y, owner))

    @abstractmethod
    def _score(self, codes: Codes, target: Target) -> Floats:
        """Score coded features."""

    @abstractmethod
    def _of_counts(self, counts: Counts) -> Floats:
        """Score features that were counted in parts."""


def counted(discretiser: Any, X: Any, y: Any, owner: str) -> tuple[Codes, Target]:
    """Code the features and the class, to be counted against each other."""
    classes, labels = labels_of(y, owner)
    _, codes = discrete_codes(discretiser, X, labels, owner)
    if codes.n_examples != labels.size:
        raise refusal("y", owner, f"one class for each of {codes.n_examples} examples", labels.size)
    return codes, Target(labels, classes.size)


class InformationGain(CountingRanker):
    """Mutual information of each feature with the class, in bits.

    It is 0 for a constant or independent feature, exactly, and never above the entropy of the
    feature or of the class. It favours features of many levels; for a measure that does not, see
    :class:`SymmetricalUncertainty`.

    Parameters
    ----------
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features. It is
        fitted to the data that are scored.

    Notes
    -----
    The same as scikit-learn's ``mutual_info_classif(X, y, discrete_features=True)``, which is in
    nats, over ln 2. O(cells), or O(entries) of sparse data.

    Examples
    --------
    >>> from holdfast.rankers import InformationGain
    >>> InformationGain().score([[0, 0], [0, 1], [1, 0], [1, 1]], ["a", "a", "b", "b"])
    array([1., 0.])
    """

    def _score(self, codes: Codes, target: Target) -> Floats:
        return target.information(codes).gain

    def _of_counts(self, counts: Counts) -> Floats:
        return counts.information().gain


class SymmetricalUncertainty(CountingRanker):
    """Twice the mutual information with the class over the sum of both entropies, from 0 to 1.

    Parameters
    ----------
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features. It is
        fitted to the data that are scored.

    Examples
    --------
    >>> from holdfast.rankers import SymmetricalUncertainty
    >>> SymmetricalUncertainty().score([[0, 0], [0, 1], [1, 2], [1, 3]], ["a", "a", "b", "b"])
    array([1.        , 0.66666667])
    """

    def _score(self, codes: Codes, target: Target) -> Floats:
        return target.information(codes).symmetrical_uncertainty

    def _of_counts(self, counts: Counts) -> Floats:
        return counts.information().symmetrical_uncertainty


class ChiSquare(CountingRanker):
    """Pearson's chi-square of the contingency table of each feature with the class.

    Parameters
    ----------
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features. It is
        fitted to the data that are scored.

    Notes
    -----
    The same as ``scipy.stats.chi2_contingency(table, correction=False)``. It is not scikit-learn's
    ``chi2``, which takes the numbers in `X` for counts of an event and tests their sums in the
    classes: there a feature coded 0 and 1 and the same feature coded 1 and 0 score differently.
    For a feature of two levels the two are related: this statistic is the sum of scikit-learn's for
    the two one-hot columns of the feature; with more levels it is the sum over all of them.

    Features of more levels have more degrees of freedom and tend to score higher.

    Examples
    --------
    >>> from holdfast.rankers import ChiSquare
    >>> ChiSquare().score([[0, 0], [0, 1], [1, 0], [1, 1]], ["a", "a", "b", "b"])
    array([4., 0.])
    """

    def _score(self, codes: Codes, target: Target) -> Floats:
        return chi_square(codes, target)[0]

    def _of_counts(self, counts: Counts) -> Floats:
        return counts.chi_square()[0]


def chi_square(codes: Codes, target: Target) -> tuple[Floats, NDArray[np.int64]]:
    """Pearson's statistic of each feature, and its degrees of freedom."""
    statistics = np.empty(codes.n_features)
    freedom = np.empty(codes.n_features, np.int64)
    features = np.arange(codes.n_features)
    for part in target.parts(codes, features):
        table, starts = target.table(codes, features[part])
        kernel.chi_square(table, starts, target.counts, statistics[part], freedom[part])
    return statistics, freedom
