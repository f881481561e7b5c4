"""The nearest columns of each query over the base features."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import Floats, Ints, Near, Places, Queries, Table
from holdfast._kernels.neighbours_least import (
    FAR,
    collect,
    fold_first,
    fold_second,
    last_of_least,
    room_for,
)
from holdfast._kernels.neighbours_rows import add_feature, fill_row, remove_feature


@compiled
def _copy(row: Floats, numbers: Floats) -> None:
    for j in range(row.size):
        numbers[j] = row[j]


@compiled
def _copy_enemies(row: Floats, labels: Places, friend: int, numbers: Floats) -> None:
    for j in range(row.size):
        numbers[j] = np.inf if labels[j] == friend else row[j]


@compiled
def _least_of(numbers: Floats, size: int) -> float:
    least = np.inf
    for p in range(size):
        least = numbers[p] if numbers[p] < least else least
    return least


@compiled
def _fit_in(numbers: Floats, place: Places, size: int, capacity: int) -> tuple[int, float]:
    """Drop the farthest until the rest has room; return how many are left, and their radius.

    Down to none, where too many are equally far.
    """
    radius = FAR
    while size > capacity:
        farthest = 0.0
        for p in range(size):
            farthest = max(farthest, numbers[place[p]])
        kept = 0
        for p in range(size):
            place[kept] = place[p]
            kept += numbers[place[p]] < farthest
        size, radius = kept, np.nextafter(farthest, -1.0)
    return size, radius


@compiled
def _sort_into(
    numbers: Floats, place: Places, size: int, values: Floats, distance: Floats, column: Places
) -> None:
    """Sort by counting how many come before each, which needs no jumps."""
    for p in range(size):
        values[p] = numbers[place[p]]
    for p in range(size):
        d = values[p]
        before = 0
        for other in range(size):
            before += values[other] < d
        for other in range(p):
            before += values[other] == d
        distance[before] = d
        column[before] = place[p]


@compiled
def find_near(
    first: int,
    last: int,
    table: Table,
    queries: Queries,
    base: Ints,
    added: Ints,
    removed: Ints,
    anew: bool,
    n_near: int,
    near: Near,
) -> None:
    """Find what is near to queries first..last-1, of which the first has row 0 in `near`.

    Kept rows are moved from the last base by the features added and removed, unless `anew`; then
    the prefix of each gets `n_near` columns or some more, or it is left alone where they are 0.
    O(columns x features moved) a query, or x features of the base.
    """
    n_columns, capacity = table.columns.shape[0], near.column.shape[1]
    kept, labels = near.rows.shape[0] > 0, table.labels
    row = np.empty(n_columns)
    numbers, by_row, folded, folded_by_row, lanes, flags, words = room_for(n_columns, n_near)
    nearest, values = np.empty(max(1, n_near)), np.empty(capacity)
    place = np.empty(numbers.size, np.int32)
    for q in range(first, last):
        i, s, point = q - first, queries.split[q], queries.point[q]
        if kept:
            row = near.rows[i]
        if anew or not kept:
            barred = queries.barred[queries.barred_from[s] : queries.barred_from[s + 1]]
            fill_row(table.points[point], table.by_feature, base, barred, row)
        else:
            for f in added:
                add_feature(table.points[point, f], table.by_feature[f], row)
            for f in removed:
                remove_feature(
                    table.points[point], table.columns, table.by_feature[f], f, base, row
                )
        if n_near == 0:
            continue
        _copy(row, numbers)
        fold_first(by_row, folded)
        fold_second(folded_by_row, lanes)
        radius = last_of_least(lanes, nearest)
        size = collect(numbers, radius, flags, words, place)
        size, narrowed = _fit_in(numbers, place, size, capacity)
        radius = min(radius, narrowed)
        distance, column = near.distance[i], near.column[i]
        _sort_into(numbers, place, size, values, distance, column)
        enemy, p = 0.0, 1
        while p < size and labels[column[p]] == labels[column[0]]:
            p += 1
        if 0 < size == p:
            _copy_enemies(row, labels, labels[column[0]], numbers)
            fold_first(by_row, folded)
            fold_second(folded_by_row, lanes)
            enemy = _least_of(lanes, lanes.size)
        elif size > 0:
            enemy = distance[p]
        near.size[i], near.radius[i], near.enemy[i] = size, radius, enemy
