"""The distinct rows of data in parts, each with how often it occurs and where first."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdfast.statistics.codes import Codes

Ints = NDArray[np.int64]

WAITING = 1 << 17  # rows that are merged at once, at least
SAVING = 0.7  # share of the rows that merging may leave and still be worth it


class Distinct(NamedTuple):
    """Rows of some features with their classes, by first occurrence.

    A row may still be there more than once, where merging would have saved no room.

    Attributes
    ----------
    codes : Codes
        Of these features alone, in the order asked for.
    classes : array
        Code of the class of each.
    weights : array
        How many examples each stands for.
    first : array
        The first of these examples.
    """

    codes: Codes
    classes: Ints
    weights: NDArray[np.float64]
    first: Ints


class Gathered:
    """Rows that come part by part, merged while that saves room, and just kept after that.

    Parameters
    ----------
    n_features : int
        Of each row.
    """

    def __init__(self, n_features: int) -> None:
        self._features = [f"f{i}" for i in range(n_features)]
        self._merged: pl.DataFrame | None = None
        self._waiting: list[pl.DataFrame] = []
        self._saving = True

    def add(self, codes: Codes, classes: Ints, row: int) -> None:
        """Take a part that begins at some row; examples of negative class are left out."""
        columns: dict[str, Any] = {name: codes.feature(i) for i, name in enumerate(self._features)}
        columns["class"] = classes.astype(np.int32)
        columns["weight"] = np.ones(classes.size, np.int64)
        columns["first"] = np.arange(row, row + classes.size)
        self._waiting.append(pl.DataFrame(columns).filter(pl.col("class") >= 0))
        size = 0 if self._merged is None else self._merged.height
        n_waiting = sum(part.height for part in self._waiting)
        if self._saving and n_waiting > max(size, WAITING):
            self._merge()
            assert self._merged is not None
            self._saving = self._merged.height <= SAVING * (size + n_waiting)

    def _merge(self) -> None:
        parts = [*([] if self._merged is None else [self._merged]), *self._waiting]
        groups = pl.concat(parts).group_by([*self._features, "class"])
        counted = groups.agg(pl.col("weight").sum(), pl.col("first").min())
        self._merged, self._waiting = counted.sort("first"), []

    def rows(self, n_levels: NDArray[np.int32]) -> Distinct:
        """What has come, by first occurrence."""
        if self._saving:
            self._merge()
        parts = [*([] if self._merged is None else [self._merged]), *self._waiting]
        self._merged, self._waiting = None, []
        whole = pl.concat(parts)
        table = np.empty((len(self._features), whole.height), _type_of(whole, self._features))
        for i, name in enumerate(self._features):
            table[i] = whole[name].to_numpy()
        return Distinct(
            Codes(whole.height, n_levels, table),
            whole["class"].to_numpy().astype(np.int64),
            whole["weight"].to_numpy().astype(np.float64),
            whole["first"].to_numpy(),
        )


def _type_of(frame: pl.DataFrame, names: list[str]) -> Any:
    return np.result_type(*(frame[name].to_numpy().dtype for name in names))
