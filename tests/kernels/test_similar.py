from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast._kernels import similar as kernel
from tests.kernels.systems import System, links, random_system, similarities, systems
from tests.naive import correlated as naive

Subset = frozenset[int]
Twin = Callable[[Subset, Subset, np.ndarray, float], float]
THRESHOLD = 0.5


def found_anywhere(a: Subset, b: Subset, sim: np.ndarray, t: float) -> float:
    return sum(any(sim[x, y] >= t for y in b) for x in a - b)


def found_in_all(a: Subset, b: Subset, sim: np.ndarray, t: float) -> float:
    return sum(sim[x, y] for x in a for y in b - a if sim[x, y] >= t)


WAYS: dict[int, Twin] = {
    kernel.COUNT: naive.similar_count,
    kernel.ANYWHERE: found_anywhere,
    kernel.MEAN: naive.similar_mean,
    kernel.TOTAL: found_in_all,
}
MATCHINGS: dict[bool, Twin] = {True: naive.greedy_matching, False: naive.maximum_matching}


def all_pairs(system: System) -> tuple[tuple[np.ndarray, ...], list[tuple[Subset, Subset]]]:
    n = len(system.subsets)
    i, j = np.triu_indices(n, 1)
    start, stop = system.indptr[:-1], system.indptr[1:]
    pairs = list(combinations(system.subsets, 2))
    return (system.indices, start[i], stop[i], system.indices, start[j], stop[j]), pairs


def check_two_ways(system: System, sim: np.ndarray) -> None:
    arguments, pairs = all_pairs(system)
    for how, twin in WAYS.items():
        out = np.empty((3, len(pairs)))
        kernel.two_ways(how, *arguments, tuple(links(sim, THRESHOLD)), out)
        expected = [
            (len(a & b), twin(a, b, sim, THRESHOLD), twin(b, a, sim, THRESHOLD)) for a, b in pairs
        ]
        np.testing.assert_allclose(out.T, expected, rtol=1e-12, atol=1e-12)


def check_matchings(system: System, sim: np.ndarray) -> None:
    arguments, pairs = all_pairs(system)
    for greedy, twin in MATCHINGS.items():
        out = np.empty(len(pairs))
        kernel.matchings(greedy, *arguments, tuple(links(sim, THRESHOLD)), out)
        assert out.tolist() == [len(a & b) + twin(a, b, sim, THRESHOLD) for a, b in pairs]


@settings(deadline=None)
@given(systems(), st.data())
def test_any(system: System, data: st.DataObject) -> None:
    sim = data.draw(similarities(system.n_features))
    check_two_ways(system, sim)
    check_matchings(system, sim)


def chain(d: int) -> np.ndarray:
    """Each feature is similar to its neighbours; the ends pull a greedy matching astray."""
    sim = np.eye(d)
    for x in range(d - 1):
        sim[x, x + 1] = sim[x + 1, x] = 0.9 if x % 4 == 1 else 0.6
    return sim


AWKWARD = {
    "no similar features": (random_system(0, 6, 30, (0, 12)), np.eye(30)),
    "all features alike": (random_system(1, 6, 30, (0, 12)), np.ones((30, 30))),
    "empty and full": (System(4, [frozenset(), frozenset(range(4)), frozenset()]), np.ones((4, 4))),
    "a chain": (System(40, [frozenset(range(0, 40, 2)), frozenset(range(1, 40, 2))]), chain(40)),
    "a chain, shared": (random_system(2, 6, 40, (10, 25)), chain(40)),
}


@pytest.mark.parametrize(("system", "sim"), AWKWARD.values(), ids=AWKWARD)
def test_the_awkward(system: System, sim: np.ndarray) -> None:
    check_two_ways(system, sim)
    check_matchings(system, sim)


def test_greedy_takes_fewer_where_the_best_pair_is_a_trap() -> None:
    system = System(4, [frozenset({0, 2}), frozenset({1, 3})])
    arguments, _ = all_pairs(system)
    matched = {}
    for greedy in (True, False):
        out = np.empty(1)
        kernel.matchings(greedy, *arguments, tuple(links(chain(4), THRESHOLD)), out)
        matched[greedy] = out[0]
    assert matched == {True: 1.0, False: 2.0}


def test_members_may_come_in_any_order() -> None:
    """Random draws are not sorted, and the greedy tie rule must not see that."""
    rng = np.random.default_rng(5)
    system = random_system(3, 8, 25, (5, 15))
    (indices, *bounds), pairs = all_pairs(system)
    shuffled = indices.copy()
    for start, stop in zip(system.indptr[:-1], system.indptr[1:], strict=True):
        rng.shuffle(shuffled[start:stop])
    sim = np.where(rng.random((25, 25)) < 0.3, 0.75, 0.0)
    sim = np.maximum(np.maximum(sim, sim.T), np.eye(25))
    for greedy in (True, False):
        results = []
        for members in (indices, shuffled):
            out = np.empty(len(pairs))
            left, right = bounds[:2], bounds[3:]
            kernel.matchings(
                greedy, members, *left, members, *right, tuple(links(sim, THRESHOLD)), out
            )
            results.append(out)
        np.testing.assert_array_equal(*results)
