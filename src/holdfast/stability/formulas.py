"""Similarities of two subsets, each a function of two sizes, an overlap and the number of features.

Sizes k1 <= k2, overlap r and the number of features D; numbers or whole columns of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from holdfast.stability.chance import ratio_or_zero

Formula = Callable[[Any, Any, Any, int], Any]


def jaccard(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Shared over united; two empty subsets agree."""
    return np.where(k1 + k2 == 0, 1.0, ratio_or_zero(r, k1 + k2 - r))


def hamming(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Share of features that both take or both leave."""
    return 1 - (k1 + k2 - 2 * r) / d


def dice(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Shared over mean size; two empty subsets agree."""
    return np.where(k1 + k2 == 0, 1.0, ratio_or_zero(2 * r, k1 + k2))


def ochiai(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Shared over geometric mean size; two empty subsets agree."""
    return np.where(k1 + k2 == 0, 1.0, ratio_or_zero(r, np.sqrt(k1 * k2)))


def _beyond_chance(k1: Any, k2: Any, r: Any, d: int) -> Any:
    return r - k1 * k2 / d


def kuncheva(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Overlap beyond chance over its highest value, for one size."""
    return ratio_or_zero(_beyond_chance(k1, k2, r, d), k1 - k1 * k1 / d)


def lustgarten(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Overlap beyond chance over its range."""
    span = np.minimum(k1, k2) - np.maximum(0, k1 + k2 - d)
    return ratio_or_zero(_beyond_chance(k1, k2, r, d), span)


def wald(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Overlap beyond chance over its highest value."""
    return ratio_or_zero(_beyond_chance(k1, k2, r, d), np.minimum(k1, k2) - k1 * k2 / d)


def npog(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Overlap beyond chance over what the first subset could share."""
    return ratio_or_zero(_beyond_chance(k1, k2, r, d), k1 - k1 * k2 / d)


def nogueira2016(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Overlap beyond chance over its largest absolute value; 0 for empty or full subsets."""
    expected = k1 * k2 / d
    down = expected - np.maximum(0, k1 + k2 - d)
    up = np.minimum(k1, k2) - expected
    return ratio_or_zero(r - expected, np.maximum(down, up))


def phi(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Pearson correlation of the two indicator vectors."""
    spread = np.sqrt(k1 * (1 - k1 / d)) * np.sqrt(k2 * (1 - k2 / d))
    return ratio_or_zero(_beyond_chance(k1, k2, r, d), spread)


def kappa(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Cohen's kappa of two raters who take or leave each feature."""
    by_chance = (k1 * k2 + (d - k1) * (d - k2)) / d**2
    return ratio_or_zero(hamming(k1, k2, r, d) - by_chance, 1 - by_chance)


def unadjusted(k1: Any, k2: Any, r: Any, d: int) -> Any:
    """Overlap beyond chance over the geometric mean size beyond chance."""
    return ratio_or_zero(_beyond_chance(k1, k2, r, d), np.sqrt(k1 * k2) - k1 * k2 / d)
