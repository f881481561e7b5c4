"""Stability of subsets, the slow and obvious way: Python sets, every pair, formulas as printed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations
from statistics import median

Subsets = Sequence[frozenset[int]]
PairFormula = Callable[[frozenset[int], frozenset[int], int], float]


def systems(subsets: Iterable[Iterable[int]]) -> list[frozenset[int]]:
    return [frozenset(s) for s in subsets]


def _ratio(numerator: float, denominator: float) -> float:
    """0 where chance leaves no room, as the 2016 paper sets it for empty and full subsets."""
    return numerator / denominator if abs(denominator) > 1e-12 else 0.0


def jaccard(a: frozenset[int], b: frozenset[int], d: int) -> float:
    return len(a & b) / len(a | b) if a | b else 1.0


def hamming(a: frozenset[int], b: frozenset[int], d: int) -> float:
    return sum((f in a) == (f in b) for f in range(d)) / d


def dice(a: frozenset[int], b: frozenset[int], d: int) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def ochiai(a: frozenset[int], b: frozenset[int], d: int) -> float:
    if not a and not b:
        return 1.0
    return _ratio(len(a & b), math.sqrt(len(a) * len(b)))


def kuncheva(a: frozenset[int], b: frozenset[int], d: int) -> float:
    assert len(a) == len(b)
    return _ratio(len(a & b) - len(a) ** 2 / d, len(a) - len(a) ** 2 / d)


def _above_chance(a: frozenset[int], b: frozenset[int], d: int) -> float:
    return len(a & b) - len(a) * len(b) / d


def lustgarten(a: frozenset[int], b: frozenset[int], d: int) -> float:
    return _ratio(_above_chance(a, b, d), min(len(a), len(b)) - max(0, len(a) + len(b) - d))


def wald(a: frozenset[int], b: frozenset[int], d: int) -> float:
    return _ratio(_above_chance(a, b, d), min(len(a), len(b)) - len(a) * len(b) / d)


def npog(a: frozenset[int], b: frozenset[int], d: int) -> float:
    return _ratio(_above_chance(a, b, d), len(a) - len(a) * len(b) / d)


def nogueira2016(a: frozenset[int], b: frozenset[int], d: int) -> float:
    if len(a) in (0, d) or len(b) in (0, d):
        return 0.0
    expected = len(a) * len(b) / d
    lowest = max(0, len(a) + len(b) - d)
    highest = min(len(a), len(b))
    return (len(a & b) - expected) / max(expected - lowest, highest - expected)


def phi(a: frozenset[int], b: frozenset[int], d: int) -> float:
    """Pearson correlation of the two indicator vectors, from the vectors."""
    x = [float(f in a) for f in range(d)]
    y = [float(f in b) for f in range(d)]
    mx, my = sum(x) / d, sum(y) / d
    covariance = sum((u - mx) * (v - my) for u, v in zip(x, y, strict=True))
    sx = math.sqrt(sum((u - mx) ** 2 for u in x))
    sy = math.sqrt(sum((v - my) ** 2 for v in y))
    return _ratio(covariance, sx * sy)


def kappa(a: frozenset[int], b: frozenset[int], d: int) -> float:
    """Cohen's kappa of two raters who say in or out of each feature."""
    agree = hamming(a, b, d)
    pa, pb = len(a) / d, len(b) / d
    by_chance = pa * pb + (1 - pa) * (1 - pb)
    return _ratio(agree - by_chance, 1 - by_chance)


def unadjusted(a: frozenset[int], b: frozenset[int], d: int) -> float:
    root = math.sqrt(len(a) * len(b))
    return _ratio(_above_chance(a, b, d), root - len(a) * len(b) / d)


def mean_over_pairs(subsets: Subsets, d: int, formula: PairFormula) -> float:
    values = [formula(a, b, d) for a, b in combinations(subsets, 2)]
    return sum(values) / len(values)


def mean_over_ordered_pairs(subsets: Subsets, d: int, formula: PairFormula) -> float:
    values = [formula(a, b, d) for a, b in permutations(subsets, 2)]
    return sum(values) / len(values)


def mean_over_disjoint_pairs(subsets: Subsets, d: int, formula: PairFormula) -> float:
    values = [formula(subsets[i], subsets[i + 1], d) for i in range(0, len(subsets) - 1, 2)]
    return sum(values) / len(values)


