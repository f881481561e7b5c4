"""Distances and votes beyond doubt.

An exact distance is the sum of the squared differences, rounded once, as by ``math.fsum``: neither
the order of the features nor the way a search came to a subset can change it. Slow, and asked for
only where plain sums are too close to tell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]

# Non-overlapping doubles that sum up anything representable are at most 2100 / 53.
PARTS = 48


@compiled
def _add_exactly(term: float, parts: Floats, size: int) -> int:
    """Add a term to a sum held as non-overlapping parts, smallest first; return their number."""
    kept = 0
    for p in range(size):
        part = parts[p]
        if abs(term) < abs(part):
            term, part = part, term
        high = term + part
        low = part - (high - term)
        if low != 0.0:
            parts[kept] = low
            kept += 1
        term = high
    parts[kept] = term
    return kept + 1


@compiled
def _round_once(parts: Floats, size: int) -> float:
    """Round the sum of the parts to the nearest double, halves to even."""
    last = size - 1
    high, low = parts[last], 0.0
    while last > 0 and low == 0.0:
        last -= 1
        term = high
        high = term + parts[last]
        low = parts[last] - (high - term)
    # A half is not a half where smaller parts push it further the same way.
    if last > 0 and low != 0.0 and (low < 0.0) == (parts[last - 1] < 0.0):
        twice = 2.0 * low
        moved = high + twice
        if moved - high == twice:
            high = moved
    return float(high)


@compiled
def exact_distance(a: Floats, b: Floats, features: Ints, parts: Floats) -> float:
    """Squared distance of two examples over the features, rounded once. O(features)."""
    parts[0] = 0.0
    size = 1
    for f in features:
        difference = a[f] - b[f]
        size = _add_exactly(difference * difference, parts, size)
    return _round_once(parts, size)


@compiled
def offer(
    distance: Floats, column: Places, first: int, last: int, new_distance: float, new_column: int
) -> None:
    """Put a column in its place by (distance, index) among slots first..last-1; one falls out."""
    place = last
    while place > first:
        d = distance[place - 1]
        if new_distance > d or (new_distance == d and new_column > column[place - 1]):
            break
        place -= 1
        if place + 1 < last:
            distance[place + 1] = d
            column[place + 1] = column[place]
    if place < last:
        distance[place] = new_distance
        column[place] = new_column


@compiled
def n_classes_of(labels: Places) -> int:
    """One more than the highest label."""
    highest = 0
    for j in range(labels.size):
        highest = labels[j] if labels[j] > highest else highest
    return highest + 1


@compiled
def majority(labels: Places, votes: Places, column: Places, size: int) -> int:
    """Class with most votes, ties to the lowest. `votes` is all 0 before and after."""
    for s in range(size):
        votes[labels[column[s]]] += 1
    winner, most = 0, 0
    for s in range(size):
        label = labels[column[s]]
        if votes[label] > most or (votes[label] == most and label < winner):
            winner, most = label, votes[label]
    for s in range(size):
        votes[labels[column[s]]] = 0
    return winner
