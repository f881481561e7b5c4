"""What all discretisers share: cuts that are learned, and levels that follow from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast._kernels import digitise as kernel
from holdfast.exceptions import refusal
from holdfast.statistics.codes import Codes, blocks, codes_of_levels, narrowest
from holdfast.statistics.columns import is_sparse

Floats = NDArray[np.float64]


class Discretiser(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Base of the discretisers.

    A feature with the cuts c1 < c2 < … has the levels 0 for x < c1, 1 for c1 <= x < c2, and so on.
    The cuts are learned by ``fit`` alone: what lies outside of the values seen then falls into the
    first or the last level. A missing value gets the level after the last.

    In a sparse matrix zeros are values like any others. It stays sparse: its levels are counted
    from the one that holds zero, which is therefore 0, and levels below it are negative. Examples
    share a level exactly where they do in the same data as a dense array.

    Attributes
    ----------
    n_bins_ : array of int
        Levels of each feature, without the one of missing values.
    cuts_ : list of arrays
        The cuts of each feature, ascending; none where it is constant or missing everywhere.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    """

    needs_target = False

    def fit(self, X: Any, y: Any = None) -> Discretiser:
        """Learn the cuts.

        Parameters
        ----------
        X : array, sparse matrix or dataframe of numbers, examples x features
            May hold missing values (NaN).
        y : array
            Classes, for supervised discretisers; others ignore it.
        """
        self._learn(self._checked(X, reset=True), y)
        return self

    def fit_codes(self, X: Any, y: Any = None) -> Codes:
        """Learn the cuts and code the same data by them, reading the table no more than needed."""
        table = self._checked(X, reset=True)
        self._learn(table, y)
        return self._coded(table)

    def transform(self, X: Any) -> Any:
        """Turn numbers into levels.

        Returns
        -------
        array or sparse matrix of int32
            In the format of `X`; sparse data as CSC.
        """
        check_is_fitted(self)
        table = self._checked(X, reset=False)
        if is_sparse(table):
            return self._signed_levels(table)
        return self._coded(table).dense.T.astype(np.int32)  # type: ignore[union-attr]

    def codes(self, X: Any) -> Codes:
        """Code data by the cuts learned, as the statistics of discrete data need them."""
        check_is_fitted(self)
        return self._coded(self._checked(X, reset=False))

    @property
    def cuts_(self) -> list[Floats]:
        """The cuts of each feature."""
        check_is_fitted(self)
        return np.split(self._points, self._starts[1:-1])

    @abstractmethod
    def _cuts(self, table: Any, y: Any) -> list[Floats]:
        """Find the cuts of each feature."""

    def _learn(self, table: Any, y: Any) -> None:
        cuts = self._cuts(table, y)
        self._starts = np.cumsum([0, *map(len, cuts)], dtype=np.int64)
        self._points = np.concatenate([np.empty(0), *cuts])
        self.n_bins_ = np.diff(self._starts) + 1

    def _checked(self, X: Any, reset: bool) -> Any:
        table = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csc",
            dtype="numeric",
            ensure_all_finite="allow-nan",
        )
        if is_sparse(table) and not table.has_canonical_format:
            table = table.copy()
            table.sum_duplicates()
        return table

    def _coded(self, table: Any) -> Codes:
        if is_sparse(table):
            return codes_of_levels(self._signed_levels(table), self.n_bins_)
        codes = np.empty((table.shape[1], table.shape[0]), narrowest(self.n_bins_ + 1))
        for rows in blocks(table):
            block = np.ascontiguousarray(table[rows].T, np.float64)
            kernel.digitise(block, self._starts, self._points, rows.start, codes)
        n_levels = self.n_bins_.astype(np.int32)
        if table.dtype.kind == "f":
            n_levels += (codes == self.n_bins_[:, None]).any(axis=1)
        return Codes(table.shape[0], n_levels, codes)

    def _signed_levels(self, table: Any) -> Any:
        levels = np.empty(table.data.size, np.int32)
        indptr = table.indptr.astype(np.int64)
        kernel.digitise_entries(
            indptr, table.data.astype(np.float64), self._starts, self._points, levels
        )
        result = sparse.csc_matrix((levels, table.indices.copy(), table.indptr.copy()), table.shape)
        result.eliminate_zeros()
        return result

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        tags.target_tags.required = self.needs_target
        return tags


def checked_bins(n_bins: Any, owner: str) -> int:
    """A number of levels, at least 2."""
    whole = isinstance(n_bins, (int, np.integer)) and not isinstance(n_bins, bool)
    if not whole or n_bins < 2:
        raise refusal("n_bins", owner, "a whole number >= 2", repr(n_bins))
    return int(n_bins)
