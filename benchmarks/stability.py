"""Stability of many runs

Most code on stability loops over all pairs of runs with Python sets. The measures from frequencies
need no pairs at all, and all pairwise set measures follow from one count of the overlaps.

Unless a row says "from lists", the runs are at hand in the form each side works on: a `Selections`
that has computed nothing yet, sets, or a dense 0/1 matrix of 32-bit floats (8-bit integers for the
published formulas), whichever is fastest for the peer. "From lists" begins on both sides with lists
of feature indices, and includes all checks of them.

"The loop, Jaccard" is `len(a & b) / len(a | b)` over all pairs and nothing else: it gives one
measure, while ours gives all that the row names. Wherever both sides compute the same, the results
are compared before anything is timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from benchmarks.harness.choices import Subsets, choices, masks
from benchmarks.harness.rows import Comparison, Memory, Row, Section
from benchmarks.peers import published2018, set_loop
from holdfast import Selections, stability

PEERS = ("scipy",)
N_RUNS, N_FEATURES, SIZE = 1000, 10_000, 50
FEW = "C, CW, CW_rel, Φ with interval"
ALL = "all 12 pairwise set measures"


def sections() -> list[Section]:
    few_popular = "1000 runs, 50 of 10 000 features each, feature f drawn with weight 1/f"
    return [
        Section("Measures from frequencies", f"{few_popular}.", partial(frequency_rows, 1.0)),
        Section("Pairwise set measures", f"{few_popular}.", partial(pairwise_rows, 1.0)),
        Section(
            "The same where runs hardly overlap",
            "1000 runs, 50 of 10 000 features each, all features as likely.",
            lambda: [*frequency_rows(0.0), *pairwise_rows(0.0)],
        ),
        Section("Inference for Φ", f"{few_popular}; two such systems to compare.", inference_rows),
        Section(
            "Many runs",
            "10 000 runs, 50 of 100 000 features each, feature f drawn with weight 1/f: from lists "
            "to the table of all measures that apply. Peak memory of a process that does only "
            "this; Python, all imports and the lists themselves are included.",
            lambda: [
                Memory("10 000 runs, all measures", "benchmarks.stability:large_system", 2**30)
            ],
        ),
    ]


def as_given(subsets: Subsets) -> Selections:
    return Selections.from_subsets(subsets, n_features=N_FEATURES)


class Untouched:
    """Makes a `Selections` of ready arrays, with nothing computed yet, at each call."""

    def __init__(self, subsets: Subsets) -> None:
        made = as_given(subsets)
        self.pattern = made.indptr, made.indices

    def __call__(self) -> Selections:
        return Selections(self.pattern, N_FEATURES)


def from_frequencies(runs: Selections) -> dict[str, float]:
    values = {key: stability.score(runs, key) for key in ("c", "cw", "cw_rel")}
    return {**values, "interval": stability.interval(runs)}


def pairwise(runs: Selections) -> dict[str, float]:
    keys = [
        *("jaccard", "hamming", "dice", "ochiai", "kuncheva", "lustgarten", "wald"),
        *("nogueira2016", "phi", "kappa", "unadjusted"),
    ]
    values = {key: stability.score(runs, key) for key in keys}
    return {**values, "npog": stability.score(runs, "npog", pairs="all")}


def sets_of(subsets: Subsets) -> list[set[int]]:
    return [set(subset) for subset in subsets]


def frequency_rows(spread: float) -> Iterator[Row]:
    subsets = choices(N_RUNS, N_FEATURES, SIZE, spread=spread)
    runs, sets, dense = Untouched(subsets), sets_of(subsets), masks(subsets, N_FEATURES)
    z = dense.astype(np.int8)
    ours = lambda: from_frequencies(runs())  # noqa: E731
    yield Comparison(FEW, "the loop, Jaccard", ours, lambda: set_loop.jaccard(sets), required=1000)
    yield Comparison(FEW, "the loop, overlaps only", ours, lambda: set_loop.overlaps(sets))
    yield Comparison(FEW, "numpy, `masks @ masks.T`", ours, lambda: dense @ dense.T)
    yield Comparison(
        FEW,
        "the published formulas, Φ with interval only",
        ours,
        lambda: published2018.interval(z),
        same=lambda a, b: same_interval(a["interval"], b),
    )
    yield Comparison(
        f"{FEW}, from lists",
        "the loop, Jaccard, from lists",
        lambda: from_frequencies(as_given(subsets)),
        lambda: set_loop.jaccard(sets_of(subsets)),
    )


def pairwise_rows(spread: float) -> Iterator[Row]:
    subsets = choices(N_RUNS, N_FEATURES, SIZE, spread=spread)
    runs, sets, dense = Untouched(subsets), sets_of(subsets), masks(subsets, N_FEATURES)
    indptr, indices = runs.pattern
    sparse = csr_array((np.ones(indices.size, np.int32), indices, indptr), dense.shape)
    ours = lambda: pairwise(runs())  # noqa: E731
    yield Comparison(ALL, "one overlap matrix, numpy", ours, lambda: dense @ dense.T, required=0.5)
    yield Comparison(
        ALL, "one overlap matrix, scipy.sparse", ours, lambda: sparse @ sparse.T, required=0.5
    )
    yield Comparison(
        ALL,
        "the loop, Jaccard",
        ours,
        lambda: set_loop.jaccard(sets),
        required=100,
        same=lambda a, b: np.testing.assert_allclose(a["jaccard"], b, rtol=1e-10),
    )
    yield Comparison(
        ALL,
        "the loop, all 12",
        ours,
        lambda: set_loop.all_measures(sets, N_FEATURES),
        turns=3,
        same=same_values,
    )
    yield Comparison(
        f"{ALL}, from lists",
        "the loop, Jaccard, from lists",
        lambda: pairwise(as_given(subsets)),
        lambda: set_loop.jaccard(sets_of(subsets)),
    )
    yield Comparison(
        "the overlap matrix",
        "the same, scipy.sparse",
        lambda: runs().overlaps,
        lambda: (sparse @ sparse.T).toarray(),
        same=np.testing.assert_array_equal,
    )


def inference_rows() -> Iterator[Row]:
    systems = [choices(N_RUNS, N_FEATURES, SIZE, spread=s, seed=1) for s in (1.0, 0.9)]
    first, second = map(Untouched, systems)
    z, w = (masks(subsets, N_FEATURES).astype(np.int8) for subsets in systems)
    peer = "the published formulas"
    yield Comparison(
        "interval",
        peer,
        lambda: stability.interval(first()),
        lambda: published2018.interval(z),
        same=same_interval,
    )
    yield Comparison(
        "test",
        peer,
        lambda: stability.test(first(), 0.2),
        lambda: published2018.test(z, 0.2),
        same=same_test,
    )
    yield Comparison(
        "compare",
        peer,
        lambda: stability.compare(first(), second()),
        lambda: published2018.compare(z, w),
        same=same_test,
    )


def large_system() -> Callable[[], object]:
    subsets = choices(10_000, 100_000, 50, spread=1.0)
    return lambda: stability.table(Selections.from_subsets(subsets, n_features=100_000))


def same_values(ours: dict[str, float], peer: dict[str, float]) -> None:
    assert set(ours) == set(peer)
    for key, value in ours.items():
        np.testing.assert_allclose(value, peer[key], rtol=1e-9, err_msg=key)


def same_interval(ours: Any, peer: tuple[float, float, float]) -> None:
    np.testing.assert_allclose((ours.value, ours.low, ours.high), peer, rtol=1e-9)


def same_test(ours: Any, peer: tuple[float, float]) -> None:
    np.testing.assert_allclose((ours.statistic, ours.p_value), peer, rtol=1e-6, atol=1e-12)
