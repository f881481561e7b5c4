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


# Up to this many multiplications, all covariance rows are made at once.
LEAST_WORK = 10**9


def standardised(table: Floats) -> tuple[Floats, Floats]:
    """Every feature with mean 0 and variance 1, and their standard deviations before.

    A constant feature becomes 0, and its deviation counts as 1.
    """
    return kernel.standardise(np.ascontiguousarray(table))


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

    def covariances(self, features: NDArray[np.intp]) -> Floats:
        """Covariances of some features with all: groups x some x all. O(examples x some x all)."""
        return kernel.covariance_rows(self._table, self._groups, features)

    def spread(self, group: int) -> Floats:
        """Points, no more than examples or features, whose squares sum to a group's covariance."""
        members = self._groups.members[self._groups.starts[group] : self._groups.starts[group + 1]]
        shares = self._groups.weights[members] / max(self.totals[group], np.finfo(float).tiny)
        away: Floats = np.sqrt(shares)[:, None] * (self._table[members] - self.means[group])
        if len(away) > away.shape[1]:
            away = np.linalg.qr(away).R
        return away

    @property
    def work(self) -> int:
        """Multiplications in all covariances."""
        return int(self._groups.members.size * self._table.shape[1] ** 2)


class CovarianceRows:
    """Rows of covariance matrices, kept while there is room.

    A search asks for the rows of the features that it takes in. Large ones are made when first
    asked for, small ones all at once.

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
        if self.rows.shape[1] == n_features and moments.work <= LEAST_WORK:
            self.fetch(np.arange(n_features))

    def fetch(self, features: NDArray[np.intp]) -> None:
        """See to it that the rows of these features, no more than there are slots, are there."""
        missing = features[self.slots[features] < 0]
        if self._kept + missing.size > self.rows.shape[1]:
            self.slots[:] = -1
            self._kept, missing = 0, features
        if missing.size:
            end = self._kept + missing.size
            covariances = self._moments.covariances(missing)
            self.rows[:, self._kept : end] = np.tensordot(self._mixture, covariances, axes=1)
            self.slots[missing] = np.arange(self._kept, end)
            self._kept = end
