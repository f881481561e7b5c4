"""What random choices of given sizes score on average: by going through all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

from tests.naive.subsets import PairFormula, Subsets


def mean_over_all_choices(
    sizes: Sequence[int], d: int, measure: Callable[[Subsets, int], float]
) -> float:
    """Mean of a measure over every way in which runs of these sizes can choose."""
    per_run = [[frozenset(s) for s in combinations(range(d), k)] for k in sizes]
    values = [measure(subsets, d) for subsets in product(*per_run)]
    return sum(values) / len(values)


def mean_of_corrected_pairs(subsets: Subsets, d: int, formula: PairFormula) -> float:
    """Rescale each pair by what random pairs of its sizes score, then take the mean."""
    values = []
    for a, b in combinations(subsets, 2):
        by_chance = mean_over_all_choices(
            (len(a), len(b)), d, lambda pair, d: formula(pair[0], pair[1], d)
        )
        room = 1 - by_chance
        values.append((formula(a, b, d) - by_chance) / room if abs(room) > 1e-12 else 0.0)
    return sum(values) / len(values)


def every_system(n_runs: int, d: int) -> product[tuple[tuple[int, ...], ...]]:
    """All choices of so many runs, of any sizes, but not all of them empty."""
    subsets = [s for k in range(d + 1) for s in combinations(range(d), k)]
    systems = product(subsets, repeat=n_runs)
    next(systems)  # the first one: all empty, where the measures fall back on a convention
    return systems
