"""Small systems of feature subsets, with similar features, to try the measures on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product

import numpy as np

from holdfast.selections import Selections

Subsets = tuple[tuple[int, ...], ...]
# Two features and how similar they are; any other two are not at all.
Similar = tuple[tuple[int, int, float], ...]


@dataclass(frozen=True)
class System:
    """What some runs chose among `n_features` features."""

    n_features: int
    subsets: Subsets
    similar: Similar = ()

    @cached_property
    def runs(self) -> Selections:
        return Selections.from_subsets(self.subsets, n_features=self.n_features)

    @property
    def matrix(self) -> np.ndarray:
        return matrix_of(self.n_features, self.similar)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.subsets))

    @property
    def identical(self) -> bool:
        return len(set(self.subsets)) == 1

    @property
    def trivial(self) -> bool:
        """Whether all runs choose nothing, or all choose everything."""
        return set(self.sizes) in ({0}, {self.n_features})

    def reordered(self, order: Iterable[int]) -> System:
        return System(self.n_features, tuple(self.subsets[i] for i in order), self.similar)

    def swapped(self, run: int, out: int, into: int) -> System:
        """The system after one run has replaced one feature by another."""
        changed = tuple(sorted({*self.subsets[run]} - {out} | {into}))
        subsets = (*self.subsets[:run], changed, *self.subsets[run + 1 :])
        return System(self.n_features, subsets, self.similar)


@lru_cache(maxsize=1024)
def matrix_of(n_features: int, similar: Similar) -> np.ndarray:
    matrix = np.eye(n_features)
    for x, y, s in similar:
        matrix[x, y] = matrix[y, x] = s
    return matrix


def system(n_features: int, *subsets: Iterable[int], similar: Similar = ()) -> System:
    return System(n_features, tuple(tuple(sorted(s)) for s in subsets), similar)


def random_similar(rng: np.random.Generator, features: Iterable[int], share: float) -> Similar:
    """Make some pairs of the features similar: most above the usual threshold, some below."""
    return tuple(
        (x, y, float(rng.choice([0.5, 0.92, 0.95, 1.0])))
        for x, y in combinations(features, 2)
        if rng.random() < share
    )


def random_system(
    rng: np.random.Generator, n_runs: int, n_features: int, *, one_size: bool, share: float
) -> System:
    """Draw a system, often with runs that repeat or nearly repeat each other."""
    core = rng.permutation(n_features)
    sizes = rng.integers(0, n_features + 1, n_runs)
    if one_size:
        sizes[:] = rng.integers(1, max(2, n_features))
    subsets = []
    for size in sizes.tolist():
        order = core if rng.random() < 0.4 else rng.permutation(n_features)
        subsets.append(tuple(sorted(order[:size].tolist())))
    return System(n_features, tuple(subsets), random_similar(rng, range(n_features), share))


def random_systems(seed: int, how_many: int, *, similar: bool) -> Iterator[System]:
    """Draw systems from small to large, half of them with runs of one size."""
    rng = np.random.default_rng(seed)
    for i in range(how_many):
        yield random_system(
            rng,
            n_runs=int(rng.integers(2, 6)),
            n_features=int(rng.integers(1, 3 + 4 * i // how_many + 1)),
            one_size=i % 2 == 0,
            share=float(rng.choice([0.0, 0.3, 0.8])) if similar else 0.0,
        )


@lru_cache(maxsize=256)
def all_systems(n_features: int, sizes: tuple[int, ...], similar: Similar) -> tuple[System, ...]:
    """Every way in which runs of these sizes can choose."""
    per_run = [list(combinations(range(n_features), k)) for k in sizes]
    return tuple(System(n_features, subsets, similar) for subsets in product(*per_run))
