"""How often each feature is chosen, with intervals, and the features that runs agree on."""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import stats

from holdfast.exceptions import refusal
from holdfast.study.results import Results, Variant


def frequency_table(results: Results, variant: Variant, level: float = 0.95) -> pl.DataFrame:
    """A row a feature: share of runs that chose it, with Wilson's interval, most frequent first.

    The interval takes runs as independent, which resamples of one data set are not quite.
    """
    if not 0 < level < 1:
        raise refusal("level", "Study", "between 0 and 1", repr(level))
    systems = results.systems(variant)
    counts = np.sum([system.frequencies for system in systems], axis=0)
    n = sum(len(system) for system in systems)
    z = float(stats.norm.ppf(0.5 + level / 2.0))
    share = counts / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    order = np.argsort(-counts, kind="stable")
    return pl.DataFrame(
        {
            "feature": [results.feature_names[f] for f in order],
            "index": order,
            "chosen": counts[order],
            "runs": n,
            "share": share[order],
            "low": np.clip(middle - half, 0.0, 1.0)[order],
            "high": np.clip(middle + half, 0.0, 1.0)[order],
        }
    )
