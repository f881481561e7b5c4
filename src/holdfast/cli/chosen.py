"""What `holdfast select` prints: the subset chosen, or one for each tolerance."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from holdfast.cli.output import Format, wrapped_table

if TYPE_CHECKING:
    import polars as pl

    from holdfast.selectors.base import SubsetSelector


def rendered(
    selector: SubsetSelector,
    names: tuple[str, ...],
    format: Format,
    *,
    terminal: bool,
    said: dict[str, Any],
) -> str:
    """Show what a fitted selector chose.

    Parameters
    ----------
    selector : fitted selector
        Its features have no names of their own.
    names : tuple of str
        The names of the features.
    format : Format
        CSV has a line for each tolerance and feature, JSON everything the selector knows.
    terminal : bool
        Whether somebody looks at it.
    said : dict
        What JSON begins with.
    """
    if format is Format.json:
        return _as_json(selector, names, said)
    chosen = choices(selector, names)
    if format is Format.csv:
        import polars as pl

        lines = chosen.explode("features").rename({"features": "feature"})
        return lines.filter(pl.col("feature").is_not_null()).write_csv()
    rows = [
        (
            "" if row["tolerance"] is None else f"{row['tolerance']:g}",
            str(row["size"]),
            f"{row['score']:.4f}",
            ", ".join(row["features"]),
        )
        for row in chosen.iter_rows(named=True)
    ]
    return wrapped_table(("tolerance", "size", "score", "features"), rows, terminal=terminal)


def choices(selector: SubsetSelector, names: tuple[str, ...]) -> pl.DataFrame:
    """List the subset chosen for each tolerance, by name.

    A rule of its own (one standard error), or a search that ended before it saw a size asked for,
    knows no tolerance: then there is one subset, without any.
    """
    import numpy as np
    import polars as pl

    table: pl.DataFrame = selector.choices_
    support = np.flatnonzero(selector.support_).tolist()
    if table.height == 0 or table["features"][0].to_list() != support:
        table = pl.DataFrame(
            {
                "tolerance": [None],
                "size": [len(support)],
                "score": [selector.score_],
                "features": [support],
            },
            schema=table.schema,
        )
    named = [[names[f] for f in row] for row in table["features"].to_list()]
    return table.with_columns(pl.Series("features", named, dtype=pl.List(pl.String)))


def _as_json(selector: SubsetSelector, names: tuple[str, ...], said: dict[str, Any]) -> str:
    content = json.loads(selector.to_json())
    content["feature_names"] = list(names)
    content["selected_names"] = [names[f] for f in content["selected"]]
    return json.dumps({**said, **content}, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
