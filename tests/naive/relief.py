"""ReliefF as the textbook says it, one example, class, neighbour and feature at a time.

Kononenko (1994), Robnik-Šikonja and Kononenko (2003). Two conventions are ours: distances are
compared in whole numbers of a fine unit, and a missing number is expected over the known ones of
its class, as the textbook does for nominal values.
"""

import math

UNIT = 428338310400


def relieff(columns, nominal, y, k, examples=None):
    """Scores of columns, lists with None or NaN for missing; all examples unless some are given."""
    n = len(y)
    examples = range(n) if examples is None else list(examples)
    prior = {c: sum(label == c for label in y) / n for c in set(y)}
    difference = [
        difference_of(column, kind, y) for column, kind in zip(columns, nominal, strict=True)
    ]
    scores = [0.0] * len(columns)
    for i in examples:
        distance = [sum(round(UNIT * d(i, j)) for d in difference) for j in range(n)]
        for c in prior:
            near = sorted((distance[j], j) for j in range(n) if y[j] == c and j != i)[:k]
            weight = -1.0 if c == y[i] else prior[c] / (1.0 - prior[y[i]])
            for _, j in near:
                for f, d in enumerate(difference):
                    scores[f] += weight * d(i, j) / len(near) / len(examples)
    return scores


def is_missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def difference_of(column, nominal, y):
    """The difference of two examples in a column, by their indices."""
    known = [value for value in column if not is_missing(value)]
    width = 1.0 if nominal else (max(known) - min(known)) or 1.0

    def plain(a, b):
        return float(a != b) if nominal else abs(a - b) / width

    def pool(label):
        mine = [v for v, c in zip(column, y, strict=True) if c == label and not is_missing(v)]
        return mine or known

    def mean(numbers):
        return math.fsum(numbers) / len(numbers)

    def difference(i, j):
        a, b = column[i], column[j]
        if is_missing(a) and is_missing(b):
            return mean([plain(v, w) for v in pool(y[i]) for w in pool(y[j])])
        if is_missing(a):
            return mean([plain(v, b) for v in pool(y[i])])
        if is_missing(b):
            return mean([plain(v, a) for v in pool(y[j])])
        return plain(a, b)

    return difference
