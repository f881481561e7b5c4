"""What eliminations need of data in parts, a pass over the parts for each thing.

An end of the order that is consistent enough decides all: the features before it go, whatever they
are, and of those in it the distinct rows are few enough to be held. Hashes of all rows find it;
they can only make an end look too inconsistent, which makes the end longer and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.consistency.gathering import Distinct, Gathered
from holdfast.statistics.chunks import Chunks
from holdfast.statistics.codes import Codes
from holdfast.statistics.columns import Names
from holdfast.statistics.counts import Counts
from holdfast.statistics.groups import Groups
from holdfast.statistics.information import Information
from holdfast.statistics.row_hashes import RowHashes

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

ROOM = 1 << 28  # bytes of hashes or rows held at once
SHORT = 128  # features of an end that is tried before longer ones


class Passes:
    """Chunks as an elimination reads them.

    Attributes
    ----------
    counts : Counts
        Of all features with the class.
    classes : array of int64
        Code of each example's class; -1 for those left out.
    """

    def __init__(self, chunks: Chunks, owner: str) -> None:
        self._chunks = chunks
        self._owner = owner
        self.counts: Counts = chunks.counts(owner)
        self.classes: Ints = chunks.labels(owner).astype(np.int64)

    @property
    def information(self) -> Information:
        """Information of each feature with the class."""
        return self.counts.information()

    def _codes(self, features: Ints) -> Iterator[Codes]:
        """Codes of some features, part by part."""
        columns = np.sort(features)
        back = np.searchsorted(columns, features)
        every = columns.size == self._chunks.n_features
        names = [self._chunks.names[f] for f in columns] if self._chunks.named else columns.tolist()
        coder = _Coder(self.counts, columns, Names(names), self._owner)
        for codes in self._chunks.map(coder, None if every else columns):
            yield codes.take(back) if np.any(np.diff(back) != 1) else codes

    def words(self, order: Ints, lengths: list[int], seed: int) -> list[Words]:
        """Hashes of all rows under ends of the order of ascending lengths; one pass."""
        found = [np.empty(self.classes.size, np.uint64) for _ in lengths]
        for row, codes in self._with_rows(order[order.size - lengths[-1] :]):
            hashes = RowHashes(codes, seed=seed)
            done = 0
            for own, length in zip(found, lengths, strict=True):
                start, end = codes.n_features - length, codes.n_features - done
                hashes.add(np.arange(start, end))
                own[row : row + codes.n_examples] = hashes.words
                done = length
        return found

    def ends(self, order: Ints, seed: int) -> Iterator[tuple[int, Words]]:
        """Ever longer ends of the order with their hashes, as many in a pass as there is room."""
        at_once = max(1, ROOM // max(1, 8 * self.classes.size))
        lengths = [1 << i for i in range(order.size.bit_length()) if 1 << i < order.size]
        lengths = [*lengths, order.size] if order.size else []
        # A short end is usually enough, and its few columns are read sooner than all.
        n_short = sum(length <= SHORT for length in lengths)
        for some in (lengths[:n_short], lengths[n_short:]):
            for i in range(0, len(some), at_once):
                batch = some[i : i + at_once]
                yield from zip(batch, self.words(order, batch, seed), strict=True)

    def distinct(self, features: Ints) -> Distinct:
        """Gather the distinct rows of some features, as far as that saves room; one pass. Exact."""
        gathered = Gathered(features.size)
        for row, codes in self._with_rows(features):
            gathered.add(codes, self.classes[row : row + codes.n_examples], row)
        return gathered.rows(self.counts.levels.n_levels[features])

    def agree(self, features: Ints, groups: Groups, doubtful: NDArray[np.bool_]) -> bool:
        """Whether all rows of the doubtful groups equal the first of their group.

        Two passes for as many groups as there is room for the first rows of.
        """
        numbers = np.flatnonzero(doubtful)
        at_once = max(1, ROOM // max(1, features.size))
        return all(
            self._agree(features, groups, numbers[i : i + at_once])
            for i in range(0, numbers.size, at_once)
        )

    def _agree(self, features: Ints, groups: Groups, numbers: Ints) -> bool:
        heads = groups.heads[numbers].astype(np.int64)  # ascending, as groups are numbered
        place = np.full(groups.number, -1, np.int64)
        place[numbers] = np.arange(numbers.size)
        first = []
        for row, codes in self._with_rows(features):
            low, high = np.searchsorted(heads, (row, row + codes.n_examples))
            assert codes.dense is not None
            first.append(codes.dense[:, heads[low:high] - row])
        models = np.concatenate(first, axis=1)
        for row, codes in self._with_rows(features):
            ids = groups.ids[row : row + codes.n_examples]
            own = np.where(ids >= 0, place[ids], -1)
            rows = np.flatnonzero(own >= 0)
            assert codes.dense is not None
            if not np.array_equal(codes.dense[:, rows], models[:, own[rows]]):
                return False
        return True

    def _with_rows(self, features: Ints) -> Iterator[tuple[int, Codes]]:
        row = 0
        for codes in self._codes(features):
            yield row, codes
            row += codes.n_examples


class _Coder:
    """Codes the features of a part; can be sent to where the part is."""

    def __init__(self, counts: Counts, features: Ints, names: Names, owner: str) -> None:
        self._levels, self._features = counts.levels, features
        self._names, self._owner = names, owner

    def __call__(self, X: Any, y: Any) -> Codes:
        return self._levels.codes(X, self._features, self._names, self._owner)


def first_end(
    ends: Iterator[tuple[int, Words]], value: Callable[[Words], float], limit: float
) -> int | None:
    """The length of the first end whose value is within the limit; None where none is."""
    for length, words in ends:
        if value(words) <= limit:
            return length
    return None
