"""How many features two runs share, for every pair of runs.

scipy's sparse product gives the same numbers, but builds the whole runs x runs matrix, several
times slower; the histogram kernel never holds more than one row of it.

Two ways to get row i, for all j > i at once: walk the columns of its features (sum of squared
frequencies over 2 for all rows), or AND packed words and count bits (runs**2 * words / 2).
"""

from __future__ import annotations

import numpy as np
from numba import njit

# Cost of one word of the bit path in units of one column step, measured on random systems.
WORD_COST = 0.14


@njit(cache=True, nogil=True)
def transpose(indptr, indices, n_features):
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


@njit(cache=True, nogil=True)
def pack(indptr, indices, n_features):
    """One bit per feature, 64 to a word."""
    n_runs = indptr.size - 1
    words = np.zeros((n_runs, (n_features + 63) // 64), np.uint64)
    for i in range(n_runs):
        for p in range(indptr[i], indptr[i + 1]):
            f = indices[p]
            words[i, f >> 6] |= np.uint64(1) << np.uint64(f & 63)
    return words


@njit(inline="always")
def _bit_count(x):
    # The usual halving sums; LLVM turns them into the processor's own instruction.
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)


@njit(cache=True, nogil=True)
def _row_from_columns(i, indptr, indices, column_ptr, column_rows, row):
    row[i:] = 0
    for p in range(indptr[i], indptr[i + 1]):
        f = indices[p]
        q = column_ptr[f + 1] - 1
        while column_rows[q] > i:
            row[column_rows[q]] += 1
            q -= 1


@njit(cache=True, nogil=True)
def _row_from_words(i, words, row):
    for j in range(i + 1, words.shape[0]):
        total = np.uint64(0)
        for w in range(words.shape[1]):
            total += _bit_count(words[i, w] & words[j, w])
        row[j] = total


@njit(cache=True, nogil=True)
def overlap_rows(first, last, indptr, indices, column_ptr, column_rows, words, out):
    """Write the overlaps of runs first..last-1 with all later runs into out, one line each."""
    for i in range(first, last):
        if words.shape[1] > 0:
            _row_from_words(i, words, out[i - first])
        else:
            _row_from_columns(i, indptr, indices, column_ptr, column_rows, out[i - first])


@njit(cache=True, nogil=True)
def overlap_histogram(
    indptr, indices, column_ptr, column_rows, words, size_class, class_ptr, first_cell, cells
):
    """Count pairs by the classes of their sizes and their overlap; runs come sorted by size.

    Time as for the rows plus one step a pair; memory one row.
    """
    n_runs = indptr.size - 1
    row = np.zeros(n_runs, np.int32)
    for i in range(n_runs - 1):
        if words.shape[1] > 0:
            _row_from_words(i, words, row)
        else:
            _row_from_columns(i, indptr, indices, column_ptr, column_rows, row)
        a = size_class[i]
        for b in range(a, class_ptr.size - 1):
            base = first_cell[a, b]
            for j in range(max(i + 1, class_ptr[b]), class_ptr[b + 1]):
                cells[base + row[j]] += 1


@njit(cache=True, nogil=True)
def overlap_of_each(indptr, indices, left, right):
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
