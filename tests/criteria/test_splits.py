"""Folds: what scikit-learn's splitters give, made once, checked, and never changed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from holdfast.contracts import Problem
from holdfast.criteria.folds import Folds
from holdfast.criteria.splits import splits_of
from holdfast.exceptions import InputError

N = 30
X, Y = np.arange(2.0 * N).reshape(N, 2), np.arange(N) % 3
GROUPS = np.arange(N) // 4


def problem(y=Y, **more):
    return Problem(X, y, 2, **more)


def split(cv, y=Y, classifier=True, params=None, **more):
    return splits_of(cv, problem(y, **more), classifier, "criteria.Test", params)


def assert_same(found, expected):
    assert len(found) == len(expected)
    for (train, test), (own_train, own_test) in zip(found, expected, strict=True):
        np.testing.assert_array_equal(train, np.sort(own_train))
        np.testing.assert_array_equal(test, np.sort(own_test))
        assert train.dtype == test.dtype == np.intp


@pytest.mark.parametrize(
    "cv",
    [
        StratifiedKFold(3),
        StratifiedKFold(3, shuffle=True, random_state=1),
        KFold(7),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(5, test_size=1 / 3, random_state=0),
        StratifiedShuffleSplit(5, test_size=1 / 3, random_state=0),
        LeaveOneOut(),
        TimeSeriesSplit(4),
        PredefinedSplit(np.arange(N) % 4 - 1),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_any_splitter_splits_as_it_does_by_itself(cv):
    assert_same(split(cv), list(cv.split(X, Y)))


@pytest.mark.parametrize("cv", [GroupKFold(3), LeaveOneGroupOut()], ids=["folds", "one out"])
def test_groups_stay_together(cv):
    found = split(cv, groups=GROUPS)
    assert_same(found, list(cv.split(X, Y, GROUPS)))
    for train, test in found:
        assert not set(GROUPS[train]) & set(GROUPS[test])


def test_groups_that_were_routed_are_used_alone():
    found = split(GroupKFold(3), params={"groups": GROUPS})
    assert_same(found, list(GroupKFold(3).split(X, Y, GROUPS)))
    assert_same(split(3, params={}, groups=GROUPS), list(StratifiedKFold(3).split(X, Y)))


def test_a_number_makes_stratified_folds_for_classes_and_plain_ones_else():
    assert_same(split(3), list(StratifiedKFold(3).split(X, Y)))
    assert_same(split(np.int64(3)), list(StratifiedKFold(3).split(X, Y)))
    assert_same(split(3, y=np.linspace(0, 1, N), classifier=False), list(KFold(3).split(X)))
    assert_same(split(10, y=Y, classifier=False), list(KFold(10).split(X)))


def test_two_thirds_train_in_random_splits():
    for train, test in split(ShuffleSplit(10, test_size=1 / 3, random_state=0)):
        assert (train.size, test.size) == (20, 10)


def test_a_splitter_with_a_state_of_its_own_is_left_as_it_is():
    """The same splits each time, and the user's object draws on as if it had not been used."""
    cv = ShuffleSplit(3, random_state=np.random.RandomState(0))
    untouched = ShuffleSplit(3, random_state=np.random.RandomState(0))
    first = split(cv)
    assert_same(split(cv), first)
    assert_same(first, list(untouched.split(X)))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_indices_and_masks_in_any_order_are_the_same_splits(data):
    pairs = []
    for _ in range(data.draw(st.integers(1, 3))):
        order = data.draw(st.permutations(range(N)))
        cut = data.draw(st.integers(1, N - 1))
        pairs.append((np.array(order[:cut]), np.array(order[cut:])))
    masks = [tuple(np.isin(np.arange(N), part) for part in pair) for pair in pairs]
    lists = [tuple(part.tolist() for part in pair) for pair in pairs]
    for form in (pairs, masks, lists, iter(pairs)):
        assert_same(split(form), pairs)


def test_a_generator_is_used_up_by_the_first_fit():
    pairs = (pair for pair in KFold(3).split(X))
    assert_same(split(pairs), list(KFold(3).split(X)))
    with pytest.raises(InputError, match=r"at least one .* Got none instead\. A generator is used"):
        split(pairs)


def test_the_order_of_the_splitter_is_kept_where_it_is_asked_for():
    cv = ShuffleSplit(2, random_state=0)
    found = splits_of(cv, problem(), True, "criteria.Test", ascending=False)
    for (train, test), (own_train, own_test) in zip(found, cv.split(X), strict=True):
        assert train.tolist() == own_train.tolist() != sorted(train)
        assert test.tolist() == own_test.tolist()


