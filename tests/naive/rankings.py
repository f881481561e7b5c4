"""Stability of weights and rankings, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations


def correlation(x: Sequence[float], y: Sequence[float]) -> float:
    mx, my = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return covariance / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def mid_ranks(x: Sequence[float]) -> list[float]:
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def mean_correlation(rows: Sequence[Sequence[float]]) -> float:
    """Constant rows are left out."""
    varying = [row for row in rows if len(set(row)) > 1]
    values = [correlation(a, b) for a, b in combinations(varying, 2)]
    return sum(values) / len(values)


def mean_rank_correlation(rows: Sequence[Sequence[float]]) -> float:
    return mean_correlation([mid_ranks(row) for row in rows])
