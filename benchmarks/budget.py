"""A budget of memory

`max_bytes` is what a criterion may hold beyond the data. Peak memory of a fresh process, with
Python, all imports and the data; forward search to 3 features, or for the SVM one subset of 3
features with 2-fold cross-validation. The second row of a pair has 12 GiB: the difference in time
is what the smaller budget costs.

This takes long, so it runs only when asked for: `python -m benchmarks budget`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.growth import normal
from benchmarks.harness.rows import Memory, Row, Section
from holdfast import SequentialSelector, criteria
from holdfast.contracts import Criterion, Problem

PEERS = ("scikit-learn",)
LONG = True
GIB = 1 << 30


def sections() -> list[Section]:
    return [Section("20 000 examples of 100 features", "In 2 and in 12 GiB.", memory_rows)]


def memory_rows() -> Iterator[Row]:
    for name in ("knn", "gaussian", "naive_bayes", "bhattacharyya", "svm"):
        for gib in (2, 12):
            work = f"{name.replace('_', ' ')}, a budget of {gib} GiB"
            limit = (2 if gib == 2 else 14) * GIB
            yield Memory(work, f"benchmarks.budget:{name}_{gib}", limit)


def forward(criterion: Criterion, gib: int) -> Callable[[], object]:
    X, y = normal(20_000, 100)
    selector = SequentialSelector(criterion, n_features_to_select=3, max_bytes=gib * GIB)
    return lambda: selector.fit(X, y)


def one_subset(gib: int) -> Callable[[], object]:
    X, y = normal(20_000, 100)
    problem = Problem(X, y, 100, max_bytes=gib * GIB)
    return lambda: criteria.SVM(cv=2).prepare(problem).value(np.arange(3))


knn_2, knn_12 = (partial(forward, criteria.KNN(), gib) for gib in (2, 12))
gaussian_2, gaussian_12 = (partial(forward, criteria.Gaussian(), gib) for gib in (2, 12))
naive_bayes_2, naive_bayes_12 = (partial(forward, criteria.NaiveBayes(), gib) for gib in (2, 12))
bhattacharyya_2, bhattacharyya_12 = (
    partial(forward, criteria.Bhattacharyya(), gib) for gib in (2, 12)
)
svm_2, svm_12 = (partial(one_subset, gib) for gib in (2, 12))
