"""Levels of the same width."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.discretisers.base import Discretiser, Floats, checked_bins
from holdfast.statistics.columns import is_sparse


class EqualWidth(Discretiser):
    """Cut the range of each feature into levels of the same width.

    This is the discretisation of Shin et al. (IJCAI 2011), with five levels. One far value is
    enough to crowd all others into one level; :class:`EqualFrequency` is immune to that.

    Parameters
    ----------
    n_bins : int, default=5
        Levels of each feature. A constant has one.

    Examples
    --------
    >>> from holdfast.discretisers import EqualWidth
    >>> EqualWidth(n_bins=4).fit_transform([[0.0], [1.0], [2.5], [4.0]]).ravel()
    array([0, 1, 2, 3], dtype=int32)
    """

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def _cuts(self, table: Any, y: Any) -> list[Floats]:
        n_bins = checked_bins(self.n_bins, type(self).__name__)
        if is_sparse(table):
            low, high = _extremes(table.tocsc())
        else:
            low = np.fmin.reduce(table, axis=0).astype(np.float64)
            high = np.fmax.reduce(table, axis=0).astype(np.float64)
        cut = np.flatnonzero(low < high)
        # Weighted ends, not a step that is added up: no overflow, and no drift.
        share = np.arange(1, n_bins)[:, None] / n_bins
        points = low[cut] * (1 - share) + high[cut] * share
        cuts = [np.empty(0)] * low.size
        for feature, own in zip(cut.tolist(), points.T, strict=True):
            cuts[feature] = own
        return cuts


def _extremes(table: Any) -> tuple[Floats, Floats]:
    """Lowest and highest value of each column of a sparse matrix, unstored zeros included."""
    lengths = np.diff(table.indptr)
    full = (lengths == table.shape[0]) & (lengths > 0)
    low, high = np.zeros((2, lengths.size))
    low[full], high[full] = np.nan, np.nan
    filled = np.flatnonzero(lengths)
    if filled.size:
        data, starts = table.data.astype(np.float64), table.indptr[filled]
        low[filled] = np.fmin(low[filled], np.fmin.reduceat(data, starts))
        high[filled] = np.fmax(high[filled], np.fmax.reduceat(data, starts))
    return low, high
