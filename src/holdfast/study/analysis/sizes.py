"""How many features each selector takes when the number is its own choice."""

from __future__ import annotations

import numpy as np
import polars as pl

from holdfast.study.results import Results


def size_table(results: Results) -> pl.DataFrame:
    """A row a selector and size that it chose by itself: how many runs did."""
    rows = []
    for variant in results.variants():
        if variant.size is not None:
            continue
        sizes = np.concatenate([system.sizes for system in results.systems(variant)])
        found, counts = np.unique(sizes, return_counts=True)
        rows += [
            {"selector": variant.selector, "n_features": int(size), "runs": int(count)}
            for size, count in zip(found, counts, strict=True)
        ]
    schema = {"selector": pl.String, "n_features": pl.Int64, "runs": pl.Int64}
    return pl.DataFrame(rows, schema=schema)
