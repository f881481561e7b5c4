"""Weighing accuracy, stability and size: the front, and the most stable of the most accurate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdfast.exceptions import InputError, refusal
from holdfast.study.analysis.accuracy import compared, metric_of, suitable_test, values_of
from holdfast.study.analysis.steadiness import size_of, steadiness
from holdfast.study.results import Results, Variant


@dataclass(frozen=True)
class Recommendation:
    """Which variant to take, and why.

    Attributes
    ----------
    variant : Variant
    why : str
        In words.
    table : polars.DataFrame
        All variants: accuracy, stability, size, whether significantly worse than the most accurate,
        whether on the front, and which is recommended.
    """

    variant: Variant
    why: str
    table: pl.DataFrame

    def __str__(self) -> str:
        return self.why


def on_front(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Rows that no other row beats: at least as good in every column and better in one.

    Higher is better in every column; equal rows do not beat each other. O(rows²).
    """
    at_least = np.all(values[None, :, :] >= values[:, None, :], axis=2)
    better = np.any(values[None, :, :] > values[:, None, :], axis=2)
    return np.asarray(~np.any(at_least & better, axis=1))


def weighed(
    results: Results, model: str | None = None, alpha: float = 0.05, test: str = "auto"
) -> pl.DataFrame:
    """A row a variant: what there is to weigh, and how it compares with the most accurate."""
    model = _model(results, model)
    metric = metric_of(results, model)
    suitable_test(results, model, test)  # refuses, even where there is nothing to compare
    variants, accuracies = [], []
    for variant in results.variants():
        values = list(values_of(results, variant, model, metric).values())
        if values:
            variants.append(variant)
            accuracies.append(float(np.mean(values)))
    found = [steadiness(results.systems(variant)) for variant in variants]
    sizes = [size_of(results, variant) for variant in variants]
    # Of equally accurate ones the first in the order given, sizes ascending.
    best = variants[int(np.argmax(accuracies))]
    p_values = [
        1.0 if variant == best else compared(results, best, variant, model, test).p
        for variant in variants
    ]
    stabilities = np.array([one.value for one in found])
    goals = np.column_stack((accuracies, np.nan_to_num(stabilities, nan=-np.inf), -np.array(sizes)))
    return pl.DataFrame(
        {
            "selector": [variant.selector for variant in variants],
            "cut_at": [variant.size for variant in variants],
            "model": model,
            "metric": metric,
            "accuracy": accuracies,
            "stability": stabilities,
            "low": [one.low for one in found],
            "high": [one.high for one in found],
            "n_features": sizes,
            "most accurate": [variant == best for variant in variants],
            "p": p_values,
            "worse": [p < alpha for p in p_values],
            "front": on_front(goals),
        },
        schema_overrides={"cut_at": pl.Int64},
    )


def recommend(
    results: Results, model: str | None = None, alpha: float = 0.05, test: str = "auto"
) -> Recommendation:
    """The most stable of those not significantly less accurate than the most accurate.

    Kalousis, Prados & Hilario (2007). Equally stable ones: the one with fewer features.
    """
    if not 0 < alpha < 1:
        raise refusal("alpha", "Study.recommend", "between 0 and 1", repr(alpha))
    model = _model(results, model)
    table = weighed(results, model, alpha, test)
    eligible = table.with_row_index().filter(~pl.col("worse") & pl.col("stability").is_not_nan())
    if eligible.is_empty():
        raise InputError("No variant has a stability yet: each needs at least two finished runs.")
    row = eligible.sort(["stability", "n_features", "index"], descending=[True, False, False]).row(
        0, named=True
    )
    chosen = Variant(row["selector"], row["cut_at"])
    best = table.filter("most accurate").row(0, named=True)
    table = table.with_columns(recommended=pl.int_range(pl.len()) == row["index"])
    tested = f"{suitable_test(results, model, test)} at {alpha:g}, {model}"
    return Recommendation(chosen, _reason(chosen, row, best, eligible.height, tested), table)


def _reason(
    chosen: Variant, row: dict[str, Any], best: dict[str, Any], n_eligible: int, tested: str
) -> str:
    """Why this one, in words."""
    accuracy = f"{row['metric']} {row['accuracy']:.4f}"
    if n_eligible == 1:
        return f"{chosen}: all others are significantly less accurate ({accuracy}; {tested})."
    among = f"of the {n_eligible} that are not significantly less accurate"
    stability = f"the most stable (Φ = {row['stability']:.3f})"
    first = Variant(best["selector"], best["cut_at"])
    if first == chosen:
        return f"{chosen}: the most accurate ({accuracy}), and {stability} {among} ({tested})."
    return (
        f"{chosen}: {stability} {among} than the most accurate, {first} "
        f"({best['metric']} {best['accuracy']:.4f}, here {row['accuracy']:.4f}; {tested})."
    )


def _model(results: Results, model: str | None) -> str:
    if not results.models:
        raise InputError("The study has no model to tell accuracy by. Give it one with models=.")
    if model is None:
        return results.models[0]
    if model not in results.models:
        raise refusal("model", "Study", f"one of {results.models}", repr(model))
    return model
