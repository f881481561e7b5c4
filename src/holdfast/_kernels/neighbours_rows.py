"""Squared distances of one point to all columns."""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled
from holdfast._kernels.neighbours import Floats, Ints, Places

# Where less than this share of a distance is left by a removal, it is summed anew.
LEFT = 2.0**-8


@compiled
def fill_row(point: Floats, by_feature: Floats, base: Ints, barred: Places, row: Floats) -> None:
    """Squared distances over the base features; infinite to barred columns. O(base x columns)."""
    row[:] = 0.0
    done = base.size % 4
    for b in range(done):
        add_feature(point[base[b]], by_feature[base[b]], row)
    while done < base.size:
        x0, values0 = point[base[done]], by_feature[base[done]]
        x1, values1 = point[base[done + 1]], by_feature[base[done + 1]]
        x2, values2 = point[base[done + 2]], by_feature[base[done + 2]]
        x3, values3 = point[base[done + 3]], by_feature[base[done + 3]]
        for j in range(row.size):
            row[j] += (
                (x0 - values0[j]) * (x0 - values0[j])
                + (x1 - values1[j]) * (x1 - values1[j])
                + (x2 - values2[j]) * (x2 - values2[j])
                + (x3 - values3[j]) * (x3 - values3[j])
            )
        done += 4
    for j in barred:
        row[j] = np.inf


@compiled
def add_feature(x: float, values: Floats, row: Floats) -> None:
    """Add a feature's squared differences."""
    for j in range(row.size):
        row[j] += (x - values[j]) * (x - values[j])
