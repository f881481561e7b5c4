"""The values of each feature in ascending order, with their classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.statistics.columns import is_sparse

CELLS = 1 << 22  # sorted at once


class Sorted(NamedTuple):
    """One feature: its values that are not missing, their classes, and its unstored zeros."""

    values: NDArray[np.float64]
    classes: NDArray[np.int32]
    zeros: NDArray[np.int64]


def in_order(table: Any, classes: NDArray[np.int32], n_classes: int) -> Iterator[Sorted]:
    """Go through the features of a dense table or a CSC matrix. O(cells log examples)."""
    if is_sparse(table):
        yield from _sparse_in_order(table, classes, n_classes)
        return
    none = np.zeros(n_classes, np.int64)
    n_examples, n_features = table.shape
    height = max(1, CELLS // max(1, n_examples))
    for low in range(0, n_features, height):
        features = np.ascontiguousarray(table[:, low : low + height].T, np.float64)
        order = np.argsort(features, axis=1)
        values = np.take_along_axis(features, order, axis=1)
        present = (~np.isnan(values)).sum(axis=1)
        for f, count in enumerate(present.tolist()):
            yield Sorted(values[f, :count], classes[order[f, :count]], none)


def _sparse_in_order(table: Any, classes: NDArray[np.int32], n_classes: int) -> Iterator[Sorted]:
    data = table.data.astype(np.float64)
    lengths = np.diff(table.indptr)
    order = np.lexsort((data, np.repeat(np.arange(lengths.size), lengths)))
    values, owners = data[order], classes[table.indices[order]]
    whole = np.bincount(classes, minlength=n_classes)
    for f in range(lengths.size):
        here = slice(table.indptr[f], table.indptr[f + 1])
        own, of_class = values[here], owners[here]
        zeros = whole - np.bincount(of_class, minlength=n_classes)
        present = int((~np.isnan(own)).sum())
        yield Sorted(own[:present], of_class[:present], zeros)
