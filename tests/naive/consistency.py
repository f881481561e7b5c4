"""Consistency as the papers write it: dictionaries of value vectors, one feature at a time."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations

import numpy as np

TOLERANCE = 1e-12


def groups(X, y, subset):
    """Value vector -> Counter of classes."""
    found = defaultdict(Counter)
    for row, label in zip(np.asarray(X).tolist(), np.asarray(y).tolist(), strict=True):
        found[tuple(row[f] for f in subset)][label] += 1
    return found


def entropy(counts):
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts if c)


def value(key, X, y, subset, s=0.5):
    X, y = np.asarray(X), np.asarray(y)
    n = len(y)
    classes = sorted(set(y.tolist()))
    by_vector = groups(X, y, subset)
    if key == "icr":
        return sum(sum(c.values()) - max(c.values()) for c in by_vector.values()) / n
    if key == "ep":
        expectation = sum(
            sum(c.values()) / n * max(v / sum(c.values()) for v in c.values())
            for c in by_vector.values()
        )
        return 1 - expectation
    if key == "rs":
        return 1 - sum(sum(c.values()) for c in by_vector.values() if len(c) == 1) / n
    if key == "icp":
        pairs = list(combinations(range(n), 2))
        bad = sum(y[a] != y[b] and (X[a, subset] == X[b, subset]).all() for a, b in pairs)
        return bad / len(pairs)
    h_class = entropy(Counter(y.tolist()).values())
    h_given = sum(sum(c.values()) / n * entropy(c.values()) for c in by_vector.values())
    if key == "ce":
        return h_given
    if key == "mutual information":
        return h_class - h_given
    if key == "csu":
        h_vectors = entropy([sum(c.values()) for c in by_vector.values()])
        return 1 - 2 * (h_class - h_given) / (h_vectors + h_class)
    if key == "bin":
        return float(any(len(c) > 1 for c in by_vector.values()))
    if key == "interclass":
        return 1 / (1 + interclass(X, y, subset, classes))
    return over_pairs(key, X, y, subset, classes, s)


def interclass(X, y, subset, classes):
    total = 0.0
    for one in classes:
        for other in classes:
            if one != other:
                a, b = X[y == one][:, subset], X[y == other][:, subset]
                total += sum(float(np.abs(u - v).sum()) for u in a for v in b) / len(a) / len(b)
    return total


def over_pairs(key, X, y, subset, classes, s):
    total = weight = 0.0
    for one, other in combinations(classes, 2):
        inside = (y == one) | (y == other)
        n_one, n_other = int((y == one).sum()), int((y == other).sum())
        total += n_one * n_other * two_classes(key, X[inside], y[inside] == other, subset, s)
        weight += n_one * n_other
    return total / weight


def two_classes(key, X, y, subset, s):
    """Tables 1 and 2 of the paper."""
    normalised = not key.startswith("nn")
    name = key[1:] if normalised else key[2:]
    by_vector = groups(X, y, subset)
    n_first, n_second = int((~y).sum()), int(y.sum())
    scale = (n_first, n_second) if normalised else (len(y), len(y))
    p = [c[False] / scale[0] for c in by_vector.values()]
    q = [c[True] / scale[1] for c in by_vector.values()]
    pairs = list(zip(p, q, strict=True))
    if name == "ch":
        return sum(a**s * b ** (1 - s) for a, b in pairs)
    if name == "bh":
        return sum(math.sqrt(a * b) for a, b in pairs)
    if name == "kl":
        if any((a == 0) != (b == 0) for a, b in pairs):
            return 0.0
        return math.exp(-sum((a - b) * math.log(a / b) for a, b in pairs))
    if name == "kol":
        divergence = sum(abs(a - b) for a, b in pairs)
        return 1 - divergence / 2 if normalised else 1 - divergence
    if name == "ma":
        divergence = sum((math.sqrt(a) - math.sqrt(b)) ** 2 for a, b in pairs)
        return 1 - divergence / 2 if normalised else 1 - divergence
    assert name == "pf"
    divergence = sum((a - b) ** 2 for a, b in pairs)
    return 1 - divergence / sum(a**2 + b**2 for a, b in pairs)


def is_consistent(X, y, subset):
    return all(len(c) == 1 for c in groups(X, y, subset).values())


def denoised(X, y, how):
    """Rows left by the rules: 1 and 2 for moderate, all three for aggressive."""
    everything = range(np.shape(X)[1])
    left = []
    by_vector = groups(X, y, everything)
    for i, (row, label) in enumerate(
        zip(np.asarray(X).tolist(), np.asarray(y).tolist(), strict=True)
    ):
        counts = by_vector[tuple(row)]
        top = [c for c in counts if counts[c] == max(counts.values())]
        minor = len(top) == 1 and label != top[0]
        mixed = len(top) > 1
        single = counts[top[0]] == 1
        if not minor and not mixed and not (how == "aggressive" and single):
            left.append(i)
    return left


def cwc(X, y, order, how="moderate"):
    """Fig. 1 of the paper; the features kept, ascending, and the rows used."""
    X, y = np.asarray(X), np.asarray(y)
    kept = list(order)
    rows = list(range(len(y)))
    if not is_consistent(X, y, kept):
        if how is None:
            return sorted(kept), rows
        rows = denoised(X, y, how)
    for feature in order:
        without = [f for f in kept if f != feature]
        if is_consistent(X[rows], y[rows], without):
            kept = without
    return sorted(kept), rows


def lcc(X, y, order, threshold, key="icr"):
    kept = list(order)
    limit = max(threshold, value(key, X, y, kept)) + TOLERANCE
    for feature in order:
        without = [f for f in kept if f != feature]
        if value(key, X, y, without) <= limit:
            kept = without
    return sorted(kept)


def interact(X, y, order, threshold):
    kept = list(order)
    for feature in order:
        without = [f for f in kept if f != feature]
        if value("icr", X, y, without) - value("icr", X, y, kept) <= threshold + TOLERANCE:
            kept = without
    return sorted(kept)


def ascending_uncertainty(X, y):
    """Features by ascending symmetrical uncertainty, to 12 digits, ties by index."""
    X = np.asarray(X)
    h_class = entropy(Counter(np.asarray(y).tolist()).values())
    found = []
    for f in range(X.shape[1]):
        h_feature = entropy(Counter(X[:, f].tolist()).values())
        gain = value("mutual information", X, y, [f])
        found.append(round(2 * gain / (h_feature + h_class) if h_feature else 0.0, 12))
    return sorted(range(X.shape[1]), key=lambda f: (found[f], f))
