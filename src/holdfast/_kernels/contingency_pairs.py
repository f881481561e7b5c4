"""Contingency counts of features of few levels, two examples at once.

Two neighbouring examples together add to one cell, of both their levels and classes; in the end
these cells are added up to the counts. That is half the counting, worth it where the cells of
pairs are few beside the examples.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Wide = NDArray[np.int64]
Whole = NDArray[np.int32]
Unsigned = NDArray[np.uint32]

WORTH = 4  # examples for each cell of pairs


@compiled
def width_of_pairs(features: Wide, starts: Wide, n_classes: int, n_examples: int) -> int:
    """Most levels of a feature that is worth counting in pairs; 0 where none is."""
    width = 0
    for k in range(features.size):
        cells = starts[k + 1] - starts[k]
        if 0 < cells * cells * WORTH <= n_examples:
            width = max(width, cells // n_classes)
    return width


@compiled
def classes_of_pairs(target: Whole, n_classes: int, width: int) -> Unsigned:
    """Find the first cell of each pair of examples by their classes."""
    first = np.empty(target.size // 2, np.uint32)
    for i in range(first.size):
        first[i] = (target[2 * i] * n_classes + target[2 * i + 1]) * width * width
    return first


@compiled
def count_pairs(row: NDArray[Any], first: Unsigned, width: int, pairs: Whole) -> None:
    """Count the pairs of examples by their levels of a feature, and their classes."""
    wide = np.uint32(width)  # indices without a sign need no look at what is below 0
    for i in range(first.size):
        pairs[first[i] + np.uint32(row[2 * i]) * wide + np.uint32(row[2 * i + 1])] += 1


@compiled
def add_up(pairs: Whole, width: int, n_classes: int, cells: Wide) -> None:
    """Add counts of pairs to those of a feature, and set them back to 0."""
    n_levels = cells.size // n_classes
    for one in range(n_classes):
        for other in range(n_classes):
            start = (one * n_classes + other) * width * width
            for a in range(n_levels):
                for b in range(n_levels):
                    count = pairs[start + a * width + b]
                    pairs[start + a * width + b] = 0
                    cells[a * n_classes + one] += count
                    cells[b * n_classes + other] += count
