"""Discrete data as codes: every form of a table gives the same partition of the examples."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from scipy import sparse

from holdfast.exceptions import InputError
from holdfast.statistics.codes import codes_of
from tests.naive.information import columns
from tests.statistics.strategies import FORMS, discrete


def rows(codes):
    return np.stack([codes.feature(f) for f in range(codes.n_features)])


def assert_same_partition(codes, table):
    """Examples share a code where they share a value, and codes are within the levels."""
    assert (codes.n_examples, codes.n_features) == np.shape(table)
    for f, column in enumerate(columns(np.asarray(table, object))):
        own = codes.feature(f)
        assert own.min() >= 0
        assert own.max() < codes.n_levels[f]
        assert len(set(zip(own.tolist(), column, strict=True))) == len(set(column))
        assert len(set(own.tolist())) == len(set(column))


@given(discrete())
@settings(max_examples=40)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_partition(form, case):
    table, _ = case
    given = FORMS[form](table)
    codes = codes_of(given, "CWC")
    assert_same_partition(codes, table)
    assert (codes.dense is None) == sparse.issparse(given)


@pytest.mark.parametrize("form", ["float", "objects", "csr", "frame"])
def test_missing_values_are_a_level_of_their_own(form):
    table = np.array([[0, 3, np.nan], [np.nan, 3, np.nan], [0, np.nan, np.nan], [2, 3, np.nan]])
    made = {
        "float": lambda: table,
        "objects": lambda: np.where(np.isnan(table), None, table),
        "csr": lambda: sparse.csr_matrix(table),
        "frame": lambda: pd.DataFrame(table).convert_dtypes(),
    }[form]()
    codes = codes_of(made, "CWC")
    assert_same_partition(codes, np.where(np.isnan(table), None, table))
    if form != "csr":
        np.testing.assert_array_equal(rows(codes), [[0, 3, 0, 2], [0, 0, 1, 0], [0, 0, 0, 0]])
        np.testing.assert_array_equal(codes.n_levels, [4, 2, 1])


def test_wide_columns_are_ranked_and_the_missing_level_is_the_last():
    table = np.array([[-1e300, 5], [1e15, np.nan], [np.nan, 1e9], [0, 5], [1e15, 0]])
    codes = codes_of(table, "CWC")
    np.testing.assert_array_equal(rows(codes), [[0, 2, 3, 1, 2], [1, 3, 2, 1, 0]])
    codes = codes_of(np.array([[0], [2**64 - 1], [5]], np.uint64), "CWC")
    np.testing.assert_array_equal(rows(codes), [[0, 2, 1]])
    extremes = np.array([[-(2**63)], [2**63 - 1], [0]])
    np.testing.assert_array_equal(rows(codes_of(extremes, "CWC")), [[0, 2, 1]])


@pytest.mark.parametrize(
    ("n_levels", "kind"), [(256, np.uint8), (257, np.uint16), (70_000, np.int32)]
)
def test_codes_take_no_more_room_than_needed(n_levels, kind):
    codes = codes_of(np.arange(n_levels)[:, None] * 3, "CWC")
    assert codes.dense.dtype == kind
    np.testing.assert_array_equal(codes.dense[0], np.arange(n_levels))


FRAMES = {
    "pandas": lambda data: pd.DataFrame(data).astype({"category": "category"}),
    "polars": lambda data: pl.DataFrame(data).cast({"category": pl.Categorical}),
}


@pytest.mark.parametrize("library", FRAMES)
def test_frames_of_any_kind_of_column(library):
    data = {
        "text": ["b", None, "a", "b"],
        "number": [7, 9, 7, 8],
        "flag": [True, False, False, True],
        "category": ["v", "u", "v", None],
    }
    codes = codes_of(FRAMES[library](data), "CWC")
    expected = [[1, 2, 0, 1], [0, 2, 0, 1], [1, 0, 0, 1], [1, 0, 1, 2]]
    np.testing.assert_array_equal(rows(codes), expected)


def test_a_sparse_frame_stays_sparse():
    table = np.array([[0, 2], [0, 0], [1, 0]])
    frame = pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(table))
    codes = codes_of(frame, "CWC")
    assert codes.dense is None
    np.testing.assert_array_equal(rows(codes), table.T)


def test_stored_zeros_and_repeated_entries_are_what_they_sum_to():
    data, at = [1, 2, 0, 5, -5], ([0, 0, 1, 2, 2], [0, 0, 0, 1, 1])
    matrix = sparse.coo_matrix((data, at), (3, 2))
    codes = codes_of(matrix.tocsr(), "CWC")
    np.testing.assert_array_equal(rows(codes), [[3, 0, 0], [0, 0, 0]])
    made = sparse.csc_matrix((np.array([1, 0, 2]), np.array([0, 1, 2]), np.array([0, 3])), (3, 1))
    np.testing.assert_array_equal(rows(codes_of(made, "CWC")), [[1, 0, 2]])
    assert made.nnz == 3  # the caller's matrix is as it was


@pytest.mark.parametrize("form", ["array", "sparse", "pandas", "polars", "objects"])
def test_continuous_columns_are_refused_by_name(form):
    table = np.array([[1.0, 0.0], [2.0, 0.5], [0.0, 2.0]])
    made, name = {
        "array": lambda: (table, "column 1"),
        "sparse": lambda: (sparse.csr_matrix(table), "column 1"),
        "pandas": lambda: (pd.DataFrame(table, columns=["a", "b"]), "column 'b'"),
        "polars": lambda: (pl.DataFrame(table, schema=["a", "b"]), "column 'b'"),
        "objects": lambda: (table.astype(object), "column 1"),
    }[form]()
    with pytest.raises(InputError, match=f"CWC must be discrete. Got 0.5 in {name}.*EqualWidth"):
        codes_of(made, "CWC")


def test_what_is_neither_numbers_nor_text_is_refused():
    with pytest.raises(InputError, match=r"\['dict', 'int'\] in column 0"):
        codes_of(np.array([[{}], [1]], object), "CWC")
    with pytest.raises(InputError, match="reshape"):
        codes_of(np.arange(3), "CWC")
    with pytest.raises(InputError, match="Got inf in column 0"):
        codes_of(np.array([[np.inf], [1.0]]), "CWC")


@given(discrete())
@settings(max_examples=20)
def test_taking_features_takes_their_codes(case):
    table, _ = case
    some = np.arange(table.shape[1])[::-2]
    for made in (table, sparse.csr_matrix(table)):
        codes = codes_of(made, "CWC")
        np.testing.assert_array_equal(rows(codes.take(some)), rows(codes)[some])
        np.testing.assert_array_equal(codes.take(some).n_levels, codes.n_levels[some])
