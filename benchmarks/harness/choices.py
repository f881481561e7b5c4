"""Random choices of many runs, as lists of feature indices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Subsets = list[list[int]]


def choices(
    n_runs: int, n_features: int, size: int, *, spread: float = 0.0, seed: int = 0
) -> Subsets:
    """Subsets of one size; feature number f is drawn with weight 1 / f**spread.

    With spread 0 every feature is as likely; with spread 1 a few are in nearly all runs and most in
    none, as selections on real data have it.
    """
    rng = np.random.default_rng(seed)
    up_to = np.cumsum(1 / np.arange(1, n_features + 1) ** spread)
    subsets = []
    for _ in range(n_runs):
        drawn: dict[int, None] = {}
        while len(drawn) < size:
            more = np.searchsorted(up_to, rng.random(2 * size) * up_to[-1], side="right")
            drawn.update(dict.fromkeys(more.tolist()))
        subsets.append(list(drawn)[:size])
    return subsets


def masks(subsets: Subsets, n_features: int) -> NDArray[np.float32]:
    """The same as a dense 0/1 matrix, in the type that numpy multiplies fastest."""
    out = np.zeros((len(subsets), n_features), np.float32)
    for row, subset in zip(out, subsets, strict=True):
        row[subset] = 1
    return out
