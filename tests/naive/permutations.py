"""The permutation test of equal stability, dealing the runs out in every possible way."""

from __future__ import annotations

from itertools import combinations

from tests.naive.subsets import Subsets, nogueira2018


def exact_p_value(first: Subsets, second: Subsets, d: int) -> float:
    """Share of all deals whose stabilities differ at least as much."""
    runs = [*first, *second]
    observed = abs(nogueira2018(first, d) - nogueira2018(second, d))
    at_least_as_far = []
    for chosen in combinations(range(len(runs)), len(first)):
        one = [runs[i] for i in chosen]
        other = [runs[i] for i in range(len(runs)) if i not in chosen]
        difference = abs(nogueira2018(one, d) - nogueira2018(other, d))
        at_least_as_far.append(difference >= observed - 1e-12)
    return sum(at_least_as_far) / len(at_least_as_far)
