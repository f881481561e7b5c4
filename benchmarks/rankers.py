"""Rankers

One score a feature, against the packages that people use for it, on data sets as they are.

ReliefF takes ten neighbours and all examples. The peers define it differently (see the guide on
rankings), so results are not compared; the tests hold ours to the textbook. Recursive elimination
takes one feature away at a time down to ten; scikit-learn's machine is solved to its usual
tolerance, ours to the last digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.feature_selection import RFE
from sklearn.svm import SVC

from benchmarks.harness.rows import Comparison, Row, Section
from holdfast import datasets
from holdfast.rankers import SVMRFE, ReliefF

PEERS = ("scikit-learn", "skrebate", "skfeature-chappers")


def sections() -> list[Section]:
    return [
        Section("ReliefF", "Ten nearest hits and misses of each example.", relief_rows),
        Section(
            "Growth of ReliefF",
            "Against itself on twice the data: the ratio is how much longer that takes. Distances "
            "take time with the square of the examples, and with the features.",
            growth_rows,
        ),
        Section("SVM-RFE", "A linear machine with C=1, step 1, to ten features.", elimination_rows),
    ]


def table_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    data = datasets.load(name)
    return np.asarray(data.X, np.float64), data.y


def skrebate(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    from skrebate import ReliefF as Peer

    # A copy, since it scales what it is given.
    return Peer(n_neighbors=10).fit(X.copy(), y).feature_importances_


def skfeature(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    from skfeature.function.similarity_based.reliefF import reliefF

    return reliefF(X, y, mode="raw", k=10)


def relief_rows() -> Iterator[Row]:
    peers: list[tuple[str, str, Callable[..., Any], float | None]] = [
        ("madelon", "skrebate", skrebate, 150),
        ("madelon", "skfeature-chappers", skfeature, 40),
        ("leukemia", "skrebate", skrebate, 200),
    ]
    for name, against, peer, required in peers:
        X, y = table_of(name)
        yield Comparison(
            f"{name} ({X.shape[0]} x {X.shape[1]})",
            against,
            partial(ReliefF(10).score, X, y),
            partial(peer, X, y),
            required,
            turns=1,
        )


def growth_rows() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 800)), rng.integers(0, 2, 4000)
    score = ReliefF(10).score
    for n, d, more_n, more_d in ((2000, 400, 4000, 400), (2000, 400, 2000, 800)):
        yield Comparison(
            f"{n} x {d}",
            f"{more_n} x {more_d}",
            partial(score, np.ascontiguousarray(X[:n, :d]), y[:n]),
            partial(score, np.ascontiguousarray(X[:more_n, :more_d]), y[:more_n]),
        )


def elimination_rows() -> Iterator[Row]:
    for name in ("colon", "leukemia"):
        X, y = table_of(name)
        peer = RFE(SVC(kernel="linear", C=1.0), step=1, n_features_to_select=10)
        yield Comparison(
            f"{name} ({X.shape[0]} x {X.shape[1]})",
            "scikit-learn RFE",
            partial(SVMRFE(n_features_to_select=10).order, X, y),
            partial(peer.fit, X, y),
            required=30,
            turns=1,
        )
