"""Hashes of rows under a subset of features: sums of one random word for each feature and value.

Equal rows have equal hashes, whatever the words; a feature more or less is an addition. The word
of a feature and a code is mixed from the two and a seed, so that no table of words is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

# Features with fewer levels have their words looked up, others mixed for each row.
FEW_LEVELS = 256
# Rows of one pass, so that their hashes stay near while all features go by.
ROWS_AT_ONCE = 4096


@compiled
def mixed(seed: np.uint64, feature: int, code: int) -> np.uint64:
    """A word for a feature and a code, as if drawn at random (the finaliser of splitmix64)."""
    word = seed + np.uint64(feature) * np.uint64(0x9E3779B97F4A7C15)
    word ^= (np.uint64(code) + np.uint64(1)) * np.uint64(0xD1342543DE82EF95)
    for _ in range(2):
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        word ^= word >> np.uint64(31)
    return word


@compiled
def add_dense(
    words: Words,
    codes: NDArray[Any],
    n_levels: NDArray[np.int32],
    features: Ints,
    seed: np.uint64,
    mask: np.uint64,
    factor: np.uint64,
) -> None:
    """Add features (factor 1), whose codes are lines of a table, or remove them (factor -1)."""
    n = words.size
    table = np.empty(FEW_LEVELS, np.uint64)
    for start in range(0, n, ROWS_AT_ONCE):
        end = min(n, start + ROWS_AT_ONCE)
        for feature in features:
            line = codes[feature]
            levels = n_levels[feature]
            if levels <= FEW_LEVELS:
                for code in range(levels):
                    table[code] = factor * (mixed(seed, feature, code) & mask)
                for i in range(start, end):
                    words[i] += table[line[i]]
            else:
                for i in range(start, end):
                    words[i] += factor * (mixed(seed, feature, line[i]) & mask)


@compiled
def add_sparse(
    words: Words,
    indptr: Ints,
    rows: NDArray[np.int32],
    values: NDArray[Any],
    features: Ints,
    seed: np.uint64,
    mask: np.uint64,
    factor: np.uint64,
) -> None:
    """The same for columns of entries; rows without one have code 0, whose word is 0."""
    for feature in features:
        for p in range(indptr[feature], indptr[feature + 1]):
            if values[p] != 0:
                word = mixed(seed, feature, values[p]) & mask
                words[rows[p]] += factor * word
