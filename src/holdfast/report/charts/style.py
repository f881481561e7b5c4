"""What all charts share: colours, titles, and text that any renderer can show."""

from __future__ import annotations

import re

import altair as alt
import polars as pl

BLUE = "#2f6f9f"
LIGHT = "#a9c4d8"
PALE = "#e9eef2"
GREY = "#555555"

# What XML cannot hold; the renderer ends the whole process on it.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A tag in a name would be one in Altair's HTML, too; a space of no width keeps it a name.
_TAG = re.compile("<(?=[A-Za-z/!?])")


def inline(table: pl.DataFrame) -> alt.InlineData:
    """Put the rows into the chart: Altair refuses frames of more than 5000."""
    text = [name for name, kind in table.schema.items() if kind == pl.String]
    safe = [pl.Series(name, [printable(value) for value in table[name]]) for name in text]
    return alt.InlineData(values=table.with_columns(safe).to_dicts())


def printable(text: str) -> str:
    """Show what cannot be printed by its code, and leave nothing that could be a tag."""
    shown = _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)
    return _TAG.sub("<\u200b", shown)


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
