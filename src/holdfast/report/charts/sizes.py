"""How many features selectors take when the number is their own choice."""

from __future__ import annotations

import altair as alt
import polars as pl

from holdfast.report.charts.style import hues, inline, names_in, titled


def sizes(
    table: pl.DataFrame,
    title: str = "How many features each selector takes",
    subtitle: str = "The larger the mark, the more runs chose that number",
) -> alt.Chart:
    """Draw a row a selector with a mark for each number of features that its runs chose.

    Parameters
    ----------
    table : polars.DataFrame
        As from ``holdfast.study.analysis.size_table``: `selector`, `n_features` and `runs`.
    title, subtitle : str
        Heading, and the line below it.

    Returns
    -------
    altair.Chart
    """
    names = names_in(table)
    chart: alt.Chart = (
        alt.Chart(
            inline(table),
            title=titled(title, subtitle),
            description=f"Numbers of features that the runs of {len(names)} selectors chose.",
        )
        .mark_circle(opacity=0.75, aria=False)
        .encode(
            x=alt.X("n_features:Q", title="features", axis=alt.Axis(format="d", tickMinStep=1)),
            y=alt.Y("selector:N", sort=None, title=None, axis=alt.Axis(labelLimit=240)),
            color=alt.Color("selector:N", scale=hues(names), legend=None),
            size=alt.Size("runs:Q", scale=alt.Scale(range=[8, 260], zero=True), legend=None),
            tooltip=["selector:N", alt.Tooltip("n_features:Q", title="features"), "runs:Q"],
        )
        .properties(width=460, height=34 * len(names))
    )
    return chart
