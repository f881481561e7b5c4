"""How stable each variant is, by any measure, with an interval where there is one."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from holdfast.exceptions import HoldfastError, UndefinedStabilityWarning
from holdfast.selections import Selections
from holdfast.stability import interval, measure, score
from holdfast.study.results import Results, Variant

MAIN = "nogueira2018"


class Steadiness(NamedTuple):
    """A stability and how sure one can be of it; NaN where it is not defined."""

    value: float
    low: float
    high: float


def steadiness(systems: list[Selections], key: str = MAIN, **options: Any) -> Steadiness:
    """Stability of runs; of several systems (nested resampling) the mean over them.

    The interval of one system is that of its inference, for the measure that has one. Of several it
    is the mean with twice its standard error, cut at 1, which takes outer samples as
    independent.
    """
    values = [_score(system, key, **options) for system in systems]
    known = np.array([value for value in values if not np.isnan(value)])
    if known.size == 0:
        return Steadiness(np.nan, np.nan, np.nan)
    if len(systems) > 1:
        mean = float(known.mean())
        if known.size < 2:
            return Steadiness(mean, np.nan, np.nan)
        error = 2.0 * float(known.std(ddof=1)) / np.sqrt(known.size)
        return Steadiness(mean, mean - error, min(1.0, mean + error))
    if key != MAIN:
        return Steadiness(values[0], np.nan, np.nan)
    found = interval(systems[0])
    return Steadiness(found.value, found.low, found.high)


def _score(system: Selections, key: str, **options: Any) -> float:
    if len(system) < 2 or measure(key).why_not(system, options):
        return np.nan
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedStabilityWarning)
            return score(system, key, **options)
    except HoldfastError:
        return np.nan


def stability_table(results: Results, measures: tuple[str, ...] = (MAIN,)) -> pl.DataFrame:
    """A row a variant and measure: value and interval."""
    rows = []
    for variant in results.variants():
        systems = results.systems(variant)
        for key in measures:
            found = steadiness(systems, key)
            rows.append(
                {
                    "selector": variant.selector,
                    "cut_at": variant.size,
                    "measure": key,
                    **found._asdict(),
                }
            )
    return pl.DataFrame(rows, schema=SCHEMA)


def preference_table(results: Results) -> pl.DataFrame:
    """A row a selector that scores features: S_W of its weights and S_R of its ranks."""
    rows = []
    for selector in results.selectors:
        systems = results.scores(selector)
        for key in ("pearson", "spearman"):
            if systems and not (key == "pearson" and systems[0].score_kind == "ranks"):
                rows.append(
                    {
                        "selector": selector,
                        "cut_at": None,
                        "measure": key,
                        **steadiness(systems, key)._asdict(),
                    }
                )
    return pl.DataFrame(rows, schema=SCHEMA)


SCHEMA = {
    "selector": pl.String,
    "cut_at": pl.Int64,
    "measure": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


def size_of(results: Results, variant: Variant) -> float:
    """How many features a variant chooses in the mean."""
    return float(np.mean([outcome.subset.size for _, outcome in results.outcomes(variant)]))
