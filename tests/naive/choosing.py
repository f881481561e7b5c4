"""FCBF, CFS, mRMR and JMI, the slow and obvious way: one pair of features at a time.

Values are compared to 12 digits, so that ties are ties whatever the order of additions.
"""

from __future__ import annotations

from math import inf, sqrt

from tests.naive.information import gain, symmetrical_uncertainty


def first_best(candidates, value):
    """The candidate of the highest value, the first of several."""
    return max(candidates, key=lambda f: (value(f), -f))


def tied(value):
    if isinstance(value, tuple):
        return tuple(tied(one) for one in value)
    return value if abs(value) == inf else round(value, 12)


def fcbf(features, y, threshold=0.0):
    relevance = [tied(symmetrical_uncertainty(f, y)) for f in features]
    left = [f for f in range(len(features)) if relevance[f] >= threshold and relevance[f] > 0]
    left.sort(key=lambda f: (-relevance[f], f))
    kept = []
    while left:
        best = left.pop(0)
        kept.append(best)
        left = [
            f
            for f in left
            if tied(symmetrical_uncertainty(features[best], features[f])) < relevance[f]
        ]
    return kept


def merit(features, y, subset, pair=symmetrical_uncertainty):
    if not subset:
        return 0.0
    subset = sorted(subset)
    with_class = sum(symmetrical_uncertainty(features[f], y) for f in subset)
    pairs = sum(
        pair(features[f], features[g]) for i, f in enumerate(subset) for g in subset[i + 1 :]
    )
    return with_class / sqrt(len(subset) + 2 * pairs)


def best_first(features, y, max_stale=5, pair=symmetrical_uncertainty):
    every = range(len(features))
    waiting = [(0.0, ())]
    seen = {()}
    best, best_merit, stale = (), 0.0, 0
    while waiting and stale < max_stale:
        waiting.sort(key=lambda entry: -entry[0])  # stable: the first generated of equals
        _, subset = waiting.pop(0)
        children = []
        for f in every:
            child = tuple(sorted((*subset, f)))
            if f not in subset and child not in seen:
                seen.add(child)
                children.append((tied(merit(features, y, child, pair)), child))
        waiting += children
        stale += 1
        top = max((value for value, _ in children), default=-inf)
        if top > best_merit + 1e-5:
            best, best_merit = next(child for value, child in children if value == top), top
            stale = 0
    return best, best_merit


def cfs(features, y, max_stale=5, locally_predictive=True, pair=symmetrical_uncertainty):
    chosen = list(best_first(features, y, max_stale, pair)[0])
    relevance = [tied(symmetrical_uncertainty(f, y)) for f in features]
    if locally_predictive:
        for f in sorted(range(len(features)), key=lambda f: (-relevance[f], f)):
            fits = all(tied(pair(features[f], features[g])) <= relevance[f] for g in chosen)
            if f not in chosen and relevance[f] > 0 and fits:
                chosen.append(f)
    return sorted(chosen)


def mrmr(features, y, scheme="difference"):
    relevance = [gain(f, y) for f in features]

    def value(f):
        if not taken:
            return tied((relevance[f],))
        redundancy = sum(gain(features[f], features[s]) for s in taken) / len(taken)
        if scheme == "difference":
            return tied((relevance[f] - redundancy,))
        if tied(redundancy) == 0:
            return tied((inf if tied(relevance[f]) > 0 else 0.0, relevance[f]))
        return tied((relevance[f] / redundancy, relevance[f]))

    taken = []
    while len(taken) < len(features):
        taken.append(first_best([f for f in range(len(features)) if f not in taken], value))
    return taken


def jmi(features, y):
    def value(f):
        if not taken:
            return tied(gain(features[f], y))
        pairs = (tuple(zip(features[f], features[s], strict=True)) for s in taken)
        return tied(sum(gain(pair, y) for pair in pairs))

    taken = []
    while len(taken) < len(features):
        taken.append(first_best([f for f in range(len(features)) if f not in taken], value))
    return taken
