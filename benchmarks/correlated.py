"""Similarity-adjusted stability

Measures that let a feature stand in for a similar one, against the slow twins that the tests use:
Python sets, and a lookup in the similarity matrix for every two features.

100 runs chose 50 of 500 features, in groups of five that correlate above 0.9; feature f was drawn
with weight 1/f. Both sides begin with a similarity matrix, and take 1000 random draws where a row
says so. Ours begins with a `Selections` that has computed nothing yet, and checks the matrix at
each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.harness.choices import choices
from benchmarks.harness.rows import Comparison, Row, Section
from benchmarks.peers import similar_loop as loop
from holdfast import Selections, stability
from tests.naive import correlated as naive

PEERS = ("scipy",)
N_RUNS, N_FEATURES, SIZE = 100, 500, 50
THRESHOLD, N_DRAWS = 0.9, 1000
TWIN = "the naive twin"


def sections() -> list[Section]:
    return [
        Section("Sums over similar features", "No assignment problems.", sum_rows),
        Section(
            "Matchings",
            "One matching of similar features a pair of runs. The twin of `yu` would try every "
            "pairing, so the plain loop over scipy's solver takes its place: `yu` uses the same "
            "solver and is no faster unless runs repeat.",
            matching_rows,
        ),
    ]


class System:
    """The runs for ours and for the twin, and how similar the features are."""

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        groups = np.repeat(rng.normal(size=(200, N_FEATURES // 5)), 5, axis=1)
        data = groups + 0.25 * rng.normal(size=(200, N_FEATURES))
        self.similarity = stability.similarity(data)
        self.subsets = choices(N_RUNS, N_FEATURES, SIZE, spread=1.0)
        self.sets = list(map(frozenset, self.subsets))
        made = Selections.from_subsets(self.subsets, n_features=N_FEATURES)
        self.pattern = made.indptr, made.indices

    def ours(self, key: str, **options: object) -> float:
        runs = Selections(self.pattern, N_FEATURES)
        return stability.score(runs, key, similarity=self.similarity, **options)

    def drawn(
        self,
        key: str,
        score: naive.Pair,
        highest: Callable[[int, int], float],
        required: float | None,
        **options: object,
    ) -> Row:
        """A measure that both sides correct by random draws, so equal up to their spread."""
        return Comparison(
            f"{key}, {N_DRAWS} draws",
            TWIN,
            partial(self.ours, key, chance="estimate", n_draws=N_DRAWS, **options),
            partial(
                loop.corrected_mean,
                self.sets,
                self.similarity,
                score,
                highest,
                threshold=THRESHOLD,
                n_draws=N_DRAWS,
                ordered=bool(options),
            ),
            required,
            turns=3,
            same=partial(np.testing.assert_allclose, atol=0.01),
        )


def sum_rows() -> Iterator[Row]:
    system = System()
    sets, similarity = system.sets, system.similarity
    same = partial(np.testing.assert_allclose, rtol=1e-9)
    yield Comparison(
        "zucknick",
        TWIN,
        partial(system.ours, "zucknick"),
        partial(loop.mean_score, sets, similarity, naive.zucknick_score, THRESHOLD),
        required=50,
        turns=3,
        same=same,
    )
    yield Comparison(
        "sechidis",
        TWIN,
        partial(system.ours, "sechidis"),
        partial(naive.sechidis, sets, N_FEATURES, similarity, THRESHOLD),
        required=50,
        same=same,
    )
    yield Comparison(
        "sechidis",
        "products of whole matrices in numpy",
        partial(system.ours, "sechidis"),
        partial(naive.sechidis_of_matrices, sets, N_FEATURES, similarity, THRESHOLD),
        same=same,
    )
    yield system.drawn("yu2012", naive.yu2012_score, naive.mean_of_sizes, 50)
    yield system.drawn("npogr", naive.pogr_score, lambda k1, k2: k1, 50, pairs="all")
    yield system.drawn("intersection_count", naive.count_score, naive.root_of_sizes, 50)
    yield system.drawn("intersection_mean", naive.mean_score, naive.root_of_sizes, 50)


def matching_rows() -> Iterator[Row]:
    system = System()
    yield system.drawn("intersection_greedy", naive.greedy_score, naive.root_of_sizes, None)
    yield system.drawn("intersection_mbm", naive.mbm_score, naive.root_of_sizes, None)
    yield Comparison(
        "yu",
        "the loop with scipy's solver",
        partial(system.ours, "yu"),
        partial(loop.yu, system.sets, system.similarity),
        turns=3,
        same=partial(np.testing.assert_allclose, rtol=1e-9),
    )
