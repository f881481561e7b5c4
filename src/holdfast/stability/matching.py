"""How well two subsets can be paired off by similarity: the measure of Yu, Ding & Loscalzo."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from holdfast.selections import Selections
from holdfast.stability.correlation import Matrix
from holdfast.stability.measure import Measure
from holdfast.stability.similarity import resolve


def yu(runs: Selections, similarity: Any, X: Any) -> float:
    """Weight of the best one-to-one pairing of the two subsets over their mean size.

    One assignment problem a pair of runs, O(k^3) each, by scipy; equal pairs are solved once.
    """
    matrix = resolve(runs, similarity, X, "yu")
    subsets = [run.tobytes() for run in runs]
    known: dict[tuple[bytes, bytes], float] = {}
    values = []
    for first, second in combinations(subsets, 2):
        pair = (first, second) if first <= second else (second, first)
        if pair not in known:
            known[pair] = _best_pairing(matrix, *pair)
        values.append(known[pair])
    return math.fsum(values) / len(values)


def _best_pairing(matrix: Matrix, first: bytes, second: bytes) -> float:
    from scipy.optimize import linear_sum_assignment

    if first == second:
        return 1.0
    a, b = np.frombuffer(first, np.int32), np.frombuffer(second, np.int32)
    weights = matrix[np.ix_(a, b)]
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return 2 * math.fsum(weights[rows, columns]) / (a.size + b.size)


MEASURES = (
    Measure(
        key="yu",
        title="Yu sim_M",
        paper="Yu, Ding & Loscalzo (2008), Stable feature selection via dense feature groups",
        formula=r"\overline{\frac{2}{k_1+k_2}\max_M\sum_{(x,y)\in M}s_{xy}}",
        low="0",
        high="1",
        compute=yu,
        properties=frozenset({"limits", "monotone", "unconstrained", "symmetric", "redundancy"}),
        needs=frozenset({"similarity"}),
        options={"similarity": None, "X": None},
        note="M is a one-to-one pairing of the two subsets (maximum-weight bipartite matching). "
        "For subsets of one size it is the mean similarity of the pairs; what is left over in the "
        "larger of two subsets counts against it. Two empty subsets count 1.",
    ),
)
