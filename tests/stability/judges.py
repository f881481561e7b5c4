"""One judge for each property: from a case, values and a reason against the property, or None.

Nothing here reads what a measure says of itself, but for its bounds.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from holdfast.exceptions import InputError
from holdfast.stability import MEASURES, Measure
from tests.stability.systems import System, all_systems

EXACT = 1e-9
# What still counts as 0 for the mean of many runs; a mean over draws is not exact.
NEARLY = 0.05
MANY_RUNS = 40

Case = tuple[System, ...]
Refutation = tuple[tuple[float, ...], str] | None


def value(measure: Measure, system: System) -> float:
    """Compute the measure, with exact chance terms where random draws are the default."""
    options: dict[str, object] = {}
    if "similarity" in measure.needs:
        options["similarity"] = system.matrix
        if measure.options.get("chance") == "estimate":
            options["chance"] = "exact"
    return measure(system.runs, **options)


def _values(measure: Measure, systems: tuple[System, ...]) -> tuple[float, ...] | None:
    """The values, or None where the measure refuses a system."""
    try:
        return tuple(value(measure, one) for one in systems)
    except InputError:
        return None


def _sign(measure: Measure) -> int:
    return 1 if measure.better == "higher" else -1


def bounds(measure: Measure, n_runs: int) -> tuple[float, float]:
    """The stated bounds; from -1 to 1 where they depend on more than the number of runs."""
    known = {"-1/(n-1)": -1 / (n_runs - 1), "log2 n": math.log2(n_runs)}
    known |= {"1-D": -1.0}

    def parsed(bound: str, otherwise: float) -> float:
        if bound in known:
            return known[bound]
        try:
            return float(bound)
        except ValueError:
            return otherwise

    return parsed(measure.low, -1.0), parsed(measure.high, 1.0)


def breaks_limits(measure: Measure, case: Case) -> Refutation:
    (one,) = case
    found = _values(measure, case)
    if found is None:
        return None
    low, high = bounds(measure, len(one.subsets))
    best = high if measure.better == "higher" else low
    if not low - EXACT <= found[0] <= high + EXACT:
        return found, f"outside the range from {low:g} to {high:g}"
    if one.identical and not one.trivial and abs(found[0] - best) > EXACT:
        return found, f"not {best:g}, though all runs choose the same"
    return None


def breaks_monotone(measure: Measure, case: Case) -> Refutation:
    found = _values(measure, case)
    if found is None or _sign(measure) * (found[1] - found[0]) >= -EXACT:
        return None
    return found, "worse, though one run replaced a feature by one closer to all other runs"


def breaks_chance(measure: Measure, case: Case) -> Refutation:
    (one,) = case
    mean = _mean_by_chance(measure, one)
    if mean is None or abs(mean) <= EXACT:
        return None
    if len(set(one.sizes)) > 1:
        in_the_limit = mean_of_many_runs(measure.key)
        if abs(in_the_limit) <= NEARLY:
            return None
        return (in_the_limit,), f"the mean over random choices of {MANY_RUNS} runs is not 0"
    return (mean,), "the mean over all choices of these sizes is not 0"


def _mean_by_chance(measure: Measure, one: System) -> float | None:
    values = [
        _values(measure, (other,)) for other in all_systems(one.n_features, one.sizes, one.similar)
    ]
    known = [found[0] for found in values if found is not None]
    return math.fsum(known) / len(known) if known else None


@cache
def mean_of_many_runs(key: str) -> float:
    """Mean over random choices of many runs of random sizes."""
    rng = np.random.default_rng(5)
    similar = ((0, 1, 0.95), (2, 3, 0.92))
    drawn = []
    for _ in range(60):
        sizes = rng.integers(1, 6, MANY_RUNS)
        subsets = tuple(tuple(np.sort(rng.permutation(6)[:k]).tolist()) for k in sizes)
        drawn.append(value(MEASURES[key], System(6, subsets, similar)))
    return math.fsum(drawn) / len(drawn)


def breaks_unconstrained(measure: Measure, case: Case) -> Refutation:
    try:
        value(measure, case[0])
    except InputError as refused:
        return (), f"refused: {refused}"
    return None


def breaks_symmetric(measure: Measure, case: Case) -> Refutation:
    found = _values(measure, case)
    if found is None or abs(found[0] - found[1]) <= EXACT:
        return None
    return found, "another value for the same runs in another order"


def breaks_redundancy(measure: Measure, case: Case) -> Refutation:
    found = _values(measure, case)
    if found is None or _sign(measure) * (found[0] - found[1]) > EXACT:
        return None
    return found, "no better with the similar feature than with the unrelated one"


JUDGES = {
    "limits": breaks_limits,
    "monotone": breaks_monotone,
    "chance": breaks_chance,
    "unconstrained": breaks_unconstrained,
    "symmetric": breaks_symmetric,
    "redundancy": breaks_redundancy,
}
