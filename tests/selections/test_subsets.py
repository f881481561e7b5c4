import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import holdfast as hf
from holdfast.exceptions import InputError

from_subsets = hf.Selections.from_subsets


@given(st.data())
def test_agrees_with_python_sets(data):
    n_features = data.draw(st.integers(1, 9))
    subsets = data.draw(st.lists(st.sets(st.integers(0, n_features - 1)), min_size=1, max_size=6))
    shuffled = [data.draw(st.permutations(sorted(subset))) for subset in subsets]
    runs = from_subsets(shuffled, n_features)
    assert [set(run.tolist()) for run in runs] == subsets
    assert runs.sizes.tolist() == list(map(len, subsets))
    assert runs.frequencies.tolist() == [
        sum(f in subset for subset in subsets) for f in range(n_features)
    ]
    assert runs.overlaps.tolist() == [[len(a & b) for b in subsets] for a in subsets]
    names = [f"name {f}" for f in range(n_features)]
    by_name = from_subsets([[names[f] for f in run] for run in shuffled], feature_names=names)
    if any(subsets):
        assert by_name == from_subsets(shuffled, feature_names=names)


@pytest.mark.parametrize(
    "subsets",
    [
        [(1, 2), {0}],
        [frozenset({1, 2}), [0]],
        ((f for f in run) for run in [[2, 1], [0]]),
        [np.array([2, 1]), np.array([0], dtype=np.uint8)],
        [np.array([2, 1]), [0]],
        [[np.int64(1), np.uint16(2)], [0]],
        [pd.Series([1, 2]), pd.Index([0])],
        [pl.Series([1, 2]), range(1)],
        {(1, 2): 0, (0,): 0}.keys(),
    ],
)
def test_takes_what_holds_indices(subsets):
    assert from_subsets(subsets, 3) == from_subsets([[1, 2], [0]], 3)


@pytest.mark.parametrize(
    "subsets",
    [
        [("c", "b"), {"a"}],
        [np.array(["c", "b"]), np.array(["a"], dtype=object)],
        [[np.str_("b"), "c"], ["a"]],
        [pd.Series(["b", "c"]), pd.Index(["a"])],
        [pl.Series(["b", "c"]), ["a"]],
    ],
)
def test_takes_what_holds_names(subsets):
    assert from_subsets(subsets, feature_names=["a", "b", "c"]) == from_subsets(
        [[1, 2], [0]], feature_names=["a", "b", "c"]
    )


def test_an_empty_subset_before_names():
    runs = from_subsets([[], ["a"]], feature_names=["a", "b"])
    assert runs.sizes.tolist() == [0, 1]
    assert from_subsets([np.array([]), [1]], 2).sizes.tolist() == [0, 1]


def test_features_nobody_chose_get_placeholders():
    runs = from_subsets([["a"], ["(never chosen 1)"]], n_features=4)
    assert runs.feature_names[:2] == ("a", "(never chosen 1)")
    assert len(set(runs.feature_names)) == 4


def test_sets_of_names_come_in_one_order_in_every_process():
    code = (
        "import holdfast as hf;"
        "print(hf.Selections.from_subsets([set('abcdefgh')], n_features=8).feature_names)"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(answers) == 1


REFUSED = [
    ([[True, 0]], 3, "whole numbers.*Got True in run 0"),
    ([[0], [np.True_]], 3, "Got .*True.* in run 1.*from_masks"),
    ([[1.0]], 3, "Got 1.0 in run 0"),
    ([[float("nan")]], 3, "Got nan in run 0"),
    ([np.array([0.0])], 3, "Got 0.0 in run 0"),
    ([[None]], 3, "Got None in run 0"),
    ([[0], ["a", 1]], 3, "names only or of indices only. Got 0 in run 0"),
    ([["a"], [1]], 3, "names only or of indices only. Got 1 in run 1"),
    ([[0], [3]], 3, "from 0 to n_features - 1 = 2. Got 3 in run 1.*from 0"),
    ([[-1]], 3, "Got -1 in run 0"),
    ([[2**70]], 3, "Got 1180591620717411303424 in run 0"),
    ([np.array([2**64 - 1], dtype=np.uint64)], 3, "Got .*18446744073709551615.* in run 0"),
    ([[1, 1]], 3, "Got feature 1 twice in run 0.*drop"),
    ([["b", "b"]], 3, "Got feature 'b' twice in run 0"),
    ([["a", "b"]], 1, "'n_features'.*at least 2.*Got 1 "),
    ([np.eye(2)], 3, r"shape \(2, 2\).*from_masks"),
    ([np.array([True, False])], 3, "dtype bool as run 0.*from_masks"),
    ({"fold": [0]}, 3, "Got a dict.*values.*run_names"),
    ([{0: 1}], 3, "as run 0"),
    ([b"ab"], 300, "as run 0"),
    (["ab"], 3, "Got 'ab' as run 0"),
    ([1, 2], 3, "Got 1 as run 0"),
    ([None], 3, "Got None as run 0"),
    ("ab", 3, "list of subsets.*Got 'ab'"),
    (None, 3, "list of subsets.*Got None"),
    ([], 3, "at least one run"),
    ([[0]], None, "'n_features'.*Pass how many features"),
    ([["a"]], None, "'feature_names'.*Pass all names"),
    *([[[0]], n, "'n_features'.*whole number from 1"] for n in (0, -3, 3.0, True, "3", 2**31)),
]


@pytest.mark.parametrize(("subsets", "n_features", "message"), REFUSED)
def test_refuses(subsets, n_features, message):
    with pytest.raises(InputError, match=message):
        from_subsets(subsets, n_features)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"feature_names": "abc"}, "'feature_names'.*list of names. Got 'abc'"),
        ({"feature_names": 7}, "'feature_names'.*Got 7"),
        ({"feature_names": ["a", None]}, "Got None at position 1"),
        ({"feature_names": ["a", float("nan")]}, "Got nan at position 1"),
        ({"feature_names": ["a", "b", "a"]}, "'a' more than once.*Rename"),
        ({"feature_names": ["a"], "n_features": 2}, "n_features=2. Got 1 names"),
        ({"feature_names": []}, "'n_features'"),
        ({"n_features": 2, "run_names": ["r", "s"]}, "'run_names'.*length 1. Got 2"),
        ({"n_features": 2, "run_names": ["r", "r"]}, "'run_names'"),
    ],
)
def test_refuses_names(options, message):
    with pytest.raises(InputError, match=message):
        from_subsets([[0]], **options)


def test_refuses_a_name_that_is_none_of_the_features():
    with pytest.raises(InputError, match=r"'c' in run 1.*add it to feature_names"):
        from_subsets([["a"], ["b", "c"]], feature_names=["a", "b"])
