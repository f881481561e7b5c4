"""Stability over subset sizes, against what a random selector would reach, and the knot."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdfast.stability.chance import overlap_distribution
from holdfast.study.analysis.steadiness import steadiness
from holdfast.study.results import Results, Variant

Floats = NDArray[np.float64]


@lru_cache(maxsize=4096)
def jaccard_by_chance(size: int, n_features: int) -> float:
    """Expected similarity of two random subsets of one size: what S_S is without any signal."""
    overlaps, probabilities = overlap_distribution(size, size, n_features)
    unions = 2.0 * size - overlaps
    shares = np.where(unions > 0, overlaps / np.where(unions > 0, unions, 1.0), 1.0)
    return float((shares * probabilities).sum())


def profile_table(results: Results, measure: str = "jaccard") -> pl.DataFrame:
    """A row a selector and size: stability, the random baseline, and whether it is the knot.

    The baseline is the exact expectation for random subsets of that size; for measures corrected
    for chance it is 0.
    """
    rows = []
    for selector in results.selectors:
        sizes = [
            v.size for v in results.variants() if v.selector == selector and v.size is not None
        ]
        values = [
            steadiness(results.systems(Variant(selector, size)), measure).value for size in sizes
        ]
        at = knot(np.array(sizes, dtype=float), np.array(values))
        for i, (size, value) in enumerate(zip(sizes, values, strict=True)):
            chance = jaccard_by_chance(size, results.n_features) if measure == "jaccard" else 0.0
            rows.append(
                {
                    "selector": selector,
                    "size": size,
                    "stability": value,
                    "random": chance,
                    "knot": i == at,
                }
            )
    schema = {
        "selector": pl.String, "size": pl.Int64, "stability": pl.Float64, "random": pl.Float64,
        "knot": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def knot(sizes: Floats, values: Floats) -> int | None:
    """Where a profile bends most: the two lines that fit it best, left and right, meet there.

    Least squares over all ways to part the points, each part with at least two; the position of the
    last point of the left part. None for fewer than four points or where a line fits as well.
    O(points²).
    """
    n = sizes.size
    if n < 4 or np.isnan(values).any():
        return None
    whole = _misfit(sizes, values)
    parted = [
        _misfit(sizes[:i], values[:i]) + _misfit(sizes[i:], values[i:]) for i in range(2, n - 1)
    ]
    best = int(np.argmin(parted))
    if whole <= 1e-12 or parted[best] > 0.9 * whole:
        return None
    return best + 1


def _misfit(x: Floats, y: Floats) -> float:
    """Sum of squares that the best line leaves."""
    away_x, away_y = x - x.mean(), y - y.mean()
    square = float(away_x @ away_x)
    along = float(away_x @ away_y) ** 2 / square if square > 0 else 0.0
    return max(0.0, float(away_y @ away_y) - along)
