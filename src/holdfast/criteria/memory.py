"""The judge of one scorer: never scores a subset twice, and counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import memory as kernel
from holdfast._kernels.jit import wrapping
from holdfast.contracts import Budget, Candidates, Floats, Ints, Judge, Scorer, Verdict

Words = NDArray[np.uint64]
FEWEST_SLOTS, FEWEST_ROWS = 1 << 13, 1 << 10


@lru_cache(maxsize=8)
def feature_keys(n_features: int) -> Words:
    """A random 128-bit key per feature; a subset's key is the sum of its features' keys.

    The same in every process. Two of 10^7 subsets share a key with probability below 10^-24.
    """
    rng = np.random.default_rng(0x5EED)
    keys = rng.integers(1, 2**64, size=(n_features, 2), dtype=np.uint64)
    keys.setflags(write=False)
    return keys


class ScoreTable:
    """Subsets' keys to their scores, which are rows of one growing array.

    A subset takes 32 to 64 bytes, and 8 to 16 for each fold.

    Attributes
    ----------
    size : int
        How many subsets it knows.
    """

    def __init__(self) -> None:
        self.size = 0
        self._slots = np.full(FEWEST_SLOTS, -1, np.int32)
        self._keys = np.empty((0, 2), np.uint64)
        self._rows = np.empty((0, 1))

    def look_up(self, keys: Words, column: int) -> Floats:
        """One column of the keys' rows; NaN for unknown ones."""
        numbers, out = np.empty(keys.shape[0], np.int64), np.full(keys.shape[0], np.nan)
        if kernel.look_up(self._slots, self._keys, keys, numbers):
            known = np.flatnonzero(numbers >= 0)
            out[known] = self._rows[numbers[known], column]
        return out

    def row(self, key: Words) -> Floats | None:
        """All of a key's row; None for an unknown one."""
        number = np.empty(1, np.int64)
        known = kernel.look_up(self._slots, self._keys, key[None, :], number)
        return self._rows[number[0]].copy() if known else None

    def put(self, keys: Words, rows: Floats) -> None:
        """Enter the rows of keys not known yet, each once."""
        first, self.size = self.size, self.size + keys.shape[0]
        if self.size > self._rows.shape[0]:
            room = max(FEWEST_ROWS, self.size, 2 * first)
            self._keys = _grown(self._keys[:first], room)
            self._rows = _grown(self._rows[:first].reshape(first, rows.shape[1]), room)
        self._keys[first : self.size] = keys
        self._rows[first : self.size] = rows
        if 2 * self.size > self._slots.size:
            size = self._slots.size
            while 2 * self.size > size:
                size *= 2
            self._slots, first = np.full(size, -1, np.int32), 0
        kernel.enter(self._slots, self._keys, first, self.size)


def _grown(array: NDArray[Any], room: int) -> NDArray[Any]:
    larger = np.empty((room, array.shape[1]), array.dtype)
    larger[: array.shape[0]] = array
    return larger


class Remembering(Judge):
    """Judge by one scorer; a subset scored once is remembered, fold by fold.

    Parameters
    ----------
    scorer : Scorer
        Who answers for subsets not seen before.
    name : str
        Under which its evaluations are counted.
    n_features : int
        Number of features there are.
    budget : Budget
        Asked before every batch.
    """

    def __init__(self, scorer: Scorer, name: str, n_features: int, budget: Budget) -> None:
        self.scorer = scorer
        self.name = name
        self.budget = budget
        self._keys = feature_keys(n_features)
        self._known = ScoreTable()

    @property
    def evaluations(self) -> int:
        return self._known.size

    @property
    def counts(self) -> Mapping[str, int]:
        return {self.name: self.evaluations}

    def value(self, subset: Ints) -> float:
        key = self._key_of(subset)
        known = self._known.row(key)
        if known is not None:
            return _shown(float(known[0]))
        if self.budget.grant(1) < 1:
            return np.nan
        folds = self.scorer.score(subset)[None, :]
        return _shown(float(self._learn(key[None, :], folds)[0]))

    def judge(self, base: Ints, candidates: Candidates, adding: bool) -> Verdict:
        keys = self._keys_of(base, candidates, adding)
        values = self._known.look_up(keys, 0)
        (unknown,) = np.isnan(values).nonzero()
        ask = self.scorer.additions if adding else self.scorer.removals
        while unknown.size:
            granted = self.budget.grant(unknown.size)
            if granted < 1:
                break
            now, unknown = unknown[:granted], unknown[granted:]
            for part, same_width in _by_width(candidates, now):
                values[part] = self._learn(keys[part], ask(base, same_width))
        preference = np.where(np.isnan(values), -np.inf, values)
        return Verdict(np.where(preference == -np.inf, np.nan, values), preference)

    def folds(self, subset: Ints) -> Floats:
        known = self._known.row(self._key_of(subset))
        assert known is not None
        return known[1:]

    def others(self, subset: Ints) -> Mapping[str, Floats]:
        return self.scorer.others(subset)

    def _key_of(self, subset: Ints) -> Words:
        return self._keys[subset].sum(axis=0, dtype=np.uint64)  # type: ignore[no-any-return]

    def _keys_of(self, base: Ints, candidates: Candidates, adding: bool) -> Words:
        if isinstance(candidates, np.ndarray):
            keys = np.empty((candidates.shape[0], 2), np.uint64)
            with wrapping():
                kernel.sum_keys(self._keys, base, candidates, adding, keys)
            return keys
        moved = np.stack([self._key_of(block) for block in candidates])
        return self._key_of(base) + moved if adding else self._key_of(base) - moved

    def _learn(self, keys: Words, folds: Floats) -> Floats:
        # The mean of a row must not depend on how a scorer lays out its answer.
        folds = np.ascontiguousarray(folds, dtype=np.float64)
        # A failed subset is minus infinity inside, so that it is not taken for an unknown one.
        values = np.empty(folds.shape[0])
        with wrapping():
            kernel.means(folds, values)
        self._known.put(keys, np.concatenate((values[:, None], folds), axis=1))
        return values


def _by_width(candidates: Candidates, positions: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Give a scorer candidates of one width at a time: their positions and their features."""
    if isinstance(candidates, np.ndarray):
        every = positions.size == candidates.shape[0]
        yield positions, candidates if every else candidates[positions]
        return
    widths = np.array([candidates[p].size for p in positions])
    for width in np.unique(widths):
        part = positions[widths == width]
        yield part, np.stack([candidates[p] for p in part])


def _shown(value: float) -> float:
    return np.nan if np.isneginf(value) else value
