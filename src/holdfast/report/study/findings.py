"""What a report tells of a study, as tables, before any of it is laid out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from holdfast.exceptions import HoldfastError, refusal
from holdfast.stability.registry import MEASURES, measure
from holdfast.study.analysis import (
    Recommendation,
    likeness_map,
    preference_table,
    profile_table,
    recommend,
    size_table,
    stability_comparisons,
    stability_table,
    tradeoff_table,
    wins_table,
)
from holdfast.study.results import Results, Variant

# A study of sizes can have thousands of variants. What a page lists stays within what one reads.
MOST_LISTED = 60
MOST_LOOKED_INTO = 20
MOST_COLUMNS = 8
MOST_POINTS = 120


@dataclass(frozen=True)
class Findings:
    """The tables of a report; None or empty where the study has nothing to say.

    Attributes
    ----------
    results : Results
    alpha : float
    model : str or None
    recommendation : Recommendation or None
    why_none : str
        Why nothing is recommended.
    listed : list of Variant
        Those in tables and charts.
    looked_into : list of Variant
        Those whose features are shown one by one; the recommended one first.
    tradeoff, wins, stabilities, preferences, comparisons, profiles, sizes, likeness : DataFrame
    """

    results: Results
    alpha: float
    model: str | None
    recommendation: Recommendation | None
    why_none: str
    listed: list[Variant]
    looked_into: list[Variant]
    tradeoff: pl.DataFrame | None
    wins: pl.DataFrame | None
    stabilities: pl.DataFrame
    preferences: pl.DataFrame
    comparisons: pl.DataFrame
    profiles: pl.DataFrame
    sizes: pl.DataFrame
    likeness: pl.DataFrame

    @classmethod
    def of(
        cls, results: Results, model: str | None, alpha: float, measures: Sequence[str] | None
    ) -> Findings:
        """Compute all of it."""
        _check(results, model, alpha)
        found, why_none = _recommended(results, model, alpha)
        variants = results.variants()
        first = [] if found is None else [found.variant]
        listed = _some(variants, first, MOST_LISTED)
        looked_into = first + [v for v in _some(listed, first, MOST_LOOKED_INTO) if v not in first]
        table = None if found is None else tradeoff_table(results, model, alpha)
        named = None if table is None else table["model"][0]
        wins = None
        if named is not None:
            wins = wins_table(results, named, alpha, variants=_some(listed, first, MOST_POINTS))
        columns = _some(listed, first, MOST_COLUMNS)
        return cls(
            results,
            alpha,
            named,
            found,
            why_none,
            listed,
            looked_into,
            None if table is None else _only(table, listed),
            wins,
            _stabilities(results, columns, measures),
            preference_table(results),
            stability_comparisons(results, looked_into),
            _thinned(profile_table(results)) if results.plan["sizes"] else pl.DataFrame(),
            size_table(results),
            likeness_map(results, looked_into) if len(looked_into) > 1 else pl.DataFrame(),
        )


def _check(results: Results, model: str | None, alpha: float) -> None:
    if not 0 < alpha < 1:
        raise refusal("alpha", "write_report", "between 0 and 1", repr(alpha))
    if model is not None and model not in results.models:
        raise refusal("model", "write_report", f"one of {results.models}", repr(model))


def _recommended(
    results: Results, model: str | None, alpha: float
) -> tuple[Recommendation | None, str]:
    """Recommend, or say why that cannot be done yet."""
    if not results.records:
        return None, "No run has finished yet."
    try:
        return recommend(results, model, alpha), ""
    except HoldfastError as error:
        return None, str(error)


def _some(variants: list[Variant], first: list[Variant], most: int) -> list[Variant]:
    """At most so many: the recommended one, selectors' own choices, and sizes evenly among them."""
    if len(variants) <= most:
        return variants
    kept = {*first, *[v for v in variants if v.size is None][: most - len(first)]}
    rest = [v for v in variants if v not in kept]
    n = most - len(kept)
    if n > 0:
        kept |= {rest[round(i * (len(rest) - 1) / max(1, n - 1))] for i in range(n)}
    return [v for v in variants if v in kept]


def _only(table: pl.DataFrame, variants: list[Variant]) -> pl.DataFrame:
    return table.filter(table["variant"].is_in([str(variant) for variant in variants]))


def _stabilities(
    results: Results, variants: list[Variant], measures: Sequence[str] | None
) -> pl.DataFrame:
    """A row a measure, a column a variant; only measures that have a value for one of them."""
    keys = [measure(key).key for key in measures] if measures is not None else _of_subsets()
    few = _Few(results, variants)
    long = stability_table(few, tuple(keys)) if variants else pl.DataFrame()
    if long.is_empty():
        return pl.DataFrame()
    columns = {"measure": pl.Series(keys)}
    for v in variants:
        mine = (pl.col("selector") == v.selector) & pl.col("cut_at").eq_missing(pl.lit(v.size))
        columns[_free(str(v), columns)] = long.filter(mine)["value"]
    table = pl.DataFrame(columns)
    known = pl.any_horizontal(pl.exclude("measure").is_not_nan())
    return table if measures is not None else table.filter(known)


def _free(name: str, taken: Mapping[str, object]) -> str:
    """The name, or one that looks like it where it is taken."""
    while name in taken:
        name += " "
    return name


def _of_subsets() -> list[str]:
    beyond = {"weights", "weights or ranks", "similarity"}
    return [key for key, one in MEASURES.items() if not one.needs & beyond]


class _Few(Results):
    """The same results, as if there were these variants only."""

    def __init__(self, results: Results, variants: list[Variant]) -> None:
        self.__dict__.update(vars(results))
        self._variants = variants

    def variants(self) -> list[Variant]:
        return self._variants


def _thinned(table: pl.DataFrame) -> pl.DataFrame:
    """No more points a selector than a line shows; its ends and its knot stay."""
    parts = []
    for _, part in table.group_by("selector", maintain_order=True):
        every = -(-part.height // MOST_POINTS)
        row = pl.int_range(pl.len())
        parts.append(part.filter((row % every == 0) | (row == pl.len() - 1) | pl.col("knot")))
    return pl.concat(parts) if parts else table
