"""The course of a search: which sizes it went through, and what that bought."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from holdfast.exceptions import refusal
from holdfast.report.charts import BLUE

TRIED = "#b8c4ce"


def course_table(selector: Any) -> pl.DataFrame:
    """List the steps of a fitted selector: size, score, best score so far, and whether kept.

    Parameters
    ----------
    selector : fitted SubsetSelector
        Any of the searches.
    """
    if not hasattr(selector, "history_"):
        raise refusal("selector", "charts.course", "a fitted search", repr(selector))
    history: pl.DataFrame = selector.history_
    return history.select(
        "step",
        "action",
        "size",
        "score",
        pl.col("score").cum_max().alias("best so far"),
        "kept",
        "evaluations",
        pl.col("features").list.len().alias("features"),
    )


def course(selector: Any, title: str = "Course of the search") -> Any:
    """Draw the size of the subset step by step, and the score below it.

    Steps that were tried and taken back are pale. Forward search climbs a staircase, a floating
    one slips back where that helps, an oscillating one swings around its size.

    Parameters
    ----------
    selector : fitted SubsetSelector
        Any of the searches.
    title : str
        Heading.

    Returns
    -------
    altair.VConcatChart
    """
    table = course_table(selector)
    x = alt.X("step:Q", title="step", axis=alt.Axis(tickMinStep=1))
    tooltip = [
        "step:Q",
        "action:N",
        "size:Q",
        alt.Tooltip("score:Q", format=".4f"),
        "kept:N",
        "evaluations:Q",
    ]
    kept = alt.Color(
        "kept:N",
        scale=alt.Scale(domain=[True, False], range=[BLUE, TRIED]),
        legend=alt.Legend(title="step", labelExpr="datum.value ? 'kept' : 'tried'"),
    )
    sizes = alt.Chart(table).encode(
        x=x.title(None), y=alt.Y("size:Q", title="size", axis=alt.Axis(tickMinStep=1))
    )
    walk = sizes.mark_line(color=TRIED, interpolate="step-after", strokeWidth=1)
    points = sizes.mark_circle(size=24, opacity=1).encode(color=kept, tooltip=tooltip)
    scores = alt.Chart(table).encode(x=x)
    score_scale = alt.Scale(zero=False)
    each = scores.mark_circle(size=18, opacity=1).encode(
        y=alt.Y("score:Q", title="score", scale=score_scale), color=kept, tooltip=tooltip
    )
    best = scores.mark_line(color=BLUE, interpolate="step-after").encode(
        y=alt.Y("best so far:Q", scale=score_scale)
    )
    found = f"{int(selector.support_.sum())} features chosen, score {selector.score_:.4f}"
    subtitle = f"{found}, {selector.n_evaluations_} subsets evaluated"
    return alt.vconcat(
        (walk + points).properties(width=620, height=200),
        (best + each).properties(width=620, height=120),
        title=alt.Title(title, subtitle=subtitle),
    )
