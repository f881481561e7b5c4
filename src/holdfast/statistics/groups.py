"""Groups of rows that are equal under a subset of features, and their counts of classes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import grouping as kernel
from holdfast.statistics.codes import Codes

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Groups(NamedTuple):
    """A partition of the rows, numbered in the order of the groups' first rows.

    Attributes
    ----------
    ids : array
        The group of each row; -1 for rows left out.
    heads : array
        The first row of each group.
    """

    ids: Ints
    heads: NDArray[np.int32]

    @property
    def number(self) -> int:
        """How many groups there are."""
        return int(self.heads.size)

    def counts(self, classes: Ints, n_classes: int, weights: Floats | None = None) -> NDArray[Any]:
        """Examples of each class in each group, or the sums of their weights: groups x classes."""
        ids = self.ids
        inside = ids >= 0
        if not inside.all():
            ids, classes = ids[inside], classes[inside]
            weights = None if weights is None else weights[inside]
        # A class a line in memory: numpy is much faster over many groups than over few classes.
        cells = classes * self.number + ids
        table = np.bincount(cells, weights, minlength=self.number * n_classes)
        return table.reshape(n_classes, self.number).T


class Grouper:
    """Finds groups among the rows of one table, with the same scratch memory each time.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    left_out : array of bool, optional
        Rows that belong to no group.
    """

    def __init__(self, n_rows: int, left_out: NDArray[np.bool_] | None = None) -> None:
        self.slots = np.empty(1 << (max(2 * n_rows, 2) - 1).bit_length(), np.int32)
        self._heads = np.empty(n_rows, np.int32)
        self._start = np.zeros(n_rows, np.int64)
        if left_out is not None:
            self._start[left_out] = -1

    def by_words(self, first: Words, second: Words | None = None) -> Groups:
        """Group rows of equal words, or of equal pairs of words. O(n) expected."""
        ids = self._start.copy()
        second = first if second is None else second
        with np.errstate(over="ignore"):  # as for the hashes
            number = kernel.group(first, second, self.slots, ids, self._heads)
        return Groups(ids, self._heads[:number].copy())

    def conflict(self, words: Words, classes: Ints) -> tuple[int, int] | None:
        """Two rows of equal words and different classes; None where there are none.

        Rows are left out by a negative class here.
        """
        with np.errstate(over="ignore"):
            left, right = kernel.first_conflict(words, classes, self.slots)
        return None if left < 0 else (int(left), int(right))

    def all_together(self) -> Groups:
        """The groups of the empty subset: one."""
        inside = np.flatnonzero(self._start >= 0)[:1]
        return Groups(self._start.copy(), inside.astype(np.int32))

    def split(self, groups: Groups, codes: NDArray[Any]) -> Groups:
        """Split groups by one more feature; exact. O(n) expected."""
        return self.by_words(groups.ids.view(np.uint64), codes.astype(np.uint64))

    def by_features(self, codes: Codes, features: Ints) -> Groups:
        """Groups under a subset of features; exact. O(n) expected for each feature."""
        groups = self.all_together()
        for feature in features:
            if groups.number == self._start.size:
                break  # every row is alone
            groups = self.split(groups, codes.feature(int(feature)))
        return groups
