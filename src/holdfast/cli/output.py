"""Where answers go: tables for eyes, plain columns for pipes, files that appear whole."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

# A last column cut to less than this says nothing.
NARROWEST = 16
GAP = 2


class Format(str, Enum):
    """What to print."""

    table = "table"
    csv = "csv"
    json = "json"


def note(text: str) -> None:
    """Talk on stderr."""
    print(text, file=sys.stderr)


def emit(text: str, output: Path | None = None) -> None:
    """Write data to stdout, or to a file that appears whole."""
    if output is not None:
        from holdfast.io.whole import written_whole

        with written_whole(output) as spare:
            spare.write_text(text, encoding="utf-8", newline="")
        note(f"written to {output}")
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A pipe gets UTF-8 whatever the locale; a terminal gets what it can show.
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="replace")
        else:
            sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)
    # Here and not at exit, so that a reader who has left ends us quietly.
    sys.stdout.flush()


def text_table(frame: pl.DataFrame, extra: pl.DataFrame, *, terminal: bool) -> str:
    """Align columns; those of `extra` only where there is room, the last of them cut if need be.

    Parameters
    ----------
    frame, extra : polars.DataFrame
        Columns of text, and more of the same height.
    terminal : bool
        Whether somebody looks at it.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(
        file=io.StringIO(),
        force_terminal=terminal,
        width=None if terminal else 10_000,
        highlight=False,
    )
    shown = _with_room(frame, extra, console.width)
    drawn = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    for column in shown:
        drawn.add_column(
            column.name,
            justify="right" if column.name == "value" else "left",
            no_wrap=True,
            min_width=_natural_width(column) if column.name in frame.columns else None,
        )
    for row in shown.iter_rows():
        # Text, not str: a name that looks like markup stays a name.
        drawn.add_row(*map(Text, row))
    with console.capture() as captured:
        console.print(drawn)
    lines = (line.rstrip() for line in captured.get().splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def wrapped_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, terminal: bool) -> str:
    """Align columns, of which the last wraps where somebody looks and never is cut."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(
        file=io.StringIO(),
        force_terminal=terminal,
        width=None if terminal else 1_000_000,
        highlight=False,
    )
    drawn = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    for name in header[:-1]:
        drawn.add_column(name, justify="right", no_wrap=True)
    drawn.add_column(header[-1], overflow="fold")
    for row in rows:
        drawn.add_row(*map(Text, row))
    with console.capture() as captured:
        console.print(drawn)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _with_room(frame: pl.DataFrame, extra: pl.DataFrame, width: int) -> pl.DataFrame:
    used = sum(_natural_width(column) + GAP for column in frame)
    for column in extra:
        natural = _natural_width(column)
        may_be_cut = column.name == extra.columns[-1]
        if used + (min(natural, NARROWEST) if may_be_cut else natural) > width:
            break
        frame = frame.with_columns(column)
        used += natural + GAP
    return frame


def _natural_width(column: pl.Series) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, [column.name, *column]))
