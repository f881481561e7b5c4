"""Searches for subsets

The seconds that go into scoring one subset, against what people run today: mlxtend's floating
search and scikit-learn's forward search around the same model, with the same splits, and for
distances between classes the determinants recomputed for each subset.

In brackets is the whole search: how many subsets it scored, and in how many seconds, with checks of
the data, splits, bookkeeping and history. Searches differ in how many subsets they score, since
ours never scores one twice and floats as the textbook does. A peer that would take minutes is
stopped after the first subsets; its seconds for each hardly depend on their size.

Everything runs in one thread but for the last table, and all but that one is in seconds of the
processor, so that other work on the machine shows less. Rows whose data are not at hand are left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from benchmarks.harness.rows import Comparison, Outcome, PerEvaluation, Row, Searched, Section
from benchmarks.harness.timed import Clock, Timed
from benchmarks.peers import determinants
from benchmarks.peers.counted import mlxtend_floating, scikit_learn_forward
from holdfast import SequentialSelector, criteria, datasets
from holdfast.exceptions import InputError

PEERS = ("scikit-learn", "mlxtend")
FOLDS = 10
# Subsets after which a slow peer is stopped.
CAP = 60


def sections() -> list[Section]:
    return [
        Section(
            "Floating forward search",
            "SFFS with 10-fold cross-validation. wine has 178 examples of 13 features, wdbc "
            "569 of 30, madelon 2000, of whose features the first 60 are searched, up to 10.",
            floating_rows,
        ),
        Section(
            "Distances between classes",
            "SFS to 50 of the 500 features of madelon.",
            distance_rows,
        ),
        Section(
            "Any estimator",
            "SFS with 5-fold cross-validation around `make_pipeline(StandardScaler(), "
            "LogisticRegression())`, to 5 of the 30 features of wdbc.",
            estimator_rows,
        ),
        Section(
            "Two threads",
            "The same search with `n_jobs=2`, against `n_jobs=1`.",
            thread_rows,
        ),
    ]


class Data:
    """Examples, target and splits."""

    def __init__(self, name: str, n_features: int | None = None, folds: int = FOLDS) -> None:
        table = datasets.load(name)
        self.name = name
        self.X = np.ascontiguousarray(np.asarray(table.X, np.float64)[:, :n_features])
        self.y = np.unique(table.y, return_inverse=True)[1]
        self.splits = list(StratifiedKFold(folds).split(self.X, self.y))


def at_hand(name: str, **options: Any) -> Iterator[Data]:
    """The data, or nothing where they are not there."""
    with suppress(InputError):
        yield Data(name, **options)


def ours(
    criterion: Any, data: Data, size: int | None = None, n_jobs: int = 1, floating: bool = True
) -> Callable[[], Searched]:
    clock = Clock()
    selector = SequentialSelector(
        Timed(criterion, clock),
        floating=floating,
        n_features_to_select="best" if size is None else size,
        overshoot=None if size is None or not floating else 0,
        n_jobs=n_jobs,
    )

    def search() -> Searched:
        clock.scoring, start = 0.0, process_time()
        selector.fit(data.X, data.y)
        seconds = process_time() - start
        subsets = selector.subsets_by_size_
        return Searched(selector.n_evaluations_, seconds, clock.scoring, True, subsets)

    return search


@dataclass(frozen=True)
class OneThread:
    """A row that is measured with numpy's own threads off."""

    row: Row

    def measure(self) -> Outcome:
        with threadpool_limits(1):
            return self.row.measure()


def floating_row(
    work: str,
    data: Data,
    criterion: Any,
    estimator: Any,
    required: float,
    size: int | None = None,
    most: int | None = CAP,
) -> Row:
    row = PerEvaluation(
        f"{work}, {data.name}",
        f"mlxtend, {type(estimator).__name__}",
        ours(criterion, data, size),
        mlxtend_floating(estimator, data.X, data.y, data.splits, size, most),
        required,
    )
    return OneThread(row)


def floating_rows() -> Iterator[Row]:
    wine, wdbc = Data("wine"), Data("wdbc")
    neighbours = KNeighborsClassifier(3)
    quadratic = QuadraticDiscriminantAnalysis(reg_param=1e-3)

    def knn(data: Data) -> Any:
        return criteria.KNN(3, cv=data.splits)

    def gaussian(data: Data) -> Any:
        return criteria.Gaussian(cv=data.splits, reg_param=1e-3)

    yield floating_row("3-NN", wine, knn(wine), neighbours, 1500, most=None)
    yield floating_row("3-NN", wdbc, knn(wdbc), neighbours, 400)
    for madelon in at_hand("madelon", n_features=60):
        # Single features are a special case, so the peer has to come to larger subsets.
        yield floating_row("3-NN", madelon, knn(madelon), neighbours, 300, size=10, most=3 * CAP)
    yield floating_row("normal Bayes", wine, gaussian(wine), quadratic, 200, most=None)
    yield floating_row("normal Bayes", wdbc, gaussian(wdbc), quadratic, 200)
    naive = criteria.NaiveBayes(cv=wdbc.splits)
    yield floating_row("naive Bayes", wdbc, naive, GaussianNB(), 300)
    yield floating_row("SVM, RBF kernel", wdbc, criteria.SVM(cv=wdbc.splits), SVC(), 10)


def distance_rows() -> Iterator[Row]:
    for madelon in at_hand("madelon"):
        row = PerEvaluation(
            "Bhattacharyya, madelon",
            "determinants by numpy",
            ours(criteria.Bhattacharyya(), madelon, 50, floating=False),
            partial(determinants.forward, madelon.X, madelon.y, 50),
            200,
            same=same_subsets,
        )
        yield OneThread(row)


def estimator_rows() -> Iterator[Row]:
    data = Data("wdbc", folds=5)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    criterion = criteria.Estimator(model, scoring="accuracy", cv=data.splits)
    row = PerEvaluation(
        "logistic regression, wdbc",
        "scikit-learn, SequentialFeatureSelector",
        ours(criterion, data, 5, floating=False),
        scikit_learn_forward(model, data.X, data.y, data.splits, 5),
        1.5,
        same=same_subsets,
    )
    yield OneThread(row)


def thread_rows() -> Iterator[Row]:
    wdbc = Data("wdbc")
    for work, criterion, size in (
        ("3-NN, wdbc", criteria.KNN(3, cv=wdbc.splits), None),
        ("normal Bayes, wdbc", criteria.Gaussian(cv=wdbc.splits), None),
        ("SVM, RBF kernel, wdbc, to 5 features", criteria.SVM(cv=wdbc.splits), 5),
    ):
        yield threads_row(work, wdbc, criterion, size)
    for madelon in at_hand("madelon"):
        folds = madelon.splits
        for work, criterion in (
            ("3-NN, madelon, to 3 features", criteria.KNN(3, cv=folds)),
            ("normal Bayes, madelon, to 3 features", criteria.Gaussian(cv=folds)),
        ):
            yield threads_row(work, madelon, criterion, 3)


def threads_row(work: str, data: Data, criterion: Any, size: int | None) -> Row:
    return Comparison(
        work,
        "one thread",
        ours(criterion, data, size, n_jobs=2),
        ours(criterion, data, size, n_jobs=1),
        1.7,
        same=same_subsets,
    )


def same_subsets(mine: Searched, theirs: Searched) -> None:
    for size, subset in theirs.found.items():
        assert tuple(mine.found[size]) == tuple(subset), f"size {size}"
