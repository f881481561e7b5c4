"""What all charts share: colours, titles, and text that any renderer can show."""

from __future__ import annotations

import re
from typing import Any

import altair as alt
import polars as pl

BLUE = "#2f6f9f"
LIGHT = "#a9c4d8"
PALE = "#e9eef2"
GREY = "#555555"
FAINT = "#b4bec7"
INK = "#1f2a33"
PAPER = "#ffffff"
# Of Okabe and Ito, which the colour-blind tell apart; shapes differ too, for print without colour.
HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#6b4c9a"]
SHAPES = ["circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "triangle-right"]
# What each colour becomes on a dark ground.
DARK = {
    BLUE: "#6cb2e4",
    LIGHT: "#3f6786",
    PALE: "#27323b",
    GREY: "#aab4bd",
    FAINT: "#5b6873",
    INK: "#e6ebef",
    PAPER: "#14191e",
    "#0072b2": "#5aaee8",
    "#d55e00": "#ff8a4c",
    "#009e73": "#3fc79e",
    "#cc79a7": "#e79cc6",
    "#b8860b": "#e0b84a",
    "#56b4e9": "#9bd3f5",
    "#6b4c9a": "#b79ae6",
}

# What XML cannot hold; the renderer ends the whole process on it.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A tag in a name would be one in Altair's HTML, too; a space of no width keeps it a name.
_TAG = re.compile("<(?=[A-Za-z/!?])")


def inline(table: pl.DataFrame) -> alt.InlineData:
    """Put the rows into the chart: Altair refuses frames of more than 5000."""
    text = [name for name, kind in table.schema.items() if kind == pl.String]
    safe = [pl.Series(name, [_or_none(value) for value in table[name]]) for name in text]
    numbers = [name for name, kind in table.schema.items() if kind == pl.Float64]
    known = table.with_columns(pl.col(numbers).fill_nan(None)) if numbers else table
    return alt.InlineData(values=known.with_columns(safe).to_dicts())


def _or_none(text: str | None) -> str | None:
    return None if text is None else printable(text)


def visible(text: str) -> str:
    """Show what cannot be printed by its code."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def printable(text: str) -> str:
    """Show what cannot be printed by its code, and leave nothing that could be a tag."""
    return _TAG.sub("<\u200b", visible(text))


def titled(title: str, subtitle: str) -> alt.Title:
    """Make a heading at the left, with a line of numbers below it."""
    return alt.Title(
        printable(title),
        subtitle=printable(subtitle),
        anchor="start",
        frame="group",
        subtitleColor=GREY,
    )


def whole_numbers() -> alt.Axis:
    """Make an axis without fractions."""
    return alt.Axis(tickMinStep=1, format="d", grid=False)


def hues(names: list[str]) -> alt.Scale:
    """One colour a name, in the order given; the same ones in every chart of a study."""
    return alt.Scale(domain=[printable(name) for name in names], range=_repeated(HUES, len(names)))


def shapes(names: list[str]) -> alt.Scale:
    """One shape a name; with seven colours, and shapes moved on by one a round, 49 pairs differ."""
    turned = [SHAPES[(i + i // len(HUES)) % len(SHAPES)] for i in range(len(names))]
    return alt.Scale(domain=[printable(name) for name in names], range=turned)


def _repeated(values: list[str], n: int) -> list[str]:
    return [values[i % len(values)] for i in range(n)]


def words(x: alt.X, y: alt.Y, over: str, middle: float) -> list[alt.Chart]:
    """Names beside their marks, inwards from either side."""
    place = f"datum.{over} > {float(middle)!r}"
    style: dict[str, Any] = {"baseline": "bottom", "dy": -5, "color": INK, "aria": False}
    left = alt.Chart().transform_filter(f"!({place})").mark_text(align="left", dx=9, **style)
    right = alt.Chart().transform_filter(place).mark_text(align="right", dx=-9, **style)
    return [one.encode(x, y, text="variant:N") for one in (left, right)]


def names_in(table: pl.DataFrame, column: str = "selector") -> list[str]:
    """The names of a column, each once, in order."""
    found: list[str] = table[column].unique(maintain_order=True).to_list()
    return found


def dark(chart: Any) -> Any:
    """Give a chart the colours for a dark ground.

    Parameters
    ----------
    chart : altair chart
        Any chart of this module; it stays as it is.

    Returns
    -------
    altair chart
    """
    recoloured = alt.Chart.from_dict(_swapped(chart.to_dict()))
    ink, grid = DARK[INK], DARK[PALE]
    return recoloured.configure(
        background=DARK[PAPER],
        axis=alt.AxisConfig(
            labelColor=ink, titleColor=ink, gridColor=grid, domainColor=DARK[GREY],
            tickColor=DARK[GREY],
        ),
        legend=alt.LegendConfig(labelColor=ink, titleColor=ink),
        title=alt.TitleConfig(color=ink, subtitleColor=DARK[GREY]),
        view=alt.ViewConfig(stroke=grid),
    )  # fmt: skip


def _swapped(part: Any) -> Any:
    """The same specification in dark colours; data are left alone."""
    if isinstance(part, dict):
        kept = ("datasets", "values", "domain", "text", "subtitle", "description")
        return {k: v if k in kept else _swapped(v) for k, v in part.items()}
    if isinstance(part, list):
        return [_swapped(one) for one in part]
    if part == "black":
        return DARK[INK]
    if part == "white":
        return DARK[PAPER]
    return DARK.get(part, part) if isinstance(part, str) else part
