"""How evenly the runs spread over the distinct subsets: the entropy of Křížek et al."""

from __future__ import annotations

import math

import numpy as np

from holdfast.selections import Selections
from holdfast.stability.measure import Measure, equal_size


def krizek(runs: Selections) -> float:
    """Shannon entropy of which subset is chosen, in bits."""
    size = equal_size(runs, "krizek")
    table = runs.indices.reshape(runs.n_runs, size)
    _, counts = np.unique(table, axis=0, return_counts=True)
    # Sorted, so that the sum does not depend on the order of runs or features.
    share = np.sort(counts) / runs.n_runs
    return float(np.abs(share @ np.log2(share)))


def krizek_normalised(runs: Selections) -> float:
    """One minus that entropy over its highest possible value."""
    entropy = krizek(runs)
    distinct = _most_distinct(runs.n_runs, runs.n_features, int(runs.sizes[0]))
    return 1 - entropy / math.log2(distinct) if distinct > 1 else 1.0


def _most_distinct(n_runs: int, n_features: int, size: int) -> int:
    """min(n, C(D, k)), without the binomial where it cannot be the smaller one."""
    if size in (0, n_features):
        return 1
    # There are at least D subsets of any size in between.
    return n_runs if n_runs <= n_features else min(n_runs, math.comb(n_features, size))


_KRIZEK = "Křížek, Kittler & Hlaváč (2007), Improving stability of feature selection methods"

MEASURES = (
    Measure(
        key="krizek",
        title="Křížek γ_k, entropy in bits",
        paper=_KRIZEK,
        formula=r"-\sum_S p_S\log_2 p_S",
        low="0",
        high="log2 n",
        better="lower",
        compute=krizek,
        properties=frozenset({"limits", "monotone", "symmetric"}),
        needs=frozenset({"equal sizes"}),
        note="p_S is the share of runs that chose the subset S. 0 is most stable; no more than "
        "log2 min(n, C(D, k)) can come out. Two subsets that share all but one feature count as "
        "different as two that share none.",
    ),
    Measure(
        key="krizek_normalised",
        title="Křížek γ_k, normalised",
        paper=_KRIZEK,
        formula=r"1-\frac{\gamma_k}{\log_2\min(n,\binom{D}{k})}",
        low="0",
        high="1",
        compute=krizek_normalised,
        properties=frozenset({"limits", "monotone", "symmetric"}),
        needs=frozenset({"equal sizes"}),
        note="1 where only one subset of that size exists.",
    ),
)
