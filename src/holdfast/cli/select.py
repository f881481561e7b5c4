"""``holdfast select``: search a feature subset in a file of data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdfast.cli.judging import Ballot, Judging, Kernel, Measure, Scale
from holdfast.cli.output import Format, emit, note
from holdfast.cli.searching import FLOATING, STEPWISE, SWINGING, Search, Searching, size_of

if TYPE_CHECKING:
    from holdfast.cli.data import Numbers
    from holdfast.selectors.base import SubsetSelector

SEARCHES = "sfs, sbs (forward, backward), sffs, sfbs (floating), os, dos (oscillating), bif (each "
SEARCHES += "feature on its own) or exhaustive."
MEASURES = "knn, gaussian, naive-bayes, svm (accuracy), bhattacharyya, divergence or mahalanobis "
MEASURES += "(distance of classes); repeat it, and they vote. [default: knn]"
SEVERAL = "repeat for more."


def select(
    context: typer.Context,
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="A file: .csv, .tsv, .parquet, .arff, .libsvm or .npz, a row an example; or the "
            "name of a set, such as wine.",
        ),
    ],
    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The target column.")
    ] = None,
    search: Annotated[
        Search, typer.Option("--search", "-s", metavar="NAME", help=SEARCHES)
    ] = Search.sffs,
    criterion: Annotated[
        list[Measure] | None, typer.Option("--criterion", "-c", metavar="NAME", help=MEASURES)
    ] = None,
    k: Annotated[
        list[int] | None,
        typer.Option("--k", metavar="N", min=1, help=f"Neighbours of knn; {SEVERAL} [default: 3]"),
    ] = None,
    kernel: Annotated[
        Kernel, typer.Option(metavar="NAME", help="Kernel of svm: rbf or linear.")
    ] = Kernel.rbf,
    price: Annotated[float, typer.Option("--C", metavar="X", help="C of svm.")] = 1.0,
    cv: Annotated[
        int, typer.Option(metavar="N", min=2, help="Folds for accuracies, stratified, shuffled.")
    ] = 10,
    scale: Annotated[
        Scale, typer.Option(metavar="NAME", help="Scale features: range, standard or none.")
    ] = Scale.range,
    vote: Annotated[
        Ballot, typer.Option(metavar="NAME", help="How criteria vote: order or weight.")
    ] = Ballot.order,
    filter: Annotated[
        Measure | None,
        typer.Option(
            "--filter", metavar="NAME", help="This criterion chooses what the other gets to see."
        ),
    ] = None,
    share: Annotated[
        float,
        typer.Option(metavar="X", min=0, max=1, help="Share of candidates that --filter passes."),
    ] = 0.2,
    size: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="A number, a share such as 0.5, LOW:HIGH, best or one-standard-error.",
        ),
    ] = "best",
    swing: Annotated[
        int, typer.Option(metavar="N", min=1, help="Greatest depth of a swing of os and dos.")
    ] = 10,
    overshoot: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="How far sffs and sfbs float beyond --size. [default: to the end]",
        ),
    ] = None,
    tuple_size: Annotated[
        int, typer.Option(metavar="N", min=1, help="Features that come or go at once.")
    ] = 1,
    init: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FEATURE",
            help=f"Where to begin; {SEVERAL} For os and dos also individual, random or forward.",
        ),
    ] = None,
    tolerance: Annotated[
        list[float] | None,
        typer.Option(
            metavar="X",
            min=0,
            max=1,
            help=f"Scores this share below the best count as equal; {SEVERAL} [default: 0]",
        ),
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FEATURE=X",
            help="Among equals prefer the cheapest, not the smallest; features not named cost 1.",
        ),
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The same from a .csv with the columns feature,cost."),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="FEATURE", help=f"A feature that is always in; {SEVERAL}"),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help=f"A column that is never in; {SEVERAL}"),
    ] = None,
    block: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B,...", help=f"Features that come and go together; {SEVERAL}"),
    ] = None,
    max_evaluations: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after so many subsets.")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option(metavar="X", help="Stop after so long.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", help="Threads; -1 for all cores.")
    ] = 1,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="For the folds and a random start.")
    ] = 0,
    format: Annotated[
        Format,
        typer.Option("--format", "-f", metavar="NAME", help="What to print: table, csv or json."),
    ] = Format.table,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here instead of stdout."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --output replace a file.")] = False,
    progress: Annotated[bool, typer.Option("--progress", help="Show how it comes along.")] = False,
) -> None:
    """Find features that are good for predicting the target.

    \b
    holdfast select data.csv --target y
    holdfast select wine --search dos --criterion svm --tolerance 0.01
    """  # noqa: D301
    from holdfast.cli.chosen import rendered
    from holdfast.cli.costs import costs_of
    from holdfast.cli.data import load, numbers_of
    from holdfast.io.whole import refuse_to_replace

    limits = {
        "max_evaluations": max_evaluations,
        "max_seconds": max_seconds,
        "n_jobs": _threads(jobs),
        "verbose": int(progress),
    }
    judging = Judging(
        criterion or [Measure.knn], filter, k or [3], kernel, price, cv, scale, vote, share, seed
    )
    searching = Searching(
        search,
        size_of(size),
        swing,
        tuple_size,
        overshoot,
        init or [],
        include or [],
        block or [],
        tolerance or [0.0],
        seed,
        limits,
    )
    _refuse_idle(context, judging, searching)
    if output is not None:
        refuse_to_replace(output, force, "Use --force to replace it.")
    table = numbers_of(load(data, target), exclude or [])
    prices = costs_of(table.names, exclude or [], costs, cost or [])
    selector = searching.selector(judging.criterion(table.y), table.index, prices)
    selector.fit(table.X, table.y)
    _say(data, table, selector)
    said = {"data": data, "target": target, "examples": int(table.X.shape[0])}
    terminal = output is None and sys.stdout.isatty()
    emit(rendered(selector, table.names, format, terminal=terminal, said=said), output)


def _threads(jobs: int) -> int:
    if jobs == 0:
        raise typer.BadParameter("must be a number of threads, or -1.", param_hint="'--jobs'")
    return jobs


def _refuse_idle(context: typer.Context, judging: Judging, searching: Searching) -> None:
    """Refuse options that would change nothing: whoever gives one expects it to."""
    search = searching.search
    idle = {
        "k": Measure.knn not in judging.used and "a criterion that is knn",
        "kernel": Measure.svm not in judging.used and "a criterion that is svm",
        "price": Measure.svm not in judging.used and "a criterion that is svm",
        "cv": not judging.has_folds and "a criterion that has folds",
        "vote": not judging.votes and "several criteria",
        "share": judging.filter is None and "--filter",
        "swing": search not in SWINGING and "--search os or dos",
        "overshoot": search not in FLOATING and "--search sffs or sfbs",
        "tuple_size": search not in STEPWISE and "a search that goes step by step",
        "init": search not in STEPWISE and "a search that goes step by step",
        "tolerance": (search is Search.bif or searching.size == "one_standard_error")
        and "a search of several sizes, and no other rule for the size",
    }
    idle["cost"] = idle["costs"] = idle["tolerance"]
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        given = source is not None and source.name == "COMMANDLINE"
        if given and idle.get(name):
            raise typer.BadParameter(
                f"would change nothing: it needs {idle[name]}.",
                ctx=context,
                param_hint=f"'{parameter.opts[0]}'",
            )


def _say(data: str, table: Numbers, selector: SubsetSelector) -> None:
    note(
        f"{data}: {int(selector.support_.sum())} of {len(table.names)} features, "
        f"score {selector.score_:.4f}, {selector.n_evaluations_} subsets evaluated"
    )
