"""The nearest neighbours of one query for many candidates at once.

A *key* is a distance whose last bits are the neighbour's label: keys sort by distance, and the
nearest k keys of a candidate are all that a vote needs. Every loop runs over the candidates without
jumps, so that the processor does several at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import Floats, Ints, Places

Keys = NDArray[np.int64]
Integer = np.signedinteger[Any]

# What is known of a candidate: nothing yet; a class with over half of the votes; all k nearest.
UNKNOWN, MAJORITY, ALL = 0, 1, 2

# An infinite distance, after all others.
LAST = np.int64(0x7FF0 << 48)
# Distances below this are all alike to keys, whose labels take their last bits.
TINY = 1e-300


@compiled
def label_bits_of(labels: Places) -> int:
    """Last bits, all set, that hold any of the labels."""
    bits = 1
    while bits < labels.max():
        bits = 2 * bits + 1
    return bits


@compiled
def slack_of(margin: float, label_bits: int) -> float:
    """By what factor distances must differ for their keys to be in the right order."""
    return 1.0 + 2.0 * margin + label_bits * 2.0**-49


@compiled
def key_of(distance: float, label: Integer, label_bits: int) -> np.int64:
    """Distance and label in one sortable number."""
    return np.float64(distance).view(np.int64) & ~label_bits | label


@compiled
def distance_of(key: np.int64) -> float:
    """Distance of a key; its label adds less than the margin that callers allow for."""
    return np.int64(key).view(np.float64)


@compiled
def beyond(key: np.int64, slack: float) -> float:
    """What a distance must exceed to be surely farther than the key's."""
    return distance_of(key) * slack + TINY


@compiled
def _offer_singles(
    d: float,
    label: Integer,
    label_bits: int,
    mine: Floats,
    theirs: Floats,
    first: Keys,
    second: Keys,
    third: Keys,
    fourth: Keys,
) -> None:
    """Offer one column to all candidates of one moved feature and up to three neighbours."""
    for t in range(mine.size):
        difference = mine[t] - theirs[t]
        key = key_of(d + difference * difference, label, label_bits)
        passed = max(first[t], key)
        first[t] = min(first[t], key)
        key = max(second[t], passed)
        second[t] = min(second[t], passed)
        passed = max(third[t], key)
        third[t] = min(third[t], key)
        fourth[t] = min(fourth[t], passed)


@compiled
def _offer_tuples(
    d: float,
    label: Integer,
    label_bits: int,
    mine: Floats,
    theirs: Floats,
    keys: Keys,
    sums: Floats,
    new: Keys,
) -> None:
    """The same for any number of moved features and neighbours."""
    sums[:] = d
    for m in range(mine.shape[0]):
        for t in range(sums.size):
            difference = mine[m, t] - theirs[m, t]
            sums[t] += difference * difference
    for t in range(sums.size):
        new[t] = key_of(sums[t], label, label_bits)
    for s in range(keys.shape[0]):
        for t in range(sums.size):
            kept = min(keys[s, t], new[t])
            new[t] = max(keys[s, t], new[t])
            keys[s, t] = kept


@compiled
def offer_to_all(
    first: int,
    last: int,
    distance: Floats,
    column: Places,
    labels: Places,
    mine: Floats,
    moved: Floats,
    label_bits: int,
    keys: Keys,
    sums: Floats,
    new: Keys,
) -> None:
    """Offer entries first..last-1 of a prefix to every candidate.

    `mine` and `moved` hold the values of the moved features of the point (members x candidates) and
    of all columns, `sums` and `new` are room.
    """
    for p in range(first, last):
        d, j = distance[p], column[p]
        label = np.int64(labels[j])
        if keys.shape[0] == 4 and mine.shape[0] == 1:
            _offer_singles(
                d, label, label_bits, mine[0], moved[j, 0],
                keys[0], keys[1], keys[2], keys[3],
            )  # fmt: skip
        else:
            _offer_tuples(d, label, label_bits, mine, moved[j], keys, sums, new)


@compiled
def decide_all(
    keys: Keys,
    n_candidates: int,
    k: int,
    label_bits: int,
    slack: float,
    bound: float,
    friend: int,
    enemy: float,
    state: Ints,
) -> int:
    """Say of each candidate what its keys decide; return how many of the first are open.

    Columns not yet offered are at least `bound` away over the base, and those of other classes
    than `friend` at least `enemy`.
    """
    most = k // 2  # the key that makes a majority, if all before are of its class
    for t in range(state.size):
        state[t] = 0
    for s in range(1, most + 1):
        for t in range(state.size):
            state[t] |= (keys[s, t] ^ keys[0, t]) & label_bits
    for t in range(state.size):
        safe = enemy if keys[0, t] & label_bits == friend else bound
        majority = beyond(keys[most, t], slack)
        agreed = (state[t] == 0) & (majority < distance_of(keys[most + 1, t])) & (majority < safe)
        farthest = beyond(keys[k - 1, t], slack)
        complete = (farthest < distance_of(keys[k, t])) & (farthest < bound)
        state[t] = MAJORITY if agreed else (ALL if complete else UNKNOWN)
    open_ones = 0
    for t in range(n_candidates):
        open_ones += state[t] == UNKNOWN
    return open_ones


@compiled
def winner_of(keys: Keys, k: int, label_bits: int, votes: Places) -> int:
    """Class with most votes among the first k keys, ties to the lowest; `votes` stays all 0."""
    winner, most = 0, 0
    for s in range(k):
        label = keys[s] & label_bits
        votes[label] += 1
    for s in range(k):
        label = keys[s] & label_bits
        if votes[label] > most or (votes[label] == most and label < winner):
            winner, most = label, votes[label]
    for s in range(k):
        votes[keys[s] & label_bits] = 0
    return winner
