"""The commands, put together."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated

import typer

import holdfast
from holdfast.cli.datasets import datasets
from holdfast.cli.output import note
from holdfast.cli.select import select
from holdfast.cli.stability import measures, stability
from holdfast.cli.study import study
from holdfast.exceptions import HoldfastError

app = typer.Typer(
    name="holdfast",
    help="Stable feature selection: which features would you still choose if the data shifted?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(stability)
app.command()(measures)
app.command()(select)
app.command()(datasets)
app.add_typer(study)


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


def main() -> None:
    """Run the command line; errors become one line and an exit code."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: note(f"note: {message}")
        try:
            app()
        except HoldfastError as error:
            note(f"holdfast: {error}")
            sys.exit(1)
