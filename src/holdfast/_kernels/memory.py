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
Slots = NDArray[np.int32]
Ints = NDArray[np.int64]


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
