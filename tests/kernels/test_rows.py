"""Hashes, groups and comparisons of rows against dictionaries of tuples."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.statistics.codes import codes_of
from holdfast.statistics.groups import Grouper
from holdfast.statistics.interclass import interclass_distances
from holdfast.statistics.row_hashes import RowComparer, RowHashes
from tests.consistency.problems import in_form, problems
from tests.naive import consistency as naive

forms = st.sampled_from(["dense", "csr", "csc"])
seeds = st.integers(0, 1000)


def groups_of(X, subset, left_out):
    """Ids in the order of first rows, and the first rows."""
    numbers, ids, heads = {}, [], []
    for i, row in enumerate(X[:, subset].tolist()):
        if left_out[i]:
            ids.append(-1)
            continue
        if tuple(row) not in numbers:
            numbers[tuple(row)] = len(numbers)
            heads.append(i)
        ids.append(numbers[tuple(row)])
    return ids, heads


@settings(max_examples=80, deadline=None)
@given(problem=problems(), seed=seeds, form=forms)
def test_groups_are_those_of_equal_rows(problem, seed, form):
    X, y = problem
    rng = np.random.default_rng(seed)
    subset = np.flatnonzero(rng.random(X.shape[1]) < 0.5)
    left_out = rng.random(len(X)) < rng.choice([0, 0.3, 1])
    codes = codes_of(in_form(X, form), "test")
    ids, heads = groups_of(X, subset, left_out)
    hashes = RowHashes(codes)
    hashes.add(np.arange(X.shape[1]))
    hashes.remove(np.setdiff1d(np.arange(X.shape[1]), subset))
    grouper = Grouper(len(X), left_out)
    for found in (grouper.by_words(hashes.words), grouper.by_features(codes, subset)):
        assert found.ids.tolist() == ids
        assert found.heads.tolist() == heads
        if heads:
            counts = found.counts(y, y.max() + 1)
            weighted = found.counts(y, y.max() + 1, np.full(len(y), 0.5))
            for i in np.flatnonzero(~left_out):
                counts[ids[i], y[i]] -= 1
                weighted[ids[i], y[i]] -= 0.5
            assert not counts.any()
            assert not weighted.any()


@settings(max_examples=80, deadline=None)
@given(problem=problems(), seed=seeds, form=forms)
def test_a_conflict_is_found_where_there_is_one(problem, seed, form):
    X, y = problem
    subset = np.flatnonzero(np.random.default_rng(seed).random(X.shape[1]) < 0.5)
    hashes = RowHashes(codes_of(in_form(X, form), "test"))
    hashes.add(subset)
    found = Grouper(len(X)).conflict(hashes.words, y.astype(np.int64))
    assert (found is None) == naive.is_consistent(X, y, subset)
    if found is not None:
        a, b = found
        assert (X[a, subset] == X[b, subset]).all()
        assert y[a] != y[b]


@settings(max_examples=60, deadline=None)
@given(problem=problems(), seed=seeds, bits=st.sampled_from([0, 1, 7, 64]), form=forms)
def test_a_hash_does_not_depend_on_the_way_to_it(problem, seed, bits, form):
    X, _ = problem
    rng = np.random.default_rng(seed)
    codes = codes_of(in_form(X, form), "test")
    subset = np.flatnonzero(rng.random(X.shape[1]) < 0.5)
    straight, winding = RowHashes(codes, bits, 3), RowHashes(codes, bits, 3)
    straight.add(subset)
    others = np.setdiff1d(np.arange(X.shape[1]), subset)
    winding.add(others)
    winding.add(rng.permutation(subset))
    winding.remove(rng.permutation(others))
    assert (straight.words == winding.words).all()
    if bits == 0:
        assert not straight.words.any()


@settings(max_examples=60, deadline=None)
@given(problem=problems(), seed=seeds, form=forms)
def test_comparing_finds_whether_pairs_differ(problem, seed, form):
    X, _ = problem
    rng = np.random.default_rng(seed)
    subset = np.flatnonzero(rng.random(X.shape[1]) < 0.5)
    left, right = rng.integers(0, len(X), (2, rng.integers(1, 6)))
    found = RowComparer(codes_of(in_form(X, form), "test")).differing(subset, left, right)
    differ = [(X[a, subset] != X[b, subset]).any() for a, b in zip(left, right, strict=True)]
    assert differ[found] if found >= 0 else not any(differ)


@settings(max_examples=60, deadline=None)
@given(problem=problems(most_rows=20), form=forms, left_out=st.booleans())
def test_interclass_distances_are_means_over_pairs(problem, form, left_out):
    X, y = problem
    X = (X - 1) * 3  # negative values, and gaps
    classes = np.where(np.arange(len(y)) % 3 == 2, -1, y) if left_out else y
    found = interclass_distances(in_form(X, form), classes)
    inside = classes >= 0
    present = sorted(set(classes[inside].tolist()))
    for feature in range(X.shape[1]):
        expected = naive.interclass(X[inside], classes[inside], [feature], present)
        np.testing.assert_allclose(found[feature], expected, rtol=1e-12, atol=1e-12)


def test_features_of_many_levels_are_hashed_too():
    """Beyond 256 levels words are not looked up; and more rows than are hashed at once."""
    rng = np.random.default_rng(0)
    X = np.column_stack((rng.permutation(10_000), rng.integers(0, 3, 10_000)))
    hashes = RowHashes(codes_of(X, "test"))
    hashes.add(np.array([0]))
    assert np.unique(hashes.words).size == 10_000
    hashes.add(np.array([1]))
    hashes.remove(np.array([0]))
    assert Grouper(10_000).by_words(hashes.words).number == 3
