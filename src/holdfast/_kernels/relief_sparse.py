"""Distances among the examples of a sparse matrix, whose zeros cost nothing."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.relief import FINE, Floats, Ints, Small


@compiled
def entry_difference(x: float, y: float, nominal: bool) -> int | np.int64:
    """Difference of two values in the fine unit."""
    if nominal:
        return 0 if x == y else FINE
    return np.int64(np.rint(FINE * abs(x - y)))


@compiled
def add_sparse(
    starts: Small, examples: Small, values: Floats, nominal: bool, rows: Ints, out: Ints
) -> None:
    """Add the distances of some examples to all.

    The columns are given as by CSC. Each stored value adds its difference to 0 in all places of its
    example, and two stored values of a column what they have less (or more) than those two
    together. O(n) for each of the rows, and O(m^2) for each column of m stored values.
    """
    n = out.shape[1]
    alone, row_of = np.zeros(n, np.int64), np.full(n, -1)
    for r in range(rows.size):
        row_of[rows[r]] = r
    for f in range(starts.size - 1):
        begin, end = starts[f], starts[f + 1]
        for a in range(begin, end):
            i, x = examples[a], values[a]
            to_zero = entry_difference(x, 0.0, nominal)
            alone[i] += to_zero
            if row_of[i] >= 0:
                row = out[row_of[i]]
                for b in range(begin, end):
                    y = values[b]
                    row[examples[b]] += (
                        entry_difference(x, y, nominal)
                        - to_zero
                        - entry_difference(y, 0.0, nominal)
                    )
    for r in range(rows.size):
        for j in range(n):
            out[r, j] += alone[rows[r]] + alone[j]
