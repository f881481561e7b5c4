"""Measures of how often features occur: O(features) once the frequencies are counted."""

from __future__ import annotations

import math

import numpy as np

from holdfast.exceptions import refusal
from holdfast.selections import Selections
from holdfast.stability.chance import (
    checked_chance,
    corrected,
    frequency_distribution,
    union_distribution,
)
from holdfast.stability.measure import Measure

SOMOL = "Somol & Novovičová (2008), Evaluating the stability of feature selectors"


def _occurring(runs: Selections) -> np.ndarray:
    # Sorted, so that no sum depends on the order of the features.
    return np.sort(runs.frequencies[runs.frequencies > 0]).astype(np.float64)


def consistency(runs: Selections) -> float:
    """C, eq. 3: mean of (F - 1) / (n - 1) over the features that occur; 1 if none does."""
    f = _occurring(runs)
    return float((f - 1).sum() / (runs.n_runs - 1) / f.size) if f.size else 1.0


def weighted_consistency(runs: Selections) -> float:
    """CW, eq. 5: the same mean with weights F / N; 1 if no feature occurs."""
    f = _occurring(runs)
    return float(f @ (f - 1) / (f.sum() * (runs.n_runs - 1))) if f.size else 1.0


def weighted_consistency_bounds(runs: Selections) -> tuple[float, float]:
    """CW_min and CW_max, eqs. 11 and 14: what CW could be with as many choices in all.

    Whole-number arithmetic up to the last division.
    """
    total, n, d = int(runs.indices.size), runs.n_runs, runs.n_features
    if total == 0:
        return 1.0, 1.0
    spare, rest = total % d, total % n
    low = total * total - d * (total - spare) - spare * spare
    high = rest * rest + total * (n - 1) - rest * n
    return low / (d * total * (n - 1)), high / (total * (n - 1))


def relative_weighted_consistency(runs: Selections) -> float:
    """CW_rel, eq. 15, in whole numbers; CW where CW_min = CW_max."""
    total, n, d = int(runs.indices.size), runs.n_runs, runs.n_features
    spare = total % d
    rest = total % n
    high = d * (rest * rest + n * (total - rest) - spare) - total * total + spare * spare
    if high == 0:
        return weighted_consistency(runs)
    f = runs.frequencies
    value = d * (total - spare + int(f @ (f - 1))) - total * total + spare * spare
    return value / high


