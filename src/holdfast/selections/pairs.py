"""The pairs of runs, counted by what every pairwise set measure depends on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import overlaps as kernel

Ints = NDArray[np.int64]

# Rows are handled in blocks of at most this many pairs where a histogram would be too wide.
BLOCK_PAIRS = 1 << 22


@dataclass(frozen=True)
class PairTable:
    """Distinct (smaller size, larger size, overlap) of unordered pairs, and how many pairs have it.

    A pairwise set measure is a function of these three numbers and the number of features, so its
    mean over n * (n - 1) / 2 pairs is a weighted mean over this table, which for subsets of one
    size k has at most k + 1 lines. The lines are sorted, so results do not depend on the order of
    runs or features, not even in the last digit.
    """

    smaller: Ints
    larger: Ints
    overlap: Ints
    count: Ints

    @property
    def n_pairs(self) -> int:
        """Number of unordered pairs of runs."""
        return int(self.count.sum())

    def mean(self, values: NDArray[np.float64]) -> float:
        """Mean over all pairs of a value given per line."""
        return float(values @ self.count) / self.n_pairs


class OverlapSource:
    """Chooses between the two ways to overlaps, by their predicted cost.

    Parameters
    ----------
    indptr, indices : arrays
        The runs as a CSR pattern with ascending indices.
    frequencies : array
        How many runs chose each feature.
    """

    def __init__(self, indptr: Ints, indices: NDArray[np.int32], frequencies: Ints) -> None:
        used = np.flatnonzero(frequencies)
        rank = np.zeros(frequencies.size, np.int32)
        rank[used] = np.arange(used.size, dtype=np.int32)
        self.indptr = indptr
        self.indices = rank[indices]
        n_runs = indptr.size - 1
        occurring = frequencies[used].astype(np.float64)
        column_steps = float(occurring @ (occurring - 1)) / 2
        word_steps = n_runs * (n_runs - 1) / 2 * -(-used.size // 64)
        no_words = np.zeros((n_runs, 0), np.uint64)
        nothing = np.zeros(1, np.int64), np.zeros(0, np.int32)
        if word_steps * kernel.WORD_COST < column_steps:
            self.columns = nothing
            self.words = kernel.pack(indptr, self.indices, used.size)
        else:
            self.columns = kernel.transpose(indptr, self.indices, used.size)
            self.words = no_words

    def rows(self, first: int, last: int) -> NDArray[np.int32]:
        """Overlaps of runs first..last-1 with every later run (0 elsewhere)."""
        out = np.zeros((last - first, self.indptr.size - 1), np.int32)
        kernel.overlap_rows(first, last, self.indptr, self.indices, *self.columns, self.words, out)
        return out

    def histogram(self, size_class: Ints, class_ptr: Ints, first_cell: Ints, n_cells: int) -> Ints:
        """Count pairs by size classes and overlap, in one pass over the rows."""
        cells = np.zeros(n_cells, np.int64)
        kernel.overlap_histogram(
            self.indptr,
            self.indices,
            *self.columns,
            self.words,
            size_class,
            class_ptr,
            first_cell,
            cells,
        )
        return cells


def count_pairs(indptr: Ints, indices: NDArray[np.int32], frequencies: Ints) -> PairTable:
    """Count the pairs of runs by (smaller size, larger size, overlap).

    Time: the overlaps (see the kernel) plus one step a pair, and a sort of the pairs only where
    subsets have so many different sizes that a histogram would be wider than the pairs are many.
    """
    indptr, indices = _sorted_by_size(indptr, indices)
    sizes = np.diff(indptr)
    distinct, class_start, size_class = np.unique(sizes, return_index=True, return_inverse=True)
    n_runs, n_classes = sizes.size, distinct.size
    source = OverlapSource(indptr, indices, frequencies)
    # Pairs of classes a <= b have overlaps 0 .. size of a.
    later_classes = np.arange(n_classes, 0, -1)
    widths = (distinct + 1) * later_classes
    if int(widths.sum()) > 4 * n_runs * n_runs + 4096:
        return _count_by_sorting(source, sizes)
    row_start = np.concatenate(([0], np.cumsum(widths)))
    offsets = np.arange(n_classes)[None, :] - np.arange(n_classes)[:, None]
    first_cell = row_start[:-1, None] + offsets * (distinct + 1)[:, None]
    cells = source.histogram(
        size_class.astype(np.int64),
        np.append(class_start, n_runs).astype(np.int64),
        first_cell.astype(np.int64),
        int(row_start[-1]),
    )
    found = np.flatnonzero(cells)
    a = np.searchsorted(row_start, found, side="right") - 1
    within = found - row_start[a]
    steps, overlap = np.divmod(within, distinct[a] + 1)
    return PairTable(distinct[a], distinct[a + steps], overlap, cells[found])


def _sorted_by_size(indptr: Ints, indices: NDArray[np.int32]) -> tuple[Ints, NDArray[np.int32]]:
    sizes = np.diff(indptr)
    if np.all(sizes[1:] >= sizes[:-1]):
        return indptr, indices
    order = np.argsort(sizes, kind="stable")
    ordered_sizes = sizes[order]
    new_indptr = np.concatenate(([0], np.cumsum(ordered_sizes)))
    take = np.arange(indices.size) + np.repeat(indptr[order] - new_indptr[:-1], ordered_sizes)
    return new_indptr, indices[take]


def _count_by_sorting(source: OverlapSource, sizes: Ints) -> PairTable:
    n_runs = sizes.size
    base = int(sizes.max()) + 1
    if base**3 >= 2**63:
        raise MemoryError(f"subsets of {base - 1} features of so many sizes cannot be paired")
    keys = np.zeros(0, np.int64)
    counts = np.zeros(0, np.int64)
    step = max(1, BLOCK_PAIRS // n_runs)
    for first in range(0, n_runs - 1, step):
        last = min(first + step, n_runs - 1)
        rows = source.rows(first, last)
        i, j = np.triu_indices(last - first, first + 1, n_runs)
        block = (sizes[first + i] * base + sizes[j]) * base + rows[i, j]
        fresh, fresh_counts = np.unique(block, return_counts=True)
        keys, where = np.unique(np.concatenate((keys, fresh)), return_inverse=True)
        merged = np.zeros(keys.size, np.int64)
        np.add.at(merged, where, np.concatenate((counts, fresh_counts)))
        counts = merged
    rest, overlap = np.divmod(keys, base)
    smaller, larger = np.divmod(rest, base)
    return PairTable(smaller, larger, overlap, counts)


def overlap_matrix(
    indptr: Ints, indices: NDArray[np.int32], frequencies: Ints
) -> NDArray[np.int32]:
    """Shared features of every two runs; the sizes on the diagonal."""
    n_runs = indptr.size - 1
    out = OverlapSource(indptr, indices, frequencies).rows(0, n_runs)
    out += out.T
    np.fill_diagonal(out, np.diff(indptr))
    return out
