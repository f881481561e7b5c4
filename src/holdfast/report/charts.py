"""Charts of selections; each is drawn from a small table that can be had on its own."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import polars as pl

from holdfast.exceptions import refusal
from holdfast.selections import Selections

BLUE = "#2f6f9f"
PALE = "#e9eef2"


def raster_table(runs: Selections, top: int = 40) -> pl.DataFrame:
    """List runs x the `top` most often chosen features, with whether each run chose each.

    Parameters
    ----------
    runs : Selections
        The choices.
    top : int, default=40
        How many features; ties to the one that comes first.
    """
    features = _most_chosen(runs, top)
    chosen = runs.masks()[:, features]
    n = runs.n_runs
    return pl.DataFrame(
        {
            "run": np.tile(np.arange(1, n + 1), features.size),
            "run name": list(runs.run_names) * features.size,
            "feature": np.repeat([runs.feature_names[f] for f in features], n),
            "share": np.repeat(runs.frequencies[features] / n, n),
            "chosen": chosen.T.ravel(),
        }
    )


def raster(runs: Selections, top: int = 40, title: str = "Which run chose which feature") -> Any:
    """Draw features x runs, a mark where the run chose the feature; most chosen feature on top.

    A stable selection shows whole lines, an unstable one rain.

    Parameters
    ----------
    runs : Selections
        The choices.
    top : int, default=40
        How many features to show.
    title : str
        Heading.

    Returns
    -------
    altair.Chart
    """
    table = raster_table(runs, top)
    order = table["feature"].unique(maintain_order=True).to_list()
    step = max(1, -(-runs.n_runs // 60) * 10 if runs.n_runs > 12 else 1)
    ticks = (
        [1, *range(step, runs.n_runs + 1, step)] if step > 1 else list(range(1, runs.n_runs + 1))
    )
    return (
        alt.Chart(table, title=alt.Title(title, subtitle=_subtitle(runs)))
        .mark_rect(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("run:O", title="run", axis=alt.Axis(values=ticks, labelAngle=0)),
            y=alt.Y("feature:N", sort=order, title=None, axis=alt.Axis(labelLimit=240)),
            color=alt.Color(
                "chosen:N",
                scale=alt.Scale(domain=[True, False], range=[BLUE, PALE]),
                legend=alt.Legend(title="chosen", labelExpr="datum.value ? 'yes' : 'no'"),
            ),
            tooltip=["feature:N", "run name:N", "chosen:N", alt.Tooltip("share:Q", format=".0%")],
        )
        .properties(width=max(320, min(720, 7 * runs.n_runs)), height=14 * len(order))
    )


def frequency_table(runs: Selections, top: int = 40) -> pl.DataFrame:
    """List the `top` most often chosen features with their number and share of runs.

    Parameters
    ----------
    runs : Selections
        The choices.
    top : int, default=40
        How many features; ties to the one that comes first.
    """
    return runs.to_frame()[_most_chosen(runs, top).tolist()]


def frequencies(
    runs: Selections, top: int = 40, title: str = "How often each feature was chosen"
) -> Any:
    """Draw a bar a feature: the share of runs that chose it, with a rule at one half.

    Parameters
    ----------
    runs : Selections
        The choices.
    top : int, default=40
        How many features to show.
    title : str
        Heading.

    Returns
    -------
    altair.LayerChart
    """
    table = frequency_table(runs, top)
    bars = (
        alt.Chart(table, title=alt.Title(title, subtitle=_subtitle(runs)))
        .mark_bar(color=BLUE)
        .encode(
            x=alt.X(
                "share:Q",
                title="share of runs",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(format="%"),
            ),
            y=alt.Y(
                "feature:N",
                sort=table["feature"].to_list(),
                title=None,
                axis=alt.Axis(labelLimit=240),
            ),
            tooltip=["feature:N", "runs:Q", alt.Tooltip("share:Q", format=".1%")],
        )
    )
    half = (
        alt.Chart(pl.DataFrame({"share": [0.5]}))
        .mark_rule(strokeDash=[4, 4], color="#555555")
        .encode(x="share:Q")
    )
    return (bars + half).properties(width=420, height=14 * table.height)


def _most_chosen(runs: Selections, top: int) -> np.ndarray:
    if not isinstance(top, int) or top < 1:
        raise refusal("top", "charts", "a whole number >= 1", repr(top))
    order = np.argsort(-runs.frequencies, kind="stable")[:top]
    return order[runs.frequencies[order] > 0] if runs.frequencies.any() else order


def _subtitle(runs: Selections) -> str:
    low, high = int(runs.sizes.min()), int(runs.sizes.max())
    chosen = f"{low}" if low == high else f"{low} to {high}"
    return f"{runs.n_runs} runs, {chosen} of {runs.n_features} features each"
