"""Rows brought to mean 0 and length 1, so that correlations are plain products."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def standardised(rows: Matrix) -> tuple[Matrix, NDArray[np.bool_]]:
    """Centre and scale each row; say which rows vary at all. A constant row becomes 0."""
    # Scaled first, so that squares of huge or tiny numbers neither overflow nor vanish.
    largest = np.abs(rows).max(axis=1, keepdims=True)
    scaled = rows / np.where(largest > 0, largest, 1.0)
    centred = scaled - scaled.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(centred, axis=1)
    # A constant row may leave rounding dust after centring.
    varies = lengths > 1e-12
    centred[~varies] = 0.0
    centred[varies] /= lengths[varies, None]
    return centred, varies
