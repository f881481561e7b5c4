"""Information on discrete data

Rankers and selectors that count, on microarrays and on madelon, against other Python packages and
Weka. All run on one thread. Data come in five levels of equal width, made before the clock starts,
but for CFS, which discretises by description length as Weka does, and with it. For real data the
environment variable HOLDFAST_DATA must name the folder that has them.

skfeature is the package skfeature-chappers. Its FCBF rounds uncertainties to whole numbers, so that
it chooses other features; it is timed for the work it does. mrmr_selection measures relevance by F
statistics and redundancy by correlations of the numbers as they are, without counts: it is the
package people use, and other work. Where both sides compute the same, the results are compared
before anything is timed.

The seconds of Weka 3.6 were measured once on another day, the start of its process included; they
are a limit rather than a rival.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.harness.limits import Limit
from benchmarks.harness.rows import Comparison, Row, Section
from holdfast import datasets
from holdfast.consistency import CFS, FCBF
from holdfast.discretisers import MDL, EqualWidth
from holdfast.rankers import MRMR, InformationGain, SymmetricalUncertainty

PEERS = ("scikit-learn", "skfeature-chappers", "mrmr-selection")
BOTH = ("colon", "madelon")


def sections() -> list[Section]:
    return [
        Section("Each feature by itself", "SU and information gain of all features.", alone),
        Section("FCBF", "Threshold 0.", fcbf),
        Section("mRMR", "The first 10 features of madelon.", greedy),
        Section("CFS", "Best-first, and the locally predictive features.", cfs),
    ]


def here(*names: str) -> list[str]:
    known = set(datasets.names())
    return [name for name in names if name in known]


def levels(name: str) -> tuple[Any, Any]:
    data = datasets.load(name)
    return EqualWidth().fit_transform(data.X), np.unique(data.y, return_inverse=True)[1]


def alone() -> Iterator[Row]:
    for name in here(*BOTH):
        table, y = levels(name)
        ours = partial(both_scores, table, y)
        yield Comparison(
            f"SU and information gain, {name}",
            "scikit-learn, mutual_info_classif of discrete features, which is one of the two",
            ours,
            partial(in_bits, table, y),
            required=300,
            same=lambda a, b: np.testing.assert_allclose(a[1], b, rtol=1e-9, atol=1e-12),
        )
        if find_spec("skfeature"):
            yield Comparison(
                f"SU and information gain, {name}",
                "skfeature",
                ours,
                partial(peer_scores, table, y),
                required=100,
                same=partial(np.testing.assert_allclose, rtol=1e-9, atol=1e-12),
            )


def both_scores(table: Any, y: Any) -> Any:
    return SymmetricalUncertainty().score(table, y), InformationGain().score(table, y)


def in_bits(table: Any, y: Any) -> Any:
    from sklearn.feature_selection import mutual_info_classif

    return mutual_info_classif(table, y, discrete_features=True) / np.log(2)


def peer_scores(table: Any, y: Any) -> Any:
    from skfeature.utility.mutual_information import information_gain, su_calculation

    return (
        [su_calculation(column, y) for column in table.T],
        [information_gain(column, y) for column in table.T],
    )


def fcbf() -> Iterator[Row]:
    if not find_spec("skfeature"):
        return
    from skfeature.function.information_theoretical_based.FCBF import fcbf as peer

    for name in here("colon", "leukemia", "madelon"):
        table, y = levels(name)
        ours = partial(FCBF().fit, table, y)
        yield Comparison(
            f"FCBF, {name}",
            "skfeature",
            ours,
            partial(peer, table, y, mode="index", delta=0.0),
            required=100,
        )


def greedy() -> Iterator[Row]:
    for name in here("madelon"):
        table, y = levels(name)
        ours = partial(MRMR(depth=10).order, table, y)
        work = f"mRMR to 10 features, {name}"
        if find_spec("mrmr"):
            yield Comparison(work, "mrmr_selection", ours, popular(name), required=50)


def popular(name: str) -> Any:
    import pandas as pd
    from mrmr import mrmr_classif

    data = datasets.load(name)
    frame, y = pd.DataFrame(np.asarray(data.X, float)), pd.Series(data.y)
    return partial(mrmr_classif, frame, y, K=10, show_progress=False, n_jobs=1)


def cfs() -> Iterator[Row]:
    for name, seconds, required in (("colon", 2.5, 10.0), ("leukemia", 41.0, 41 / 3)):
        for known in here(name):
            data = datasets.load(known)
            fit = partial(CFS(discretiser=MDL(places="values")).fit, data.X, data.y)
            yield Limit(f"CFS, {known}", "Weka 3.6", fit, seconds, required=required)
