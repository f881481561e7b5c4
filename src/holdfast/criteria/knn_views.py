"""The tables and queries that k-NN kernels work on, made from data and splits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.neighbours import Queries, Table
from holdfast._kernels.neighbours_lanes import AT_ONCE, LANES, Crowd
from holdfast.criteria.splits import Splits
from holdfast.criteria.table import Codes, Matrix, Scale, scaled

Ints = NDArray[np.intp]

BYTES_PER_VALUE = 8 + 8 + 4 + 4 + 4 + 8
BYTES_PER_ASKED = 8 + 8
# Distances beyond this are read from memory more slowly than they are computed.
FAST_BYTES = 16 << 20


@dataclass(frozen=True)
class View:
    """One table and the splits that ask it.

    Attributes
    ----------
    table, queries, crowd : as the kernels take them
    splits : array
        Numbers of these splits among all; the queries count them from 0.
    number : int
        Which of the views it is.
    """

    table: Table
    queries: Queries
    crowd: Crowd
    splits: Ints
    number: int

    @property
    def n_blocks(self) -> int:
        """How many blocks of queries there are."""
        return int(self.crowd.asked.shape[0])


class Views:
    """All views of the data, and their distances over a base, kept as far as they fit in memory.

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
    max_bytes : int
        What all this may take.
    unit : float
        By this times their numbers equal columns are told apart.

    Attributes
    ----------
    keeps_sums : bool
        Whether there is room for the distances over a base, and they are few enough to be moved to
        the next base faster than made anew.
    """

    def __init__(
        self,
        X: Matrix,
        codes: Codes,
        weights: Sequence[Matrix],
        splits: Splits,
        within: Scale,
        max_bytes: int,
        unit: float,
    ) -> None:
        self._unit = unit
        self._X, self._codes, self._weights = X, codes, weights
        self._splits, self._within = splits, within
        alone = [within is not None or bool((np.diff(train) == 0).any()) for train, _ in splits]
        self._groups = [[s] for s in range(len(splits)) if alone[s]]
        self._n_alone = len(self._groups)
        if self._n_alone < len(splits):
            self._groups.append([s for s in range(len(splits)) if not alone[s]])
        tables, rows, queries = self._sizes()
        quarter = max_bytes // 4
        needed = X.shape[1] * (BYTES_PER_VALUE * tables + BYTES_PER_ASKED * queries)
        self._views: list[View] | None = None
        if needed <= 2 * quarter:
            self._views = [self._make(v) for v in range(len(self._groups))]
        self.keeps_sums = self._views is not None and 8 * rows <= min(quarter, FAST_BYTES)
        self._sums: list[Matrix] = []
        if self._views is not None and self.keeps_sums:
            self._sums = [self._room_for(view, view.n_blocks) for view in self._views]

    def __iter__(self) -> Iterator[View]:
        if self._views is not None:
            return iter(self._views)
        return (self._make(v) for v in range(len(self._groups)))

    def sums(self, view: View) -> Matrix:
        """The distances over a base as last written, or room for one block of them."""
        return self._sums[view.number] if self.keeps_sums else self._room_for(view, 1)

    def _room_for(self, view: View, n_blocks: int) -> Matrix:
        return np.empty((n_blocks, view.crowd.values.shape[1], LANES))

    def _sizes(self) -> tuple[int, int, int]:
        """Rows of all tables, distances and queries in full blocks."""
        tables, rows, queries = 0, 0, 0
        for number, group in enumerate(self._groups):
            alone = number < self._n_alone
            columns = self._splits[group[0]][0].size if alone else self._X.shape[0]
            asked = -(-sum(self._splits[s][1].size for s in group) // LANES) * LANES
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
        crowd = _crowd(table, point, self._unit)
        return View(table, queries, crowd, np.asarray(group, np.intp), number)


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


def _crowd(table: Table, point: Ints, unit: float) -> Crowd:
    """Columns by class, each class filled up; queries by blocks, the last one filled up."""
    size = np.bincount(table.labels)
    room = -(-size // AT_ONCE) * AT_ONCE
    edges = np.concatenate(([0], np.cumsum(room)))
    by_class = np.argsort(table.labels, kind="stable")
    place = np.empty(by_class.size, np.intp)
    place[by_class] = np.arange(by_class.size) + np.repeat(
        edges[:-1] - (np.cumsum(size) - size), size
    )
    values = np.zeros((table.by_feature.shape[0], edges[-1]))
    values[:, place] = table.by_feature
    start = np.full(edges[-1], np.inf)
    start[place] = unit * np.arange(place.size)
    n_blocks = -(-point.size // LANES)
    asked = np.zeros((values.shape[0], n_blocks * LANES))
    asked[:, : point.size] = table.points[point].T
    low, high = table.by_feature.min(axis=1)[:, None], table.by_feature.max(axis=1)[:, None]
    widest = np.maximum(asked - low, high - asked) ** 2
    return Crowd(
        values, _in_blocks(asked, n_blocks), _in_blocks(widest, n_blocks), edges, place, start
    )


def _in_blocks(by_feature: Matrix, n_blocks: int) -> Matrix:
    blocks = by_feature.reshape(by_feature.shape[0], n_blocks, LANES)
    return np.ascontiguousarray(blocks.transpose(1, 0, 2))


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
