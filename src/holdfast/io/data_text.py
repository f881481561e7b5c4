"""Data out of CSV and TSV: read by polars, and line by line where something is odd."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from holdfast.exceptions import FileFormatError, listed
from holdfast.io.source import Source
from holdfast.io.text import text_lines


def read_data_text(path: Path) -> pl.DataFrame:
    """Read a table with a header; a line that is too short, too long or broken is named.

    Blank lines count for nothing.
    """
    source = Source(path, None, None)
    header = next(text_lines(source), (1, []))[1]
    if not header:
        raise source.error("no header in the first line")
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise source.error(f"column {listed([repr(name) for name in repeated])} twice", 1)
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    try:
        frame = pl.read_csv(path, separator=separator, infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        _positions_of_blank_lines(source, header)
        raise _unreadable(source, str(error).partition("\n")[0]) from error
    # polars leaves doubled quotes in a header doubled.
    frame = frame.rename(dict(zip(frame.columns, header, strict=True)))
    # Short and blank lines end in a missing cell.
    if len(header) > 1 and frame[frame.columns[-1]].null_count():
        blank = set(_positions_of_blank_lines(source, header))
        frame = frame.filter(pl.Series([row not in blank for row in range(frame.height)]))
    return frame


def _unreadable(source: Source, reason: str) -> FileFormatError:
    """Every line has its cells, so it must be the quotation marks."""
    for line, cells in text_lines(source):
        if any('"' in cell for cell in cells):
            cure = "Put such a cell in quotation marks and double those inside it."
            return source.error(f"a quotation mark in a cell ({reason}). {cure}", line)
    return source.error(f"cannot be read ({reason})")


def _positions_of_blank_lines(source: Source, header: Sequence[str]) -> list[int]:
    """Which records are blank; a record that has not a cell for each column is refused."""
    lines = text_lines(source)
    next(lines)
    blank = []
    for row, (line, cells) in enumerate(lines):
        if not cells:
            blank.append(row)
        elif len(cells) != len(header):
            raise source.error(f"{len(cells)} cells where the header has {len(header)}", line)
    return blank
