"""Contingency counts of discrete features with a target, and what follows from them.

The counts of feature f are the cells ``starts[f]`` to ``starts[f + 1]``: a row a level, a column a
class. Entropies are sums of c log c over counts, held as whole numbers of a tiny unit: their sums
do not depend on the order of the levels, so that equal information is equal to the last digit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.contingency_pairs import (
    add_up,
    classes_of_pairs,
    count_pairs,
    width_of_pairs,
)
from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Wide = NDArray[np.int64]
Whole = NDArray[np.int32]

LARGEST = 60  # bits of the largest sum


@compiled
def count_dense(
    codes: NDArray[Any], features: Wide, target: Whole, n_classes: int, starts: Wide, table: Wide
) -> None:
    """Add the examples to the counts of some features; `codes` is features x examples. O(cells)."""
    n_examples = target.size
    width = width_of_pairs(features, starts, n_classes, n_examples)
    first = classes_of_pairs(target, n_classes, width)
    pairs = np.zeros((width * n_classes) ** 2, np.int32)
    for k in range(features.size):
        row = codes[features[k]]
        cells = table[starts[k] : starts[k + 1]]
        begin = 0
        if 0 < cells.size <= width * n_classes:
            count_pairs(row, first, width, pairs)
            add_up(pairs, width, n_classes, cells)
            begin = 2 * first.size
        for i in range(begin, n_examples):
            cells[np.int64(row[i]) * n_classes + target[i]] += 1


@compiled
def count_sparse(
    indptr: Wide,
    rows: Whole,
    values: NDArray[Any],
    features: Wide,
    target: Whole,
    of_classes: Wide,
    starts: Wide,
    table: Wide,
) -> None:
    """Add the examples to the counts of some features; zeros by subtraction. O(entries)."""
    n_classes = of_classes.size
    for k in range(features.size):
        cells = table[starts[k] : starts[k + 1]]
        for c in range(n_classes):
            cells[c] += of_classes[c]
        for entry in range(indptr[features[k]], indptr[features[k] + 1]):
            c = target[rows[entry]]
            cells[c] -= 1
            cells[np.int64(values[entry]) * n_classes + c] += 1


@compiled
def terms_up_to(largest: int, scale: float) -> Wide:
    """Tabulate c log2 c in the unit 1 / scale, for every count from 0 to `largest`."""
    terms = np.zeros(largest + 1, np.int64)
    for c in range(2, largest + 1):
        terms[c] = np.int64(c * np.log2(c) * scale)
    return terms


@compiled
def term(count: Any, terms: Wide, scale: float) -> Any:
    """Take c log2 c in the unit 1 / scale; looked up where the count is small."""
    if count < terms.size:
        return terms[count]
    return np.int64(count * np.log2(count) * scale)


@compiled
def mutual(
    table: Wide,
    starts: Wide,
    of_classes: Wide,
    terms: Wide,
    scale: float,
    shared: Floats,
    own: Floats,
) -> float:
    """Mutual information of each feature with the target (`shared`), and its entropy (`own`), bits.

    Both come from whole numbers, so the information of a constant is exactly 0, that of a copy of
    the target exactly the target's entropy, and none exceeds either entropy.
    """
    n_classes = of_classes.size
    n_examples = of_classes.sum()
    whole = term(n_examples, terms, scale)
    of_target = whole
    for c in range(n_classes):
        of_target -= term(of_classes[c], terms, scale)
    per_example = 1.0 / (max(n_examples, 1) * scale)
    for f in range(starts.size - 1):
        joint = np.int64(0)
        of_levels = np.int64(0)
        for level in range(starts[f], starts[f + 1], n_classes):
            total = np.int64(0)
            for cell in range(level, level + n_classes):
                total += table[cell]
                joint += term(table[cell], terms, scale)
            of_levels += term(total, terms, scale)
        entropy = whole - of_levels
        information = min(joint - of_levels + of_target, entropy, of_target)
        # What rounding of the terms to 53 bits can leave of an information of 0.
        if information <= 2048 + starts[f + 1] - starts[f]:
            information = 0
        shared[f] = information * per_example
        own[f] = entropy * per_example
    return of_target * per_example


@compiled
def chi_square(
    table: Wide, starts: Wide, of_classes: Wide, statistics: Floats, freedom: Wide
) -> None:
    """Pearson's statistic of each feature with the target, and its degrees of freedom.

    Levels that do not occur do not count.
    """
    n_classes = of_classes.size
    n_examples = of_classes.sum()
    present = 0
    for c in range(n_classes):
        present += of_classes[c] > 0
    for f in range(starts.size - 1):
        total = 0.0
        n_levels = 0
        for level in range(starts[f], starts[f + 1], n_classes):
            size = np.int64(0)
            for cell in range(level, level + n_classes):
                size += table[cell]
            if size == 0:
                continue
            n_levels += 1
            for c in range(n_classes):
                if of_classes[c] > 0:
                    # Deviation times n, a whole number: independence is exactly 0.
                    off = table[level + c] * n_examples - size * of_classes[c]
                    expected = np.float64(size) * np.float64(of_classes[c])
                    total += np.float64(off) / expected * (np.float64(off) / n_examples)
        statistics[f] = total
        freedom[f] = max(n_levels - 1, 0) * max(present - 1, 0)


@compiled
def mutual_of_pairs(
    table: Wide,
    starts: Wide,
    of_pairs: Wide,
    n_classes: int,
    terms: Wide,
    scale: float,
    shared: Floats,
) -> None:
    """Mutual information of (feature, given feature) with the class, bits.

    The target counted against is the given feature's level times the number of classes, plus the
    class; `of_pairs` are its counts.
    """
    n_pairs = of_pairs.size
    n_examples = of_pairs.sum()
    of_target = term(n_examples, terms, scale)
    for c in range(n_classes):
        size = np.int64(0)
        for pair in range(c, n_pairs, n_classes):
            size += of_pairs[pair]
        of_target -= term(size, terms, scale)
    per_example = 1.0 / (max(n_examples, 1) * scale)
    for f in range(starts.size - 1):
        joint = np.int64(0)
        of_levels = np.int64(0)
        for level in range(starts[f], starts[f + 1], n_classes):
            size = np.int64(0)
            for cell in range(level, level + n_classes):
                size += table[cell]
                joint += term(table[cell], terms, scale)
            of_levels += term(size, terms, scale)
        information = min(joint - of_levels + of_target, of_target)
        if information <= 2048 + starts[f + 1] - starts[f]:
            information = 0
        shared[f] = information * per_example
