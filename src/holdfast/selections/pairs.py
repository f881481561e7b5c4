"""The pairs of runs, counted by what every pairwise set measure depends on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import overlaps as kernel

Ints = NDArray[np.int64]

# Rows are handled in blocks of at most this many pairs where a histogram would be too wide.
BLOCK_PAIRS = 1 << 22
# The widest histogram, 128 MiB.
MOST_CELLS = 1 << 24


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

    def histogram(self, a: int, class_ptr: Ints, size: int) -> Ints:
        """Count the pairs of size class a with itself and each later class, by overlap."""
        cells = np.zeros((class_ptr.size - 1 - a, size + 1), np.int64)
        kernel.overlap_histogram(
            a, class_ptr, self.indptr, self.indices, *self.columns, self.words, cells
        )
        return cells


def count_pairs(indptr: Ints, indices: NDArray[np.int32], frequencies: Ints) -> PairTable:
    """Count the pairs of runs by (smaller size, larger size, overlap).

    Time: the overlaps (see the kernel) plus one step a pair, and a sort of the pairs only where
    subsets have so many different sizes that histograms would be wider than the pairs are many.
    """
    indptr, indices = _sorted_by_size(indptr, indices)
    sizes = np.diff(indptr)
    source = OverlapSource(indptr, indices, frequencies)
    distinct, class_start, size_class = np.unique(sizes, return_index=True, return_inverse=True)
    # A pair of classes a <= b has overlaps 0 .. size of a.
    widths = (distinct + 1) * np.arange(distinct.size, 0, -1)
    if widths.sum() > 4 * sizes.size**2 + 4096 or widths.max() > MOST_CELLS:
        return count_by_sorting(source, distinct, size_class)
    class_ptr = np.append(class_start, sizes.size).astype(np.int64)
    lines = []
    for a, size in enumerate(distinct.tolist()):
        cells = source.histogram(a, class_ptr, size)
        step, overlap = np.nonzero(cells)
        smaller = np.full(step.size, size)
        lines.append((smaller, distinct[a + step], overlap, cells[step, overlap]))
    return PairTable(*map(np.concatenate, zip(*lines, strict=True)))


def _sorted_by_size(indptr: Ints, indices: NDArray[np.int32]) -> tuple[Ints, NDArray[np.int32]]:
    sizes = np.diff(indptr)
    if np.all(sizes[1:] >= sizes[:-1]):
        return indptr, indices
    order = np.argsort(sizes, kind="stable")
    ordered_sizes = sizes[order]
    new_indptr = np.concatenate(([0], np.cumsum(ordered_sizes)))
    take = np.arange(indices.size) + np.repeat(indptr[order] - new_indptr[:-1], ordered_sizes)
    return new_indptr, indices[take]


def count_by_sorting(source: OverlapSource, distinct: Ints, size_class: Ints) -> PairTable:
    """Count the pairs as `count_pairs` does, in blocks of rows; the runs come sorted by size."""
    n_runs, n_classes = size_class.size, distinct.size
    base = int(distinct[-1]) + 1
    keys = np.zeros(0, np.int64)
    counts = np.zeros(0, np.int64)
    step = max(1, BLOCK_PAIRS // n_runs)
    for first in range(0, n_runs - 1, step):
        last = min(first + step, n_runs - 1)
        rows = source.rows(first, last)
        i, j = np.triu_indices(last - first, first + 1, n_runs)
        block = (size_class[first + i] * n_classes + size_class[j]) * base + rows[i, j]
        fresh, fresh_counts = np.unique(block, return_counts=True)
        keys, where = np.unique(np.concatenate((keys, fresh)), return_inverse=True)
        merged = np.zeros(keys.size, np.int64)
        np.add.at(merged, where, np.concatenate((counts, fresh_counts)))
        counts = merged
    rest, overlap = np.divmod(keys, base)
    smaller, larger = np.divmod(rest, n_classes)
    return PairTable(distinct[smaller], distinct[larger], overlap, counts)


def overlap_matrix(
    indptr: Ints, indices: NDArray[np.int32], frequencies: Ints
) -> NDArray[np.int32]:
    """Shared features of every two runs; the sizes on the diagonal."""
    n_runs = indptr.size - 1
    out = OverlapSource(indptr, indices, frequencies).rows(0, n_runs)
    out += out.T
    np.fill_diagonal(out, np.diff(indptr))
    return out
