"""The tables and queries that k-NN kernels work on, made from data and splits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.neighbours import Prefixes, Queries, Table
from holdfast.criteria.splits import Splits
from holdfast.criteria.table import Codes, Matrix, Scale, scaled

Ints = NDArray[np.intp]

BYTES_PER_VALUE = 8 + 8 + 4 + 4
BYTES_PER_NEIGHBOUR = 8 + 4


@dataclass(frozen=True)
class View:
    """One table and the splits that ask it.

    Attributes
    ----------
    table, queries : as the kernels take them
    splits : array
        Numbers of these splits among all; the queries count them from 0.
    edges : array
        First query of each of these splits, and the end.
    number : int
        Which of the views it is.
    """

    table: Table
    queries: Queries
    splits: Ints
    edges: Ints
    number: int


class Views:
    """All views of the data, kept in memory as far as they fit.

    Splits share one table, in which the rows that a split does not train on are barred; a split
    with a scaling of its own, or which trains on some row more than once, has its own.

    Parameters
    ----------
    X, codes, weight : array
        The data, scaled already unless `within` says how each training part is to be.
    splits : list of (train, test)
    within : {None, "range", "standard"}
    capacity : int
        How many nearest columns may be kept for each query.
    max_bytes : int
        What all this may take.

    Attributes
    ----------
    keeps_prefixes : bool
        Whether there is room for those of all queries at once.
    """

    def __init__(
        self,
        X: Matrix,
        codes: Codes,
        weight: Matrix,
        splits: Splits,
        within: Scale,
        capacity: int,
        max_bytes: int,
    ) -> None:
        self._X, self._codes, self._weight = X, codes, weight
        self._splits, self._within, self._capacity = splits, within, capacity
        alone = [within is not None or bool((np.diff(train) == 0).any()) for train, _ in splits]
        self._groups = [[s] for s in range(len(splits)) if alone[s]]
        self._n_alone = len(self._groups)
        if self._n_alone < len(splits):
            self._groups.append([s for s in range(len(splits)) if not alone[s]])
        n_columns = sum(splits[g[0]][0].size for g in self._groups[: self._n_alone])
        n_columns += X.shape[0] if self._n_alone < len(splits) else 0
        keeps_views = BYTES_PER_VALUE * X.shape[1] * n_columns <= max_bytes // 2
        self._views = [self._make(v) for v in range(len(self._groups))] if keeps_views else None
        per_query = BYTES_PER_NEIGHBOUR * capacity
        n_queries = sum(test.size for _, test in splits)
        self.keeps_prefixes = per_query * n_queries <= max_bytes // 4
        self._block = max(1, max_bytes // 4 // per_query)
        self._prefixes: dict[int, Prefixes] = {}

    def __iter__(self) -> Iterator[View]:
        if self._views is not None:
            return iter(self._views)
        return (self._make(v) for v in range(len(self._groups)))

    def prefixes_of(self, view: View) -> Prefixes | None:
        """Room for the prefixes of all queries, as last written; None if it is not kept."""
        if not self.keeps_prefixes:
            return None
        if view.number not in self._prefixes:
            self._prefixes[view.number] = room(view.queries.point.size, self._capacity)
        return self._prefixes[view.number]

    def pieces(
        self, kept: Prefixes | None, first: int, last: int, n_jobs: int
    ) -> Iterator[tuple[int, int, Prefixes]]:
        """Queries first..last-1 with their part of the kept prefixes, or block by block in one."""
        if kept is not None:
            part = slice(first, last)
            yield (
                first,
                last,
                Prefixes(
                    kept.distance[part], kept.column[part], kept.size[part], kept.radius[part]
                ),
            )
            return
        block = max(1, self._block // n_jobs)
        near = room(min(block, last - first), self._capacity)
        for start in range(first, last, block):
            yield start, min(start + block, last), near

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
        point, edges = np.concatenate(tests), _edges(tests)
        queries = Queries(
            point=point,
            split=np.repeat(np.arange(len(group)), np.diff(edges)),
            truth=self._codes[point].astype(np.int32),
            weight=self._weight[point],
            barred_from=_edges(barred),
            barred=np.concatenate(barred).astype(np.int32),
        )
        return View(table, queries, np.asarray(group, np.intp), edges, number)


def room(n_queries: int, capacity: int) -> Prefixes:
    """Unwritten prefixes."""
    return Prefixes(
        np.empty((n_queries, capacity)),
        np.empty((n_queries, capacity), np.int32),
        np.empty(n_queries, np.int32),
        np.empty(n_queries),
    )


def _table(points: Matrix, columns: Matrix, labels: Codes) -> Table:
    by_feature = np.ascontiguousarray(columns.T)
    order = np.argsort(by_feature, axis=1, kind="stable").astype(np.int32)
    return Table(
        points=np.ascontiguousarray(points),
        columns=np.ascontiguousarray(columns),
        by_feature=by_feature,
        order=order,
        reach=_reach(by_feature, order),
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
