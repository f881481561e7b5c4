"""What many runs chose: which run chose which feature, and how often each was chosen."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdfast.exceptions import refusal
from holdfast.report.charts.style import BLUE, GREY, LIGHT, PALE, inline, titled, whole_numbers
from holdfast.selections import Selections

# More columns than this are thinner than the eye resolves; neighbours are then drawn as one.
MOST_COLUMNS = 120


def raster_table(runs: Selections, top: int = 40) -> pl.DataFrame:
    """List the `top` most often chosen features x the runs: which run chose which.

    Beyond 120 runs, neighbours are taken together in blocks of one length, the last perhaps
    shorter. O(number of choices made).

    Parameters
    ----------
    runs : Selections
        The choices.
    top : int, default=40
        How many features; ties to the one that comes first. Features that no run chose are left
        out, unless no run chose anything.

    Returns
    -------
    polars.DataFrame
        A line for each feature and block: `feature`, `frequency` (its share of all runs), `first`
        and `last` (the runs of the block, counted from 1), `run` (their names) and `share` (of the
        block's runs that chose it: 0 or 1 where a block is one run).
    """
    features = _most_chosen(runs, top)
    length = -(-runs.n_runs // MOST_COLUMNS)
    first = np.arange(0, runs.n_runs, length)
    last = np.minimum(first + length, runs.n_runs)
    chosen = _counts(runs, features, length, first.size)
    n = features.size
    return pl.DataFrame(
        {
            "feature": np.repeat([runs.feature_names[f] for f in features], first.size).tolist(),
            "frequency": np.repeat(runs.frequencies[features] / runs.n_runs, first.size),
            "first": np.tile(first + 1, n),
            "last": np.tile(last, n),
            "run": _block_names(runs, first, last) * n,
            "share": (chosen / (last - first)).ravel(),
        }
    )


def _counts(
    runs: Selections, features: NDArray[np.intp], length: int, n_blocks: int
) -> NDArray[np.int64]:
    """How many runs of each block chose each feature: features x blocks."""
    row_of = np.full(runs.n_features, -1)
    row_of[features] = np.arange(features.size)
    row = row_of[runs.indices]
    block = np.repeat(np.arange(runs.n_runs) // length, runs.sizes)
    cell = (row * n_blocks + block)[row >= 0]
    return np.bincount(cell, minlength=features.size * n_blocks).reshape(features.size, n_blocks)


def _block_names(runs: Selections, first: NDArray[Any], last: NDArray[Any]) -> list[str]:
    names = runs.run_names
    return [
        names[a] if b - a == 1 else f"{names[a]} to {names[b - 1]}"
        for a, b in zip(first.tolist(), last.tolist(), strict=True)
    ]


def raster(
    runs: Selections,
    top: int = 40,
    title: str = "Which run chose which feature",
    subtitle: str | None = None,
) -> alt.Chart:
    """Draw features x runs, dark where the run chose the feature; the most often chosen on top.

    A stable selection shows whole lines, an unstable one rain. Beyond 120 runs a cell stands for
    several neighbouring runs and its shade for how many of them chose the feature.

    Parameters
    ----------
    runs : Selections
        The choices.
    top : int, default=40
        How many features to show.
    title : str
        Heading.
    subtitle : str, optional
        The line below it; by default the numbers of runs and features.

    Returns
    -------
    altair.Chart
    """
    table = raster_table(runs, top)
    single = bool((table["first"] == table["last"]).all())
    cells = table.with_columns(
        left=table["first"] - 0.5,
        right=table["last"] + 0.5,
        chosen=pl.when(table["share"] > 0).then(pl.lit("yes")).otherwise(pl.lit("no")),
    )
    n_rows = table["feature"].n_unique()
    chart: alt.Chart = (
        alt.Chart(inline(cells), title=_title(title, subtitle, runs, n_rows))
        .mark_rect(stroke="white", strokeWidth=0.5 if single else 0, aria=False)
        .encode(
            x=alt.X("left:Q", title="run", scale=_fitted(runs.n_runs), axis=whole_numbers()),
            x2="right:Q",
            y=_feature_axis(),
            color=_yes_or_no() if single else _shades(),
            tooltip=[
                alt.Tooltip("feature:N"),
                alt.Tooltip("run:N"),
                alt.Tooltip("chosen:N") if single else alt.Tooltip("share:Q", format=".0%"),
                alt.Tooltip("frequency:Q", format=".0%", title="share of all runs"),
            ],
        )
        .properties(width=max(240, min(720, 9 * runs.n_runs)), height=15 * n_rows)
    )
    return chart


def _fitted(n_runs: int) -> alt.Scale:
    return alt.Scale(domain=[0.5, n_runs + 0.5], nice=False, zero=False)


def _yes_or_no() -> alt.Color:
    return alt.Color(
        "chosen:N",
        scale=alt.Scale(domain=["yes", "no"], range=[BLUE, PALE]),
        legend=alt.Legend(title="chosen"),
    )


def _shades() -> alt.Color:
    return alt.Color(
        "share:Q",
        scale=alt.Scale(domain=[0, 1], range=[PALE, BLUE]),
        legend=alt.Legend(title="chosen", format=".0%"),
    )


def frequency_table(runs: Selections, top: int = 40) -> pl.DataFrame:
    """List the `top` most often chosen features with their number and share of runs.

    Parameters
    ----------
    runs : Selections
        The choices.
    top : int, default=40
        How many features; ties to the one that comes first. Features that no run chose are left
        out, unless no run chose anything.

    Returns
    -------
    polars.DataFrame
        Columns `feature`, `runs` and `share`, the most often chosen first.
    """
    table: pl.DataFrame = runs.to_frame()[_most_chosen(runs, top).tolist()]
    return table


def frequencies(
    runs: Selections,
    top: int = 40,
    at_least: float = 0.5,
    title: str = "How often each feature was chosen",
    subtitle: str | None = None,
) -> alt.LayerChart:
    """Draw a bar a feature: the share of runs that chose it; dark where it reaches `at_least`.

    Parameters
    ----------
    runs : Selections
        The choices.
    top : int, default=40
        How many features to show.
    at_least : float, default=0.5
        Where to draw the line, above 0 and at most 1; the dark bars are the features that
        ``runs.consensus("threshold", at_least=at_least)`` gives.
    title : str
        Heading.
    subtitle : str, optional
        The line below it; by default the numbers of runs and features.

    Returns
    -------
    altair.LayerChart
    """
    agreed = {runs.feature_names[f] for f in runs.consensus("threshold", at_least=at_least)}
    table = frequency_table(runs, top)
    said = subtitle
    if said is None:
        said = f"{_numbers(runs, table.height)}; dark: by at least {100 * at_least:.4g} %"
    shown = table.with_columns(
        agreed=pl.Series([name in agreed for name in table["feature"]], dtype=pl.Boolean)
    )
    bars = (
        alt.Chart(inline(shown), title=_title(title, said, runs, table.height))
        .mark_bar()
        .encode(
            x=alt.X(
                "share:Q",
                title="share of runs",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(format=".0%"),
            ),
            y=_feature_axis(),
            color=alt.when("datum.agreed").then(alt.value(BLUE)).otherwise(alt.value(LIGHT)),
            tooltip=["feature:N", "runs:Q", alt.Tooltip("share:Q", format=".1%")],
        )
    )
    line = (
        alt.Chart(inline(pl.DataFrame({"share": [float(at_least)]})))
        .mark_rule(strokeDash=[4, 4], color=GREY)
        .encode(x="share:Q")
    )
    return alt.LayerChart(layer=[bars, line], width=420, height=15 * table.height)


def _feature_axis() -> alt.Y:
    # Data order. Names are values, never field names: any character is allowed in them.
    return alt.Y("feature:N", sort=None, title=None, axis=alt.Axis(labelLimit=240))


def _most_chosen(runs: Selections, top: int) -> NDArray[np.intp]:
    if not isinstance(top, (int, np.integer)) or isinstance(top, bool) or top < 1:
        raise refusal("top", "charts", "a whole number >= 1", repr(top))
    order = np.argsort(-runs.frequencies, kind="stable")[:top]
    return order[runs.frequencies[order] > 0] if runs.frequencies.any() else order


def _title(title: str, subtitle: str | None, runs: Selections, n_rows: int) -> alt.Title:
    return titled(title, _numbers(runs, n_rows) if subtitle is None else subtitle)


def _numbers(runs: Selections, n_rows: int) -> str:
    low, high = int(runs.sizes.min()), int(runs.sizes.max())
    chosen = f"{low}" if low == high else f"{low} to {high}"
    said = f"{runs.n_runs} runs, {chosen} of {runs.n_features} features each"
    ever = int((runs.frequencies > 0).sum())
    return said if ever <= n_rows else f"{said}; the {n_rows} most often chosen of {ever}"