def frequencies(subsets: Subsets, d: int) -> list[int]:
    return [sum(f in s for s in subsets) for f in range(d)]


def consistency(subsets: Subsets, d: int) -> float:
    n = len(subsets)
    occurring = [f for f in frequencies(subsets, d) if f > 0]
    if not occurring:
        return 1.0
    return sum((f - 1) / (n - 1) for f in occurring) / len(occurring)


def weighted_consistency(subsets: Subsets, d: int) -> float:
    n = len(subsets)
    fs = frequencies(subsets, d)
    total = sum(fs)
    return sum(f / total * (f - 1) / (n - 1) for f in fs) if total else 1.0


def weighted_consistency_of_most_even(total: int, n: int, d: int) -> float:
    """CW of the most equal frequencies possible: deal the instances out in turn."""
    fs = [0] * d
    for i in range(total):
        fs[i % d] += 1
    return sum(f / total * (f - 1) / (n - 1) for f in fs) if total else 1.0


def weighted_consistency_of_most_uneven(total: int, n: int) -> float:
    """CW of the system that fills one feature in every run before it begins the next."""
    fs = [n] * (total // n) + [total % n]
    return sum(f / total * (f - 1) / (n - 1) for f in fs) if total else 1.0


def relative_weighted_consistency(subsets: Subsets, d: int) -> float:
    n, total = len(subsets), sum(map(len, subsets))
    value = weighted_consistency(subsets, d)
    low = weighted_consistency_of_most_even(total, n, d)
    high = weighted_consistency_of_most_uneven(total, n)
    return value if math.isclose(low, high, abs_tol=1e-14) else (value - low) / (high - low)


def davis(subsets: Subsets, d: int, penalty: float = 0.0) -> float:
    union = frozenset().union(*subsets)
    if not union:
        return 1.0
    mean = sum(frequencies(subsets, d)) / (len(subsets) * len(union))
    return max(0.0, mean - penalty / d * median(map(len, subsets)))


def novovicova(subsets: Subsets, d: int) -> float:
    fs = [f for f in frequencies(subsets, d) if f > 0]
    if not fs:
        return 1.0
    return sum(f * math.log2(f) for f in fs) / (sum(fs) * math.log2(len(subsets)))


def krizek(subsets: Subsets, d: int) -> float:
    assert len(set(map(len, subsets))) == 1
    n = len(subsets)
    return -sum(c / n * math.log2(c / n) for c in Counter(subsets).values())


def nogueira2018(subsets: Subsets, d: int) -> float:
    n = len(subsets)
    mean_size = sum(map(len, subsets)) / n
    variances = [n / (n - 1) * (f / n) * (1 - f / n) for f in frequencies(subsets, d)]
    by_chance = mean_size / d * (1 - mean_size / d)
    return 1 - (sum(variances) / d) / by_chance if by_chance > 1e-15 else 0.0


def nogueira2018_variance(subsets: Subsets, d: int) -> float:
    """The estimator of theorem 7 in Nogueira, Sechidis & Brown (2018), term by term."""
    n = len(subsets)
    value = nogueira2018(subsets, d)
    rates = [f / n for f in frequencies(subsets, d)]
    k = sum(map(len, subsets)) / n
    by_chance = k / d * (1 - k / d)
    if by_chance <= 1e-15:
        return 0.0
    terms = []
    for s in subsets:
        overlap = sum(rates[f] for f in s) / d
        ki = len(s)
        bracket = overlap - ki * k / d**2 + value / 2 * (2 * k * ki / d**2 - ki / d - k / d + 1)
        terms.append(bracket / by_chance)
    centre = sum(terms) / n
    return 4 / n**2 * sum((t - centre) ** 2 for t in terms)


def krizek_normalised(subsets: Subsets, d: int) -> float:
    distinct = min(len(subsets), math.comb(d, len(subsets[0])))
    return 1 - krizek(subsets, d) / math.log2(distinct) if distinct > 1 else 1.0


def interval(subsets: Subsets, d: int, z: float) -> tuple[float, float]:
    reach = z * math.sqrt(nogueira2018_variance(subsets, d))
    value = nogueira2018(subsets, d)
    return value - reach, min(1.0, value + reach)
