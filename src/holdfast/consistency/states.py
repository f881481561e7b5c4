"""Subsets that grow and shrink while their consistency is watched.

A state finds values by hashes. For a monotone measure a collision can only make a value too high:
it joins groups that are apart. So what is found low enough is so, and only what is found too high
needs to be certain; see `State.is_certain`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.statistics.codes import Codes
from holdfast.statistics.groups import Grouper, Groups
from holdfast.statistics.inconsistency import OfCounts, mixed
from holdfast.statistics.row_hashes import RowComparer, RowHashes

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


# Width of the random words of features and values.
BITS = 64


def bits_of(bits: int, attempt: int) -> int:
    """Width of the words of a later attempt, where earlier ones were too narrow."""
    return min(BITS, max(bits, 1) << min(attempt, 6)) if attempt else bits


class State(ABC):
    """A subset of features, none at first, and its value under one measure."""

    @abstractmethod
    def add(self, features: Ints) -> None:
        """Make the subset larger."""

    @abstractmethod
    def remove(self, features: Ints) -> None:
        """Make the subset smaller."""

    @abstractmethod
    def save(self) -> Any:
        """What `restore` needs to come back here."""

    @abstractmethod
    def restore(self, saved: Any) -> None:
        """Return to a saved subset."""

    @abstractmethod
    def value(self) -> float:
        """Inconsistency of the subset; not below the true value."""

    @abstractmethod
    def is_certain(self, subset: Ints) -> bool:
        """Whether the value last found, that of `subset`, is the true one; compares rows."""


class _Hashed(State):
    """What states on row hashes share."""

    def __init__(self, codes: Codes, classes: Ints, comparer: RowComparer, bits: int, attempt: int):
        self.classes = classes
        self.hashes = RowHashes(codes, bits_of(bits, attempt), attempt)
        self.comparer = comparer
        self.grouper = Grouper(codes.n_examples, classes < 0)

    def add(self, features: Ints) -> None:
        self.hashes.add(features)

    def remove(self, features: Ints) -> None:
        self.hashes.remove(features)

    def save(self) -> Any:
        return self.hashes.words.copy()

    def restore(self, saved: Any) -> None:
        self.hashes.words = saved


class Binary(_Hashed):
    """Consistent (0) or not (1), with two examples that show it.

    Attributes
    ----------
    pair : tuple of int or None
        Two examples of different classes that seem equal under the subset last looked at.
    """

    pair: tuple[int, int] | None = None

    def value(self) -> float:
        """Look for two examples that contradict each other. O(n) expected."""
        self.pair = self.grouper.conflict(self.hashes.words, self.classes)
        return float(self.pair is not None)

    def is_certain(self, subset: Ints) -> bool:
        """Whether the two examples really are equal."""
        if self.pair is None:
            return True
        left, right = np.array(self.pair, np.int64)[:, None]
        return self.comparer.differing(subset, left, right) < 0


class Counted(_Hashed):
    """A measure of the counts of classes among equal examples.

    Attributes
    ----------
    weights : array or None
        How many examples each row stands for, where it is not one.
    """

    weights: Floats | None = None

    def __init__(
        self,
        codes: Codes,
        classes: Ints,
        comparer: RowComparer,
        bits: int,
        attempt: int,
        *,
        measure: OfCounts,
    ) -> None:
        super().__init__(codes, classes, comparer, bits, attempt)
        self._measure = measure
        self._n_classes = int(classes.max()) + 1
        self._groups: Groups
        self._counts: NDArray[Any]

    def value(self) -> float:
        """Group the examples and count. O(n + groups x classes) expected."""
        self._groups = self.grouper.by_words(self.hashes.words)
        counts = self._groups.counts(self.classes, self._n_classes, self.weights)
        self._counts = counts if self.weights is None else counts.astype(np.int64)
        return self._measure(self._counts)

    def is_certain(self, subset: Ints) -> bool:
        """Whether examples in groups of several classes are equal to the first of their group.

        Groups of one class need no look: they count as much together as apart.
        """
        groups = self._groups
        rows = np.flatnonzero((groups.ids >= 0) & mixed(self._counts)[groups.ids])
        heads = groups.heads[groups.ids[rows]].astype(np.int64)
        return self.comparer.differing(subset, rows, heads) < 0


class Distances(State):
    """1 / (1 + the sum of the interclass distances of the features), which needs no groups."""

    def __init__(self, distances: Floats) -> None:
        self._distances = distances
        self._inside = np.zeros(distances.size, bool)

    def add(self, features: Ints) -> None:
        """Make the subset larger."""
        self._inside[features] = True

    def remove(self, features: Ints) -> None:
        """Make the subset smaller."""
        self._inside[features] = False

    def save(self) -> Any:
        """Which features are inside."""
        return self._inside.copy()

    def restore(self, saved: Any) -> None:
        """Return to them."""
        self._inside = saved

    def value(self) -> float:
        """Add up the distances. O(D)."""
        # Summed in one order, so that no way to a subset shows.
        return float(1 / (1 + self._distances[self._inside].sum()))

    def is_certain(self, subset: Ints) -> bool:
        """Nothing was hashed."""
        return True
