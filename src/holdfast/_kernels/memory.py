"""A table from 128-bit keys to their numbers, asked and filled a batch at a time.

A Python dict needs a boxed key, a boxed value and about 150 bytes an entry; this takes 4 bytes a
slot beside the keys, which lie in the order of their numbers, and no interpreter time per
candidate. Linear probing; a free slot holds -1. O(1) expected per key.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Slots = NDArray[np.int32]
Ints = NDArray[np.int64]

# Below this a unit of the last digit would not fit a float; and 0 has no digits.
LEAST_ROUNDED = 1e-280


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
def look_up(slots: Slots, keys: Words, wanted: Words, out: Ints) -> int:
    """Write the numbers of the wanted keys, -1 for unknown ones; return how many are known."""
    mask, n_known = np.uint64(slots.size - 1), 0
    for i in range(wanted.shape[0]):
        slot = wanted[i, 0] & mask
        number = slots[slot]
        while number >= 0:
            if keys[number, 0] == wanted[i, 0] and keys[number, 1] == wanted[i, 1]:
                n_known += 1
                break
            slot = (slot + np.uint64(1)) & mask
            number = slots[slot]
        out[i] = number
    return n_known


@compiled
def enter(slots: Slots, keys: Words, first: int, last: int) -> None:
    """Enter the keys with these numbers, none of which is there."""
    mask = np.uint64(slots.size - 1)
    for number in range(first, last):
        slot = keys[number, 0] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number


@compiled
def means(folds: Floats, out: Floats) -> None:
    """Means of rows to 13 digits; minus infinity where a fold failed, which is a NaN.

    Where other folds lead to an equal mean, it is a tie, as it should be: two subsets with one
    error each have equal accuracies, but sums of floats may differ in the last bit, which would
    decide between them instead of the tie rule.
    """
    for i in range(folds.shape[0]):
        total, lost = 0.0, 0.0
        failed = False
        for s in range(folds.shape[1]):
            # What an addition rounds away is kept, so that no order of folds shows.
            term = folds[i, s]
            added = total + term
            lost += (total - added) + term if abs(total) >= abs(term) else (term - added) + total
            total = added
            failed = failed or np.isnan(term)
        if np.isfinite(total):
            total += lost
        mean = total / folds.shape[1]
        if failed:
            mean = -np.inf
        elif folds.shape[1] > 1 and LEAST_ROUNDED < abs(mean) < np.inf:
            # Powers of ten up to 22 are exact, and so are both steps but for one rounding.
            unit = 10.0 ** (12.0 - np.floor(np.log10(abs(mean))))
            mean = np.rint(mean * unit) / unit
        out[i] = mean
