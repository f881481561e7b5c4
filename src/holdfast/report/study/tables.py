"""Tables for the page: sortable, with a caption, readable by a screen reader."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any

import polars as pl

from holdfast.report.charts.style import visible

MOST_ROWS = 500
# What is left of a zero after sums of floats.
ROUNDING = 1e-14


def table_html(
    frame: pl.DataFrame,
    caption: str,
    digits: Mapping[str, int] | None = None,
    label: str | None = None,
    rest: str = "",
) -> str:
    """A sortable table; the first column names its rows.

    Parameters
    ----------
    frame : polars.DataFrame
        Numbers as numbers.
    caption : str
        What it shows.
    digits : mapping, optional
        By column: how many after the point, for numbers that are not whole; 3 by default.
    label : str, optional
        An id for the table.
    rest : str
        Where the rows are that do not fit on a page.
    """
    shown = frame.head(MOST_ROWS)
    more = ""
    if frame.height > MOST_ROWS:
        more = f" The first {MOST_ROWS} of {frame.height} rows{rest}."
    head = "".join(_header(name, kind.is_numeric()) for name, kind in frame.schema.items())
    places = [(digits or {}).get(name, 3) for name in frame.columns]
    rows = "\n".join(_row(row, places) for row in shown.iter_rows())
    own = f' id="{escape(label)}"' if label else ""
    said = escape(visible(caption) + more)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{said}">'
        f'<table class="sortable"{own}><caption>{said}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _header(name: str, number: bool) -> str:
    kind = ' class="number"' if number else ""
    shown = escape(visible(name))
    return f'<th scope="col"{kind} aria-sort="none"><button type="button">{shown}</button></th>'


def _row(row: tuple[Any, ...], places: list[int]) -> str:
    cells = "".join(_cell(*one) for one in zip(row[1:], places[1:], strict=True))
    return f'<tr><th scope="row">{_text(row[0], places[0])}</th>{cells}</tr>'


def _cell(value: Any, digits: int) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        exact = "" if math.isnan(value) else f"{value:.10g}"
        return f'<td class="number" data-v="{exact}">{_text(value, digits)}</td>'
    return f"<td>{_text(value, digits)}</td>"


def _text(value: Any, digits: int) -> str:
    """What a cell shows; nothing for what is not known."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        value = 0.0 if abs(value) < ROUNDING else value
        small = 0 < abs(value) < 0.5 * 10**-digits
        return escape(f"{value:.1e}" if small else f"{value:.{digits}f}")
    return escape(visible(str(value)))
