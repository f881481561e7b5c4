"""CWC, LCC and INTERACT against plain loops, also where hashes collide all the time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.consistency import MEASURES
from holdfast.consistency.cwc import consistent_subset
from holdfast.consistency.door import Task
from holdfast.consistency.elimination import Rule
from holdfast.consistency.lcc import constrained
from holdfast.consistency.states import Binary
from holdfast.statistics.codes import codes_of
from tests.consistency.problems import in_form, problems, random_problem
from tests.naive import consistency as naive

FORMS = ["dense", "csr", "csc"]
# 64 bits never collide here, one or two nearly always.
WIDTHS = [0, 1, 2, 5, 64]
MONOTONE = [key for key, one in MEASURES.items() if one.monotone]


def task_of(X, y, order, form="dense"):
    X = in_form(X, form)
    classes = np.unique(y, return_inverse=True)[1].astype(np.int64)
    return Task(lambda: X, codes_of(X, "test"), classes, np.asarray(order, np.int64))


@settings(max_examples=120, deadline=None)
@given(
    problem=problems(),
    seed=st.integers(0, 1000),
    form=st.sampled_from(FORMS),
    how=st.sampled_from(["moderate", "aggressive", None]),
    bits=st.sampled_from(WIDTHS),
)
def test_cwc_is_the_plain_loop(problem, seed, form, how, bits):
    X, y = problem
    order = np.random.default_rng(seed).permutation(X.shape[1])
    chosen = consistent_subset(task_of(X, y, order, form), how, bits)
    kept, rows = naive.cwc(X, y, order.tolist(), how)
    assert sorted(chosen.kept) == kept
    assert np.flatnonzero(~chosen.noise.all).tolist() == rows
    assert chosen.consistent == naive.is_consistent(X[rows], y[rows], kept)
    if chosen.consistent:
        assert_minimal(X, y, rows, kept, chosen.witnesses)


def assert_minimal(X, y, rows, kept, witnesses):
    """Without any one feature, its two witnesses contradict each other."""
    assert len(witnesses) == len(kept)
    for feature, (a, b) in zip(kept, witnesses, strict=True):
        others = [f for f in kept if f != feature]
        assert (X[a, others] == X[b, others]).all()
        assert X[a, feature] != X[b, feature]
        assert y[a] != y[b]
        assert a in rows
        assert b in rows


@settings(max_examples=80, deadline=None)
@given(
    problem=problems(),
    seed=st.integers(0, 1000),
    form=st.sampled_from(FORMS),
    threshold=st.sampled_from([0.0, 0.01, 0.1, 0.25, 0.5]),
    bits=st.sampled_from(WIDTHS),
)
def test_lcc_is_the_plain_loop(problem, seed, form, threshold, bits):
    X, y = problem
    order = np.random.default_rng(seed).permutation(X.shape[1])
    outcome = constrained(task_of(X, y, order, form), Rule(threshold), "icr", "LCC", bits)
    kept = naive.lcc(X, y, order.tolist(), threshold)
    assert sorted(outcome.kept) == kept
    assert outcome.value == pytest.approx(naive.value("icr", X, y, kept), abs=1e-15)
    whole = naive.value("icr", X, y, order)
    assert outcome.threshold == pytest.approx(max(threshold, whole), abs=1e-15)
    assert (outcome.whole is not None) == (whole > threshold)


@pytest.mark.parametrize("key", MONOTONE)
@settings(max_examples=12, deadline=None)
@given(
    problem=problems(most_rows=25, most_features=6),
    seed=st.integers(0, 1000),
    threshold=st.sampled_from([0.0, 0.05, 0.3]),
    bits=st.sampled_from([1, 64]),
)
def test_lcc_takes_every_monotone_measure(key, problem, seed, threshold, bits):
    X, y = problem
    order = np.random.default_rng(seed).permutation(X.shape[1])
    outcome = constrained(task_of(X, y, order), Rule(threshold), key, "LCC", bits)
    assert sorted(outcome.kept) == naive.lcc(X, y, order.tolist(), threshold, key)


@settings(max_examples=80, deadline=None)
@given(
    problem=problems(),
    seed=st.integers(0, 1000),
    form=st.sampled_from(FORMS),
    threshold=st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.3]),
    bits=st.sampled_from(WIDTHS),
)
def test_interact_is_the_plain_loop(problem, seed, form, threshold, bits):
    X, y = problem
    order = np.random.default_rng(seed).permutation(X.shape[1])
    rule = Rule(threshold, by_contribution=True)
    outcome = constrained(task_of(X, y, order, form), rule, "icr", "INTERACT", bits)
    kept = naive.interact(X, y, order.tolist(), threshold)
    assert sorted(outcome.kept) == kept
    assert outcome.value == pytest.approx(naive.value("icr", X, y, kept), abs=1e-15)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("bits", [3, 64])
def test_many_features(seed, bits):
    """Long orders, in which blocks double and are halved many times."""
    rng = np.random.default_rng(seed)
    X, y = random_problem(rng, 60, 200, 2, 2, noise=0.0)
    order = rng.permutation(200).tolist()
    task = task_of(X, y, order)
    assert sorted(consistent_subset(task, "moderate", bits).kept) == naive.cwc(X, y, order)[0]
    lcc = constrained(task, Rule(0.1), "icr", "LCC", bits)
    assert sorted(lcc.kept) == naive.lcc(X, y, order, 0.1)
    interact = constrained(task, Rule(0.02, by_contribution=True), "icr", "INTERACT", bits)
    assert sorted(interact.kept) == naive.interact(X, y, order, 0.02)
    assert lcc.n_tests < 200


def test_consistent_data_give_all_three_the_same_at_threshold_0():
    """Section 5 of the paper."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, (30, 12))
        y = rng.integers(0, 2, 30)
        y[:2] = 0, 1
        order = rng.permutation(12)
        if not naive.is_consistent(X, y, range(12)):
            continue
        task = task_of(X, y, order)
        cwc = consistent_subset(task, None).kept
        assert constrained(task, Rule(0.0), "icr", "LCC").kept == cwc
        assert constrained(task, Rule(0.0, by_contribution=True), "icr", "INTERACT").kept == cwc
        assert constrained(task, Rule(0.0), "bin", "LCC").kept == cwc


def test_narrow_words_do_collide():
    """The tests above see collisions: with one bit, distinct rows have equal hashes."""
    X = np.arange(64).reshape(-1, 1) // [32, 16, 8, 4, 2, 1] % 2
    state = Binary(codes_of(X, "test"), np.arange(64), None, bits=1, attempt=0)
    state.add(np.arange(6))
    assert state.value() == 1
    wide = Binary(codes_of(X, "test"), np.arange(64), None, bits=1, attempt=7)
    wide.add(np.arange(6))
    assert wide.value() == 0
