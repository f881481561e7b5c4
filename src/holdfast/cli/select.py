"""``holdfast select``: search a feature subset in a file of data."""

from __future__ import annotations

import json
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdfast.cli.output import Format, emit, note, wrapped_table
from holdfast.exceptions import InputError, listed

if TYPE_CHECKING:
    import polars as pl

    from holdfast.contracts import Criterion
    from holdfast.io.tables import Table
    from holdfast.selectors.base import SubsetSelector


class Search(str, Enum):
    """Which search."""

    sfs = "sfs"
    sbs = "sbs"
    sffs = "sffs"
    sfbs = "sfbs"
    os = "os"
    dos = "dos"
    bif = "bif"
    exhaustive = "exhaustive"


class Measure(str, Enum):
    """Which criterion."""

    knn = "knn"
    gaussian = "gaussian"
    naive_bayes = "naive-bayes"
    svm = "svm"
    bhattacharyya = "bhattacharyya"
    divergence = "divergence"
    mahalanobis = "mahalanobis"


class Scale(str, Enum):
    """How features are scaled."""

    range = "range"
    standard = "standard"
    none = "none"


class Kernel(str, Enum):
    """Kernel of the support vector machine."""

    rbf = "rbf"
    linear = "linear"


class Ballot(str, Enum):
    """How several criteria vote."""

    order = "order"
    weight = "weight"


