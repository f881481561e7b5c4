"""Data larger than memory

A CSV file of more than 5 GiB is written to the disk for the temporary files, read in parts, and
deleted. Peak memory is that of a process that does only this; Python and all imports are included.

The features are digits from 0 to 4, all at random; the class is whether the sum of twelve of them
is above the mean. So no fewer than these twelve tell the classes apart, and with them almost all
rows are different: hardly anything can be merged while reading.

It takes minutes, so it only runs when it is named: ``python -m benchmarks larger_than_memory``.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.harness.rows import Memory, Row, Section

PEERS = ("polars",)
LONG = True
FILE = "HOLDFAST_BENCHMARK_FILE"
SIZE = float(os.environ.get("HOLDFAST_BENCHMARK_GIB", "5.01")) * 2**30
N_FEATURES, N_LEVELS, BLOCK = 1000, 5, 20_000
RELEVANT = np.arange(7, N_FEATURES, 83)[:12]


def sections() -> list[Section]:
    n_rows = int(SIZE / (2 * N_FEATURES + 2))
    return [
        Section(
            "From a CSV file, in parts",
            f"{n_rows:,} examples of {N_FEATURES} features of {N_LEVELS} levels, and two classes.",
            rows,
        )
    ]


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        write(path)
        os.environ[FILE] = str(path)
        module = "benchmarks.larger_than_memory"
        work = f"Information gain, χ², SU, CWC and LCC of {size(path)}"
        yield Memory(work, f"{module}:everything", 2**30)


def size(path: Path) -> str:
    return f"{path.stat().st_size / 2**30:.2f} GiB"


def write(path: Path) -> None:
    """Digits and commas, a block of rows at a time."""
    rng = np.random.default_rng(0)
    names = ",".join([f"f{i}" for i in range(N_FEATURES)] + ["y"])
    with path.open("wb") as file:
        file.write(names.encode() + b"\n")
        while file.tell() < SIZE:
            table = rng.integers(0, N_LEVELS, (BLOCK, N_FEATURES), dtype=np.uint8)
            above = table[:, RELEVANT].sum(axis=1) > RELEVANT.size * (N_LEVELS - 1) / 2
            text = np.full((BLOCK, 2 * N_FEATURES + 2), ord(","), np.uint8)
            text[:, :-2:2] = table + ord("0")
            text[:, -2] = above + ord("0")
            text[:, -1] = ord("\n")
            file.write(text.tobytes())


def everything() -> Callable[[], object]:
    from holdfast.consistency import CWC, LCC
    from holdfast.rankers import ChiSquare, InformationGain, SymmetricalUncertainty
    from holdfast.statistics.chunks import Chunks

    chunks = Chunks.from_csv(os.environ[FILE], "y")

    def work() -> None:
        for ranker in (InformationGain(), ChiSquare(), SymmetricalUncertainty()):
            best = np.argsort(-ranker.score(chunks))[: RELEVANT.size]
            assert sorted(best) == RELEVANT.tolist()
        kept = CWC().fit(chunks).get_support(indices=True)
        assert kept.tolist() == RELEVANT.tolist()
        kept = LCC(threshold=0.05).fit(chunks).get_support(indices=True)
        assert set(kept) < set(RELEVANT)

    return work
