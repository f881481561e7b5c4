"""One HTML file from text, tables and charts, with everything inside it: no script, no network."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

_STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; color: #1f2a33; background: #fff;
       max-width: 60rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
p { max-width: 46rem; } .lead { font-size: 1.1rem; }
figure { margin: 1rem 0; } img { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .9rem .35rem 0; text-align: left; border-bottom: 1px solid #dde4ea; }
th { font-weight: 600; border-bottom-color: #2f6f9f; }
"""


@dataclass(frozen=True)
class Part:
    """A heading with what stands below it, in this order.

    Attributes
    ----------
    heading : str
        Heading.
    text : str
        A paragraph.
    table : polars.DataFrame, optional
        Drawn as it is: format the numbers before.
    chart : altair chart, optional
        Drawn as an SVG picture.
    described : str
        What the picture shows, for those who cannot see it.
    """

    heading: str
    text: str = ""
    table: pl.DataFrame | None = None
    chart: Any = None
    described: str = ""


def render(title: str, lead: str, parts: Iterable[Part]) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    title, lead : str
        Heading of the page and the paragraph below it.
    parts : iterable of Part
        The rest.
    """
    body = "\n".join(_part(part) for part in parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{escape(title)}</h1>\n<p class="lead">{escape(lead)}</p>\n{body}\n</body>\n</html>\n'
    )


def _part(part: Part) -> str:
    pieces = [f"<h2>{escape(part.heading)}</h2>"]
    if part.text:
        pieces.append(f"<p>{escape(part.text)}</p>")
    if part.table is not None:
        pieces.append(_table(part.table))
    if part.chart is not None:
        pieces.append(_picture(part.chart, part.described))
    return "\n".join(pieces)


def _table(frame: pl.DataFrame) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in frame.columns)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in frame.iter_rows()
    )
    return f'<div class="wide"><table>\n<tr>{head}</tr>\n{rows}\n</table></div>'


def _picture(chart: Any, described: str) -> str:
    svg = StringIO()
    chart.save(svg, format="svg")
    # As an image, the names inside one picture cannot clash with those inside another.
    data = b64encode(svg.getvalue().encode()).decode("ascii")
    source = f"data:image/svg+xml;base64,{data}"
    return f'<figure><img src="{source}" alt="{escape(described)}"></figure>'