def test_examples_drawn_twice_are_kept():
    train = np.array([5, 1, 5, 0])
    assert_same(split([(train, [2, 3])]), [(train, np.array([2, 3]))])


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (1, "from 2 to the 30 examples. Got 1"),
        (0, "from 2 to the 30"),
        (-3, "from 2 to the 30"),
        (31, "from 2 to the 30 examples. Got 31"),
        (11, r"at most 10, the number of examples of class .*0.*\. Got 11"),
        (2.5, "a number of folds"),
        ("five", "a number of folds"),
        (True, "a number of folds"),
        ([], "at least one"),
        ([([], [1])], "non-empty parts. Got an empty one in fold 0"),
        ([([0], [1]), ([0], [])], "an empty one in fold 1"),
        ([([0, 30], [1])], "indices of the 30 examples. Got others in fold 0"),
        ([([-1], [1])], "indices of the 30 examples"),
        ([([0.0, 1.0], [1])], "indices of the 30 examples"),
        ([([[0, 1]], [1])], "indices of the 30 examples"),
        ([(np.ones(29, bool), [1])], "indices of the 30 examples"),
        ([(np.zeros(N, bool), [1])], "non-empty parts"),
        ([(["a"], [1])], "indices of the 30 examples"),
        ([0, 1, 2], "cannot split these data: cannot unpack"),
        ([([0], [1], [2])], "cannot split these data: too many values"),
        (KFold(40), "cannot split these data"),
        (GroupKFold(3), "cannot split these data.*groups"),
    ],
)
def test_bad_folds_are_refused(cv, message):
    with pytest.raises(InputError, match=f"'cv' parameter of criteria.Test .*{message}"):
        split(cv)


def test_a_class_may_be_rarer_than_folds_where_a_splitter_says_so():
    y = np.r_[np.zeros(27), np.ones(3)].astype(int)
    assert len(split(StratifiedKFold(5), y=y)) == 5


def test_folds_know_who_is_tested_and_who_trains():
    y = np.array(["b", "a", "c"])[Y]
    folds = Folds.of(problem(y), [([0, 1, 3, 4], [5, 2]), ([2, 5, 8], [0])], "criteria.Test")
    assert folds.classes.tolist() == ["a", "b", "c"]
    assert folds.tests.tolist() == [2, 5, 0]
    assert folds.starts.tolist() == [0, 2, 3]
    assert [part.tolist() for part in folds.training_classes()] == [
        [1, 4], [],
        [0, 3], [],
        [], [2, 5, 8],
    ]  # fmt: skip
    assert folds.weights is None


def test_weights_count_only_in_tests_that_have_some():
    weights = np.r_[np.zeros(15), np.ones(15)]
    with pytest.raises(InputError, match=r"every test part\. Got none in fold 0"):
        Folds.of(problem(sample_weight=weights), KFold(2), "criteria.Test")
    mixed = KFold(3, shuffle=True, random_state=0)
    assert Folds.of(problem(sample_weight=weights), mixed, "criteria.Test").weights.sum() == 15


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(3), "one number for each of the 30 examples. Got shape"),
        (np.ones((N, 1)), "one number for each"),
        (np.full(N, np.nan), "finite, not negative and not all 0. Got .*nan"),
        (np.r_[np.ones(N - 1), np.inf], "finite"),
        (np.r_[np.ones(N - 1), -2.0], "not negative and not all 0. Got -2"),
        (np.zeros(N), "not all 0. Got 0"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(InputError, match=f"'sample_weight' parameter of criteria.Test .*{message}"):
        Folds.of(problem(sample_weight=weights), 3, "criteria.Test")


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.zeros(N), "at least 2 classes. Got only"),
        (np.linspace(0, 1, N), "class labels. Got continuous"),
        (np.zeros((N, 2), int), "one label an example. Got shape"),
        (np.r_[np.full(N - 1, 1.0), np.nan], "free of missing values. Got one in row 29"),
        (["a", None] * (N // 2), "free of missing values. Got one in row 1"),
        (np.array(["a", np.nan] * (N // 2), dtype=object), "free of missing values"),
        (pd.array([1, pd.NA] * (N // 2), dtype="Int64"), "free of missing values"),
    ],
)
def test_bad_labels_are_refused(y, message):
    with pytest.raises(InputError, match=f"'y' parameter of criteria.Test .*{message}"):
        Folds.of(problem(y), KFold(3), "criteria.Test")
