"""What the selectors that go by symmetrical uncertainty share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from holdfast.discretisers.parameter import discrete_codes, takes
from holdfast.statistics.codes import Codes
from holdfast.statistics.information import Target
from holdfast.statistics.labels import labels_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class Uncertainties:
    """Symmetrical uncertainties of features with the class and with each other, when asked for.

    Attributes
    ----------
    of_class : array
        One a feature.
    """

    def __init__(self, codes: Codes, labels: NDArray[np.int32], n_classes: int) -> None:
        self._codes = codes
        target = Target(labels, n_classes)
        self._logarithms = target.logarithms
        self.of_class: Floats = target.information(codes).symmetrical_uncertainty

    def beside(self, feature: int, others: Ints | None = None) -> Floats:
        """Those of one feature with some others, or with all, in one pass."""
        levels = int(self._codes.n_levels[feature])
        target = Target(self._codes.feature(feature), levels, self._logarithms)
        return target.information(self._codes, others).symmetrical_uncertainty


class UncertaintySelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the selectors that go by symmetrical uncertainty.

    Attributes
    ----------
    support_ : array of bool
        The chosen features.
    scores_ : array
        Symmetrical uncertainty of each feature with the class.
    classes_ : array
        The classes.
    discretiser_ : transformer or None
        The fitted discretiser.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    """

    discretiser: Any

    def fit(self, X: Any, y: Any = None) -> UncertaintySelector:
        """Select features.

        Parameters
        ----------
        X : array, sparse matrix or dataframe, examples x features
            Discrete: whole numbers, booleans, text or categories; a missing value is a level of its
            own. Anything else needs a `discretiser`. Sparse data never become dense.
        y : array
            Class of each example.
        """
        owner = type(self).__name__
        self._check_parameters(owner)
        X, y = self._checked(X, y)
        self.classes_, labels = labels_of(y, owner)
        self.discretiser_, codes = discrete_codes(self.discretiser, X, labels, owner)
        uncertainties = Uncertainties(codes, labels, self.classes_.size)
        self.scores_ = uncertainties.of_class
        chosen = self._choose(uncertainties)
        self.support_ = np.zeros(self.n_features_in_, bool)
        self.support_[chosen] = True
        return self

    @abstractmethod
    def _check_parameters(self, owner: str) -> None:
        """Refuse what cannot be."""

    @abstractmethod
    def _choose(self, uncertainties: Uncertainties) -> Any:
        """Choose the features."""

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Learn the columns and refuse what scikit-learn's estimators refuse; frames stay."""
        if hasattr(X, "columns"):
            validate_data(self, X, y, skip_check_array=True)
            check_consistent_length(X, y)
            return X, y
        finite = "allow-nan" if takes(self.discretiser, "allow_nan") else True
        checked: tuple[Any, Any] = validate_data(
            self, X, y, accept_sparse=("csc", "csr"), dtype=None, ensure_all_finite=finite
        )
        return checked

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = takes(self.discretiser, "sparse")
        tags.input_tags.allow_nan = takes(self.discretiser, "allow_nan")
        tags.input_tags.string = self.discretiser is None
        tags.input_tags.categorical = self.discretiser is None
        return tags
