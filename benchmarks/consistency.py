"""Selection by consistency

CWC, LCC and INTERACT on real data, and how their time grows.

The limits are for the whole `fit`: checks of the input, coding, the order of features by
symmetrical uncertainty, and the elimination. Real data come in five levels of equal width, and
making those is not timed. Times are those of the fastest of seven turns, each of 0.3 s; the ratio
is the limit over it. For real data the environment variable HOLDFAST_DATA must name the folder that
has them. The results are checked row by row in the tests; here only time and memory count.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.harness.limits import Limit
from benchmarks.harness.rows import Memory, Row, Section, significant
from holdfast import datasets
from holdfast.consistency import CWC, INTERACT, LCC
from holdfast.discretisers import EqualWidth
from holdfast.exceptions import InconsistentDataWarning

PEERS = ("scipy", "scikit-learn")
LARGE, WIDE = 10**6, 1000
BELOW = 8  # features that decide the class of generated data


def sections() -> list[Section]:
    here = set(datasets.names())
    return [
        Section("A wide sparse table", "dorothea: 800 × 88 119, 0.7 million non-zeros.", lambda: (
            sparse_rows() if "dorothea" in here else iter(())
        )),
        Section("Microarrays and challenge sets", "CWC alone.", lambda: (
            row for name, row in dense_rows() if name in here
        )),
        Section("Memory", "Peaks of fresh processes, the data included.", memory_rows),
        Section("Growth", growth_table(), lambda: iter(())),
    ]  # fmt: skip


def levels(name: str) -> tuple[Any, Any]:
    data = datasets.load(name)
    return EqualWidth().fit_transform(data.X), data.y


def fit(selector: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InconsistentDataWarning)
        return selector.fit(X, y)


def sparse_rows() -> Iterator[Row]:
    X, y = levels("dorothea")
    for selector, limit in ((CWC(), 0.5), (LCC(), 0.5), (INTERACT(), 2.0)):
        work = f"{type(selector).__name__} on dorothea"
        yield Limit(work, f"a limit of {limit} s", partial(fit, selector, X, y), limit)


def dense_rows() -> Iterator[tuple[str, Row]]:
    limits = {"colon": 0.010, "leukemia": 0.010, "madelon": 0.050, "arcene": 0.040}
    for name, limit in limits.items():
        if name not in datasets.names():
            continue
        X, y = levels(name)
        work = f"CWC on {name} ({X.shape[0]} × {X.shape[1]})"
        yield name, Limit(work, f"a limit of {1000 * limit:g} ms", partial(fit, CWC(), X, y), limit)


def memory_rows() -> Iterator[Row]:
    here = "benchmarks.consistency"
    if "dorothea" in datasets.names():
        yield Memory("CWC on dorothea", f"{here}:wide_sparse", 1 << 29)
    limit = LARGE * WIDE + (2 << 30)
    yield Memory(f"CWC on {LARGE:,} × {WIDE:,} of 5 values", f"{here}:large", limit)


def wide_sparse() -> Callable[[], Any]:
    X, y = levels("dorothea")
    return partial(fit, CWC(), X, y)


def large() -> Callable[[], Any]:
    X, y = generated(LARGE, WIDE)
    fit(CWC(), X[:100], y[:100])  # compile
    return partial(fit, CWC(), X, y)


def generated(n: int, n_features: int) -> tuple[Any, Any]:
    """Five values a feature; eight features decide the class together."""
    rng = np.random.default_rng(0)
    X = np.empty((n, n_features), np.uint8)
    for start in range(0, n, 1 << 14):
        block = X[start : start + (1 << 14)]
        block[:] = rng.integers(0, 5, block.shape, np.uint8)
    return X, (X[:, :BELOW].sum(axis=1, dtype=int) > 2 * BELOW).astype(int)


def scattered(n: int, n_features: int, n_entries: int) -> tuple[Any, Any]:
    """Sparse zeros and ones; the class is decided by the eight fullest features."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, n, n_entries)
    columns = (n_features * rng.random(n_entries) ** 2).astype(np.int64)
    X = sparse.csr_matrix((np.ones(n_entries, np.uint8), (rows, columns)), (n, n_features))
    X.data[:] = 1
    decided = np.asarray(X[:, :BELOW].sum(axis=1)).ravel() % 2
    return X, decided


def growth_table() -> str:
    """Seconds along three axes, and the exponent of each."""
    axes = (
        ("examples, 100 features", "n", [10**3, 10**4, 10**5, 10**6], lambda n: generated(n, 100)),
        ("features, 1000 examples", "D", [10**3, 10**4, 10**5], lambda d: generated(1000, d)),
        (
            "non-zeros, 10 000 × 20 000",
            "non-zeros",
            [10**5, 10**6, 10**7],
            lambda m: scattered(10**4, 2 * 10**4, m),
        ),
    )
    lines = [
        "CWC on generated data: five values of equal frequency, or sparse ones; eight features "
        "decide the class. The exponent is that of a power of the size, fitted to all times.\n",
        "| along | size: seconds | exponent |",
        "|---|---|--:|",
    ]
    for name, _, sizes, make in axes:
        times = [best_time(*make(size)) for size in sizes]
        slope = np.polyfit(np.log(sizes), np.log(times), 1)[0]
        stated = ", ".join(
            f"{size:.0e}: {significant(t)}".replace("e+0", "e")
            for size, t in zip(sizes, times, strict=True)
        )
        lines.append(f"| {name} | {stated} | {slope:.2f} |")
    return "\n".join(lines) + "\n"


def best_time(X: Any, y: Any) -> float:
    fit(CWC(), X, y)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        fit(CWC(), X, y)
        times.append(time.perf_counter() - start)
    return min(times)
