"""Accuracy against stability: what the chart of both needs to know of each variant."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from holdfast.exceptions import refusal
from holdfast.study.analysis.accuracy import values_of
from holdfast.study.analysis.choice import on_front, recommend
from holdfast.study.results import Results, Variant


def corrected_interval(
    values: NDArray[np.float64], test_per_train: float, level: float = 0.95
) -> tuple[float, float]:
    """Interval of the mean of resampled estimates, with the variance of Nadeau & Bengio (2003).

    Samples of the same data overlap; the plain standard error would be too small. NaN for fewer
    than two values.
    """
    if not 0 < level < 1:
        raise refusal("level", "Study", "between 0 and 1", repr(level))
    n = values.size
    if n < 2:
        return np.nan, np.nan
    error = np.sqrt((1.0 / n + test_per_train) * float(values.var(ddof=1)))
    half = float(stats.t.ppf(0.5 + level / 2.0, n - 1) * error)
    mean = float(values.mean())
    return mean - half, mean + half


def tradeoff_table(
    results: Results, model: str | None = None, alpha: float = 0.05, test: str = "auto"
) -> pl.DataFrame:
    """A row a variant: what `recommend` weighed, with an interval of the accuracy too.

    The column `edge` tells the variants that no other beats in accuracy and stability at once,
    whatever their sizes; `front` counts size too.
    """
    table = recommend(results, model, alpha, test).table
    metric, model = table["metric"][0], table["model"][0]
    lows, highs = [], []
    for selector, cut_at in table.select("selector", "cut_at").iter_rows():
        values = values_of(results, Variant(selector, cut_at), model, metric)
        low, high = corrected_interval(
            np.array(list(values.values())), results.plan["test_per_train"]
        )
        lows.append(low)
        highs.append(min(high, 1.0))
    goals = table.select("accuracy", "stability").to_numpy()
    names = [str(Variant(*row)) for row in table.select("selector", "cut_at").iter_rows()]
    return table.with_columns(
        pl.Series("variant", names, dtype=pl.String),
        pl.Series("accuracy_low", lows, dtype=pl.Float64),
        pl.Series("accuracy_high", highs, dtype=pl.Float64),
        pl.Series("edge", on_front(np.nan_to_num(goals, nan=-np.inf)), dtype=pl.Boolean),
    )