def davis(runs: Selections, penalty: float, chance: str) -> float:
    """Mean share of runs over the features that occur, less a penalty for large subsets."""
    checked_chance(chance, ("none", "exact"), "davis")
    if isinstance(penalty, bool) or not (
        isinstance(penalty, (int, float, np.number)) and 0 <= penalty < math.inf
    ):
        raise refusal("penalty", "the measure 'davis'", "a finite number >= 0", repr(penalty))
    n, d = runs.n_runs, runs.n_features
    total = int(runs.indices.size)
    if total == 0:
        return 1.0
    cost = float(penalty) / d * float(np.median(runs.sizes))

    def of_union(size: np.ndarray) -> np.ndarray:
        return np.maximum(0.0, total / (n * size) - cost)

    value = float(of_union(np.array(float(_occurring(runs).size))))
    if chance == "none":
        return value
    by_chance = float(union_distribution(runs.sizes, d)[1:] @ of_union(np.arange(1.0, d + 1)))
    # Best of all: every run takes one and the same feature, or so few runs take it that the
    # median size is 0 and the penalty with it.
    highest = max(1 - float(penalty) / d, (n - 1) // 2 / n)
    return float(corrected(value, by_chance, highest))


def novovicova(runs: Selections, chance: str) -> float:
    """Sum of F log2 F over N log2 n: one minus the mean entropy of where choices fall."""
    checked_chance(chance, ("none", "exact"), "novovicova")
    n = runs.n_runs
    f = _occurring(runs)
    if f.size == 0:
        return 1.0
    scale = f.sum() * math.log2(n)
    value = float(f @ np.log2(f) / scale)
    if chance == "none":
        return value
    counts = np.arange(1.0, n + 1)
    p = frequency_distribution(runs.sizes, runs.n_features)[1:]
    by_chance = float(p @ (counts * np.log2(counts))) * runs.n_features / scale
    return float(corrected(value, by_chance, 1.0))


def nogueira2018(runs: Selections) -> float:
    """1 - mean unbiased variance of the indicators over its value for random choices."""
    return nogueira2018_of(_occurring(runs), runs.n_runs, runs.n_features)


def nogueira2018_of(frequencies: np.ndarray, n_runs: int, n_features: int) -> float:
    """Compute it from frequencies; features left out had variance 0 (never chosen)."""
    mean_share = float(frequencies.sum()) / (n_runs * n_features)
    by_chance = mean_share * (1 - mean_share)
    if by_chance == 0:
        return 0.0
    disagreement = float(frequencies @ (n_runs - frequencies)) / (n_runs * (n_runs - 1))
    return 1 - disagreement / (n_features * by_chance)


def _bound(which: int) -> Measure:
    name = "min" if which == 0 else "max"
    return Measure(
        key=f"cw_{name}",
        title=f"{'Lowest' if which == 0 else 'Highest'} weighted consistency possible",
        paper=SOMOL,
        formula=(
            r"\frac{N^2-D(N-N \bmod D)-(N \bmod D)^2}{D\,N(n-1)}"
            if which == 0
            else r"\frac{H^2+N(n-1)-Hn}{N(n-1)},\ H=N \bmod n"
        ),
        low="0",
        high="1",
        compute=lambda runs: weighted_consistency_bounds(runs)[which],
        asked=frozenset(),
        note="Context for CW, not a measure of stability: it depends on the sizes alone.",
    )


CW_MIN, CW_MAX = _bound(0), _bound(1)

MEASURES = (
    Measure(
        key="c",
        title="Consistency C",
        paper=SOMOL,
        formula=r"\frac{1}{|X|}\sum_{f\in X}\frac{F_f-1}{n-1}",
        low="0",
        high="1",
        compute=consistency,
        properties=frozenset({"limits", "monotone", "unconstrained", "symmetric"}),
        note="Only features that occur count; 1 if all subsets are empty. A rare feature weighs as "
        "much as a constant one, so one stray choice can halve it.",
    ),
    Measure(
        key="cw",
        title="Weighted consistency CW",
        paper=SOMOL,
        formula=r"\sum_f \frac{F_f}{N}\cdot\frac{F_f-1}{n-1}",
        low="0",
        high="1",
        compute=weighted_consistency,
        properties=frozenset({"limits", "monotone", "unconstrained", "symmetric"}),
        note="1 if all subsets are empty. Read it between cw_min and cw_max.",
    ),
    CW_MIN,
    CW_MAX,
    Measure(
        key="cw_rel",
        title="Relative weighted consistency CW_rel",
        paper=SOMOL,
        formula=r"\frac{CW-CW_{min}}{CW_{max}-CW_{min}}",
        low="0",
        high="1",
        compute=relative_weighted_consistency,
        properties=frozenset({"limits", "monotone", "unconstrained", "symmetric"}),
        note="Equals CW where CW_min = CW_max. Random choices score above 0, less so the more "
        "runs there are: corrected for chance only in the limit of many runs of one size.",
    ),
    Measure(
        key="davis",
        title="Davis",
        paper="Davis et al. (2006), Reliable gene signatures for microarray classification",
        formula=r"\max\{0,\ \frac{1}{|X|}\sum_f\frac{F_f}{n}-\frac{\lambda}{D}\,"
        r"\mathrm{median}_i\,k_i\}",
        low="0",
        high="1",
        compute=davis,
        properties=frozenset({"limits", "unconstrained", "symmetric", "monotone"}),
        options={"penalty": 0.0, "chance": "none"},
        note="With penalty 0 (the default); with a penalty its best value depends on the sizes. "
        "chance='exact' rescales by its exact expectation over random choices of the same sizes.",
    ),
    Measure(
        key="novovicova",
        title="Novovičová, Somol & Pudil",
        paper="Novovičová, Somol & Pudil (2009), A new measure of feature selection algorithms' "
        "stability",
        formula=r"\frac{1}{N\log_2 n}\sum_{f\in X} F_f\log_2 F_f",
        low="0",
        high="1",
        compute=novovicova,
        properties=frozenset({"limits", "monotone", "unconstrained", "symmetric"}),
        options={"chance": "none"},
        note="1 if all subsets are empty. chance='exact' as for davis.",
    ),
    Measure(
        key="nogueira2018",
        title="Nogueira, Sechidis & Brown Φ",
        paper="Nogueira, Sechidis & Brown (2018), On the stability of feature selection algorithms",
        formula=r"1-\frac{\frac1D\sum_f s_f^2}{\frac{\bar k}{D}(1-\frac{\bar k}{D})}",
        low="-1/(n-1)",
        high="1",
        compute=nogueira2018,
        properties=frozenset({"limits", "monotone", "chance", "unconstrained", "symmetric"}),
        note="0 where all runs choose everything or nothing. Over random choices of given sizes "
        "its mean is exactly 0 where the sizes are equal, else below 0 by the variance of the "
        "sizes over n D² p (1 - p), p being the mean share chosen: less with more runs. The one "
        "with a variance, an interval and tests: see interval, test and compare.",
    ),
)
