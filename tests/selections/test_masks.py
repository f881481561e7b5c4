import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import holdfast as hf
from holdfast.exceptions import InputError

from_masks = hf.Selections.from_masks
MASKS = [[1, 0, 1], [0, 0, 1], [0, 0, 0]]
EXPECTED = hf.Selections.from_subsets([[0, 2], [2], []], 3)


@pytest.mark.parametrize(
    "masks",
    [
        MASKS,
        np.array(MASKS),
        np.array(MASKS, dtype=bool),
        np.array(MASKS, dtype=float),
        np.array(MASKS, dtype=object),
        np.asfortranarray(MASKS),
        np.ma.array(MASKS),
        [np.array(mask, dtype=bool) for mask in MASKS],
        (mask for mask in MASKS),
        np.matrix(MASKS),
    ],
)
def test_dense(masks):
    assert from_masks(masks) == EXPECTED
    assert np.array_equal(EXPECTED.masks(), np.array(MASKS, dtype=bool))


@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("layout", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
def test_sparse(layout, kind):
    assert from_masks(getattr(sp, f"{layout}_{kind}")(np.array(MASKS, dtype=float))) == EXPECTED


def test_sparse_with_unsorted_indices_and_stored_zeros():
    data, indices, indptr = [1.0, 1.0, 0.0, 1.0], [2, 0, 1, 2], [0, 2, 4, 4]
    masks = sp.csr_array((data, indices, indptr), shape=(3, 3))
    assert from_masks(masks) == EXPECTED
    assert masks.nnz == 4
    assert masks.indices.tolist() == indices


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_bring_their_names(frame):
    columns = {"a": [1, 0, 0], "b": [0, 0, 0], "ü,\n": [True, True, False]}
    runs = from_masks(frame(columns))
    assert runs.feature_names == ("a", "b", "ü,\n")
    assert np.array_equal(runs.masks(), EXPECTED.masks())
    assert from_masks(frame(columns), feature_names=["x", "y", "z"]).feature_names == tuple("xyz")


def test_frames_of_nullable_and_sparse_columns():
    assert np.array_equal(from_masks(pd.DataFrame(MASKS).astype("boolean")).masks(), MASKS)
    assert np.array_equal(from_masks(pd.DataFrame(MASKS).astype("Sparse[int]")).masks(), MASKS)


NAN = float("nan")


@pytest.mark.parametrize(
    ("masks", "message"),
    [
        ([[1, NAN], [1, 0]], "Got nan for feature 1 of run 0.*Fill or drop"),
        ([[1, None], [1, 0]], "Got None for feature 1 of run 0.*Fill or drop"),
        ([[1, 0], [1, 2]], "Got 2 for feature 1 of run 1.*from_subsets"),
        ([["1", "0"]], "dtype <U1"),
        ([[1, 0], [1]], "one length.*2 features in run 0 and 1 in run 1"),
        ([1, 0], r"two-dimensional.*Got shape \(2,\)"),
        ([[[1]]], "two-dimensional"),
        ([], "at least one run"),
        (np.zeros((0, 3)), "at least one run"),
        (np.zeros((3, 0)), "at least one feature"),
        ([[], []], "at least one feature"),
        (np.eye(2) * 1j, "dtype complex"),
        (np.ma.array([[1, 0]], mask=[[0, 1]]), "masked cells. Got one for feature 1 of run 0"),
        (None, "Got a NoneType"),
        ("abc", "Got a str"),
        ({"a": [1]}, "Got a dict"),
        (pd.DataFrame({"a": pd.array([True, None], dtype="boolean")}), "<NA> for feature 'a' of"),
        (pd.DataFrame({"run": ["r1"], "a": [1]}), "'r1' for feature 'run' of run 0.*leave out"),
        (pd.DataFrame([[1, 0]], columns=["a", "a"]), "'a' more than once"),
        (pl.DataFrame({"a": [1, None]}), "nan for feature 'a' of run 1"),
        (pl.DataFrame({"a": [True, None]}), "None for feature 'a' of run 1"),
        (sp.csr_array(np.array([[0, 2.0]])), "Got 2.0 for feature 1 of run 0"),
        (sp.csr_array(np.array([[0, NAN]])), "Got nan for feature 1 of run 0"),
        (sp.coo_array(([1.0, 1.0], ([0, 0], [1, 1])), shape=(1, 2)), "Got 2.0 for feature 1"),
        (sp.csr_array((0, 3)), "at least one run"),
        (sp.csr_array((3, 0)), "at least one feature"),
    ],
)
def test_refuses(masks, message):
    with pytest.raises(InputError, match=message):
        from_masks(masks)


def test_refuses_one_sparse_row_without_its_table():
    row = sp.coo_array(np.array([1, 0]))
    if row.ndim != 1:
        pytest.skip("this SciPy makes a table of it")
    with pytest.raises(InputError, match="two-dimensional"):
        from_masks(row)
