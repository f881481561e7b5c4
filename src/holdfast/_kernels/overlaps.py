"""How many features two runs share, for every pair of runs.

scipy's sparse product gives the same numbers, but builds the whole runs x runs matrix, several
times slower; the histogram kernel never holds more than one row of it.

Two ways to get row i, for all j > i at once: walk the columns of its features (sum of squared
frequencies over 2 for all rows), or AND packed words and count bits (runs**2 * words / 2).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Counts = NDArray[np.int32]
Features = NDArray[np.int32]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

# Cost of one word of the bit path in units of one column step, measured on random systems.
WORD_COST = 0.14


@compiled
def transpose(indptr: Ints, indices: Features, n_features: int) -> tuple[Ints, NDArray[np.int32]]:
    """Columns of a CSR pattern: for each feature the runs that chose it, ascending."""
    column_ptr = np.zeros(n_features + 1, np.int64)
    for p in range(indices.size):
        column_ptr[indices[p] + 1] += 1
    for f in range(n_features):
        column_ptr[f + 1] += column_ptr[f]
    cursor = column_ptr[:-1].copy()
    rows = np.empty(indices.size, np.int32)
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            f = indices[p]
            rows[cursor[f]] = i
            cursor[f] += 1
    return column_ptr, rows


@compiled
def pack(indptr: Ints, indices: Features, n_features: int) -> Words:
    """One bit per feature, 64 to a word."""
    n_runs = indptr.size - 1
    words = np.zeros((n_runs, (n_features + 63) // 64), np.uint64)
    for i in range(n_runs):
        for p in range(indptr[i], indptr[i + 1]):
            f = indices[p]
            words[i, f >> 6] |= np.uint64(1) << np.uint64(f & 63)
    return words


def _bit_count(word: Any) -> Any:
    return int(word).bit_count()


@intrinsic
def _population(_context: Any, _word: Any) -> Any:
    """Count bits by the processor's own instruction, which numba gives no name."""

    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), emit


@overload(_bit_count, inline="always")
def _compiled_bit_count(word: Any) -> Any:
    def count(word: Any) -> Any:
        return _population(word)  # type: ignore[call-arg]  # numba passes the context

    return count


@compiled
def _row_from_columns(
    i: int,
    indptr: Ints,
    indices: Features,
    column_ptr: Ints,
    column_rows: NDArray[np.int32],
    row: Counts,
) -> None:
    row[i:] = 0
    for p in range(indptr[i], indptr[i + 1]):
        f = indices[p]
        q = column_ptr[f + 1] - 1
        while column_rows[q] > i:
            row[column_rows[q]] += 1
            q -= 1


@compiled
def _row_from_words(i: int, words: Words, row: Counts) -> None:
    for j in range(i + 1, words.shape[0]):
        total = 0
        for w in range(words.shape[1]):
            total += _bit_count(words[i, w] & words[j, w])
        row[j] = total


@compiled
def overlap_rows(
    first: int,
    last: int,
    indptr: Ints,
    indices: Features,
    column_ptr: Ints,
    column_rows: NDArray[np.int32],
    words: Words,
    out: Counts,
) -> None:
    """Write the overlaps of runs first..last-1 with all later runs into out, one line each."""
    for i in range(first, last):
        if words.shape[1] > 0:
            _row_from_words(i, words, out[i - first])
        else:
            _row_from_columns(i, indptr, indices, column_ptr, column_rows, out[i - first])


@compiled
def overlap_histogram(
    a: int,
    class_ptr: Ints,
    indptr: Ints,
    indices: Features,
    column_ptr: Ints,
    column_rows: NDArray[np.int32],
    words: Words,
    cells: Ints,
) -> None:
    """Count the pairs of size class a with each later class, by overlap, one line of cells a class.

    Runs come sorted by size; class b is runs ``class_ptr[b]`` to ``class_ptr[b + 1] - 1``. Time as
    for the rows plus one step a pair; memory one row.
    """
    row = np.zeros(indptr.size - 1, np.int32)
    for i in range(class_ptr[a], class_ptr[a + 1]):
        if words.shape[1] > 0:
            _row_from_words(i, words, row)
        else:
            _row_from_columns(i, indptr, indices, column_ptr, column_rows, row)
        for b in range(a, class_ptr.size - 1):
            for j in range(max(i + 1, class_ptr[b]), class_ptr[b + 1]):
                cells[b - a, row[j]] += 1


@compiled
def overlap_of_each(indptr: Ints, indices: Features, left: Ints, right: Ints) -> Ints:
    """Overlap of run left[p] with run right[p], by merging two ascending lists."""
    out = np.zeros(left.size, np.int64)
    for p in range(left.size):
        s, s_end = indptr[left[p]], indptr[left[p] + 1]
        t, t_end = indptr[right[p]], indptr[right[p] + 1]
        while s < s_end and t < t_end:
            if indices[s] == indices[t]:
                out[p] += 1
                s += 1
                t += 1
            elif indices[s] < indices[t]:
                s += 1
            else:
                t += 1
    return out
