"""Rows that are equal, found with one hash table and one pass."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Words = NDArray[np.uint64]
Slots = NDArray[np.int32]
Ints = NDArray[np.int64]

FIRST = np.uint64(0x9E3779B97F4A7C15)
SECOND = np.uint64(0xC2B2AE3D27D4EB4F)


@compiled
def group(first: Words, second: Words, slots: Slots, ids: Ints, heads: Slots) -> int:
    """Number the groups of rows with equal pairs of words, in the order of their first rows.

    Rows whose id is negative are passed over. `slots` has a power of two of places, at least twice
    as many as there are rows; `heads` gets the first row of each group. Returns how many there are.
    O(n) expected.
    """
    slots[:] = -1
    last = slots.size - 1
    shift = np.uint64(64)
    size = slots.size
    while size > 1:
        size >>= 1
        shift -= np.uint64(1)
    n_groups = 0
    for i in range(first.size):
        if ids[i] < 0:
            continue
        mixed = first[i] * FIRST + second[i] * SECOND
        slot = np.int64((mixed ^ (mixed >> np.uint64(32))) * FIRST >> shift)
        while True:
            found = slots[slot]
            if found < 0:
                slots[slot] = n_groups
                heads[n_groups] = i
                ids[i] = n_groups
                n_groups += 1
                break
            head = heads[found]
            if first[head] == first[i] and second[head] == second[i]:
                ids[i] = found
                break
            slot = (slot + 1) & last
    return n_groups


@compiled
def first_conflict(words: Words, classes: Ints, slots: Slots) -> tuple[np.int64, np.int64]:
    """Find two rows of equal words and different classes, the earliest met; -1, -1 for none.

    Rows of negative class are passed over. `slots` as for `group`.
    """
    slots[:] = -1
    last = slots.size - 1
    shift = np.uint64(64)
    size = slots.size
    while size > 1:
        size >>= 1
        shift -= np.uint64(1)
    for i in range(words.size):
        if classes[i] < 0:
            continue
        slot = np.int64(words[i] * FIRST >> shift)
        while True:
            head = slots[slot]
            if head < 0:
                slots[slot] = i
                break
            if words[head] == words[i]:
                if classes[head] != classes[i]:
                    return np.int64(head), np.int64(i)
                break
            slot = (slot + 1) & last
    return np.int64(-1), np.int64(-1)
