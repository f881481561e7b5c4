"""The least of many numbers, in passes without jumps: the processor does several at a time.

Numbers are dealt to lanes, 32 to each; the least of the lanes bound the least of all from above.

Every function here has one way out and gets its arrays one by one: then the compiler sees that it
need not count who holds them, which costs more than the work on a short row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Places = NDArray[np.int32]

# Above any distance but infinite ones.
FAR = np.finfo(np.float64).max
# Rows that are folded first, and then.
FIRST, SECOND = 8, 4
# How many flags are looked at at once.
WORD = 8
# Lanes there must be for each number asked for; fewer bound it badly.
LANES_EACH = 2


class Room(NamedTuple):
    """Numbers, and what is needed to find the least of them.

    Attributes
    ----------
    numbers : array
        Those beyond the ones in use are infinite.
    folded, quarters : arrays
        The same, by rows; the least of each column of it, by rows; and of that.
    lanes : array
    flags, words : array
        Which numbers are collected, and the same `WORD` at a time.
    """

    numbers: Floats
    by_row: Floats
    folded: Floats
    folded_by_row: Floats
    lanes: Floats
    flags: NDArray[np.uint8]
    words: NDArray[np.uint64]


@compiled
def room_for(size: int, n_least: int) -> Room:
    """Room for so many numbers, of which so many of the least will be asked for."""
    n_lanes = max(LANES_EACH * n_least, (size + FIRST * SECOND - 1) // (FIRST * SECOND))
    numbers = np.empty(n_lanes * FIRST * SECOND)
    for p in range(numbers.size):
        numbers[p] = np.inf
    folded = np.empty(n_lanes * SECOND)
    flags = np.zeros(numbers.size, np.uint8)
    return Room(
        numbers,
        numbers.reshape(FIRST, n_lanes * SECOND),
        folded,
        folded.reshape(SECOND, n_lanes),
        np.empty(n_lanes),
        flags,
        flags.view(np.uint64),
    )


@compiled
def fold_first(rows: Floats, least: Floats) -> None:
    """Put the least of each column of eight rows into its place."""
    for j in range(least.size):
        a = rows[0, j] if rows[0, j] < rows[1, j] else rows[1, j]
        b = rows[2, j] if rows[2, j] < rows[3, j] else rows[3, j]
        c = rows[4, j] if rows[4, j] < rows[5, j] else rows[5, j]
        d = rows[6, j] if rows[6, j] < rows[7, j] else rows[7, j]
        a = a if a < b else b
        c = c if c < d else d
        least[j] = a if a < c else c


@compiled
def fold_second(rows: Floats, least: Floats) -> None:
    """Put the least of each column of four rows into its place."""
    for j in range(least.size):
        a = rows[0, j] if rows[0, j] < rows[1, j] else rows[1, j]
        b = rows[2, j] if rows[2, j] < rows[3, j] else rows[3, j]
        least[j] = a if a < b else b


@compiled
def fourth_least(numbers: Floats) -> float:
    """The fourth of the numbers in order; FAR where they are fewer."""
    first, second, third, fourth = FAR, FAR, FAR, FAR
    for p in range(numbers.size):
        value = numbers[p]
        passed = value if first < value else first
        first = value if value < first else first
        value = passed if second < passed else second
        second = passed if passed < second else second
        passed = value if third < value else third
        third = value if value < third else third
        fourth = passed if passed < fourth else fourth
    return fourth


@compiled
def last_of_least(numbers: Floats, nearest: Floats) -> float:
    """The same for as many as `nearest` has room for, which gets them in order."""
    last = nearest.size - 1
    for s in range(nearest.size):
        nearest[s] = FAR
    for p in range(numbers.size):
        value = numbers[p]
        if value < nearest[last]:
            place = last
            while place > 0 and nearest[place - 1] > value:
                nearest[place] = nearest[place - 1]
                place -= 1
            nearest[place] = value
    return nearest[last]


@compiled
def collect(
    numbers: Floats,
    limit: float,
    flags: NDArray[np.uint8],
    words: NDArray[np.uint64],
    place: Places,
) -> int:
    """Collect the places of what is within the limit, in order; return how many."""
    for j in range(numbers.size):
        flags[j] = numbers[j] <= limit
    size = 0
    for w in range(words.size):
        if words[w] != 0:
            for j in range(w * WORD, w * WORD + WORD):
                if flags[j] != 0:
                    place[size] = j
                    size += 1
    return size
