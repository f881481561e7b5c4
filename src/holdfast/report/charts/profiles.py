"""Stability over subset sizes, beside what random choices would reach."""

from __future__ import annotations

import altair as alt
import polars as pl

from holdfast.report.charts.style import GREY, hues, inline, names_in, shapes, titled

WIDTH, HEIGHT = 620, 300
# Sizes that reach over more than this ratio are drawn on a logarithmic axis.
WIDE = 40


def profiles(
    table: pl.DataFrame,
    title: str = "Stability over the number of features",
    subtitle: str = "Dashed: random choices of that size. Large mark: where the profile bends most",
    measure: str = "stability",
) -> alt.LayerChart:
    """Draw a line a selector over the sizes it was cut at, and the random baseline.

    Parameters
    ----------
    table : polars.DataFrame
        As from ``holdfast.study.analysis.profile_table``: `selector`, `size`, `stability`,
        `random` and `knot`.
    title, subtitle : str
        Heading, and the line below it.
    measure : str
        Title of the axis.

    Returns
    -------
    altair.LayerChart
    """
    names = names_in(table)
    sizes = table["size"].to_numpy()
    wide = bool(sizes.size) and sizes.max() > WIDE * sizes.min()
    scale = alt.Scale(type="log" if wide else "linear", nice=False, zero=False)
    x = alt.X("size:Q", title="features", scale=scale, axis=alt.Axis(format="d", grid=False))
    y = alt.Y("stability:Q", title=measure)
    color = alt.Color("selector:N", scale=hues(names), legend=alt.Legend(title=None))
    shape = alt.Shape("selector:N", scale=shapes(names), legend=alt.Legend(title=None))
    tips = [
        alt.Tooltip("selector:N"),
        alt.Tooltip("size:Q", title="features"),
        alt.Tooltip("stability:Q", format=".3f"),
        alt.Tooltip("random:Q", format=".3f", title="random choices"),
        alt.Tooltip("bends:N", title="bends most here"),
    ]
    base = alt.Chart()
    line = base.mark_line(strokeWidth=1.5).encode(x, y, color)
    marks = base.mark_point(filled=True, opacity=1, aria=False).encode(
        x, y, color, shape, tooltip=tips,
        size=alt.when("datum.knot").then(alt.value(180)).otherwise(alt.value(28)),
    )  # fmt: skip
    chance = (
        alt.Chart(inline(_baseline(table)))
        .mark_line(strokeDash=[5, 4], color=GREY, strokeWidth=1.5)
        .encode(x, alt.Y("random:Q"))
    )
    bends = pl.when("knot").then(pl.lit("yes")).otherwise(pl.lit("no"))
    return alt.LayerChart(
        data=inline(table.with_columns(bends=bends)),
        layer=[chance, line, marks],
        title=titled(title, subtitle),
        description=_described(table),
        width=WIDTH,
        height=HEIGHT,
    )


def _baseline(table: pl.DataFrame) -> pl.DataFrame:
    return table.select("size", "random").unique(maintain_order=True).sort("size")


def _described(table: pl.DataFrame) -> str:
    return (
        f"Stability of {table['selector'].n_unique()} selectors over {table['size'].n_unique()} "
        "subset sizes, a line each, with a dashed line for random choices."
    )
