"""Means and covariances of classes, of each training part or of all data.

Variances are mean squares: divided by the number of examples, not by one less. That is the most
likely covariance, and what scikit-learn's QuadraticDiscriminantAnalysis uses since its version 1.9.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import gaussian_moments as kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def standardised(table: Floats) -> tuple[Floats, Floats]:
    """Every feature with mean 0 and variance 1, row by row in memory, and their spreads before.

    A constant feature becomes 0, with spread 1. Going by the range first keeps values near the
    limits of floating point from overflowing when squared.
    """
    low, width = table.min(axis=0), np.ptp(table, axis=0)
    constant = width == 0
    within = (table - low) / np.where(constant, 1.0, width)
    spread = within.std(axis=0)
    spread[constant] = 1.0
    centred = (within - within.mean(axis=0)) / spread
    centred[:, constant] = 0.0
    return np.ascontiguousarray(centred), np.where(constant, 1.0, spread * width)


class GroupMoments:
    """Moments of groups of examples; the groups may share examples.

    Parameters
    ----------
    table : array
        Examples x features.
    groups : sequence of arrays
        The examples of each group; a group may be empty.
    weights : array or None
        One for each example of the table.

    Attributes
    ----------
    totals : array
        Sum of the weights of each group.
    means, variances : array
        Groups x features; variance 1 for groups without weight, which have no part in anything.
    """

    def __init__(
        self, table: Floats, groups: Sequence[NDArray[np.intp]], weights: Floats | None = None
    ) -> None:
        self._table = np.ascontiguousarray(table)
        starts = np.cumsum([0, *map(len, groups)], dtype=np.int64)
        members = np.concatenate(groups).astype(np.int64)
        if weights is None:
            weights = np.ones(self._table.shape[0])
        self.totals, self.means = kernel.first_moments(self._table, starts, members, weights)
        self._groups = kernel.Groups(starts, members, weights, self.totals, self.means)
        self.variances = kernel.variances(self._table, self._groups)
        self.variances[self.totals == 0] = 1.0

    def covariances(self, feature: int) -> Floats:
        """Covariances of one feature with all: groups x features. O(examples x features)."""
        return kernel.covariance_rows(self._table, self._groups, feature)


class CovarianceRows:
    """Rows of covariance matrices, made when first asked for and kept while there is room.

    Parameters
    ----------
    moments : GroupMoments
        Where they come from.
    mixture : array
        Parts x groups: the covariance of a part is this combination of those of the groups.
    n_slots : int
        How many rows to keep for each part.

    Attributes
    ----------
    rows : array
        Parts x slots x features.
    slots : array
        Slot of each feature; -1 where its row is not there.
    """

    def __init__(self, moments: GroupMoments, mixture: Floats, n_slots: int) -> None:
        self._moments = moments
        self._mixture = mixture
        n_features = moments.means.shape[1]
        self.rows = np.empty((mixture.shape[0], min(n_slots, n_features), n_features))
        self.slots = np.full(n_features, -1, np.int64)
        self._kept = 0

    def fetch(self, features: NDArray[np.intp]) -> None:
        """See to it that the rows of these features, no more than there are slots, are there."""
        missing = features[self.slots[features] < 0]
        if self._kept + missing.size > self.rows.shape[1]:
            self.slots[:] = -1
            self._kept, missing = 0, features
        for feature in missing:
            self.rows[:, self._kept] = self._mixture @ self._moments.covariances(feature)
            self.slots[feature] = self._kept
            self._kept += 1
