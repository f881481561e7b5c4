"""``holdfast datasets``: the data sets that go by a name."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from holdfast.cli.output import Format, emit, note, text_table

if TYPE_CHECKING:
    import polars as pl


def datasets(
    format: Annotated[
        Format,
        typer.Option("--format", "-f", metavar="NAME", help="What to print: table, csv or json."),
    ] = Format.table,
) -> None:
    """List the data sets that have a name, with their shapes and classes."""
    from holdfast import datasets as known

    listing = _listing(known.names())
    if format is Format.csv:
        emit(listing.write_csv())
    elif format is Format.json:
        emit(json.dumps(listing.to_dicts(), indent=2, ensure_ascii=False) + "\n")
    else:
        import polars as pl

        shown = listing.select(
            "name", pl.col("examples", "features", "classes").cast(pl.String).fill_null("")
        )
        emit(text_table(shown, shown.select(), terminal=sys.stdout.isatty()))
        note(f"Files in the folder that the variable {known.FOLDER} names are listed, too.")


def _listing(names: list[str]) -> pl.DataFrame:
    """A line for each set; a table whose target nobody named has columns and no classes."""
    import polars as pl

    kinds = {"name": pl.String, "examples": pl.Int64, "features": pl.Int64, "classes": pl.Int64}
    return pl.DataFrame([_line(name) for name in names], schema=kinds, orient="row")


def _line(name: str) -> tuple[str, int | None, int | None, int | None]:
    import numpy as np

    from holdfast import datasets as known
    from holdfast.exceptions import InputError

    try:
        table = known.load(name)
    except InputError:
        return name, None, None, None
    # Labels of LIBSVM files are floats; a target of other floats has no classes.
    continuous = table.y.dtype.kind == "f" and bool((table.y % 1 != 0).any())
    n_classes = None if continuous else int(np.unique(table.y).size)
    return name, int(table.X.shape[0]), int(table.X.shape[1]), n_classes
