"""Distances between normal classes, straight from the formulas of Devijver and Kittler (1982)."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tests.naive.gaussian import mended, spread


def log_det(matrix):
    return np.linalg.slogdet(matrix)[1]


def bhattacharyya(m, s1, s2):
    s = (s1 + s2) / 2
    return m @ np.linalg.inv(s) @ m / 8 + (log_det(s) - (log_det(s1) + log_det(s2)) / 2) / 2


def divergence(m, s1, s2):
    p1, p2 = np.linalg.inv(s1), np.linalg.inv(s2)
    return m @ (p1 + p2) @ m / 2 + np.trace(p1 @ s2 + p2 @ s1 - 2 * np.eye(len(m))) / 2


def models(x, y, weights=None):
    """Share, mean and covariance of each class, without any ridge."""
    w = np.ones(len(y)) if weights is None else weights
    out = []
    for c in np.unique(y):
        own, share = x[y == c], w[y == c] / w[y == c].sum()
        mean = own[0] + share @ (own - own[0])
        away = own - mean
        out.append((w[y == c].sum() / w.sum(), mean, (share[:, None] * away).T @ away))
    return out


def mean_over_pairs(x, y, distance, weights=None):
    variance = spread(x) ** 2
    classes = [(p, m, mended(s, variance)[0]) for p, m, s in models(x, y, weights)]
    pairs = [
        (p1 * p2, distance(m1 - m2, s1, s2))
        for (p1, m1, s1), (p2, m2, s2) in combinations(classes, 2)
    ]
    shares, values = np.array(pairs).T
    return shares @ values / shares.sum()


def mahalanobis_over_pairs(x, y, weights=None):
    classes = models(x, y, weights)
    within, _ = mended(sum(p * s for p, _, s in classes), spread(x) ** 2)
    inverse = np.linalg.inv(within)
    pairs = [
        (p1 * p2, (m1 - m2) @ inverse @ (m1 - m2))
        for (p1, m1, _), (p2, m2, _) in combinations(classes, 2)
    ]
    shares, values = np.array(pairs).T
    return shares @ values / shares.sum()


def value(name, x, y, weights=None):
    if name == "Mahalanobis":
        return mahalanobis_over_pairs(x, y, weights)
    formula = {"Bhattacharyya": bhattacharyya, "Divergence": divergence}[name]
    return mean_over_pairs(x, y, formula, weights)
