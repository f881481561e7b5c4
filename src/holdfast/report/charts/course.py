"""The course of a search: which sizes it went through, and what that bought."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import polars as pl

from holdfast.exceptions import refusal
from holdfast.report.charts.style import BLUE, inline, titled, whole_numbers

TRIED = "#b4bec7"
WIDTH = 620


def course_table(selector: Any) -> pl.DataFrame:
    """List the steps of a fitted selector.

    Parameters
    ----------
    selector : fitted selector
        Any of the searches.

    Returns
    -------
    polars.DataFrame
        A line a step: `step`, counted from 1, `action`, `size`, `score`, `best` (the best score so
        far), `kept` (whether the search went on from there) and `evaluations` (subsets scored so
        far). Size counts blocks as one.
    """
    if not hasattr(selector, "history_"):
        raise refusal(
            "selector", "charts.course", "a fitted search", repr(selector), "Call its fit first."
        )
    history: pl.DataFrame = selector.history_
    return history.select(
        pl.col("step") + 1,
        "action",
        "size",
        "score",
        pl.col("score").cum_max().alias("best"),
        "kept",
        "evaluations",
    )


def course(
    selector: Any, title: str = "Course of the search", subtitle: str | None = None
) -> alt.VConcatChart:
    """Draw the size of the subset step by step, and its score below.

    Forward search climbs a staircase, a floating one slips back where that helps, an oscillating
    one swings around its size. Steps tried and taken back are pale; the line below is the best
    score so far, the mark on it the subset chosen, where a step led to it.

    Parameters
    ----------
    selector : fitted selector
        Any of the searches.
    title : str
        Heading.
    subtitle : str, optional
        The line below it; by default what was found, and after how many evaluations.

    Returns
    -------
    altair.VConcatChart
    """
    table = course_table(selector)
    found = (
        f"{int(selector.support_.sum())} of {selector.n_features_in_} features, score "
        f"{selector.score_:.4f}, {selector.n_evaluations_} subsets evaluated"
    )
    steps = alt.X(
        "step:Q",
        scale=alt.Scale(domain=[0.5, table.height + 0.5], nice=False, zero=False),
        axis=whole_numbers(),
    )
    data = inline(_for_eyes(table))
    return alt.VConcatChart(
        data=data,
        vconcat=[_sizes(steps, table), _scores(steps, _chosen_at(selector))],
        title=titled(title, found if subtitle is None else subtitle),
        spacing=8,
    )


def _for_eyes(table: pl.DataFrame) -> pl.DataFrame:
    """Say with words what became of a step, and leave out what no number can be drawn for."""
    became = pl.when("kept").then(pl.lit("kept")).otherwise(pl.lit("tried, taken back"))
    return table.with_columns(became.alias("became"), pl.col("score", "best").fill_nan(None))


def _sizes(steps: alt.X, table: pl.DataFrame) -> alt.LayerChart:
    largest = int(table["size"].max() or 1)  # type: ignore[arg-type]
    y = alt.Y(
        "size:Q",
        title="features in the subset",
        scale=alt.Scale(domain=[0, largest], nice=False),
        axis=alt.Axis(tickMinStep=1, format="d"),
    )
    walk = alt.Chart().mark_line(color=TRIED, strokeWidth=1).encode(steps.title(None), y)
    return alt.LayerChart(layer=[walk, _points(steps.title(None), y)], width=WIDTH, height=170)


def _scores(steps: alt.X, chosen_at: int | None) -> alt.LayerChart:
    scale = alt.Scale(zero=False)
    y = alt.Y("score:Q", title="score", scale=scale)
    best = alt.Chart().mark_line(color=BLUE, interpolate="step-after", strokeWidth=1)
    steps = steps.title("step")
    layers = [_points(steps, y), best.encode(steps, alt.Y("best:Q", title="score", scale=scale))]
    if chosen_at is not None:
        mark = alt.Chart().transform_filter(f"datum.step == {chosen_at}")
        ring = mark.mark_point(color="black", size=90, strokeWidth=1.5, opacity=1)
        layers.append(ring.encode(steps, y))
    return alt.LayerChart(layer=layers, width=WIDTH, height=120)


def _points(x: alt.X, y: alt.Y) -> alt.Chart:
    points: alt.Chart = (
        alt.Chart()
        .mark_circle(size=22, opacity=1, aria=False)
        .encode(
            x,
            y,
            color=alt.Color(
                "became:N",
                scale=alt.Scale(domain=["kept", "tried, taken back"], range=[BLUE, TRIED]),
                legend=alt.Legend(title=None, orient="top", symbolOpacity=1),
            ),
            # Tried steps first, so that kept ones lie on top.
            order=alt.Order("kept:N"),
            tooltip=[
                "step:Q",
                "action:N",
                "became:N",
                "size:Q",
                alt.Tooltip("score:Q", format=".4f"),
                alt.Tooltip("best:Q", format=".4f", title="best so far"),
                alt.Tooltip("evaluations:Q", title="evaluations so far"),
            ],
        )
    )
    return points


def _chosen_at(selector: Any) -> int | None:
    """The first step that led to the chosen subset; a search may choose one it met beside them."""
    support = np.flatnonzero(selector.support_).tolist()
    for step, features in selector.history_.select("step", "features").iter_rows():
        if features == support:
            return int(step) + 1
    return None
