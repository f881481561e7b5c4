"""Whether pairs of rows are equal under a subset of features, value by value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Ints = NDArray[np.int64]


@compiled
def differing_dense(codes: NDArray[Any], features: Ints, left: Ints, right: Ints) -> int:
    """Position of a pair that differs in some feature, codes being lines of a table; -1 if none."""
    for feature in features:
        for p in range(left.size):
            if codes[feature, left[p]] != codes[feature, right[p]]:
                return p
    return -1


@compiled
def _next(p: int, end: int, features: NDArray[np.int32], inside: NDArray[np.bool_]) -> int:
    while p < end and not inside[features[p]]:
        p += 1
    return p


@compiled
def differing_sparse(
    indptr: Ints,
    features: NDArray[np.int32],
    values: NDArray[Any],
    inside: NDArray[np.bool_],
    left: Ints,
    right: Ints,
) -> int:
    """The same for rows as ascending lists of features and their codes other than 0."""
    for pair in range(left.size):
        p, p_end = indptr[left[pair]], indptr[left[pair] + 1]
        q, q_end = indptr[right[pair]], indptr[right[pair] + 1]
        while True:
            p = _next(p, p_end, features, inside)
            q = _next(q, q_end, features, inside)
            if p == p_end or q == q_end:
                break
            if features[p] != features[q] or values[p] != values[q]:
                return pair
            p += 1
            q += 1
        if p < p_end or q < q_end:
            return pair
    return -1
