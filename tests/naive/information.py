"""Information of discrete features, the slow and obvious way: dictionaries of counts."""

from __future__ import annotations

from collections import Counter
from math import fsum, log2


def entropy(values):
    n = len(values)
    return fsum(count / n * log2(n / count) for count in Counter(values).values())


def gain(a, b):
    """Mutual information in bits."""
    n = len(a)
    of_a, of_b = Counter(a), Counter(b)
    pairs = Counter(zip(a, b, strict=True))
    return fsum(c / n * log2(c * n / (of_a[x] * of_b[y])) for (x, y), c in pairs.items())


def symmetrical_uncertainty(a, b):
    both = entropy(a) + entropy(b)
    return 2 * gain(a, b) / both if both else 0.0


def chi_square(a, b):
    n = len(a)
    of_a, of_b = Counter(a), Counter(b)
    pairs = Counter(zip(a, b, strict=True))
    return fsum(
        (pairs[x, y] - of_a[x] * of_b[y] / n) ** 2 / (of_a[x] * of_b[y] / n)
        for x in of_a
        for y in of_b
    )


def columns(table):
    """Each feature as a tuple of levels, with a missing value as a level of its own."""
    return [
        tuple("?" if v != v or v is None else v for v in column)
        for column in zip(*table, strict=True)
    ]
