"""What must be known of a square matrix before it is trusted, in one pass over its tiles.

numpy takes a pass and a copy for each question; here each pair of entries is read once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

TILE = 32


@compiled
def examine(matrix: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Lowest and highest entry, largest asymmetry, largest distance of the diagonal from 1.

    All are NaN where an entry is. O(n^2).
    """
    n = matrix.shape[0]
    low, high, uneven, off_one = np.inf, -np.inf, 0.0, 0.0
    total = 0.0
    for top in range(0, n, TILE):
        for left in range(0, top + 1, TILE):
            for i in range(top, min(top + TILE, n)):
                for j in range(left, min(left + TILE, i + 1)):
                    a, b = matrix[i, j], matrix[j, i]
                    total += a + b
                    low = min(low, a, b)
                    high = max(high, a, b)
                    uneven = max(uneven, abs(a - b))
        for i in range(top, min(top + TILE, n)):
            off_one = max(off_one, abs(matrix[i, i] - 1.0))
    if np.isnan(total):
        return np.nan, np.nan, np.nan, np.nan
    return low, high, uneven, off_one
