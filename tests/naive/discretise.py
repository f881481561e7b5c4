"""Where to cut a feature, the slow and obvious way, from the definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import log2

from tests.naive.information import entropy


def middle(low, high):
    halfway = low / 2 + high / 2
    return halfway if halfway > low else high


def equal_frequency(values, n_bins):
    values = sorted(values)
    distinct = sorted(set(values))
    # How many examples lie below each place between neighbouring values.
    places = [(sum(v <= low for v in values), low, high) for low, high in pairwise(distinct)]
    cuts = []
    for i in range(1, n_bins):
        wanted = Fraction(i * len(values), n_bins)
        if places:
            _, low, high = min(places, key=lambda place: (abs(place[0] - wanted), place[0]))
            if middle(low, high) not in cuts:
                cuts.append(middle(low, high))
    return cuts


def least_description(values, classes, places="examples"):
    """Fayyad & Irani (1993)."""
    pairs = sorted(zip(values, classes, strict=True))
    distinct = sorted(set(values))
    n = len(pairs)
    best = None
    for low, high in pairwise(distinct):
        left = [c for v, c in pairs if v <= low]
        right = [c for v, c in pairs if v > low]
        remaining = round((len(left) * entropy(left) + len(right) * entropy(right)) / n, 12)
        if best is None or remaining < best[0]:
            best = remaining, middle(low, high), left, right
    if best is None:
        return []
    remaining, cut, left, right = best
    labels = [c for _, c in pairs]
    k, k1, k2 = (len(set(part)) for part in (labels, left, right))
    delta = log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(left) - k2 * entropy(right))
    n_places = n - 1 if places == "examples" else len(distinct) - 1
    if entropy(labels) - remaining <= (log2(n_places) + delta) / n:
        return []
    below = [(v, c) for v, c in pairs if v < cut]
    above = [(v, c) for v, c in pairs if v >= cut]
    return [
        *least_description(*zip(*below, strict=True), places),
        cut,
        *least_description(*zip(*above, strict=True), places),
    ]
