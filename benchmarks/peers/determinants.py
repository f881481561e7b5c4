"""Forward search by Bhattacharyya distance, each subset's determinants computed anew by numpy."""

from __future__ import annotations

from time import process_time

import numpy as np

from benchmarks.harness.rows import Searched


def bhattacharyya(means, covariances, subset) -> float:
    """Distance between two normal classes."""
    cut = np.ix_(subset, subset)
    apart = (means[0] - means[1])[subset]
    first, second = covariances[0][cut], covariances[1][cut]
    middle = (first + second) / 2
    logs = [np.linalg.slogdet(matrix)[1] for matrix in (middle, first, second)]
    spread = logs[0] / 2 - (logs[1] + logs[2]) / 4
    return apart @ np.linalg.solve(middle, apart) / 8 + spread


def forward(X, y, size: int) -> Searched:
    """SFS to a size."""
    start, scoring = process_time(), 0.0
    classes = [X[y == label] for label in np.unique(y)]
    means = [part.mean(axis=0) for part in classes]
    covariances = [np.cov(part, rowvar=False, ddof=0) for part in classes]
    chosen, left, evaluations, found = [], list(range(X.shape[1])), 0, {}
    while len(chosen) < size:
        began = process_time()
        values = [bhattacharyya(means, covariances, [*chosen, feature]) for feature in left]
        scoring += process_time() - began
        evaluations += len(left)
        best = left[int(np.argmax(values))]
        chosen.append(best)
        left.remove(best)
        found[len(chosen)] = tuple(sorted(chosen))
    return Searched(evaluations, process_time() - start, scoring, True, found)
