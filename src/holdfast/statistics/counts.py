"""Counts of features with a class that can be merged, so that data need not be there at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import contingency as kernel
from holdfast.exceptions import refusal
from holdfast.statistics.columns import Names
from holdfast.statistics.information import Information, Logarithms, Target, mutual
from holdfast.statistics.labels import labels_of
from holdfast.statistics.levels import Levels, coded

Floats = NDArray[np.float64]
Wide = NDArray[np.int64]


class Counts:
    """How often each level of each feature occurs with each class.

    Merging is exact and in any order: counts are whole numbers, and levels are known by their
    values. What is computed from counts is, to the last bit, what the whole data give.

    Attributes
    ----------
    classes : array
        The classes, sorted.
    levels : Levels
        The values of each feature's levels.
    table : array of int64
        Levels x classes of the first feature, of the second, and so on.
    starts : array of int64
        Where each feature's counts start.
    of_classes : array of int64
        Examples of each class.
    """

    def __init__(
        self, classes: NDArray[Any], levels: Levels, table: Wide, of_classes: Wide
    ) -> None:
        self.classes = classes
        self.levels = levels
        self.table = table
        self.of_classes = of_classes
        lengths = levels.n_levels.astype(np.int64) * classes.size
        self.starts: Wide = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))

    @classmethod
    def from_chunk(cls, X: Any, y: Any, names: Names, owner: str) -> Counts:
        """Count a part of the data. O(cells)."""
        return cls.from_labels(X, *labels_of(y, owner, least=0), names, owner)

    @classmethod
    def from_labels(
        cls, X: Any, classes: NDArray[Any], labels: NDArray[np.int32], names: Names, owner: str
    ) -> Counts:
        """The same for classes that are coded already."""
        codes, levels = coded(X, names, owner)
        if labels.size != codes.n_examples:
            expected = f"one class for each of {codes.n_examples} examples"
            raise refusal("y", owner, expected, labels.size)
        target = Target(labels, classes.size)
        table, _ = target.table(codes, np.arange(codes.n_features))
        return cls(classes, levels, table, target.counts)

    def merge(self, other: Counts) -> Counts:
        """Counts of both parts. O(cells of the counts)."""
        if np.array_equal(self.classes, other.classes) and self.levels.equals(other.levels):
            table, of_classes = self.table + other.table, self.of_classes + other.of_classes
            return Counts(self.classes, self.levels, table, of_classes)
        classes = np.union1d(self.classes, other.classes)
        levels = self.levels.union(other.levels)
        size = int(levels.n_levels.sum()) * classes.size
        merged = Counts(classes, levels, np.zeros(size, np.int64), np.zeros(classes.size, np.int64))
        for part in (self, other):
            merged._add(part)
        return merged

    def _add(self, part: Counts) -> None:
        if not part.classes.size:
            return  # no examples
        columns = np.searchsorted(self.classes, part.classes)
        self.of_classes[columns] += part.of_classes
        n_classes = self.classes.size
        for f in range(self.levels.sizes.size):
            own = self.table[self.starts[f] : self.starts[f + 1]].reshape(-1, n_classes)
            counts = part.table[part.starts[f] : part.starts[f + 1]]
            counts = counts.reshape(-1, part.classes.size)
            rows = self.levels.places(f, part.levels.values[f])
            if part.levels.missing[f]:
                rows = np.append(rows, own.shape[0] - 1)
            own[np.ix_(rows, columns)] += counts

    @property
    def n_examples(self) -> int:
        """Examples counted."""
        return int(self.of_classes.sum())

    def information(self) -> Information:
        """Information of each feature with the class."""
        shared, own = np.empty((2, self.starts.size - 1))
        logarithms = Logarithms(self.n_examples)
        entropy = mutual(self.table, self.starts, self.of_classes, logarithms, shared, own)
        return Information(shared, own, entropy)

    def chi_square(self) -> tuple[Floats, Wide]:
        """Pearson's statistic of each feature with the class, and its degrees of freedom."""
        statistics = np.empty(self.starts.size - 1)
        freedom = np.empty(self.starts.size - 1, np.int64)
        kernel.chi_square(self.table, self.starts, self.of_classes, statistics, freedom)
        return statistics, freedom
