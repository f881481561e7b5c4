"""Cold start

Kernels are compiled where they are first used, and kept on disk for later processes. How long does
a user wait for the first fit: on a new machine, and in each new process after that?

Each row is a fresh process that runs a floating search to 3 of the 30 features of wdbc. Seconds are
those of the processor, so that other work on the machine does not show; the ratio is the limit over
them. "Filled cache" is the first fit less a second one in the same process.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness.first_fit import first_fit
from benchmarks.harness.rows import Limit, Row, Section

PEERS = ("scikit-learn",)
CRITERIA = ("KNN", "Gaussian", "NaiveBayes", "SVM", "Bhattacharyya", "Divergence", "Mahalanobis")
MOST_COLD, MOST_WARM = 10.0, 1.0


def sections() -> list[Section]:
    return [
        Section("The first fit", "One criterion in each process.", rows),
    ]


def rows() -> Iterator[Row]:
    for criterion in CRITERIA:
        with TemporaryDirectory() as folder:
            cache = Path(folder)
            yield Limit(f"{criterion}, empty cache", MOST_COLD, partial(cold, criterion, cache))
            yield Limit(f"{criterion}, filled cache", MOST_WARM, partial(warm, criterion, cache))


def cold(criterion: str, cache: Path) -> float:
    return first_fit(criterion, cache).first


def warm(criterion: str, cache: Path) -> float:
    seconds = first_fit(criterion, cache)
    return max(seconds.first - seconds.second, 1e-3)
