"""What the consistency algorithms share as scikit-learn selectors: data in, features out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from holdfast.consistency.passes import Passes
from holdfast.discretisers.parameter import discrete_codes, refuse_discretiser, takes
from holdfast.exceptions import refusal
from holdfast.statistics.chunks import Chunks
from holdfast.statistics.codes import Codes
from holdfast.statistics.information import Target, order_by_uncertainty
from holdfast.statistics.labels import labels_of
from holdfast.statistics.row_hashes import RowComparer

Ints = NDArray[np.int64]


class Task:
    """One problem as an elimination needs it.

    Attributes
    ----------
    discrete : callable
        Returns the discrete data as they were given, or as the discretiser makes them.
    codes : Codes
        The same as small whole numbers.
    classes : array of int
        Code of each example's class.
    order : array of int
        Features, the first to be removed first.
    comparer : RowComparer
        Compares examples.
    """

    def __init__(
        self, discrete: Callable[[], Any], codes: Codes, classes: Ints, order: Ints
    ) -> None:
        self.discrete = discrete
        self.codes = codes
        self.classes = classes
        self.order = order
        self.comparer = RowComparer(codes)


class EliminatingSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the selectors that remove features in an order as long as consistency allows.

    Attributes
    ----------
    support_ : array of bool
        The features kept.
    order_ : array of int
        The order in which the features were looked at.
    n_tests_ : int
        How many subsets were looked at.
    classes_ : array
        The classes.
    discretiser_ : transformer or None
        The fitted discretiser.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    """

    def fit(self, X: Any, y: Any = None) -> EliminatingSelector:
        """Select features.

        Parameters
        ----------
        X : array, sparse matrix, dataframe or Chunks, examples x features
            Discrete: whole numbers, booleans, text or categories; a missing value is a value of its
            own. Anything else needs a `discretiser`. Sparse data never become dense. Chunks hold
            the classes, too, and are read part by part.
        y : array
            Class of each example.
        """
        owner = type(self).__name__
        self._check_parameters(owner)
        if isinstance(X, Chunks):
            passes, order = self._begin_passes(X, owner)
            self._eliminate_in_passes(passes, order, owner)
            self.order_ = order
            return self
        X, y = self._checked(X, y)
        self.classes_, classes = labels_of(y, owner)
        self.discretiser_, codes = discrete_codes(self.discretiser, X, classes, owner)
        order = self._order(codes, classes, owner)

        def discrete() -> Any:
            return X if self.discretiser_ is None else self.discretiser_.transform(X)

        self._eliminate(Task(discrete, codes, classes.astype(np.int64), order), owner)
        self.order_ = order
        return self

    def _begin_passes(self, chunks: Chunks, owner: str) -> tuple[Passes, Ints]:
        """Learn the columns and the order from a first pass over data in parts."""
        refuse_discretiser(self.discretiser, owner)
        passes = Passes(chunks, owner)
        validate_data(self, chunks.no_rows, skip_check_array=True)
        self.classes_, self.discretiser_ = passes.counts.classes, None
        uncertainty = passes.information.symmetrical_uncertainty
        ascending = np.argsort(uncertainty, kind="stable").astype(np.int64)
        return passes, self._given_order(ascending, owner)

    def _eliminate_in_passes(self, passes: Passes, order: Ints, owner: str) -> None:
        """Choose the features of data in parts."""
        raise refusal("X", owner, "there as a whole", "Chunks", "CWC and LCC take them.")

    @abstractmethod
    def _check_parameters(self, owner: str) -> None:
        """Refuse what cannot be."""

    @abstractmethod
    def _eliminate(self, task: Task, owner: str) -> None:
        """Choose the features, and set what was learned."""

    def _set_support(self, kept: list[int]) -> None:
        self.support_ = np.zeros(self.n_features_in_, bool)
        self.support_[kept] = True

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Learn the columns and refuse what scikit-learn's estimators refuse; frames stay."""
        if not hasattr(X, "columns"):
            checked: tuple[Any, Any] = validate_data(
                self,
                X,
                y,
                accept_sparse=["csc", "csr", "coo"],
                dtype=None,
                ensure_all_finite="allow-nan" if self._takes_missing() else True,
                ensure_min_samples=2,
            )
            return checked
        validate_data(self, X, y, skip_check_array=True)
        check_consistent_length(X, y)
        return X, y

    def _order(self, codes: Codes, classes: NDArray[np.int32], owner: str) -> Ints:
        if self.order is None:
            target = Target(classes, self.classes_.size)
            return order_by_uncertainty(codes, target).astype(np.int64, copy=False)
        return self._given_order(np.empty(0, np.int64), owner)

    def _given_order(self, otherwise: Ints, owner: str) -> Ints:
        if self.order is None:
            return otherwise
        names = getattr(self, "feature_names_in_", None)
        return permutation_of(self.order, self.n_features_in_, names, owner)

    def _takes_missing(self) -> bool:
        return takes(self.discretiser, "allow_nan")

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = takes(self.discretiser, "sparse")
        tags.input_tags.allow_nan = self._takes_missing()
        tags.input_tags.string = self.discretiser is None
        tags.input_tags.categorical = self.discretiser is None
        return tags


def permutation_of(order: Any, n_features: int, names: Any, owner: str) -> Ints:
    """An order given as indices or as names; each feature once."""
    given = np.asarray(order)
    position = {} if names is None else {name: f for f, name in enumerate(names)}
    expected = f"a permutation of the {n_features} features, by index or by name"
    if given.ndim != 1:
        raise refusal("order", owner, expected, f"shape {given.shape}")
    if given.dtype.kind in "UO":
        unknown = [name for name in given.tolist() if name not in position]
        if unknown:
            raise refusal("order", owner, expected, f"the unknown {unknown[0]!r}")
        given = np.array([position[name] for name in given.tolist()], np.int64)
    if given.dtype.kind not in "iu":
        raise refusal("order", owner, expected, f"values of type {given.dtype}")
    outside = given[(given < 0) | (given >= n_features)]
    if outside.size:
        raise refusal("order", owner, expected, f"the index {outside[0]}")
    times = np.bincount(given, minlength=n_features)
    if given.size != n_features or (times != 1).any():
        odd = int(np.argmax(times != 1)) if (times != 1).any() else n_features
        raise refusal("order", owner, expected, f"feature {odd} {times[odd]} times")
    return given.astype(np.int64)
