"""Forward search by Bhattacharyya distance, each subset's determinants computed anew by numpy."""

from __future__ import annotations

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


def forward(X, y, size: int, most: int | None = None, start: tuple[int, ...] = ()) -> Searched:
    """SFS to a size, or as many subsets as are measured."""
    classes = [X[y == label] for label in np.unique(y)]
    means = [part.mean(axis=0) for part in classes]
    covariances = [np.cov(part, rowvar=False, ddof=0) for part in classes]
    chosen, left, evaluations = list(start), [f for f in range(X.shape[1]) if f not in start], 0
    found = {}
    while len(chosen) < size:
        values = []
        for feature in left:
            if evaluations == most:
                return Searched(evaluations, False, found)
            values.append(bhattacharyya(means, covariances, [*chosen, feature]))
            evaluations += 1
        best = left[int(np.argmax(values))]
        chosen.append(best)
        left.remove(best)
        found[len(chosen)] = tuple(sorted(chosen))
    return Searched(evaluations, True, found)