def select(
    file: Annotated[
        Path,
        typer.Argument(help="Data: .csv, .tsv, .parquet, .arff, .libsvm, .npz; a row an example."),
    ],
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="Name of the target column.")
    ] = None,
    search: Annotated[
        Search,
        typer.Option("--search", "-s", help="Forward, backward, floating, oscillating, ..."),
    ] = Search.sffs,
    criterion: Annotated[
        list[Measure] | None,
        typer.Option("--criterion", "-c", help="What makes a subset good; several vote. [knn]"),
    ] = None,
    k: Annotated[
        list[int] | None, typer.Option("--k", help="Neighbours of knn; several vote. [3]")
    ] = None,
    kernel: Annotated[Kernel, typer.Option(help="Kernel of svm.")] = Kernel.rbf,
    cost: Annotated[float, typer.Option("--C", help="C of svm.")] = 1.0,
    cv: Annotated[int, typer.Option(help="Folds of the wrapper criteria.")] = 10,
    scale: Annotated[Scale, typer.Option(help="Scaling of the features.")] = Scale.range,
    vote: Annotated[Ballot, typer.Option(help="How several criteria vote.")] = Ballot.order,
    filter: Annotated[
        Measure | None,
        typer.Option("--filter", help="Let this criterion choose what the other gets to see."),
    ] = None,
    share: Annotated[float, typer.Option(help="Share of candidates that --filter passes.")] = 0.2,
    size: Annotated[
        str, typer.Option(help="A number, LOW:HIGH, best, or one-standard-error.")
    ] = "best",
    swing: Annotated[int, typer.Option(help="Depth of os and dos.")] = 10,
    tuple_size: Annotated[int, typer.Option(help="Features that move at once.")] = 1,
    tolerance: Annotated[
        list[float] | None,
        typer.Option(help="Scores this share below the best count as equal; repeat for more. [0]"),
    ] = None,
    include: Annotated[
        list[str] | None, typer.Option(help="A feature that is always in; repeat for more.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="A column that is never in; repeat for more.")
    ] = None,
    max_evaluations: Annotated[int | None, typer.Option(help="Stop after so many.")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Stop after so long.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Threads; -1 for all cores.")] = 1,
    seed: Annotated[int, typer.Option(help="For the folds and random starts.")] = 0,
    format: Annotated[Format, typer.Option("--format", "-f", help="What to print.")] = Format.table,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write here instead of stdout.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --output replace a file.")] = False,
    progress: Annotated[bool, typer.Option("--progress", help="Show how it comes along.")] = False,
) -> None:
    """Find features that are good for predicting the target."""
    from holdfast.io.tables import read_table
    from holdfast.io.whole import refuse_to_replace

    if output is not None:
        refuse_to_replace(output, force, "Use --force to replace it.")
    table = _without(read_table(file, target), exclude or [])
    judged_by = _criterion(
        criterion or [Measure.knn], k or [3], kernel, cost, cv, scale, vote, seed, filter, share
    )
    common = {
        "include": [_feature(table, name) for name in include or []],
        "max_evaluations": max_evaluations,
        "max_seconds": max_seconds,
        "n_jobs": jobs,
        "verbose": int(progress),
    }
    selector = _selector(
        search, judged_by, _size(size), swing, tuple_size, tolerance or [0.0], seed, common
    )
    selector.fit(table.X, table.y)
    names = table.feature_names or tuple(f"x{f}" for f in range(selector.n_features_in_))
    n_chosen, n_all = int(selector.support_.sum()), selector.n_features_in_
    note(
        f"{file}: {n_chosen} of {n_all} features, score {selector.score_:.4f}, "
        f"{selector.n_evaluations_} subsets evaluated"
        + ("" if selector.stop_reason_ == "complete" else f", stopped: {selector.stop_reason_}")
    )
    terminal = output is None and sys.stdout.isatty()
    emit(_rendered(selector, names, format, terminal), output)


def _without(table: Table, excluded: list[str]) -> Table:
    """Leave columns out before anything looks at them, so that text columns can be passed by."""
    import numpy as np

    from holdfast.io.tables import Table

    dropped = {_feature(table, name) for name in excluded}
    kept = [f for f in range(table.X.shape[1]) if f not in dropped]
    if hasattr(table.X, "schema"):
        X = table.X[:, kept]
        text = [name for name, kind in X.schema.items() if not kind.is_numeric()]
        if text:
            raise InputError(
                f"Column {listed([repr(name) for name in text])} does not hold numbers. Encode it, "
                "or leave it out with --exclude."
            )
    else:
        X = table.X[:, kept]
        X = X.toarray() if hasattr(X, "toarray") else X
        X = np.asarray(X, dtype=np.float64)
    names = table.feature_names
    return Table(X, table.y, None if names is None else tuple(names[f] for f in kept))


def _feature(table: Table, name: str) -> int:
    names = table.feature_names or tuple(f"x{f}" for f in range(table.X.shape[1]))
    if name not in names:
        raise InputError(f"No feature {name!r}. The features are {listed(list(names))}.")
    return names.index(name)


def _criterion(
    measures: list[Measure],
    neighbours: list[int],
    kernel: Kernel,
    cost: float,
    cv: int,
    scale: Scale,
    vote: Ballot,
    seed: int,
    filter: Measure | None,
    share: float,
) -> Criterion:
    from sklearn.model_selection import StratifiedKFold

    from holdfast import criteria

    scaled = None if scale is Scale.none else scale.value
    folds: dict[str, Any] = {
        "cv": StratifiedKFold(cv, shuffle=True, random_state=seed),
        "scale": scaled,
    }

    def made(measure: Measure) -> list[Criterion]:
        if measure is Measure.knn:
            return [criteria.KNN(n, **folds) for n in neighbours]
        if measure is Measure.svm:
            return [criteria.SVM(kernel=kernel.value, C=cost, **folds)]
        if measure is Measure.gaussian:
            return [criteria.Gaussian(**folds)]
        if measure is Measure.naive_bayes:
            return [criteria.NaiveBayes(**folds)]
        filters = {
            Measure.bhattacharyya: criteria.Bhattacharyya,
            Measure.divergence: criteria.Divergence,
            Measure.mahalanobis: criteria.Mahalanobis,
        }
        return [filters[measure](scale=scaled)]

    def together(members: list[Criterion]) -> Criterion:
        return members[0] if len(members) == 1 else criteria.Vote(members, by=vote.value)

    judged_by = together([member for measure in measures for member in made(measure)])
    if filter is None:
        return judged_by
    return criteria.Hybrid(together(made(filter)), judged_by, share)


def _size(text: str) -> Any:
    if text in ("best", "one-standard-error"):
        return text.replace("-", "_")
    try:
        low, colon, high = text.partition(":")
        return (int(low), int(high)) if colon else int(low)
    except ValueError:
        raise InputError(
            f"--size must be a number, LOW:HIGH, best or one-standard-error. Got {text!r} instead."
        ) from None


def _selector(
    search: Search,
    criterion: Criterion,
    size: Any,
    swing: int,
    tuple_size: int,
    tolerances: list[float],
    seed: int,
    common: dict[str, Any],
) -> SubsetSelector:
    from holdfast import selectors

    if search is Search.bif:
        return selectors.IndividualSelector(criterion, size, **common)
    common = {**common, "tolerance": tolerances}
    if search is Search.exhaustive:
        return selectors.ExhaustiveSelector(criterion, n_features_to_select=size, **common)
    common |= {"tuple_size": tuple_size, "random_state": seed}
    if search is Search.os:
        return selectors.OscillatingSelector(criterion, size, swing=swing, **common)
    if search is Search.dos:
        return selectors.DynamicOscillatingSelector(
            criterion, n_features_to_select=size, swing=swing, **common
        )
    return selectors.SequentialSelector(
        criterion,
        n_features_to_select=size,
        direction="forward" if search in (Search.sfs, Search.sffs) else "backward",
        floating=search in (Search.sffs, Search.sfbs),
        **common,
    )


def _rendered(
    selector: SubsetSelector, names: tuple[str, ...], format: Format, terminal: bool
) -> str:
    if format is Format.json:
        content = json.loads(selector.to_json())
        content["feature_names"] = list(names)
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    chosen = _choices(selector, names)
    if format is Format.csv:
        return chosen.explode("features").rename({"features": "feature"}).write_csv()
    rows = [
        (
            f"{row['tolerance']:g}",
            str(row["size"]),
            f"{row['score']:.4f}",
            ", ".join(row["features"]),
        )
        for row in chosen.iter_rows(named=True)
    ]
    return wrapped_table(("tolerance", "size", "score", "features"), rows, terminal=terminal)


def _choices(selector: SubsetSelector, names: tuple[str, ...]) -> pl.DataFrame:
    import polars as pl

    named = [[names[f] for f in row] for row in selector.choices_["features"].to_list()]
    features = pl.Series("features", named, dtype=pl.List(pl.String))
    choices: pl.DataFrame = selector.choices_
    return choices.with_columns(features)
