"""``holdfast study``: run, resume, look at and report studies."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdfast.cli.output import Format, emit, note, wrapped_table
from holdfast.exceptions import InputError

if TYPE_CHECKING:
    import polars as pl

    from holdfast.study.config import Configured
    from holdfast.study.results import Results

study = typer.Typer(
    name="study",
    help="Compare selectors on many samples: which is accurate, which is stable, which to take.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[Path, typer.Argument(help="The study: a TOML file.")]
Engine = Annotated[
    str,
    typer.Option("--engine", "-e", help="Number of processes (-1: all cores), dask, or address."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Log = Annotated[
    Path | None, typer.Option("--log", help="Add what happens, and each failure, to this file.")
]
Retry = Annotated[bool, typer.Option("--retry-failed", help="Try again what failed before.")]


@study.command()
def run(file: File, engine: Engine = "1", quiet: Quiet = False, log: Log = None) -> None:
    """Run a study; what is in its store already is not done again."""
    with _logging_to(log):
        _run(_configured(file), file, engine, quiet, retry_failed=False)


@study.command()
def resume(
    file: File,
    engine: Engine = "1",
    quiet: Quiet = False,
    retry_failed: Retry = False,
    log: Log = None,
) -> None:
    """Go on with a study that was begun."""
    configured = _configured(file)
    if not configured.study.path.exists():
        raise InputError(
            f"{configured.study.path} is not there, so nothing can be resumed. Begin with "
            f"`holdfast study run {file}`."
        )
    with _logging_to(log):
        _run(configured, file, engine, quiet, retry_failed)


@study.command()
def status(
    file: File,
    format: Annotated[Format, typer.Option("--format", "-f", help="What to print.")] = Format.table,
) -> None:
    """How far a study is: tasks planned, done and failed for each selector."""
    from holdfast.study import Results

    _show(Results.read(_store_of(file)).status(), format)


@study.command()
def report(
    file: File,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page. [beside the study]")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --output replace a file.")] = False,
    model: Annotated[
        str | None, typer.Option(help="The model whose accuracy counts. [the first]")
    ] = None,
    alpha: Annotated[float, typer.Option(help="Significance of differences in accuracy.")] = 0.05,
) -> None:
    """Write the report of a study: one page that opens anywhere, offline."""
    from holdfast.io.whole import refuse_to_replace
    from holdfast.report.study import write_report
    from holdfast.study import Results

    store = _store_of(file)
    page = output or store.with_suffix(".html")
    refuse_to_replace(page, force or output is None, "Use --force to replace it.")
    write_report(Results.read(store), page, model, alpha, _measures_of(file))
    note(f"written to {page}")


@contextmanager
def _logging_to(path: Path | None) -> Iterator[None]:
    """Let the log of studies go to a file alone; the terminal has the progress."""
    log = logging.getLogger("holdfast.study")
    try:
        handler = logging.FileHandler(path, encoding="utf-8") if path else logging.NullHandler()
    except OSError as error:
        raise InputError(f"The log {path} cannot be written: {error.strerror}.") from error
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    before = log.level, log.propagate
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.level, log.propagate = before
        handler.close()


def _configured(file: Path) -> Configured:
    from holdfast.study.config import read_study

    return read_study(file)


def _store_of(file: Path) -> Path:
    """The store of a study file, or the file itself where it is one."""
    if file.suffix.lower() != ".toml":
        return file
    from holdfast.study.config import store_of

    return store_of(file)


def _measures_of(file: Path) -> tuple[str, ...] | None:
    """The measures that a study file names; all where none are, or the file is a store."""
    if file.suffix.lower() != ".toml":
        return None
    from holdfast.study.config import measures_of

    return measures_of(file)


def _run(configured: Configured, file: Path, engine: str, quiet: bool, retry_failed: bool) -> None:
    own = configured.study
    note(f"{own.path}: {len(own.tasks)} tasks, {own.protocol.name}")
    number = engine.removeprefix("-").isdigit()
    try:
        own.run(int(engine) if number else engine, retry_failed=retry_failed, progress=not quiet)
    except KeyboardInterrupt:
        note(f"stopped; what is done is kept. Go on with `holdfast study resume {file}`.")
        raise typer.Exit(130) from None
    results = own.results
    if results.failures:
        note(
            f"{len(results.failures)} tasks failed, the first because: "
            f"{results.failures[0].reason} (`holdfast study resume --retry-failed` tries again)"
        )
    _show(_summary(results, configured.measures), Format.table)


def _summary(results: Results, measures: tuple[str, ...]) -> pl.DataFrame:
    """What a terminal shows of the results; what is recommended is said beside it."""
    from holdfast.study.analysis import recommend, stability_table

    if not results.models:
        return stability_table(results, measures)
    if not results.records:
        return results.status()
    recommended = recommend(results)
    note(str(recommended))
    return recommended.table.select(
        "selector", "cut_at", "accuracy", "stability", "low", "high", "n_features", "worse", "front"
    )


def _show(frame: pl.DataFrame, format: Format) -> None:
    import sys

    if format is Format.csv:
        emit(frame.write_csv())
    elif format is Format.json:
        emit(frame.write_json() + "\n")
    else:
        rows = [[_cell(value) for value in row] for row in frame.iter_rows()]
        emit(wrapped_table(tuple(frame.columns), rows, terminal=sys.stdout.isatty()))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
