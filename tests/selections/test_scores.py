import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import holdfast as hf
from holdfast.exceptions import InputError

Selections = hf.Selections


@given(st.data())
def test_top_of_rankings_against_sorting(data):
    n_features = data.draw(st.integers(1, 7))
    row = st.lists(st.integers(-2, 4), min_size=n_features, max_size=n_features)
    ranks = data.draw(st.lists(row, min_size=1, max_size=5))
    top = data.draw(st.integers(1, n_features))
    runs = Selections.from_rankings(ranks, top=top)
    # Python's sort is stable, so ties go to the feature that comes first.
    expected = [sorted(sorted(range(n_features), key=r.__getitem__)[:top]) for r in ranks]
    assert [run.tolist() for run in runs] == expected
    negated = [[-rank for rank in r] for r in ranks]
    weighed = Selections.from_weights(negated, top=top, importance="value")
    assert [run.tolist() for run in weighed] == expected


def test_weights_count_by_size_or_by_value():
    weights = [[0.0, -2.0, 1.0]]
    assert Selections.from_weights(weights)[0].tolist() == [1, 2]
    assert Selections.from_weights(weights, top=1)[0].tolist() == [1]
    assert Selections.from_weights(weights, top=1, importance="value")[0].tolist() == [2]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_bring_their_names(frame):
    runs = Selections.from_rankings(frame({"a": [1, 2], "b": [2, 1]}), top=1)
    assert runs.feature_names == ("a", "b")
    assert [run.tolist() for run in runs] == [[0], [1]]


def test_scores_are_kept_as_a_copy():
    weights = np.eye(3)
    runs = Selections.from_weights(weights)
    weights[0, 0] = 5
    assert runs.scores[0, 0] == 1
    assert runs.score_kind == "weights"
    with pytest.raises(ValueError, match="read-only"):
        runs.scores[0, 0] = 2


@pytest.mark.parametrize("top", [0, 3, -1, 1.0, True, "1", None])
def test_refuses_top(top):
    with pytest.raises(InputError, match=r"'top'.*whole number from 1 to n_features = 2"):
        Selections.from_rankings([[1, 2]], top=top)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1, float("nan")]], "finite.*nan for feature 1 of run 0.*worst score"),
        ([[1, 2], [float("inf"), 1]], "inf for feature 0 of run 1"),
        (pd.DataFrame({"a": [1.0], "b": [None]}), "nan for feature 'b' of run 0"),
        ([[1, 2], [1]], "one length.*run 1"),
        ([["1", "2"]], "table of numbers"),
        ([[1, "x"]], "table of numbers"),
        ([[True, False]], "table of numbers.*dtype bool"),
        (np.eye(2) * 1j, "table of numbers"),
        ([1, 2], "two-dimensional"),
        ([], "at least one run"),
        (None, "Got a NoneType"),
        (sp.csr_array(np.eye(2)), r"dense.*sparse csr_array.*toarray\(\)"),
        (np.ma.array([[1, 2]], mask=[[0, 1]]), "masked cells"),
    ],
)
def test_refuses(scores, message):
    with pytest.raises(InputError, match=message):
        Selections.from_rankings(scores, top=1)
    with pytest.raises(InputError, match=message):
        Selections.from_weights(scores)


def test_refuses_another_importance():
    with pytest.raises(InputError, match=r"'importance'.*'magnitude' or 'value'. Got 'size'"):
        Selections.from_weights([[1.0]], importance="size")
