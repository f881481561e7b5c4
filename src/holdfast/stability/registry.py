"""The catalogue of measures, and the two ways to use it: one score, or a table of all."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from holdfast.exceptions import InputError, UndefinedInferenceError, UndefinedStabilityWarning
from holdfast.selections import Selections
from holdfast.stability import (
    correlated,
    covariance,
    entropy,
    frequency,
    matching,
    pairwise,
    rankings,
)
from holdfast.stability.inference import Interval, interval
from holdfast.stability.measure import PROPERTIES, Measure, at_least_two_runs

if TYPE_CHECKING:
    import polars as pl

MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        measure.key: measure
        for room in (frequency, pairwise, entropy, matching, correlated, covariance, rankings)
        for measure in room.MEASURES
    }
)

# Names under which the literature knows the same function.
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "ati": "jaccard",
        "gk": "jaccard",
        "kalousis": "jaccard",
        "tanimoto": "jaccard",
        "nogueira": "nogueira2018",
        "somol": "cw_rel",
    }
)

WITH_INTERVAL = "nogueira2018"


def measure(key: str) -> Measure:
    """Look a measure up by its key or by another name of it.

    Parameters
    ----------
    key : str
        As in ``catalogue()["key"]``.
    """
    found = MEASURES.get(ALIASES.get(key, key))
    if found is None:
        near = difflib.get_close_matches(str(key), [*MEASURES, *ALIASES], n=3)
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise InputError(f"There is no stability measure {key!r}. {hint}".rstrip())
    return found


def score(runs: Selections, key: str = "nogueira2018", **options: Any) -> float:
    """Compute one stability measure.

    Parameters
    ----------
    runs : Selections
        At least two runs.
    key : str, default="nogueira2018"
        Which measure; see :func:`catalogue`.
    **options
        Options of that measure, such as ``similarity=`` or ``chance=``; the catalogue page lists
        them.

    Examples
    --------
    >>> runs = Selections.from_subsets([[0, 3], [0, 2], [0, 3]], n_features=5)
    >>> round(score(runs, "jaccard"), 4)
    0.5556
    """
    chosen = measure(key)
    value = chosen(runs, **options)
    if _is_chance_corrected_overlap(chosen):
        _warn_if_trivial(runs)
    return value


def _is_chance_corrected_overlap(chosen: Measure) -> bool:
    return chosen.corrected_for_chance and not chosen.needs & {"weights", "weights or ranks"}


def _warn_if_trivial(runs: Selections) -> None:
    total = runs.indices.size
    if total in (0, runs.n_runs * runs.n_features):
        every = "no feature" if total == 0 else "every feature"
        warnings.warn(
            f"All runs chose {every}: chance alone agrees as well, so measures corrected for "
            "chance are 0 by convention.",
            UndefinedStabilityWarning,
            stacklevel=3,
        )


def table(
    runs: Selections,
    measures: list[str] | None = None,
    *,
    similarity: Any = None,
    X: Any = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Compute every measure that applies, with their default options.

    Parameters
    ----------
    runs : Selections
        At least two runs.
    measures : list of str, optional
        Only these, in this order; then one that does not apply is an error.
    similarity : array, features x features, optional
        Similarities from 0 to 1; with it, or `X`, the similarity-adjusted measures apply too.
    X : array, examples x features, optional
        Data from which to compute them, as absolute correlations.
    level : float, default=0.95
        Confidence level of the interval, for the measure that has one.

    Returns
    -------
    polars.DataFrame
        Columns `measure`, `value`, `low`, `high` (the interval, where there is one), `range`,
        `better`, `chance` (whether it is corrected for chance) and `title`.
    """
    import polars as pl

    from holdfast.stability.similarity import resolve

    at_least_two_runs(runs, "table")
    if similarity is not None or X is not None:
        similarity = resolve(runs, similarity, X, "table")
    given = {"similarity": similarity}
    chosen = list(MEASURES.values()) if measures is None else [measure(key) for key in measures]
    computed = [one for one in chosen if measures is not None or not one.why_not(runs, given)]
    rows = []
    for one in computed:
        try:
            value = one(runs, **({"similarity": similarity} if "similarity" in one.needs else {}))
        except UndefinedInferenceError as undefined:
            if measures is not None:
                raise
            warnings.warn(f"Left out: {undefined}", UndefinedStabilityWarning, stacklevel=2)
            continue
        rows.append(_row(one, value, interval(runs, level) if one.key == WITH_INTERVAL else None))
    if any(_is_chance_corrected_overlap(one) for one in computed):
        _warn_if_trivial(runs)
    return pl.DataFrame(
        rows,
        schema={
            "measure": pl.String,
            "value": pl.Float64,
            "low": pl.Float64,
            "high": pl.Float64,
            "range": pl.String,
            "better": pl.String,
            "chance": pl.Boolean,
            "title": pl.String,
        },
    )


def _row(one: Measure, value: float, limits: Interval | None) -> dict[str, Any]:
    return {
        "measure": one.key,
        "value": value,
        "low": limits.low if limits else None,
        "high": limits.high if limits else None,
        "range": f"{one.low} to {one.high}",
        "better": one.better,
        "chance": one.corrected_for_chance,
        "title": one.title,
    }


def catalogue() -> pl.DataFrame:
    """Return all measures as a table: key, title, paper, range, direction, needs, properties."""
    import polars as pl

    return pl.DataFrame(
        [
            {
                "key": one.key,
                "title": one.title,
                "paper": one.paper,
                "low": one.low,
                "high": one.high,
                "better": one.better,
                "needs": ", ".join(sorted(one.needs)),
                **{name: name in one.properties for name in PROPERTIES},
            }
            for one in MEASURES.values()
        ]
    )
