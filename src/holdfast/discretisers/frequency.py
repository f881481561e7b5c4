"""Levels with as many examples each."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast._kernels import cuts as kernel
from holdfast.discretisers.base import Discretiser, Floats, checked_bins
from holdfast.discretisers.sorting import in_order


class EqualFrequency(Discretiser):
    """Cut each feature into levels with nearly as many examples each.

    Equal values always share a level. For each i the cut is put where the number of examples below
    comes nearest to i / n_bins of them, halfway between the neighbouring values; of two as near the
    lower. Cuts that coincide are one, so a feature with many equal values has fewer levels.

    Parameters
    ----------
    n_bins : int, default=5
        Levels of each feature, at most.

    Examples
    --------
    >>> from holdfast.discretisers import EqualFrequency
    >>> EqualFrequency(n_bins=2).fit_transform([[0.0], [1.0], [2.0], [99.0]]).ravel()
    array([0, 0, 1, 1], dtype=int32)
    """

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def _cuts(self, table: Any, y: Any) -> list[Floats]:
        n_bins = checked_bins(self.n_bins, type(self).__name__)
        alike = np.zeros(table.shape[0], np.int32)
        return [kernel.equal_frequency(*one, n_bins) for one in in_order(table, alike, 1)]
