"""Large searches

Dynamic oscillating search, DOS(15), with 3-NN and with an SVM (RBF kernel) as in Table 2 of Somol,
Grim, Novovičová & Pudil (2011): half of the examples, scaled to [0, 1], 3-fold cross-validation. In
two threads, once each; the figure is ten minutes over the seconds it took.

madelon has 2000 examples of 500 features. The other set is generated, with the shape of gisette in
that table, 1000 examples of 5000 features: of each feature 70 % are zeros, and in 30 of them the
means of the two classes lie apart by one standard deviation.

This takes long, so it runs only when asked for: `python -m benchmarks large`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.harness.rows import Row, Searched, SearchLimit, Section
from holdfast import DynamicOscillatingSelector, criteria, datasets
from holdfast.exceptions import InputError

PEERS = ("scikit-learn",)
LONG = True
MOST = 600.0


def sections() -> list[Section]:
    return [Section("DOS(15)", "Half of the examples, 3 folds, `n_jobs=2`.", rows)]


def rows() -> Iterator[Row]:
    sets = {"generated, 1000 × 5000": generated()}
    with suppress(InputError):
        table = datasets.load("madelon")
        sets["madelon"] = half(np.asarray(table.X, np.float64), np.asarray(table.y))
    for name, (X, y) in sorted(sets.items(), reverse=True):
        for work, criterion in (
            ("3-NN", criteria.KNN(3, cv=3, scale="range")),
            ("SVM", criteria.SVM(cv=3, scale="range")),
        ):
            yield SearchLimit(
                f"{work}, {name}", MOST, lambda X=X, y=y, c=criterion: search(c, X, y)
            )


def search(criterion: Any, X: Any, y: Any) -> tuple[Searched, float]:
    selector = DynamicOscillatingSelector(criterion, swing=15, n_jobs=2)
    start = perf_counter()
    selector.fit(X, y)
    seconds = perf_counter() - start
    found = {int(selector.support_.sum()): tuple(selector.get_support(indices=True).tolist())}
    return Searched(selector.n_evaluations_, seconds, seconds, True, found), selector.score_


def half(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[: len(y) // 2])
    return X[rows], y[rows]


def generated() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.arange(1000) % 2
    X = rng.normal(size=(1000, 5000))
    X[:, :30] += y[:, None]
    X *= rng.random(X.shape) < 0.3
    return half(X, y)
