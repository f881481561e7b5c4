"""Rows and columns of whatever container the caller uses, in its own kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]


def rows_of(table: Any, rows: Ints) -> Any:
    """Some rows of an array, a sparse matrix, a pandas or polars object, or a list."""
    if hasattr(table, "iloc"):
        return table.iloc[rows]
    if hasattr(table, "shape") or type(table).__module__.startswith("polars"):
        return table[rows]
    return [table[row] for row in rows]


def columns_of(table: Any, columns: Ints) -> Any:
    """Some columns of a two-dimensional container."""
    if hasattr(table, "iloc"):
        return table.iloc[:, columns]
    if type(table).__module__.startswith("polars"):
        return table[:, columns.tolist()]
    return table[:, columns]
