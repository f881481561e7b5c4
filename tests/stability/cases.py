"""Random cases (seeded) on which the judges try each property."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np

from tests.stability.judges import Case
from tests.stability.systems import System, random_similar, random_system, random_systems


def systems_to_bound(similar: bool) -> Iterator[Case]:
    for one in random_systems(1, 160, similar=similar):
        yield (one,)
        yield (System(one.n_features, (one.subsets[0],) * len(one.subsets), one.similar),)
    for d in range(2, 9):
        for k1, k2 in product(range(1, d), repeat=2):
            first = tuple(range(k1))
            yield (System(d, (first, tuple(range(d - k2, d)))),)  # as little in common as can be
            yield (System(d, (first, tuple(range(k2)))),)  # as much


def closer_swaps(similar: bool) -> Iterator[Case]:
    """Before and after one run replaces a feature by one at least as close to all other runs."""
    rng = np.random.default_rng(2)
    for one in random_systems(2, 400, similar=similar):
        swaps = list(_closer(one))
        if swaps:
            yield one, one.swapped(*swaps[rng.integers(len(swaps))])


def _closer(one: System) -> Iterator[tuple[int, int, int]]:
    alike = one.matrix
    for run, subset in enumerate(one.subsets):
        others = [x for j, s in enumerate(one.subsets) if j != run for x in s]
        outside = sorted(set(range(one.n_features)) - set(subset))
        for old, new in product(subset, outside):
            gain = alike[others, new] - alike[others, old]
            if gain.size and gain.min() >= 0 and gain.max() > 0:
                yield run, old, new


def sizes_to_average(similar: bool) -> Iterator[Case]:
    """One system of each combination of sizes; the judge then goes through all of that kind."""
    pairs = ((0, 1, 0.95), (1, 2, 0.92)) if similar else ()
    for d, n in ((3, 2), (4, 2), (3, 3)):
        for sizes in product(range(d + 1), repeat=n):
            if list(sizes) == sorted(sizes):
                yield (System(d, tuple(tuple(range(k)) for k in sizes), pairs),)


def mixed_sizes(similar: bool) -> Iterator[Case]:
    for one in random_systems(3, 60, similar=similar):
        if len(set(one.sizes)) > 1:
            yield (one,)


def reordered_runs(similar: bool) -> Iterator[Case]:
    rng = np.random.default_rng(4)
    for one in random_systems(4, 80, similar=similar):
        yield one, one.reordered(rng.permutation(len(one.subsets)).tolist())


def replacements(similar: bool) -> Iterator[Case]:
    """Two runs share a feature; the second replaces it by a similar one, or an unrelated one."""
    rng = np.random.default_rng(6)
    for i in range(60):
        d = int(rng.integers(4, 7))
        f, twin, stranger, *rest = rng.permutation(d).tolist()
        pair = (min(f, twin), max(f, twin), float(rng.choice([0.92, 1.0])))
        more = random_similar(rng, sorted(rest), 0.3) if similar else ()
        small = random_system(rng, 2, len(rest), one_size=i % 2 == 0, share=0.0)
        first, second = ([rest[x] for x in subset] for subset in small.subsets)
        yield tuple(
            System(
                d,
                (tuple(sorted([*first, f])), tuple(sorted([*second, instead]))),
                (pair, *more),
            )
            for instead in (twin, stranger)
        )


CASES = {
    "limits": systems_to_bound,
    "monotone": closer_swaps,
    "chance": sizes_to_average,
    "unconstrained": mixed_sizes,
    "symmetric": reordered_runs,
    "redundancy": replacements,
}


@cache
def cases(name: str, similar: bool) -> tuple[Case, ...]:
    """All cases for a property, drawn once for all measures."""
    return tuple(CASES[name](similar))
