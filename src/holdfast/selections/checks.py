"""What the doors to Selections check alike: counts, names, and tables given row by row."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import listed, refusal


def checked_count(value: object, parameter: str, owner: str, most: int, limit: str = "") -> int:
    """Take a whole number from 1 to `most`, which the message may call `limit`."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not 1 <= value <= most:  # type: ignore[operator]
        raise refusal(parameter, owner, f"a whole number from 1 to {limit or most}", repr(value))
    return int(value)  # type: ignore[call-overload,no-any-return]


def checked_feature_count(n_features: object, owner: str) -> int:
    """Take a number of features, at least one, that 32 bits can count."""
    return checked_count(n_features, "n_features", owner, 2**31 - 1, "2**31 - 1")


def checked_names(names: Iterable[Any], parameter: str, owner: str) -> tuple[str, ...]:
    """Make strings of names, none of them missing, none of them twice."""
    if isinstance(names, (str, bytes)) or not hasattr(names, "__iter__"):
        raise refusal(parameter, owner, "a list of names", repr(names))
    given = list(names)
    for i, name in enumerate(given):
        if name is None or (isinstance(name, float) and math.isnan(name)):
            raise refusal(parameter, owner, "a list of names", f"{name} at position {i}")
    as_text = tuple(map(str, given))
    if len(set(as_text)) < len(as_text):
        raise refusal(
            parameter,
            owner,
            "a list of names without repetition",
            f"{listed([repr(name) for name in repeated(as_text)])} more than once",
            "Rename or drop the duplicates.",
        )
    return as_text


def with_placeholders(seen: Iterable[str], n_features: int) -> tuple[str, ...]:
    """Add a name for each feature that nobody chose, after those that were."""
    names = dict.fromkeys(map(str, seen))
    spare = (f"(never chosen {i})" for i in count(1))
    while len(names) < n_features:
        names.setdefault(next(spare))
    return tuple(names)


def repeated(items: Iterable[Any]) -> list[Any]:
    """List the items that come more than once, each once."""
    seen: set[Any] = set()
    again: dict[Any, None] = {}
    for item in items:
        if item in seen:
            again[item] = None
        seen.add(item)
    return list(again)


def names_of_columns(
    table: Any, feature_names: Iterable[str] | None, parameter: str, owner: str
) -> tuple[str, ...] | None:
    """Take names given by hand, else those of a dataframe's columns, else none."""
    if feature_names is not None:
        return checked_names(feature_names, "feature_names", owner)
    columns = getattr(table, "columns", None)
    return None if columns is None else checked_names(columns, parameter, owner)


def as_table(rows: Any, parameter: str, owner: str) -> NDArray[Any]:
    """Make a runs x features array of an array, a dataframe, or an iterable of rows."""
    if isinstance(rows, (str, bytes, Mapping)) or not (
        hasattr(rows, "__array__") or hasattr(rows, "__iter__")
    ):
        raise refusal(parameter, owner, "a table, runs x features", f"a {type(rows).__name__}")
    if not hasattr(rows, "__array__"):
        rows = list(rows)
        lengths = [np.size(row) for row in rows]
        if len(set(lengths)) > 1:
            i = next(i for i, length in enumerate(lengths) if length != lengths[0])
            raise refusal(
                parameter,
                owner,
                "rows of one length, a row a run",
                f"{lengths[0]} features in run 0 and {lengths[i]} in run {i}",
                "Give each run a cell for every feature; Selections.from_subsets takes lists of "
                "what was chosen.",
            )
        at_least_one_run(len(rows), parameter, owner)
    if np.ma.isMaskedArray(rows) and np.ma.getmaskarray(rows).any():
        i, f = (int(x) for x in np.argwhere(np.ma.getmaskarray(rows))[0])
        raise refusal(
            parameter,
            owner,
            "free of masked cells",
            f"one for feature {f} of run {i}",
            "Fill them, or drop their runs.",
        )
    array = np.asarray(rows)
    if array.ndim != 2:
        raise refusal(parameter, owner, "two-dimensional (runs x features)", f"shape {array.shape}")
    at_least_one_run(array.shape[0], parameter, owner)
    at_least_one_feature(array.shape, parameter, owner)
    return array


def cell_name(run: int, feature: int, names: tuple[str, ...] | None) -> str:
    """Say in words where a cell is."""
    return f"feature {feature if names is None else repr(names[feature])} of run {run}"


def at_least_one_run(n_runs: int, parameter: str, owner: str) -> None:
    """Refuse a system without any run."""
    if n_runs == 0:
        cure = "A run that chose nothing counts as one: give it an empty subset or a mask of zeros."
        raise refusal(parameter, owner, "of at least one run", "none", cure)


def at_least_one_feature(shape: tuple[int, ...], parameter: str, owner: str) -> None:
    """Refuse a table without any column."""
    if shape[1] == 0:
        cure = "Give a column for each feature there was to choose from, chosen or not."
        raise refusal(parameter, owner, "of at least one feature", f"shape {shape}", cure)
