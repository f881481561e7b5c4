"""Determinacy and monotonicity as the catalogue claims them: found out, not believed.

Table 2 of the paper claims them of the divergences. For each property that a measure has, random
search finds nothing against it; for each that it lacks, there is a small counter-example, and
random search finds one too.
"""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.consistency import MEASURES, score
from tests.consistency.problems import random_problem
from tests.naive.consistency import is_consistent

ROUNDING = 1e-12
every_measure = pytest.mark.parametrize("key", MEASURES)

# Shin et al. (2011), Table 2, and the text for the rest: (determinacy, monotonicity).
TABLE_2 = {
    "ch": (True, True),
    "bh": (True, True),
    "kl": (False, True),
    "kol": (True, True),
    "ma": (True, True),
    "pf": (True, False),
}

# Examples, classes, and what the measure says of them.
ONE_PURE_GROUP = ([[0], [1], [1]], [0, 0, 1])
PURE_GROUP_SPLIT = ([[0, 0], [0, 0], [1, 0], [1, 1]], [0, 1, 1, 1])
NOT_DETERMINATE = {
    "nkl": (*ONE_PURE_GROUP, "0 although two equal examples differ in class"),
    "nnkl": (*ONE_PURE_GROUP, "0 although two equal examples differ in class"),
    "csu": ([[0], [1], [2], [3]], [0, 0, 1, 1], "above 0 although consistent"),
    "interclass": ([[0], [1]], [0, 1], "above 0 although consistent"),
}


def random_cases(number=150):
    rng = np.random.default_rng(7)
    for _ in range(number):
        n_classes = int(rng.integers(2, 4))
        n = int(rng.integers(n_classes + 1, 14))
        yield random_problem(rng, n, int(rng.integers(1, 5)), 3, n_classes)


def determinacy_fails(key, X, y):
    value = score(X, y, key)
    return (value == 0) != is_consistent(X, y, range(np.shape(X)[1]))


def monotonicity_fails(key, X, y, smaller):
    return score(X, y, key) > score(X, y, key, smaller) + ROUNDING


@every_measure
def test_determinacy_is_as_claimed(key):
    found = any(determinacy_fails(key, X, y) for X, y in random_cases())
    assert found != MEASURES[key].determinate


@every_measure
def test_monotonicity_is_as_claimed(key):
    found = any(
        monotonicity_fails(key, X, y, np.delete(np.arange(X.shape[1]), f))
        for X, y in random_cases()
        for f in range(X.shape[1])
    )
    assert found != MEASURES[key].monotone


@pytest.mark.parametrize("key", NOT_DETERMINATE)
def test_what_is_not_determinate_has_a_counter_example(key):
    X, y, _ = NOT_DETERMINATE[key]
    assert determinacy_fails(key, X, y)


def test_every_missing_determinacy_is_shown():
    assert set(NOT_DETERMINATE) == {k for k, one in MEASURES.items() if not one.determinate}


def test_patrick_fisher_rises_with_a_further_feature():
    """A pure group is split: its squares sum to less, and the mixed group weighs more."""
    X, y = PURE_GROUP_SPLIT
    lacking = [k for k, one in MEASURES.items() if not one.monotone]
    assert sorted(lacking) == ["csu", "nnpf", "npf"]
    for key in ("npf", "nnpf"):
        assert monotonicity_fails(key, np.array(X), y, [0])


def test_complementary_uncertainty_rises_with_a_useless_feature():
    """The classes are told apart by the first feature; the second only adds to H(X)."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert score(X, [0, 0, 1, 1], "csu", [0]) == 0
    assert score(X, [0, 0, 1, 1], "csu") == pytest.approx(1 / 3)


def test_complementary_uncertainty_of_0_means_consistent():
    for X, y in random_cases():
        if score(X, y, "csu") == 0:
            assert is_consistent(X, y, range(X.shape[1]))


@pytest.mark.parametrize("name", TABLE_2)
def test_table_2_of_the_paper(name):
    for key in ("n" + name, "nn" + name):
        assert (MEASURES[key].determinate, MEASURES[key].monotone) == TABLE_2[name]
