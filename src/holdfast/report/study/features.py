"""Features one by one: which runs chose them, how often, and what stands in for them."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from holdfast.report.charts.choices import raster_table
from holdfast.report.charts.style import visible
from holdfast.selections import Selections
from holdfast.study.analysis import frequency_table, substitutes
from holdfast.study.results import Results, Variant

TOP = 40
# Pairs grow with the square of the features looked at.
MOST_MOVING = 200
MOST_PAIRS = 60


def features_of(results: Results, variants: list[Variant]) -> dict[str, Any]:
    """For the page's script: names once, and numbers in the fewest characters."""
    return {
        "names": [visible(name) for name in results.feature_names],
        "variants": [_variant(results, variant) for variant in variants],
    }


def _variant(results: Results, variant: Variant) -> dict[str, Any]:
    table = frequency_table(results, variant)
    ever = table.filter(table["chosen"] > 0)
    runs = results.together([run for system in results.systems(variant) for run in system])
    intervals = ever.select("chosen", "share", "low", "high").unique(maintain_order=True)
    return {
        "name": visible(str(variant)),
        "runs": len(runs),
        "features": ever["index"].to_list(),
        # Most frequent first, so that equal counts stand together: each with how many follow.
        "counts": [[count, len(list(same))] for count, same in groupby(ever["chosen"].to_list())],
        "intervals": [[_short(value) for value in row] for row in intervals.iter_rows()],
        "raster": _raster(runs),
        "pairs": _pairs(results, variant),
    }


def _raster(runs: Selections) -> dict[str, Any]:
    """How many runs of each block chose each of the most frequent features."""
    table = raster_table(runs, TOP)
    n_rows = table["feature"].n_unique()
    first = table["first"].to_list()[: table.height // max(1, n_rows)]
    last = table["last"].to_list()[: len(first)]
    length = np.array(table["last"] - table["first"] + 1)
    chosen = np.rint(table["share"].to_numpy() * length).astype(int)
    rows = chosen.reshape(n_rows, -1).tolist() if runs.frequencies.any() else []
    return {"first": first, "last": last, "rows": rows}


def _pairs(results: Results, variant: Variant) -> list[list[Any]]:
    found = substitutes(results, variant, most=MOST_MOVING).head(MOST_PAIRS)
    place = {name: f for f, name in enumerate(results.feature_names)} if found.height else {}
    return [
        [place[row["feature"]], place[row["substitute"]], row["either"], row["both"], row["p"]]
        for row in found.iter_rows(named=True)
    ]


def _short(value: float) -> float:
    return round(value, 4)
