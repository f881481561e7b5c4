"""CSV and TSV as records with line numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from holdfast.io.source import Lines, Source


def text_lines(source: Source) -> Lines:
    """Yield the cells of each record with the line it begins on."""
    delimiter = "\t" if source.path.suffix.lower() == ".tsv" else ","
    with source.path.open("rb") as file:
        reader = csv.reader(_decoded(source, file), delimiter=delimiter, strict=True)
        begins = 1
        try:
            for cells in reader:
                yield begins, cells
                begins = reader.line_num + 1
        except csv.Error as error:
            raise source.error(
                f"broken record ({error}). Double each quotation mark inside a quoted cell, and "
                "end lines with a line feed.",
                begins,
            ) from error


def _decoded(source: Source, lines: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise source.error(
                f"not UTF-8 text (byte {error.start} of the line). Save the file as UTF-8.", number
            ) from error
