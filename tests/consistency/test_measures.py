"""Measures against their definitions, on counts and on data of every form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.consistency import MEASURES, catalogue, measure, score, table
from holdfast.exceptions import InputError
from holdfast.statistics.inconsistency import mutual_information
from tests.consistency.problems import in_form, problems
from tests.naive import consistency as naive

nearly = {"rtol": 1e-12, "atol": 1e-12}


def test_there_are_19_and_the_binary_one():
    assert len(MEASURES) == 20
    assert sum(one.determinate and one.monotone for one in MEASURES.values()) == 14  # of them bin


@settings(max_examples=60, deadline=None)
@given(problem=problems(), seed=st.integers(0, 1000), form=st.sampled_from(["dense", "csr", "csc"]))
def test_values_are_those_of_the_definitions(problem, seed, form):
    X, y = problem
    rng = np.random.default_rng(seed)
    subset = np.flatnonzero(rng.random(X.shape[1]) < 0.6)
    for key in MEASURES:
        expected = naive.value(key, X, y, subset)
        np.testing.assert_allclose(score(in_form(X, form), y, key, subset), expected, **nearly)
    for key in ("nch", "nnch"):
        expected = naive.value(key, X, y, subset, s=0.2)
        np.testing.assert_allclose(score(X, y, key, subset, s=0.2), expected, **nearly)


@settings(max_examples=40, deadline=None)
@given(problem=problems())
def test_values_stay_in_their_range_and_are_exactly_zero_where_consistent(problem):
    X, y = problem
    consistent = naive.is_consistent(X, y, range(X.shape[1]))
    for key, one in MEASURES.items():
        value = score(X, y, key)
        assert 0 <= value <= (1 if one.high == "1" else np.log2(len(set(y.tolist()))) + 1e-12)
        if one.determinate:
            assert (value == 0) == consistent


def test_the_example_of_the_introduction():
    """Two fair bits and their sum modulo 2: alone they tell nothing, together everything."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3)
    y = X.sum(axis=1) % 2
    for one in (one for one in MEASURES.values() if one.determinate):
        assert score(X, y, one.key) == 0
        assert score(X, y, one.key, [0]) > 0.1
    assert score(X, y, "ce", [0]) == pytest.approx(1)
    assert score(X, y, "icr", [1]) == score(X, y, "ep", [1]) == 0.5


def test_many_examples_do_not_overflow():
    counts = np.array([[3 * 10**6, 2 * 10**6], [10**6, 0]])
    n = counts.sum()
    expected = 2 * 3e6 * 2e6 / (n * (n - 1.0))
    np.testing.assert_allclose(MEASURES["icp"].of_counts(counts), expected)
    assert MEASURES["rs"].of_counts(counts) == 5 / 6


def test_information_stays_between_0_and_the_entropy():
    rng = np.random.default_rng(0)
    for _ in range(300):
        counts = rng.integers(0, 4, (rng.integers(1, 6), 2))
        if (counts.sum(axis=0) > 0).all():
            share = counts.sum(axis=0) / counts.sum()
            gained = mutual_information(counts)
            assert 0 <= gained <= -(share * np.log2(share)).sum() + 1e-15
    assert mutual_information(np.array([[7, 3]])) == 0
    assert mutual_information(np.array([[4, 0], [0, 4]])) == 1


def test_the_table_has_every_measure():
    frame = table([[0, 1], [0, 0], [1, 1], [1, 0]], [0, 1, 1, 1])
    assert frame["measure"].to_list() == list(MEASURES) == catalogue()["key"].to_list()
    assert frame["value"][0] == 0
    of_text = table([["a"], ["a"], ["b"]], [0, 1, 1])
    assert set(MEASURES) - set(of_text["measure"]) == {"interclass"}


def test_a_measure_is_called_like_a_function():
    X, y = [[0], [0], [1], [1]], ["no", "yes", "yes", "yes"]
    assert measure("icr")(X, y) == 0.25
    assert measure("icr")(X, y, features=[]) == 0.25
    assert measure("nch")(X, y, s=0.5) == score(X, y, "nbh")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: score([[0], [1]], [0, 1], "icrr"), "no consistency measure 'icrr'.*Did you mean"),
        (lambda: score([[0], [1]], [0, 1], "nch", s=1.0), "'s' .* between 0 and 1"),
        (lambda: score([[0], [1]], [0, 1], "icr", s=0.5), "'s' .* one of: none"),
        (lambda: score([[0], [1]], [1, 1]), "at least 2 classes"),
        (lambda: score([[0.5], [1]], [0, 1]), "discrete"),
        (lambda: score([[0], [1]], [0, 1], features=[1]), "'features' .* from 0 to 0"),
        (lambda: score([[0], [1]], [0, 1, 1]), "one class for each of 2"),
        (lambda: score([["a"], ["b"]], [0, 1], "interclass"), "finite numbers"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
