"""The judge of one scorer: never scores a subset twice, and counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import memory as kernel
from holdfast.contracts import Budget, Candidates, Floats, Ints, Judge, Scorer, Verdict

Words = NDArray[np.uint64]


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

    A subset takes 50 to 100 bytes, and 8 to 16 for each fold.

    Attributes
    ----------
    size : int
        How many subsets it knows.
    """

    def __init__(self) -> None:
        self.size = 0
        self._table = np.zeros((1 << 10, 2), np.uint64)
        self._row_of = np.zeros(1 << 10, np.int64)
        self._rows = np.empty((0, 1))

    def values(self, keys: Words) -> Floats:
        """The first of each key's scores; NaN for unknown ones."""
        rows = np.empty(keys.shape[0], np.int64)
        if kernel.look_up(self._table, self._row_of, keys, rows) == 0:
            return np.full(rows.size, np.nan)
        return np.where(rows >= 0, self._rows[rows, 0], np.nan)

    def row(self, key: Words) -> Floats | None:
        """All scores of a key; None for an unknown one."""
        out = np.empty(1, np.int64)
        kernel.look_up(self._table, self._row_of, key[None, :], out)
        return None if out[0] < 0 else self._rows[out[0]].copy()

    def put(self, keys: Words, values: Floats, folds: Floats) -> None:
        """Enter the scores of keys not known yet."""
        needed = self.size + keys.shape[0]
        while 2 * needed > self._table.shape[0]:
            self._grow()
        if needed > self._rows.shape[0]:
            larger = np.empty((max(1 << 8, needed, 2 * self.size), 1 + folds.shape[1]))
            larger[: self.size] = self._rows[: self.size]
            self._rows = larger
        self._rows[self.size : needed, 0] = values
        self._rows[self.size : needed, 1:] = folds
        kernel.put(self._table, self._row_of, keys, np.arange(self.size, needed))
        self.size = needed

    def _grow(self) -> None:
        full = self._table.any(axis=1)
        keys, rows = self._table[full], self._row_of[full]
        self._table = np.zeros((2 * self._table.shape[0], 2), np.uint64)
        self._row_of = np.zeros(self._table.shape[0], np.int64)
        kernel.put(self._table, self._row_of, keys, rows)


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
        values = self._known.values(keys)
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
            kernel.sum_keys(self._keys, base, candidates, adding, keys)
            return keys
        moved = np.stack([self._key_of(block) for block in candidates])
        return self._key_of(base) + moved if adding else self._key_of(base) - moved

    def _learn(self, keys: Words, folds: Floats) -> Floats:
        # The mean of a row must not depend on how a scorer lays out its answer.
        folds = np.ascontiguousarray(folds, dtype=np.float64)
        # A failed subset is minus infinity inside, so that it is not taken for an unknown one.
        values = np.empty(folds.shape[0])
        kernel.means(folds, values)
        self._known.put(keys, values, folds)
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
