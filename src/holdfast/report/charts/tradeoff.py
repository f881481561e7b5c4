"""Accuracy against stability, with intervals, the front, and what is recommended."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import polars as pl

from holdfast.report.charts.style import (
    FAINT,
    INK,
    PAPER,
    hues,
    inline,
    names_in,
    shapes,
    titled,
    words,
)

WIDTH, HEIGHT = 620, 360
# More variants than this are told apart by colour and hover, not by words beside them.
MOST_WORDS = 12
LEGEND = alt.Legend(title=None, symbolOpacity=1)


def tradeoff(
    table: pl.DataFrame,
    title: str = "Accuracy against stability",
    subtitle: str = "Filled: no other is better in accuracy, stability and size at once. "
    "Ring: recommended",
) -> alt.LayerChart:
    """Draw a mark a variant, with the intervals of both; further up and right is better.

    The line joins those that no other beats in accuracy and stability; the ring is on the one
    recommended.

    Parameters
    ----------
    table : polars.DataFrame
        As from ``holdfast.study.analysis.tradeoff_table``.
    title, subtitle : str
        Heading, and the line below it.

    Returns
    -------
    altair.LayerChart
    """
    names = names_in(table)
    metric = table["metric"][0]
    few = alt.Axis(tickCount=10)
    reach = _fitted(table, "low", "stability", "high")
    x = alt.X("stability:Q", title="stability Φ", scale=reach, axis=few)
    limits = _fitted(table, "accuracy_low", "accuracy", "accuracy_high")
    y = alt.Y("accuracy:Q", title=metric, scale=limits)
    color = alt.Color("selector:N", scale=hues(names), legend=LEGEND)
    base = alt.Chart()
    edge = base.transform_filter("datum.edge").mark_line(color=FAINT, strokeWidth=2)
    across = base.mark_rule(strokeWidth=1.2, opacity=0.45).encode(
        alt.X("low:Q"), y, color, x2="high:Q"
    )
    along = base.mark_rule(strokeWidth=1.2, opacity=0.45).encode(
        x, alt.Y("accuracy_low:Q"), color, y2="accuracy_high:Q"
    )
    ring = base.transform_filter("datum.recommended").mark_point(
        size=420, strokeWidth=2, color=INK, opacity=1
    )
    layers = [
        edge.encode(x, y, order="stability:Q"),
        across,
        along,
        ring.encode(x, y),
        *_marks(x, y, names, metric),
    ]
    if table.height <= MOST_WORDS:
        layers += words(x, y, "stability", _middle(table, "low", "stability", "high"))
    return alt.LayerChart(
        data=inline(table.drop("model")),
        layer=layers,
        title=titled(title, subtitle),
        description=_described(table),
        width=WIDTH,
        height=HEIGHT,
    )


def _marks(x: alt.X, y: alt.Y, names: list[str], metric: str) -> list[alt.Chart]:
    """A mark a variant, and an empty middle on those that others beat."""
    tips = [
        alt.Tooltip("variant:N"),
        alt.Tooltip("accuracy:Q", format=".4f", title=metric),
        alt.Tooltip("stability:Q", format=".3f"),
        alt.Tooltip("low:Q", format=".3f", title="stability, lower end"),
        alt.Tooltip("high:Q", format=".3f", title="stability, upper end"),
        alt.Tooltip("n_features:Q", format=".1f", title="features, mean"),
        alt.Tooltip("worse:N", title="significantly less accurate than the best"),
        alt.Tooltip("front:N", title="on the front"),
        alt.Tooltip("recommended:N"),
    ]
    mark: dict[str, Any] = {"filled": True, "opacity": 1, "aria": False}
    color = alt.Color("selector:N", scale=hues(names), legend=LEGEND)
    shape = alt.Shape("selector:N", scale=shapes(names), legend=LEGEND)
    full = alt.Chart().mark_point(size=110, **mark).encode(x, y, color, shape, tooltip=tips)
    beaten = alt.Chart().transform_filter("!datum.front")
    empty = beaten.mark_point(size=28, color=PAPER, **mark).encode(x, y, shape, tooltip=tips)
    return [full, empty]


def _fitted(table: pl.DataFrame, *columns: str) -> alt.Scale:
    """From the lowest end of an interval to the highest, with a margin."""
    low, high = _ends(table, *columns)
    margin = 0.05 * (high - low) or 0.05
    return alt.Scale(domain=[low - margin, high + margin], nice=False, zero=False)


def _middle(table: pl.DataFrame, *columns: str) -> float:
    return sum(_ends(table, *columns)) / 2


def _ends(table: pl.DataFrame, *columns: str) -> tuple[float, float]:
    values = np.concatenate([table[name].to_numpy() for name in columns])
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)


def _described(table: pl.DataFrame) -> str:
    best = table.filter("recommended").row(0, named=True)
    return (
        f"{table.height} variants by stability and {best['metric']}. Recommended: "
        f"{best['variant']}, {best['metric']} {best['accuracy']:.3f}, stability "
        f"{best['stability']:.3f}."
    )
