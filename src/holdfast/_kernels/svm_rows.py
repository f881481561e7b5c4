"""Rows of the kernel matrix of one subset of features, computed when first asked for.

Two stores, one inside the other. `Pairs` holds squared distances (or products) between one example
and all others: they serve every fold. The `gram` of a problem holds rows of the kernel among its
training examples, in single precision, which is what libsvm computes with.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]

# exp(-z) = 2^n * exp(r) with |r| <= ln(2)/2, where a polynomial of degree 9 does (Taylor's, with
# less powerful terms bent by Chebyshev's). Adding ROUND leaves n in the last bits of the sum.
ROUND = 6755399441055744.0
LOG2E = 1.4426950408889634
LN2_HIGH = 0.6931471803691238
LN2_LOW = 1.9082149292705877e-10
# Beyond this the power of two would leave the normal range; the value is 0 to any use made of it.
FARTHEST = 700.0


class Pairs(NamedTuple):
    """Products or squared distances in one subset of features, row by row.

    Attributes
    ----------
    table : array
        Features x examples.
    subset : array
        Ascending feature indices.
    linear : bool
        Products (True) or squared distances (False).
    rows : array
        One row an example; or a single row, which is computed anew each time.
    known : array
        Whether an example's row is computed.
    """

    table: Floats
    subset: Ints
    linear: bool
    rows: Floats
    known: NDArray[np.bool_]


@compiled
def exp_of_negative(z: Floats, power: Floats) -> None:
    """Replace each z >= 0 by exp(-z), to a relative error below 1e-13.

    `power` is room for as many numbers. Written so that the compiler uses vector instructions,
    which the library's own exp prevents: several times as fast.
    """
    for k in range(z.size):
        x = -min(z[k], FARTHEST)
        shifted = x * LOG2E + ROUND
        n = shifted - ROUND
        r = (x - n * LN2_HIGH) - n * LN2_LOW
        power[k] = shifted
        tail = 1.984120872948519e-04 + r * (2.486788534046407e-05 + r * 2.7625117029606054e-06)
        tail = 8.333333353731230e-03 + r * (1.388883908724109e-03 + r * tail)
        tail = 1.666666666664863e-01 + r * (4.166666678635287e-02 + r * tail)
        z[k] = 1.0 + r * (1.0 + r * (0.4999999999995506 + r * tail))
    bits, exponent = z.view(np.int64), power.view(np.int64)
    for k in range(z.size):
        bits[k] += exponent[k] << 52


@compiled
def pairs_with(pairs: Pairs, example: int) -> Floats:
    """Give the products or squared distances of one example with all others. O(n d) when new.

    Features are taken in ascending order, so no sum depends on how a subset was reached.
    """
    kept = pairs.rows.shape[0] > 1
    row = pairs.rows[example if kept else 0]
    if kept and pairs.known[example]:
        return row
    for k in range(row.size):
        row[k] = 0.0
    for f in pairs.subset:
        column = pairs.table[f]
        x = column[example]
        if pairs.linear:
            for k in range(row.size):
                row[k] += x * column[k]
        else:
            for k in range(row.size):
                row[k] += (column[k] - x) ** 2
    pairs.known[example] = True
    return row


@compiled
def kernel_with(
    pairs: Pairs, example: int, others: Ints, gamma: float, out: Floats, room: Floats
) -> None:
    """Write the kernel of one example with some others, in double precision."""
    row = pairs_with(pairs, example)
    if pairs.linear:
        for k in range(others.size):
            out[k] = row[others[k]]
    else:
        for k in range(others.size):
            out[k] = gamma * row[others[k]]
        exp_of_negative(out, room)
