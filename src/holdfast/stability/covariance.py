"""How far the runs vary, seen through the similarities: the measure of Sechidis et al."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast._kernels.overlaps import overlap_of_each, transpose
from holdfast.selections import Selections
from holdfast.stability.measure import Measure
from holdfast.stability.similarity import links_above, resolve


def sechidis(runs: Selections, similarity: Any, X: Any, threshold: float) -> float:
    """1 - trace(C S) / trace(C Sigma), over the similar pairs only.

    O(choices made * similar features of one).
    """
    links = links_above(resolve(runs, similarity, X, "sechidis"), threshold, "sechidis")
    n, d = runs.n_runs, runs.n_features
    f = runs.frequencies.astype(np.float64)
    # Features as subsets of the runs: how many runs chose both of two similar ones.
    x, y = np.repeat(np.arange(d), np.diff(links.near_ptr)), links.near
    both = overlap_of_each(*transpose(runs.indptr, runs.indices, d), x, y)
    # Whole numbers over n until here, so the order of the runs is free.
    together = float(links.weight @ (n * both - f[x] * f[y])) / n
    observed = (f.sum() - f @ f / n + together) / (n - 1)
    mean_size = f.sum() / n
    on_diagonal = mean_size / d * (1 - mean_size / d)
    mean_square = float((runs.sizes.astype(np.float64) ** 2).mean())
    beside = (mean_square - mean_size) / (d * d - d) - (mean_size / d) ** 2 if d > 1 else 0.0
    by_chance = d * on_diagonal + beside * float(links.weight.sum())
    return float(1 - observed / by_chance) if abs(by_chance) > 1e-12 else 0.0


MEASURES = (
    Measure(
        key="sechidis",
        title="Sechidis",
        paper="Sechidis et al. (2020), On the stability of feature selection in the presence of "
        "feature correlations",
        formula=r"1-\frac{\mathrm{tr}(CS)}{\mathrm{tr}(C\Sigma)}",
        low="unbounded",
        high="unbounded",
        compute=sechidis,
        properties=frozenset({"chance", "unconstrained", "symmetric", "redundancy"}),
        needs=frozenset({"similarity"}),
        options={"similarity": None, "X": None, "threshold": 0.9},
        note="C holds the similarities at or above the threshold, S the sample covariance of the "
        "indicators, Sigma the same for random choices. 0 where tr(C Sigma) is 0.",
    ),
)
