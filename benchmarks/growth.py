"""How the cost of a subset grows

Seconds of the processor, in one thread, for each subset of one neighbourhood: a base of d features
and each of the other D − d added, with 10-fold cross-validation. What the scorer does once for the
base is counted and shared by its candidates; the base before it lacks one feature, as in a forward
search. Two classes of normal examples whose means lie a little apart in every feature.

The exponent is that of the power law that fits best: 1 is linear. Over D it is that of one subset:
about 0, or below where the work for the base is shared by more candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time

import numpy as np

from benchmarks.harness.growth import Growth
from benchmarks.harness.rows import Row, Section
from holdfast import criteria
from holdfast.contracts import Criterion, Problem

PEERS = ("scikit-learn",)
CRITERIA: dict[str, Callable[[], Criterion]] = {
    "KNN": criteria.KNN,
    "Gaussian": criteria.Gaussian,
    "NaiveBayes": criteria.NaiveBayes,
    "SVM": criteria.SVM,
    "Bhattacharyya": criteria.Bhattacharyya,
    "Divergence": criteria.Divergence,
    "Mahalanobis": criteria.Mahalanobis,
}
N, D, BASE = 500, 40, 5


def sections() -> list[Section]:
    return [
        Section(
            "Examples (n)",
            f"{D} features, a base of {BASE}.",
            partial(curves, "n", (250, 500, 1000, 2000), lambda n: (n, D, BASE)),
        ),
        Section(
            "Features (D)",
            f"{N} examples, a base of {BASE}.",
            partial(curves, "D", (20, 40, 80, 160), lambda size: (N, size, BASE)),
        ),
        Section(
            "Size of the base (d)",
            f"{N} examples of {D} features.",
            partial(curves, "d", (2, 4, 8, 16, 32), lambda base: (N, D, base)),
        ),
    ]


def normal(n: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    return rng.normal(size=(n, n_features)) + 0.3 * y[:, None], y


def curves(
    over: str, at: tuple[int, ...], sizes: Callable[[int], tuple[int, int, int]]
) -> Iterator[Row]:
    for name, criterion in CRITERIA.items():
        yield Growth(name, over, at, lambda size, c=criterion: seconds_of(c(), *sizes(size)))


def seconds_of(criterion: Criterion, n: int, n_features: int, base: int) -> float:
    X, y = normal(n, n_features)
    judge = criterion.prepare(Problem(X, y, n_features))
    step = np.arange(base - 1), np.arange(base - 1, n_features)[:, None]
    judge.judge(*step, True)
    candidates = np.arange(base, n_features)[:, None]
    start = process_time()
    judge.judge(np.arange(base), candidates, True)
    return (process_time() - start) / candidates.size
