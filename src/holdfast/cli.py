"""The command line: data to stdout, talk to stderr.

Exit code 0 where an answer was given, 1 where the input cannot be used, 2 where the command itself is
wrong.
"""

from __future__ import annotations

import json
import sys
import warnings
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import holdfast
from holdfast.exceptions import HoldfastError, InputError

if TYPE_CHECKING:
    import polars as pl

    from holdfast.selections import Selections

app = typer.Typer(
    name="holdfast",
    help="Stable feature selection: which features would you still choose if the data shifted?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Format(str, Enum):
    """What to print."""

    table = "table"
    csv = "csv"
    json = "json"


class Layout(str, Enum):
    """How a CSV, TSV or Parquet file holds the choices."""

    auto = "auto"
    masks = "masks"
    pairs = "pairs"
    lists = "lists"


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"holdfast {holdfast.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    pass


@app.command()
def stability(
    file: Annotated[Path, typer.Argument(help="Choices of many runs: .csv, .tsv, .json, .parquet")],
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="Only this measure; repeat for more."),
    ] = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="What to print.")] = Format.table,
    n_features: Annotated[
        int | None,
        typer.Option(help="How many features there were to choose from, where FILE does not tell."),
    ] = None,
    feature_names: Annotated[
        Path | None, typer.Option(help="A text file with all feature names, one a line.")
    ] = None,
    layout: Annotated[
        Layout,
        typer.Option(
            help="masks: a 0/1 column a feature; pairs: columns run and feature; lists: the "
            "features of a run on its line."
        ),
    ] = Layout.auto,
    data: Annotated[
        Path | None,
        typer.Option(
            help="The data (.csv, .parquet; a column a feature): adds the measures that count "
            "correlated features as alike."
        ),
    ] = None,
    level: Annotated[float, typer.Option(help="Confidence level of the interval.")] = 0.95,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write here instead of stdout.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --output replace a file.")] = False,
) -> None:
    """How stable are the choices of many runs?"""
    from holdfast.io import read_selections
    from holdfast.stability import table

    if output is not None and output.exists() and not force:
        raise InputError(f"{output} is there already. Use --force to replace it.")
    names = None if feature_names is None else _lines_of(feature_names)
    runs = read_selections(file, layout=layout.value, n_features=n_features, feature_names=names)
    X = None if data is None else _numbers_of(data, runs)
    result = table(runs, measure or None, X=X, level=level)
    _note(f"{file}: {_described(runs)}")
    _emit(_rendered(result, runs, format, level), output)


@app.command()
def measures(
    format: Annotated[Format, typer.Option("--format", "-f", help="What to print.")] = Format.table,
) -> None:
    """List the stability measures."""
    from holdfast.stability import catalogue

    listing = catalogue()
    if format is Format.table:
        listing = listing.select("key", "better", "low", "high", "needs", "chance", "title")
        _emit(_as_text_table(listing), None)
    elif format is Format.csv:
        _emit(listing.write_csv(), None)
    else:
        _emit(json.dumps(listing.to_dicts(), indent=2, ensure_ascii=False) + "\n", None)


def _lines_of(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text ({error})") from error


def _numbers_of(path: Path, runs: Selections) -> Any:
    """Read the data and put its columns in the order of the runs' features."""
    import polars as pl

    try:
        frame = pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path)
    except Exception as error:
        raise InputError(f"{path}: cannot be read as a table ({error})") from error
    missing = [name for name in runs.feature_names if name not in frame.columns]
    if missing:
        raise InputError(
            f"{path}: no column for {len(missing)} of the features, such as {missing[0]!r}. "
            "The data needs a column for each feature, named as in the choices."
        )
    wanted = frame.select(runs.feature_names)
    text = [name for name, kind in wanted.schema.items() if not kind.is_numeric()]
    if text:
        raise InputError(f"{path}: column {text[0]!r} does not hold numbers")
    return wanted.to_numpy()


def _described(runs: Selections) -> str:
    low, high = int(runs.sizes.min()), int(runs.sizes.max())
    chosen = f"{low}" if low == high else f"{low} to {high}"
    return f"{runs.n_runs} runs, {chosen} of {runs.n_features} features each"


def _rendered(result: pl.DataFrame, runs: Selections, format: Format, level: float) -> str:
    if format is Format.csv:
        return result.write_csv()
    if format is Format.json:
        content = {
            "holdfast": holdfast.__version__,
            "runs": runs.n_runs,
            "features": runs.n_features,
            "level": level,
            "measures": result.to_dicts(),
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    import polars as pl

    interval = (
        pl.when(pl.col("low").is_null())
        .then(pl.lit(""))
        .otherwise(pl.format("{} to {}", pl.col("low").round(4), pl.col("high").round(4)))
    )
    shown = result.select(
        "measure",
        pl.col("value").map_elements(lambda v: f"{v:.4f}", return_dtype=pl.String),
        interval.alias(f"{level:.4g} interval"),
        "range",
        "better",
        pl.when("chance").then(pl.lit("yes")).otherwise(pl.lit("")).alias("less chance"),
        "title",
    )
    return _as_text_table(shown)


def _as_text_table(frame: pl.DataFrame) -> str:
    """Draw with rich where somebody looks, as plain columns where a program does."""
    from io import StringIO

    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in frame.columns:
        drawn.add_column(name, justify="right" if name == "value" else "left", overflow="fold")
    for row in frame.iter_rows():
        cells = ["" if c is None else ("yes" if c is True else c or "") for c in row]
        # Text, not str: a name that looks like markup stays a name.
        drawn.add_row(*(Text(str(cell)) for cell in cells))
    terminal = sys.stdout.isatty()
    buffer = StringIO()
    width = None if terminal else 200
    Console(file=buffer, width=width, force_terminal=terminal, highlight=False).print(drawn)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _emit(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    output.write_text(text, encoding="utf-8")
    _note(f"written to {output}")


def _note(text: str) -> None:
    print(text, file=sys.stderr)


def main() -> None:
    """Run the command line; errors become one line and an exit code."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: _note(f"note: {message}")  # type: ignore[assignment]
        try:
            app()
        except HoldfastError as error:
            _note(f"holdfast: {error}")
            sys.exit(1)


if __name__ == "__main__":
    main()
