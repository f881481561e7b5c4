"""Parquet: masks, column by column, or pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdfast.io.lists import read_pairs
from holdfast.io.masks import refuse_other_features
from holdfast.io.source import Lines, Source
from holdfast.selections import Selections

if TYPE_CHECKING:
    import polars as pl


def read_parquet(source: Source, layout: str) -> Selections:
    """Read masks or pairs."""
    import polars as pl

    if layout == "lists":
        raise source.error("a Parquet file holds masks or pairs, not lists")
    try:
        frame = pl.read_parquet(source.path)
    except OSError:
        raise
    except Exception as error:
        raise source.error(f"not a readable Parquet file ({error})") from error
    if layout == "pairs" or (layout == "auto" and set(frame.columns) == {"run", "feature"}):
        return read_pairs(source, _as_lines(frame), frame.columns)
    return _read_masks(source, frame)


def _as_lines(frame: pl.DataFrame) -> Lines:
    columns = [_as_text(frame[name]) for name in frame.columns]
    return ((row, list(cells)) for row, cells in enumerate(zip(*columns, strict=True), 1))


def _as_text(column: pl.Series) -> list[str]:
    import polars as pl

    if column.dtype.is_float():
        # Whole numbers with gaps come as floats from other libraries.
        whole = column.cast(pl.Int64, strict=False)
        column = whole if (whole == column).all() else column
    return column.cast(pl.String).fill_null("").to_list()


def _read_masks(source: Source, frame: pl.DataFrame) -> Selections:
    features = tuple(name for name in frame.columns if name != "run")
    if not features:
        raise source.error("no feature columns beside 'run'")
    if not frame.height:
        raise source.error("no runs in it")
    refuse_other_features(source, features)
    masks = np.zeros((frame.height, len(features)), dtype=bool)
    for f, name in enumerate(features):
        masks[:, f] = _as_mask(source, frame[name])
    run_names = _as_text(frame["run"]) if "run" in frame.columns else None
    return Selections.from_masks(masks, feature_names=features, run_names=run_names)


def _as_mask(source: Source, column: pl.Series) -> NDArray[np.bool_]:
    import polars as pl

    if not (column.dtype.is_numeric() or column.dtype == pl.Boolean):
        raise source.error(f"column {column.name!r} must hold 0/1 or booleans, got {column.dtype}")
    values: NDArray[Any] = column.cast(pl.Float64).to_numpy()
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if wrong.size:
        row = int(wrong[0])
        cell = "nothing" if column[row] is None else column[row]
        raise source.error(f"column {column.name!r} must be 0 or 1, got {cell}", row + 1)
    return values.astype(bool)
