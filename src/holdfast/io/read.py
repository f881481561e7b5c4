"""Read selections: find the reader by suffix and layout."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from holdfast.exceptions import FileFormatError, InputError, refusal
from holdfast.io.json_file import read_json
from holdfast.io.lists import read_lists, read_pairs
from holdfast.io.masks import read_masks
from holdfast.io.parquet import read_parquet
from holdfast.io.source import SUFFIXES, Lines, Source
from holdfast.io.text import text_lines
from holdfast.selections import Selections
from holdfast.selections.checks import checked_feature_count, checked_names, repeated

Layout = Literal["auto", "masks", "pairs", "lists"]
LAYOUTS = ("auto", "masks", "pairs", "lists")


def read_selections(
    path: str | Path,
    *,
    layout: Layout = "auto",
    n_features: int | None = None,
    feature_names: Iterable[str] | None = None,
) -> Selections:
    """Read selections from a CSV, TSV, JSON or Parquet file.

    Parameters
    ----------
    path : str or pathlib.Path
        The file; its suffix tells the format.
    layout : {"auto", "masks", "pairs", "lists"}, default="auto"
        How a table holds the choices: "masks" has a 0/1 column a feature, "pairs" the columns
        ``run`` and ``feature`` and a line a choice, "lists" the features of a run on its line and
        no header. "auto" takes pairs where the columns are ``run`` and ``feature``, else masks.
        JSON says so itself; Parquet holds masks or pairs.
    n_features : int, optional
        How many features there were to choose from, where the file does not tell.
    feature_names : iterable of str, optional
        All features in order, where the file does not tell.

    Raises
    ------
    FileFormatError
        With the line at fault.

    Notes
    -----
    Pairs and lists may hold names or indices from 0. They are indices where all of them are whole
    numbers, unless `feature_names` has whole numbers among its names.
    """
    owner = "read_selections"
    path = Path(path)
    suffix = path.suffix.lower()
    if layout not in LAYOUTS:
        raise refusal("layout", owner, f"one of {LAYOUTS}", repr(layout))
    if suffix not in SUFFIXES:
        raise refusal("path", owner, f"a file that ends in {', '.join(SUFFIXES)}", repr(str(path)))
    if n_features is not None:
        n_features = checked_feature_count(n_features, owner)
    names = None
    if feature_names is not None:
        names = checked_names(feature_names, "feature_names", owner)
        if n_features not in (None, len(names)):
            expected = f"as many as n_features={n_features} says"
            raise refusal("feature_names", owner, expected, f"{len(names)} names")
    if not path.is_file():
        what = "this is not a file" if path.exists() else "there is no such file"
        raise FileFormatError(path, what)
    source = Source(path, n_features, names, "row" if suffix == ".parquet" else "line")
    try:
        if suffix == ".json":
            return read_json(source, layout)
        if suffix == ".parquet":
            return read_parquet(source, layout)
        return _read_text(source, text_lines(source), layout)
    except OSError as error:
        raise source.error(f"cannot be read ({error.strerror or error})") from error
    except FileFormatError:
        raise
    except InputError as error:
        raise source.error(str(error)) from error


def _read_text(source: Source, lines: Lines, layout: Layout) -> Selections:
    if layout == "lists":
        return read_lists(source, lines)
    header = next(lines, (1, []))[1]
    if not header:
        raise source.error(
            "the file is empty, or its first line is, which should name the columns", 1
        )
    again = repeated(header)
    if again:
        raise source.error(
            f"column {again[0]!r} twice. Rename or drop one. {_hint(layout)}".rstrip(), 1
        )
    if layout == "pairs" or (layout == "auto" and set(header) == {"run", "feature"}):
        return read_pairs(source, lines, header)
    return read_masks(source, lines, header, _hint(layout), sure=layout == "masks")


def _hint(layout: Layout) -> str:
    if layout != "auto":
        return ""
    return "If each line lists the features of one run, use layout='lists' (--layout lists)."
