"""How far groups of equal rows are from holding one class each: the measures of Shin et al. (2011).

All are functions of the counts, groups x classes, which may be sums of weights; 0 where each group
is of one class. The groups come in the order of their first rows, so that one partition has one
value to the last bit, however it was found. O(groups x classes); the divergences, defined for two
classes, are means over all pairs of classes, weighted by the products of their shares, each taken
among the examples of the two classes alone: O(groups x classes^2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import refusal

Counts = NDArray[Any]
Floats = NDArray[np.float64]
Divergence = Callable[[Floats, Floats], float]
OfCounts = Callable[..., float]


def inconsistency_rate(counts: Counts) -> float:
    """Share of the examples outside the largest class of their group."""
    return float((counts.sum() - counts.max(axis=1).sum()) / counts.sum())


def rough_set(counts: Counts) -> float:
    """Share of the examples outside the positive region, which is the groups of one class."""
    sizes = counts.sum(axis=1)
    return float(sizes[mixed(counts)].sum() / sizes.sum())


def inconsistent_pairs(counts: Counts) -> float:
    """Share of all pairs of examples that are equal but for their class."""
    total = counts.sum()
    if total <= 1:
        return 0.0
    pairs = (counts.sum(axis=1) ** 2 - (counts**2).sum(axis=1)).sum()
    return float(pairs / (total * (total - 1)))


def conditional_entropy(counts: Counts) -> float:
    """H(C|X) in bits; exactly 0 for groups of one class."""
    return float(_entropy_left(counts) / counts.sum())


def complementary_symmetric_uncertainty(counts: Counts) -> float:
    """1 - SU, where SU = 2 I(X;C) / (H(X) + H(C))."""
    of_groups, of_classes = entropy(counts.sum(axis=1)), entropy(counts.sum(axis=0))
    if of_groups + of_classes == 0:
        return 0.0
    return 1 - 2 * mutual_information(counts) / (of_groups + of_classes)


def binary(counts: Counts) -> float:
    """1 where any group has examples of several classes."""
    return float(mixed(counts).any())


def mutual_information(counts: Counts) -> float:
    """I(X;C) = H(C) - H(C|X) in bits, from 0 to H(C)."""
    of_classes = entropy(counts.sum(axis=0))
    return float(min(max(of_classes - conditional_entropy(counts), 0.0), of_classes))


def entropy(totals: Counts) -> float:
    """Shannon entropy in bits."""
    whole = totals.sum()
    return float(max(_log_term(whole) - _log_term(totals).sum(), 0.0) / whole)


def _log_term(totals: Counts) -> Floats:
    """Return c log2 c, and 0 for 0."""
    totals = np.asarray(totals, np.float64)
    return totals * np.log2(np.where(totals > 0, totals, 1.0))


def mixed(counts: Counts) -> NDArray[np.bool_]:
    """Which groups have several classes."""
    several: NDArray[np.bool_] = (counts > 0).sum(axis=1) > 1
    return several


def _entropy_left(counts: Counts) -> float:
    """H(C|X) in bits, times the number of examples."""
    several = counts[mixed(counts)]
    sizes = several.sum(axis=1)
    # The difference first: a group adds what it has, and not the rounding of large sums.
    return float((_log_term(sizes) - _log_term(several).sum(axis=1)).sum())


def chernoff(p: Floats, q: Floats, s: float = 0.5) -> float:
    """Sum of p^s q^(1 - s), for s between 0 and 1."""
    return float((p**s * q ** (1 - s)).sum())


def bhattacharyya(p: Floats, q: Floats) -> float:
    """Sum of sqrt(p q)."""
    return float(np.sqrt(p * q).sum())


def kullback_leibler(p: Floats, q: Floats) -> float:
    """exp(-J), where J, the symmetric divergence, is infinite where p or q alone is 0."""
    if ((p == 0) != (q == 0)).any():
        return 0.0
    both = p > 0
    p, q = p[both], q[both]
    return float(np.exp(-((p - q) * np.log(p / q)).sum()))


def kolmogorov(p: Floats, q: Floats) -> float:
    """1 - J / (sum of p + sum of q), where J = sum of abs(p - q)."""
    return float(1 - np.abs(p - q).sum() / (p.sum() + q.sum()))


def matusita(p: Floats, q: Floats) -> float:
    """1 - J / (sum of p + sum of q), where J = sum of (sqrt(p) - sqrt(q))^2."""
    return float(1 - ((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / (p.sum() + q.sum()))


def patrick_fisher(p: Floats, q: Floats) -> float:
    """1 - J / (sum of p^2 + sum of q^2), where J = sum of (p - q)^2."""
    return float(1 - ((p - q) ** 2).sum() / ((p**2).sum() + (q**2).sum()))


def _over_pairs(divergence: Callable[..., float], normalised: bool) -> OfCounts:
    def of_counts(counts: Counts, **options: float) -> float:
        totals = counts.sum(axis=0).astype(np.float64)
        present = np.flatnonzero(totals)
        value = weight = 0.0
        for a, b in combinations(present.tolist(), 2):
            some = (counts[:, a] > 0) | (counts[:, b] > 0)
            scale = (totals[a], totals[b]) if normalised else (totals[a] + totals[b],) * 2
            p, q = counts[some, a] / scale[0], counts[some, b] / scale[1]
            # Where no group has both classes, the sums are 1 but for rounding.
            apart = not ((p > 0) & (q > 0)).any()
            one = 0.0 if apart else max(divergence(p, q, **options), 0.0)
            value += totals[a] * totals[b] * one
            weight += totals[a] * totals[b]
        return float(value / weight) if weight else 0.0

    return of_counts


OF_COUNTS: Mapping[str, OfCounts] = MappingProxyType(
    {
        "icr": inconsistency_rate,
        "rs": rough_set,
        "icp": inconsistent_pairs,
        "ce": conditional_entropy,
        "csu": complementary_symmetric_uncertainty,
        "ep": inconsistency_rate,
        **{
            ("n" if normalised else "nn") + key: _over_pairs(divergence, normalised)
            for key, divergence in {
                "ch": chernoff,
                "bh": bhattacharyya,
                "kl": kullback_leibler,
                "kol": kolmogorov,
                "ma": matusita,
                "pf": patrick_fisher,
            }.items()
            for normalised in (True, False)
        },
        "bin": binary,
    }
)

# Measures with options, and their defaults.
OPTIONS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {"nch": {"s": 0.5}, "nnch": {"s": 0.5}}
)


def checked_options(key: str, options: Mapping[str, Any]) -> dict[str, float]:
    """Options of a measure with their defaults; refuses unknown ones and what is out of range."""
    known = OPTIONS.get(key, {})
    owner = f"the measure {key!r}"
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise refusal(unknown[0], owner, f"one of: {', '.join(known) or 'none'}", unknown[0])
    s = options.get("s", 0.5)
    if not (isinstance(s, (int, float, np.number)) and 0 < s < 1):
        raise refusal("s", owner, "between 0 and 1", repr(s))
    return {**known, **options}
