"""How often features were chosen, with the interval of each share."""

from __future__ import annotations

import altair as alt
import polars as pl

from holdfast.exceptions import refusal
from holdfast.report.charts.style import BLUE, GREY, LIGHT, inline, titled


def frequency_bars(
    table: pl.DataFrame,
    top: int = 40,
    at_least: float = 0.5,
    title: str = "How often each feature was chosen",
    subtitle: str | None = None,
) -> alt.LayerChart:
    """Draw a bar a feature with its interval; dark where the share reaches `at_least`.

    Parameters
    ----------
    table : polars.DataFrame
        As from ``holdfast.study.analysis.frequency_table``: `feature`, `chosen`, `runs`, `share`,
        `low` and `high`, the most frequent first.
    top : int, default=40
        How many features to show; those that no run chose are left out.
    at_least : float, default=0.5
        Where to draw the line.
    title : str
        Heading.
    subtitle : str, optional
        The line below it; by default the numbers of runs and features.

    Returns
    -------
    altair.LayerChart
    """
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise refusal("top", "charts", "a whole number >= 1", repr(top))
    ever = table.filter(pl.col("chosen") > 0)
    shown = ever.head(top)
    n_runs = int(table["runs"][0]) if table.height else 0
    said = f"{n_runs} runs; {shown.height} of {ever.height} features ever chosen"
    return alt.LayerChart(
        data=inline(shown.select("feature", "chosen", "runs", "share", "low", "high")),
        layer=[*_bars(at_least), _line(at_least)],
        title=titled(title, said if subtitle is None else subtitle),
        description=f"Share of runs that chose each of {shown.height} features, most often first.",
        width=420,
        height=15 * max(1, shown.height),
    )


def _line(share: float) -> alt.Chart:
    one = alt.Chart(inline(pl.DataFrame({"share": [float(share)]})))
    line: alt.Chart = one.mark_rule(strokeDash=[4, 4], color=GREY).encode(x="share:Q")
    return line


def _bars(at_least: float) -> list[alt.Chart]:
    # Data order. Names are values, never field names: any character is allowed in them.
    y = alt.Y("feature:N", sort=None, title=None, axis=alt.Axis(labelLimit=240))
    x = alt.X(
        "share:Q",
        title="share of runs",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%"),
    )
    tips = [
        alt.Tooltip("feature:N"),
        alt.Tooltip("chosen:Q", title="runs"),
        alt.Tooltip("share:Q", format=".1%"),
        alt.Tooltip("low:Q", format=".1%", title="lower end"),
        alt.Tooltip("high:Q", format=".1%", title="upper end"),
    ]
    enough = alt.when(f"datum.share >= {float(at_least)!r}")
    bars = (
        alt.Chart()
        .mark_bar(aria=False)
        .encode(x, y, color=enough.then(alt.value(BLUE)).otherwise(alt.value(LIGHT)), tooltip=tips)
    )
    whiskers = (
        alt.Chart()
        .mark_rule(color=GREY, aria=False)
        .encode(alt.X("low:Q"), y, x2="high:Q", tooltip=tips)
    )
    return [bars, whiskers]
