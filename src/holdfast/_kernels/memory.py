"""A table from 128-bit keys to rows of scores, asked and filled a batch at a time.

A Python dict needs a boxed key, a boxed value and about 150 bytes an entry; this takes 24 bytes a
slot and no interpreter time per candidate. Linear probing; a slot is free where both key words are
0. O(1) expected per key.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Below this a unit of the last digit would not fit a float; and 0 has no digits.
LEAST_ROUNDED = 1e-280


@compiled
def _slot_of(table: Words, first: np.uint64, second: np.uint64) -> np.uint64:
    """Where a key is, or where it goes."""
    mask = np.uint64(table.shape[0] - 1)
    slot = first & mask
    while (table[slot, 0] != first or table[slot, 1] != second) and (
        table[slot, 0] != 0 or table[slot, 1] != 0
    ):
        slot = (slot + np.uint64(1)) & mask
    return slot


@compiled
def sum_keys(words: Words, base: Ints, moved: Ints, adding: bool, keys: Words) -> None:
    """The keys of a base with each row of features added or removed; they wrap around."""
    first, second = np.uint64(0), np.uint64(0)
    for f in base:
        first += words[f, 0]
        second += words[f, 1]
    for i in range(moved.shape[0]):
        keys[i, 0], keys[i, 1] = first, second
        for f in moved[i]:
            keys[i, 0] += words[f, 0] if adding else ~words[f, 0] + np.uint64(1)
            keys[i, 1] += words[f, 1] if adding else ~words[f, 1] + np.uint64(1)


@compiled
def look_up(table: Words, row_of: Ints, keys: Words, rows: Ints) -> int:
    """Write the row of each key, -1 where it is unknown; return how many are known."""
    n_known = 0
    for i in range(keys.shape[0]):
        slot = _slot_of(table, keys[i, 0], keys[i, 1])
        free = table[slot, 0] == 0 and table[slot, 1] == 0
        rows[i] = -1 if free else row_of[slot]
        n_known += not free
    return n_known


@compiled
def put(table: Words, row_of: Ints, keys: Words, rows: Ints) -> None:
    """Enter the rows of keys."""
    for i in range(keys.shape[0]):
        slot = _slot_of(table, keys[i, 0], keys[i, 1])
        table[slot, 0], table[slot, 1] = keys[i, 0], keys[i, 1]
        row_of[slot] = rows[i]


@compiled
def means(folds: Floats, out: Floats) -> None:
    """Means of rows to 13 digits; minus infinity where a fold failed, which is a NaN.

    Where other folds lead to an equal mean, it is a tie, as it should be: two subsets with one
    error each have equal accuracies, but sums of floats may differ in the last bit, which would
    decide between them instead of the tie rule.
    """
    for i in range(folds.shape[0]):
        total = 0.0
        failed = False
        for s in range(folds.shape[1]):
            total += folds[i, s]
            failed = failed or np.isnan(folds[i, s])
        mean = total / folds.shape[1]
        if failed:
            mean = -np.inf
        elif folds.shape[1] > 1 and LEAST_ROUNDED < abs(mean) < np.inf:
            # Powers of ten up to 22 are exact, and so are both steps but for one rounding.
            unit = 10.0 ** (12.0 - np.floor(np.log10(abs(mean))))
            mean = np.rint(mean * unit) / unit
        out[i] = mean
