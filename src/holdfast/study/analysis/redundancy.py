"""Accurate but unstable: which features stand in for which."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from holdfast.study.results import Results, Variant

# Features chosen more rarely or more often than this have nobody to change places with.
RARELY, NEARLY_ALWAYS = 0.05, 0.95
MOST_FEATURES = 2000


def substitutes(
    results: Results,
    variant: Variant,
    X: NDArray[np.float64] | None = None,
    alpha: float = 0.05,
    most: int = MOST_FEATURES,
) -> pl.DataFrame:
    """Pairs of features of which runs choose one or the other, more than chance would have it.

    Fisher's exact test on the runs that chose both, one or none, against independence, towards
    fewer runs with both; p-values times the number of pairs looked at (Bonferroni). With the data,
    the correlation of the two is shown beside it: high, and they are redundant; low, and they may
    serve in different combinations. Only the `most` often chosen features are looked at: the work
    grows with their square.
    """
    masks = np.concatenate([system.masks() for system in results.systems(variant)])
    n = len(masks)
    share = masks.mean(axis=0)
    moving = np.flatnonzero((share >= RARELY) & (share <= NEARLY_ALWAYS))
    moving = moving[np.argsort(-share[moving], kind="stable")][:most]
    chosen = masks[:, moving].astype(np.float64)
    counts = chosen.sum(axis=0).astype(np.int64)
    both = (chosen.T @ chosen).astype(np.int64)
    either = counts[:, None] + counts - both
    first, second = np.triu_indices(moving.size, 1)
    # P(at most so many runs with both), given how often each was chosen.
    p = stats.hypergeom.cdf(both[first, second], n, counts[first], counts[second])
    p = np.minimum(1.0, p * max(1, first.size))
    found = np.flatnonzero(p < alpha)
    found = found[np.argsort(p[found], kind="stable")]
    pairs = [(int(moving[first[i]]), int(moving[second[i]])) for i in found]
    correlation = [_correlation(X, f, g) for f, g in pairs] if X is not None else None
    names = results.feature_names
    table = pl.DataFrame(
        {
            "feature": [names[f] for f, _ in pairs],
            "substitute": [names[g] for _, g in pairs],
            "either": either[first, second][found],
            "both": both[first, second][found],
            "runs": n,
            "p": p[found],
        },
        schema={
            "feature": pl.String, "substitute": pl.String, "either": pl.Int64, "both": pl.Int64,
            "runs": pl.Int64, "p": pl.Float64,
        },
    )  # fmt: skip
    if correlation is not None:
        table = table.with_columns(pl.Series("correlation", correlation, dtype=pl.Float64))
    return table


def _correlation(X: NDArray[np.float64], f: int, g: int) -> float:
    one, other = X[:, f], X[:, g]
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])
