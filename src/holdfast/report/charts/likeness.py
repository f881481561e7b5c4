"""A map of selectors: those that choose alike lie close together."""

from __future__ import annotations

import altair as alt
import numpy as np
import polars as pl

from holdfast.report.charts.style import hues, inline, names_in, shapes, titled, words

SIDE = 400
MOST_WORDS = 15


def likeness(
    table: pl.DataFrame,
    title: str = "Who chooses alike",
    subtitle: str = "The closer two marks, the more features they share on the same samples",
) -> alt.LayerChart:
    """Draw a mark a variant where it lies on the map; the axes have no meaning of their own.

    Parameters
    ----------
    table : polars.DataFrame
        As from ``holdfast.study.analysis.likeness_map``: `variant`, `selector`, `x` and `y`.
    title, subtitle : str
        Heading, and the line below it.

    Returns
    -------
    altair.LayerChart
    """
    names = names_in(table)
    # One scale for both axes, so that distances can be read in any direction.
    points = table.select("x", "y").to_numpy()
    reach = max(0.05, float(np.ptp(points, axis=0).max()) / 2) if table.height else 1.0
    middle = (points.max(axis=0) + points.min(axis=0)) / 2 if table.height else np.zeros(2)
    x = alt.X("x:Q", scale=_around(middle[0], 1.2 * reach), axis=None)
    y = alt.Y("y:Q", scale=_around(middle[1], 1.2 * reach), axis=None)
    marks = (
        alt.Chart()
        .mark_point(filled=True, size=110, opacity=1, aria=False)
        .encode(
            x,
            y,
            color=alt.Color("selector:N", scale=hues(names), legend=alt.Legend(title=None)),
            shape=alt.Shape("selector:N", scale=shapes(names), legend=alt.Legend(title=None)),
            tooltip=["variant:N"],
        )
    )
    layers = [marks]
    if table.height <= MOST_WORDS:
        layers += words(x, y, "x", middle[0])
    return alt.LayerChart(
        data=inline(table),
        layer=layers,
        title=titled(title, subtitle),
        description=f"A map of {table.height} variants; those close together choose alike.",
        width=SIDE,
        height=SIDE,
    )


def _around(middle: float, reach: float) -> alt.Scale:
    return alt.Scale(domain=[middle - reach, middle + reach], nice=False, zero=False)
