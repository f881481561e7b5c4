"""Recursive elimination with a machine trained anew at each step, in plain loops."""

import numpy as np
from sklearn.svm import SVC


def squared_weights(X, y, C):
    """Sum of squares over the machines of all pairs of classes, solved to the last digits."""
    machine = SVC(kernel="linear", C=C, tol=1e-10).fit(X - X.mean(axis=0), y)
    return (machine.coef_**2).sum(axis=0)


def elimination(X, y, step, C, last):
    """Features from the best to the first removed, and the least gap that decided anything."""
    left, removed, closest = list(range(X.shape[1])), [], np.inf
    while True:
        weights = squared_weights(X[:, left], y, C)
        by_weight = sorted(range(len(left)), key=lambda p: (weights[p], -left[p]))
        ordered = weights[by_weight]
        # Where nothing can be separated all weights are 0, but for what is left unsolved.
        gaps = np.diff(ordered)[: step if len(left) > last else None] / max(ordered[-1], 1e-6)
        closest = min([closest, *gaps])
        if len(left) <= last:
            return [left[p] for p in reversed(by_weight)] + removed[::-1], closest
        gone = [left[p] for p in by_weight[: min(step, len(left) - last)]]
        removed += gone
        left = [f for f in left if f not in gone]
