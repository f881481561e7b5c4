"""Where to cut a numeric feature into levels: as many examples in each, or by what it tells.

A feature comes as its values in ascending order with their classes, and the classes of the
examples, if any, whose value is an unstored zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.contingency import term
from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Wide = NDArray[np.int64]
Whole = NDArray[np.int32]


@compiled
def distinct(values: Floats, classes: Whole, zeros: Wide) -> tuple[Floats, Wide]:
    """Distinct values, ascending, and how many examples of each class have a value no larger."""
    found = np.empty(values.size + 1)
    below = np.zeros((values.size + 1, zeros.size), np.int64)
    waiting = zeros.sum() > 0
    n = -1
    for i in range(values.size + 1):
        last = i == values.size
        if waiting and (last or values[i] >= 0.0):
            waiting = False
            n += 1
            found[n] = 0.0
            below[n] = zeros if n == 0 else below[n - 1] + zeros
        if last:
            break
        if n < 0 or values[i] != found[n]:
            n += 1
            found[n] = values[i]
            if n > 0:
                below[n] = below[n - 1]
        below[n, classes[i]] += 1
    return found[: n + 1], below[: n + 1]


@compiled
def between(low: float, high: float) -> float:
    """Halfway between two numbers, but above the lower one whatever the rounding."""
    middle = low / 2 + high / 2
    return middle if middle > low else high


@compiled
def equal_frequency(values: Floats, classes: Whole, zeros: Wide, n_bins: int) -> Floats:
    """For each share i / n_bins the cut that leaves nearest to it below, the lower of two."""
    found, below = distinct(values, classes, zeros)
    cuts = np.empty(n_bins - 1)
    n_cuts = 0
    at = 0
    last = -1
    for i in range(1, n_bins):
        # Examples below, times the number of bins: whole numbers all through.
        wanted = i * below[-1].sum() if found.size else 0
        while at + 2 < found.size and (
            abs(below[at + 1].sum() * n_bins - wanted) < abs(below[at].sum() * n_bins - wanted)
        ):
            at += 1
        if at + 1 < found.size and at != last:
            cuts[n_cuts] = between(found[at], found[at + 1])
            n_cuts += 1
            last = at
    return cuts[:n_cuts]


@compiled
def uncertainty(counts: Wide, terms: Wide, scale: float) -> Any:
    """Entropy of class counts times their number, in the unit 1 / scale."""
    total = np.int64(0)
    inside = np.int64(0)
    for count in counts:
        total += count
        inside += term(count, terms, scale)
    return term(total, terms, scale) - inside


@compiled
def best_cut(below: Wide, first: int, end: int, terms: Wide, scale: float) -> int:
    """Where to cut the distinct values from `first` to `end` so that least uncertainty is left.

    Returns the last value below the cut, the first of several as good.
    """
    before = below[first - 1] if first > 0 else np.zeros_like(below[0])
    best = first
    least = np.int64(-1)
    for at in range(first, end - 1):
        left = uncertainty(below[at] - before, terms, scale)
        left += uncertainty(below[end - 1] - below[at], terms, scale)
        if least < 0 or left < least:
            best, least = at, left
    return best


@compiled
def worth(low: Wide, high: Wide, n_places: int, terms: Wide, scale: float) -> bool:
    """Whether a cut at one of so many places pays for its description: Fayyad and Irani's rule."""
    counts = low + high
    whole = uncertainty(counts, terms, scale)
    gain = (whole - uncertainty(low, terms, scale) - uncertainty(high, terms, scale)) / scale
    total = 0.0
    for part, sign in ((counts, 1.0), (low, -1.0), (high, -1.0)):
        n_classes = (part > 0).sum()
        total += sign * n_classes * (uncertainty(part, terms, scale) / scale / part.sum())
    n_classes = (counts > 0).sum()
    # log2(3 ** k - 2), which must not overflow for many classes.
    subsets = n_classes * np.log2(3.0) + np.log2(1.0 - 2.0 * 3.0**-n_classes)
    return gain > np.log2(np.float64(n_places)) + subsets - total


@compiled
def least_description(
    values: Floats, classes: Whole, zeros: Wide, by_values: bool, terms: Wide, scale: float
) -> Floats:
    """Cut in two where it tells most, as long as that is worth it. O(examples x depth).

    The place of a cut is one of all between neighbouring examples, or between different values.
    """
    found, below = distinct(values, classes, zeros)
    cuts = np.empty(max(found.size - 1, 0))
    n_cuts = 0
    stack = [(0, found.size)]
    while len(stack) > 0:
        first, end = stack.pop()
        if end - first < 2:
            continue
        at = best_cut(below, first, end, terms, scale)
        before = below[first - 1] if first > 0 else np.zeros_like(below[0])
        low, high = below[at] - before, below[end - 1] - below[at]
        n_places = end - first - 1 if by_values else low.sum() + high.sum() - 1
        if worth(low, high, n_places, terms, scale):
            cuts[n_cuts] = between(found[at], found[at + 1])
            n_cuts += 1
            stack.append((first, at + 1))
            stack.append((at + 1, end))
    return np.sort(cuts[:n_cuts])
