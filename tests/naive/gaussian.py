"""Normal Bayes, the slow and obvious way: numpy's inverse and determinant, one subset, one fold."""

from __future__ import annotations

import numpy as np


def mean(x):
    """Exact where all are equal."""
    return x[0] + (x - x[0]).mean(axis=0)


def spread(x):
    return np.where(np.ptp(x, axis=0) == 0, 1.0, x.std(axis=0))


def inflation(covariance) -> float:
    """The largest variance of a feature over what the others leave of it; infinite if singular."""
    unit = np.sqrt(np.diag(covariance))
    if not (unit > 0).all():
        return np.inf
    correlation = covariance / np.outer(unit, unit)
    if np.linalg.eigvalsh(correlation)[0] <= 1e-14:
        return np.inf
    return np.diag(np.linalg.inv(correlation)).max()


def mended(covariance, variance_over_all):
    """The covariance with the smallest ridge that makes it positive definite."""
    for ridge in (0.0, *(10.0**e for e in range(-9, 9))):
        ridged = covariance + ridge * np.diag(variance_over_all)
        if inflation(ridged) < 1e10:
            return ridged, ridge
    raise AssertionError("no ridge is large enough")


def decisions(x, y, train, test, reg_param=0.0):
    """Log prior plus log density of each test example for each class, without the constant.

    And how near two decisions, relative to their size, are a tie.
    """
    out = np.full((len(test), y.max() + 1), -np.inf)
    tie = 1e-9
    for c in np.unique(y[train]):
        members = x[train][y[train] == c]
        away = members - mean(members)
        covariance = (1 - reg_param) * away.T @ away / len(members)
        covariance = covariance + reg_param * np.eye(x.shape[1])
        covariance, _ = mended(covariance, spread(x) ** 2)
        tie = max(tie, 1e-14 * inflation(covariance))
        rest = x[test] - mean(members)
        distance = np.einsum("ij,jk,ik->i", rest, np.linalg.inv(covariance), rest)
        log_determinant = np.linalg.slogdet(covariance)[1]
        out[:, c] = np.log(len(members) / len(train)) - (distance + log_determinant) / 2
    return out, tie


def accuracy(values, tie, codes, weights=None):
    """Ties go to the first class."""
    best = values.max(axis=1, keepdims=True)
    chosen = (values >= best - tie * (1 + np.abs(best))).argmax(axis=1)
    return np.average(chosen == codes, weights=weights)


def scores(x, y, splits, reg_param=0.0, weights=None):
    out = []
    for train, test in splits:
        own = None if weights is None else weights[test]
        out.append(accuracy(*decisions(x, y, train, test, reg_param), y[test], own))
    return np.array(out)
