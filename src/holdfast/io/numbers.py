"""Data: a table of numbers whose columns are features."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import FileFormatError, InputError
from holdfast.io.source import Source, counted
from holdfast.io.text import text_lines
from holdfast.selections.checks import repeated

SUFFIXES = (".csv", ".tsv", ".parquet")


def read_numbers(path: Path, columns: Sequence[str]) -> NDArray[np.float64]:
    """Read these columns, in this order; others are left aside."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: the data must be a file that ends in {', '.join(SUFFIXES)}.")
    source = Source(path, None, None, "row" if suffix == ".parquet" else "line")
    try:
        if suffix == ".parquet":
            return _from_parquet(source, columns)
        return _from_text(source, columns)
    except OSError as error:
        raise source.error(f"cannot be read ({error.strerror or error})") from error


def _from_text(source: Source, columns: Sequence[str]) -> NDArray[np.float64]:
    lines = text_lines(source)
    header = next(lines, (1, []))[1]
    _refuse_missing(source, header, columns)
    _refuse_repeated(source, header, columns)
    at = [header.index(name) for name in columns]
    rows = []
    line_of = array("q")
    for line, cells in lines:
        if not cells:
            continue
        if len(cells) != len(header):
            problem = f"{counted(len(cells))} where the header has {len(header)}"
            raise source.error(problem, line)
        try:
            rows.append([float(cells[f]) for f in at])
        except ValueError:
            raise _not_a_number(source, line, cells, header, at) from None
        line_of.append(line)
    numbers = np.array(rows, dtype=np.float64).reshape(len(rows), len(at))
    _refuse_infinite(source, numbers, columns, line_of)
    return numbers


def _not_a_number(
    source: Source, line: int, cells: list[str], header: list[str], at: list[int]
) -> FileFormatError:
    for f in at:
        try:
            float(cells[f])
        except ValueError:
            return source.error(f"column {header[f]!r} must hold numbers, got {cells[f]!r}", line)
    raise AssertionError("one of them is no number")


def _from_parquet(source: Source, columns: Sequence[str]) -> NDArray[np.float64]:
    import polars as pl

    try:
        frame = pl.read_parquet(source.path)
    except OSError:
        raise
    except Exception as error:
        raise source.error(f"not a readable Parquet file ({error})") from error
    _refuse_missing(source, frame.columns, columns)
    wanted = frame.select(columns)
    for name, kind in wanted.schema.items():
        if not (kind.is_numeric() or kind == pl.Boolean):
            raise source.error(f"column {name!r} must hold numbers, got {kind}")
    numbers: NDArray[np.float64] = wanted.cast(pl.Float64).to_numpy()
    _refuse_infinite(source, numbers, columns, range(1, wanted.height + 1))
    return numbers


def _refuse_infinite(
    source: Source, numbers: NDArray[np.float64], columns: Sequence[str], line_of: Sequence[int]
) -> None:
    finite = np.isfinite(numbers)
    if not finite.all():
        row, f = (int(i) for i in np.argwhere(~finite)[0])
        raise source.error(
            f"column {columns[f]!r} must hold finite numbers, got {numbers[row, f]}. Fill what is "
            "missing, or drop those rows.",
            line_of[row],
        )


def _refuse_repeated(source: Source, header: list[str], columns: Sequence[str]) -> None:
    twice = set(repeated(header)) & set(columns)
    if twice:
        name = min(twice, key=header.index)
        raise source.error(f"column {name!r} twice. Rename or drop one.", 1)


def _refuse_missing(source: Source, present: list[str], columns: Sequence[str]) -> None:
    held = set(present)
    missing = [name for name in columns if name not in held]
    if missing:
        raise source.error(
            f"no column for {len(missing)} of the features, such as {missing[0]!r}. The data needs "
            "a column for each feature, named as in the choices."
        )
