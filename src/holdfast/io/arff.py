"""ARFF, the format of Weka: a header with the kind of each attribute, then dense or sparse rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from holdfast.exceptions import FileFormatError

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(\{{.*\}}|\S+.*)$", re.IGNORECASE)
# A cell, and what ends it; blanks around are no part of it.
_CELL = re.compile(rf"\s*({_QUOTED}|[^,'\"]*?)\s*(,|$)")
_ITEM = re.compile(rf"\s*(\d+)\s+({_QUOTED}|[^,'\"\s{{}}]+)\s*(,|$)")
_ESCAPED = re.compile(r"\\(.)")
_NUMBERS = {"numeric", "real", "integer"}
_TEXTS = {"string", "date"}


@dataclass
class _Attribute:
    """A column in the making.

    Attributes
    ----------
    labels : tuple of str or None
        Of a nominal attribute, in order.
    numeric : bool
        Whether cells are numbers.
    """

    name: str
    labels: tuple[str, ...] | None
    numeric: bool
    cells: list[Any] = field(default_factory=list)

    @property
    def absent(self) -> Any:
        """What a sparse row means where it says nothing: 0, or the first label."""
        if self.numeric:
            return 0.0
        return self.labels[0] if self.labels else ""

    def value(self, text: str | None) -> Any:
        """Read a cell; ValueError says what is wrong with it."""
        if text is None:
            return math.nan if self.numeric else None
        if self.numeric:
            try:
                return float(text)
            except ValueError:
                raise ValueError(f"{self.name!r} must be a number, got {text!r}") from None
        if self.labels is not None and text not in self.labels:
            raise ValueError(f"{self.name!r} must be one of {list(self.labels)}, got {text!r}")
        return text

    def series(self) -> pl.Series:
        """Make the column; labels that all are numbers are read as numbers."""
        if self.numeric:
            return pl.Series(self.name, self.cells, dtype=pl.Float64)
        text = pl.Series(self.name, self.cells, dtype=pl.String)
        if self.labels and all(_is_number(label) for label in self.labels):
            return text.cast(pl.Float64)
        return text


def read_arff(path: Path) -> pl.DataFrame:
    """Read the attributes as columns; ``?`` is a missing value.

    Time and memory are O(rows x attributes), for sparse rows too.
    """
    lines = _lines(path)
    attributes = _header(path, lines)
    for number, line in lines:
        try:
            _read_row(line, attributes)
        except ValueError as error:
            raise FileFormatError(path, str(error), number) from None
    return pl.DataFrame([attribute.series() for attribute in attributes])


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that say something, with their numbers."""
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            said = line.strip()
            if said and not said.startswith("%"):
                yield number, said


def _header(path: Path, lines: Iterator[tuple[int, str]]) -> list[_Attribute]:
    attributes: list[_Attribute] = []
    for number, line in lines:
        keyword = line.split(maxsplit=1)[0].lower()
        if keyword == "@data":
            if not attributes:
                raise FileFormatError(path, "no @attribute before @data", number)
            _refuse_repeated(path, attributes)
            return attributes
        if keyword == "@attribute":
            attributes.append(_attribute(path, line, number))
        elif keyword != "@relation":
            raise FileFormatError(path, f"neither @attribute nor @data: {line!r}", number)
    raise FileFormatError(path, "no @data")


def _attribute(path: Path, line: str, number: int) -> _Attribute:
    found = _ATTRIBUTE.match(line)
    if found is None:
        raise FileFormatError(path, f"not an @attribute with a name and a kind: {line!r}", number)
    name, kind = _plain(found[1]), found[2]
    if kind.startswith("{"):
        labels = tuple(label or "" for label in _cells(kind[1:-1]))
        return _Attribute(name, labels, numeric=False)
    word = kind.split()[0].lower()
    if word not in _NUMBERS | _TEXTS:
        known = "numeric, string, date or labels in braces"
        raise FileFormatError(path, f"an attribute of kind {word!r}, which is not {known}", number)
    return _Attribute(name, None, numeric=word in _NUMBERS)


def _refuse_repeated(path: Path, attributes: list[_Attribute]) -> None:
    names = [attribute.name for attribute in attributes]
    repeated = (
        {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else ()
    )
    if repeated:
        raise FileFormatError(path, f"attribute {min(repeated)!r} twice")


def _read_row(line: str, attributes: list[_Attribute]) -> None:
    if line.startswith("{"):
        row = _sparse_row(line, attributes)
    else:
        cells = _cells(line)
        if len(cells) != len(attributes):
            raise ValueError(f"{len(cells)} cells for {len(attributes)} attributes")
        pairs = zip(attributes, cells, strict=True)
        row = [attribute.value(cell) for attribute, cell in pairs]
    for attribute, value in zip(attributes, row, strict=True):
        attribute.cells.append(value)


def _sparse_row(line: str, attributes: list[_Attribute]) -> list[Any]:
    """Read ``{index value, …}``."""
    if not line.endswith("}"):
        raise ValueError("a sparse row must end in '}'")
    row = [attribute.absent for attribute in attributes]
    inside, at = line[1:-1].strip(), 0
    while at < len(inside):
        found = _ITEM.match(inside, at)
        if found is None:
            raise ValueError(f"not an index and a value: {inside[at : at + 40].strip()!r}")
        index = int(found[1])
        if index >= len(attributes):
            raise ValueError(f"index {index} for {len(attributes)} attributes, counted from 0")
        row[index] = attributes[index].value(_cell(found[2]))
        at = found.end()
    return row


def _cells(line: str) -> list[str | None]:
    if "'" not in line and '"' not in line:
        return [_cell(cell.strip()) for cell in line.split(",")]
    cells: list[str | None] = []
    at = 0
    while True:
        found = _CELL.match(line, at)
        if found is None:
            raise ValueError(f"a quotation mark that does not end: {line[at : at + 40]!r}")
        cells.append(_cell(found[1]))
        at = found.end()
        if not found[2]:
            return cells


def _cell(text: str) -> str | None:
    """A bare ? is missing, a quoted one is a question mark."""
    return None if text == "?" else _plain(text)


def _plain(text: str) -> str:
    if text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 1:
        return _ESCAPED.sub(r"\1", text[1:-1])
    return text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
