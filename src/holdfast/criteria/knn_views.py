"""The tables and queries that k-NN kernels work on, made from data and splits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.neighbours import Near, Queries, Table
from holdfast.criteria.splits import Splits
from holdfast.criteria.table import Codes, Matrix, Scale, scaled

Ints = NDArray[np.intp]

BYTES_PER_VALUE = 8 + 8 + 4 + 4 + 4
BYTES_PER_NEIGHBOUR = 8 + 4
BYTES_PER_QUERY = 4 + 8 + 8
# Distances beyond this are read from memory more slowly than they are computed.
FAST_BYTES = 16 << 20


@dataclass(frozen=True)
class View:
    """One table and the splits that ask it.

    Attributes
    ----------
    table, queries : as the kernels take them
    splits : array
        Numbers of these splits among all; the queries count them from 0.
    number : int
        Which of the views it is.
    """

    table: Table
    queries: Queries
    splits: Ints
    number: int


class Views:
    """All views of the data, and what is near to their queries, kept as far as they fit in memory.

    Splits share one table, in which the rows that a split does not train on are barred; a split
    with a scaling of its own, or which trains on some row more than once, has its own.

    Parameters
    ----------
    X, codes : array
        The data, scaled already unless `within` says how each training part is to be.
    weights : sequence of arrays
        Of the test examples of each split.
    splits : list of (train, test)
    within : {None, "range", "standard"}
    capacity : int
        How many nearest columns may be kept for each query.
    max_bytes : int
        What all this may take.

    Attributes
    ----------
    keeps_near : bool
        Whether there is room for what is near to all queries at once.
    keeps_rows : bool
        Whether there is room for all their distances, and they are few enough to be moved from
        base to base faster than made anew.
    """

    def __init__(
        self,
        X: Matrix,
        codes: Codes,
        weights: Sequence[Matrix],
        splits: Splits,
        within: Scale,
        capacity: int,
        max_bytes: int,
    ) -> None:
        self._X, self._codes, self._weights = X, codes, weights
        self._splits, self._within, self._capacity = splits, within, capacity
        alone = [within is not None or bool((np.diff(train) == 0).any()) for train, _ in splits]
        self._groups = [[s] for s in range(len(splits)) if alone[s]]
        self._n_alone = len(self._groups)
        if self._n_alone < len(splits):
            self._groups.append([s for s in range(len(splits)) if not alone[s]])
        tables, rows, queries = self._sizes()
        quarter = max_bytes // 4
        keeps_views = BYTES_PER_VALUE * X.shape[1] * tables <= 2 * quarter
        self._views = [self._make(v) for v in range(len(self._groups))] if keeps_views else None
        per_query = BYTES_PER_NEIGHBOUR * capacity + BYTES_PER_QUERY
        self.keeps_near = per_query * queries <= quarter
        self.keeps_rows = self.keeps_near and 8 * rows <= min(quarter, FAST_BYTES)
        self._block = max(1, quarter // per_query)
        self._near: dict[int, Near] = {}

    def __iter__(self) -> Iterator[View]:
        if self._views is not None:
            return iter(self._views)
        return (self._make(v) for v in range(len(self._groups)))

    def near(self, view: View) -> Near | None:
        """What is near to all queries, as last written; None if it is not kept."""
        if not self.keeps_near:
            return None
        if view.number not in self._near:
            n_queries = view.queries.point.size
            n_rows = n_queries if self.keeps_rows else 0
            self._near[view.number] = _room(
                n_queries, self._capacity, n_rows, view.table.columns.shape[0]
            )
        return self._near[view.number]

    def pieces(
        self, kept: Near | None, first: int, last: int, n_jobs: int
    ) -> Iterator[tuple[int, int, Near]]:
        """Queries first..last-1 with their part of what is kept, or block by block in one room."""
        if kept is not None:
            yield first, last, Near._make(part[first:last] for part in kept)
            return
        block = max(1, self._block // n_jobs)
        room = _room(min(block, last - first), self._capacity, 0, 0)
        for start in range(first, last, block):
            yield start, min(start + block, last), room

    def _sizes(self) -> tuple[int, int, int]:
        """Rows of all tables, distances and queries."""
        tables, rows, queries = 0, 0, 0
        for number, group in enumerate(self._groups):
            alone = number < self._n_alone
            columns = self._splits[group[0]][0].size if alone else self._X.shape[0]
            asked = sum(self._splits[s][1].size for s in group)
            tables, rows, queries = tables + columns, rows + columns * asked, queries + asked
        return tables, rows, queries

    def _make(self, number: int) -> View:
        group = self._groups[number]
        tests = [self._splits[s][1] for s in group]
        if number < self._n_alone:
            train = self._splits[group[0]][0]
            X = scaled(self._X, self._within, train, "criteria.KNN")
            table = _table(X, X[train], self._codes[train])
            barred = [np.empty(0, np.intp)]
        else:
            table = _table(self._X, self._X, self._codes)
            barred = [_outside(self._splits[s][0], self._X.shape[0]) for s in group]
        point = np.concatenate(tests)
        queries = Queries(
            point=point,
            split=np.repeat(np.arange(len(group)), [test.size for test in tests]),
            truth=self._codes[point].astype(np.int32),
            weight=np.concatenate([self._weights[s] for s in group]),
            barred_from=_edges(barred),
            barred=np.concatenate(barred).astype(np.int32),
        )
        return View(table, queries, np.asarray(group, np.intp), number)


def _room(n_queries: int, capacity: int, n_rows: int, n_columns: int) -> Near:
    return Near(
        rows=np.empty((n_rows, n_columns)),
        distance=np.empty((n_queries, capacity)),
        column=np.empty((n_queries, capacity), np.int32),
        size=np.empty(n_queries, np.int32),
        radius=np.empty(n_queries),
        enemy=np.empty(n_queries),
    )


def _table(points: Matrix, columns: Matrix, labels: Codes) -> Table:
    by_feature = np.ascontiguousarray(columns.T)
    order = np.argsort(by_feature, axis=1, kind="stable").astype(np.int32)
    ranks = [
        np.searchsorted(v, p, sorter=o) for v, p, o in zip(by_feature, points.T, order, strict=True)
    ]
    return Table(
        points=np.ascontiguousarray(points),
        columns=np.ascontiguousarray(columns),
        by_feature=by_feature,
        order=order,
        reach=_reach(by_feature, order),
        rank=np.ascontiguousarray(np.transpose(ranks), np.int32),
        labels=labels.astype(np.int32),
    )


def _reach(by_feature: Matrix, order: NDArray[np.int32]) -> NDArray[np.int32]:
    """In each run of equal values: at its first place the last place, at its last the first."""
    reach = np.empty(order.shape, np.int32)
    for f in range(order.shape[0]):
        values = by_feature[f, order[f]]
        starts = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1])))
        ends = np.append(starts[1:], values.size) - 1
        reach[f, starts] = ends
        # A run of one value is its own first and last.
        reach[f, ends] = starts
    return reach


def _outside(train: Ints, n_rows: int) -> Ints:
    outside = np.ones(n_rows, bool)
    outside[train] = False
    return np.flatnonzero(outside)


def _edges(parts: Sequence[Ints]) -> Ints:
    return np.concatenate(([0], np.cumsum([part.size for part in parts]))).astype(np.intp)
