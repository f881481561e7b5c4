from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast._kernels import overlaps as kernel
from holdfast.selections import pairs
from tests.kernels.systems import System, random_system, systems

AWKWARD = {
    "all empty": System(3, [frozenset()] * 4),
    "all full": System(3, [frozenset(range(3))] * 4),
    "one feature": System(1, [frozenset({0}), frozenset(), frozenset({0})]),
    "sizes falling": System(9, [frozenset(range(k)) for k in range(9, -1, -1)]),
    "words exactly full": System(128, [frozenset(range(128)), frozenset(range(64, 128))]),
    "one past a word": System(65, [frozenset({64}), frozenset({63, 64}), frozenset(range(65))]),
    "dense": random_system(0, 30, 200, (90, 110)),
    "sparse": random_system(1, 30, 2000, (3, 6)),
    "one column in all runs": System(500, [frozenset({0, i}) for i in range(1, 40)]),
}
awkward = pytest.mark.parametrize("system", AWKWARD.values(), ids=AWKWARD)


def naive_overlaps(system: System) -> np.ndarray:
    return np.array([[len(a & b) for b in system.subsets] for a in system.subsets])


def naive_pair_counts(system: System) -> dict[tuple[int, int, int], int]:
    return Counter(
        (*sorted((len(a), len(b))), len(a & b)) for a, b in combinations(system.subsets, 2)
    )


def pair_counts(table: pairs.PairTable) -> dict[tuple[int, int, int], int]:
    lines = zip(table.smaller, table.larger, table.overlap, table.count, strict=True)
    return {(int(a), int(b), int(r)): int(count) for a, b, r, count in lines}


def check(system: System) -> None:
    arguments = system.indptr, system.indices, system.frequencies
    np.testing.assert_array_equal(pairs.overlap_matrix(*arguments), naive_overlaps(system))
    table = pairs.count_pairs(*arguments)
    assert pair_counts(table) == naive_pair_counts(system)
    lines = list(pair_counts(table))
    assert lines == sorted(lines)
    assert table.n_pairs == len(system.subsets) * (len(system.subsets) - 1) // 2


@awkward
def test_the_awkward(system: System) -> None:
    check(system)


@settings(deadline=None)
@given(systems())
def test_any(system: System) -> None:
    check(system)


@pytest.mark.parametrize("word_cost", [0.0, np.inf], ids=["words", "columns"])
@awkward
def test_both_ways_agree(system: System, word_cost: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "WORD_COST", word_cost)
    check(system)


@awkward
def test_counting_by_sorting_agrees(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "BLOCK_PAIRS", 7)  # many blocks
    order = np.argsort([len(s) for s in system.subsets], kind="stable")
    by_size = System(system.n_features, [system.subsets[i] for i in order])
    source = pairs.OverlapSource(by_size.indptr, by_size.indices, by_size.frequencies)
    table = pairs.count_by_sorting(source, *np.unique(np.diff(by_size.indptr), return_inverse=True))
    assert pair_counts(table) == naive_pair_counts(system)


def test_sizes_too_many_for_a_histogram_are_counted_by_sorting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = []
    sorting = pairs.count_by_sorting
    monkeypatch.setattr(pairs, "count_by_sorting", lambda *a: taken.append(a) or sorting(*a))
    sizes = range(100, 3000, 290)
    check(System(3000, [frozenset(range(3000 - k, 3000)) for k in sizes]))
    assert taken


@settings(deadline=None)
@given(systems(), st.data())
def test_given_pairs(system: System, data: st.DataObject) -> None:
    run = st.integers(0, len(system.subsets) - 1)
    asked = data.draw(st.lists(st.tuples(run, run)))
    left, right = np.array(asked, np.int64).reshape(-1, 2).T
    found = kernel.overlap_of_each(system.indptr, system.indices, left.copy(), right.copy())
    assert found.tolist() == [len(system.subsets[i] & system.subsets[j]) for i, j in asked]


@settings(deadline=None)
@given(systems(most_features=130))
def test_transpose_and_pack(system: System) -> None:
    d = system.n_features
    column_ptr, rows = kernel.transpose(system.indptr, system.indices, d)
    words = kernel.pack(system.indptr, system.indices, d)
    for f in range(d):
        holders = [i for i, s in enumerate(system.subsets) if f in s]
        assert rows[column_ptr[f] : column_ptr[f + 1]].tolist() == holders
        bits = [int(words[i, f // 64]) >> (f % 64) & 1 for i in range(len(system.subsets))]
        assert np.flatnonzero(bits).tolist() == holders
