"""The commands about stability."""

from __future__ import annotations

import json
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import holdfast
from holdfast.cli.output import Format, emit, note, text_table
from holdfast.exceptions import InputError

if TYPE_CHECKING:
    import polars as pl

    from holdfast.selections import Selections

CHANCE_EXPLAINED = "chance: yes where random choices score 0 on average."


class Layout(str, Enum):
    """How a CSV, TSV or Parquet file holds the choices."""

    auto = "auto"
    masks = "masks"
    pairs = "pairs"
    lists = "lists"


def _refuse_unknown(keys: list[str]) -> None:
    from holdfast.stability import measure

    for key in keys:
        try:
            measure(key)
        except InputError as error:
            problem = f"{error} `holdfast measures` lists them."
            raise typer.BadParameter(problem, param_hint="'--measure' / '-m'") from error


def _confidence(level: float) -> float:
    if not 0 < level < 1:
        raise typer.BadParameter(f"must be between 0 and 1, such as 0.95; got {level:g}.")
    return level


def stability(
    file: Annotated[Path, typer.Argument(help="Choices of many runs: .csv, .tsv, .json, .parquet")],
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="Only this measure; repeat for more."),
    ] = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="What to print.")] = Format.table,
    n_features: Annotated[
        int | None,
        typer.Option(
            min=1, help="How many features there were to choose from, where FILE does not tell."
        ),
    ] = None,
    feature_names: Annotated[
        Path | None, typer.Option(help="A text file with all feature names, one a line.")
    ] = None,
    layout: Annotated[
        Layout,
        typer.Option(
            help="masks: a 0/1 column a feature; pairs: columns run and feature; lists: the "
            "features of a run on its line. auto: masks or pairs, by the header."
        ),
    ] = Layout.auto,
    data: Annotated[
        Path | None,
        typer.Option(
            help="The data (.csv, .tsv, .parquet; a column a feature): adds the measures that "
            "count correlated features as alike."
        ),
    ] = None,
    level: Annotated[
        float, typer.Option(callback=_confidence, help="Confidence level of the interval.")
    ] = 0.95,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write here instead of stdout.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --output replace a file.")] = False,
) -> None:
    """Tell how stable the choices of many runs are."""
    from holdfast.io import read_selections
    from holdfast.io.numbers import read_numbers
    from holdfast.io.whole import refuse_to_replace
    from holdfast.stability import table

    _refuse_unknown(measure or [])
    if output is not None:
        refuse_to_replace(output, force, "Use --force to replace it.")
    names = None if feature_names is None else _lines_of(feature_names)
    runs = read_selections(file, layout=layout.value, n_features=n_features, feature_names=names)
    X = None if data is None else read_numbers(data, runs.feature_names)
    result = table(runs, measure or None, X=X, level=level)
    note(f"{file}: {_described(runs)}")
    if format is Format.csv:
        emit(result.write_csv(), output)
    elif format is Format.json:
        emit(_as_json(result, runs, level), output)
    else:
        emit(_as_table(result, level, terminal=output is None and sys.stdout.isatty()), output)
        note(f"{_direction(result, 'measure')} {CHANCE_EXPLAINED}")


def measures(
    format: Annotated[Format, typer.Option("--format", "-f", help="What to print.")] = Format.table,
) -> None:
    """List the stability measures."""
    import polars as pl

    from holdfast.stability import catalogue

    listing = catalogue()
    if format is Format.csv:
        emit(listing.write_csv())
    elif format is Format.json:
        emit(_json_text(listing.to_dicts()))
    else:
        shown = listing.select(
            "key", pl.format("{} to {}", "low", "high").alias("range"), "needs", _yes("chance")
        )
        extra = listing.select("better", "title")
        emit(text_table(shown, extra, terminal=sys.stdout.isatty()))
        note(f"{_direction(listing, 'key')} {CHANCE_EXPLAINED}")


def _lines_of(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    # Not splitlines: names may hold the rarer line separators of Unicode.
    return text.removesuffix("\n").split("\n") if text else []


def _described(runs: Selections) -> str:
    low, high = int(runs.sizes.min()), int(runs.sizes.max())
    chosen = f"{low}" if low == high else f"{low} to {high}"
    return f"{runs.n_runs} runs, {chosen} of {runs.n_features} features each"


def _as_json(result: pl.DataFrame, runs: Selections, level: float) -> str:
    return _json_text(
        {
            "holdfast": holdfast.__version__,
            "runs": runs.n_runs,
            "features": runs.n_features,
            "level": level,
            "measures": result.to_dicts(),
        }
    )


def _json_text(content: Any) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _as_table(result: pl.DataFrame, level: float, *, terminal: bool) -> str:
    import polars as pl

    def four(name: str) -> pl.Expr:
        return pl.col(name).map_elements(lambda v: f"{v:.4f}", return_dtype=pl.String)

    interval = pl.format("{} to {}", four("low"), four("high")).fill_null("")
    shown = result.select(
        "measure", four("value"), interval.alias(f"{100 * level:g} % interval"), "range"
    ).with_columns(result.select(_yes("chance")))
    return text_table(shown, result.select("better", "title"), terminal=terminal)


def _yes(column: str) -> pl.Expr:
    import polars as pl

    return pl.when(column).then(pl.lit("yes")).otherwise(pl.lit("")).alias(column)


def _direction(listing: pl.DataFrame, key: str) -> str:
    falling = listing.filter(listing["better"] == "lower")[key].to_list()
    if not falling:
        return "Higher is more stable."
    return f"Higher is more stable; for {', '.join(falling)}, lower is."
