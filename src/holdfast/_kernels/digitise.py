"""Numbers to levels by cut points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

FEW = 8  # cuts that are counted one by one, without a branch


@compiled
def level(value: float, cuts: NDArray[np.float64]) -> Any:
    """How many cuts are not above a value; one more than there are for a missing one."""
    if value != value:
        return cuts.size + 1
    return np.searchsorted(cuts, value, side="right")


@compiled
def digitise(
    block: NDArray[np.float64],
    starts: NDArray[np.int64],
    cuts: NDArray[np.float64],
    first: int,
    codes: NDArray[Any],
) -> None:
    """Write the levels of some examples, from `first` on; a feature is a row of `block`, too.

    O(cells log cuts).
    """
    n_examples = block.shape[1]
    for f in range(block.shape[0]):
        own = cuts[starts[f] : starts[f + 1]]
        values, row = block[f], codes[f, first : first + n_examples]
        if own.size > FEW:
            for i in range(n_examples):
                row[i] = level(values[i], own)
            continue
        for i in range(n_examples):
            row[i] = (values[i] != values[i]) * (own.size + 1)
        for cut in own:
            for i in range(n_examples):
                row[i] += values[i] >= cut


@compiled
def digitise_entries(
    indptr: NDArray[np.int64],
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    cuts: NDArray[np.float64],
    levels: NDArray[np.int32],
) -> None:
    """Write the levels of the entries of sparse columns, less the level of zero."""
    for f in range(indptr.size - 1):
        own = cuts[starts[f] : starts[f + 1]]
        of_zero = level(0.0, own)
        for entry in range(indptr[f], indptr[f + 1]):
            levels[entry] = level(values[entry], own) - of_zero
