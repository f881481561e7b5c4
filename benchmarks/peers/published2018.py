"""Stability, interval and tests of Nogueira, Sechidis & Brown (2018), as their paper writes them.

Plain numpy on the dense 0/1 matrix, one run after another in the variance (theorem 7), which is
how their own implementation proceeds. Written anew from the paper.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

Matrix = np.ndarray


def stability(z: Matrix) -> float:
    m, d = z.shape
    p = z.mean(axis=0)
    k = p.sum()
    return float(1 - (m / (m - 1)) * (p * (1 - p)).mean() / ((k / d) * (1 - k / d)))


def variance(z: Matrix) -> float:
    m, d = z.shape
    p, sizes, value = z.mean(axis=0), z.sum(axis=1), stability(z)
    k = p.sum()
    by_chance = (k / d) * (1 - k / d)
    phi = np.empty(m)
    for i in range(m):
        bracket = 2 * sizes[i] * k / d**2 - sizes[i] / d - k / d + 1
        phi[i] = ((z[i] * p).mean() - sizes[i] * k / d**2 + value / 2 * bracket) / by_chance
    return float(4 / m**2 * ((phi - phi.mean()) ** 2).sum())


def interval(z: Matrix, level: float = 0.95) -> tuple[float, float, float]:
    value = stability(z)
    reach = norm.ppf(0.5 + level / 2) * np.sqrt(variance(z))
    return value, float(value - reach), float(min(1.0, value + reach))


def test(z: Matrix, value: float) -> tuple[float, float]:
    statistic = (stability(z) - value) / np.sqrt(variance(z))
    return float(statistic), float(2 * (1 - norm.cdf(abs(statistic))))


def compare(first: Matrix, second: Matrix) -> tuple[float, float]:
    error = np.sqrt(variance(first) + variance(second))
    statistic = (stability(first) - stability(second)) / error
    return float(statistic), float(2 * (1 - norm.cdf(abs(statistic))))
