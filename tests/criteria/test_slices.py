"""Rows and columns come in the caller's own kind of container."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from holdfast.criteria.slices import columns_of, rows_of

TABLE = np.arange(12.0).reshape(4, 3)
ROWS, COLUMNS = np.array([3, 0, 0]), np.array([2, 0])
NAMES = ["a", "b", "c"]
KINDS = {
    "array": (TABLE, np.asarray),
    "pandas": (pd.DataFrame(TABLE, columns=NAMES, index=list("wxyz")), np.asarray),
    "pandas with equal names": (pd.DataFrame(TABLE, columns=["a", "a", "a"]), np.asarray),
    "polars": (pl.DataFrame(TABLE, schema=NAMES), np.asarray),
    "csr": (sparse.csr_matrix(TABLE), lambda x: x.toarray()),
    "csc array": (sparse.csc_array(TABLE), lambda x: x.toarray()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_tables_are_cut_in_their_own_kind(kind):
    table, dense = KINDS[kind]
    for cut, expected in (
        (rows_of(table, ROWS), TABLE[ROWS]),
        (columns_of(table, COLUMNS), TABLE[:, COLUMNS]),
        (rows_of(columns_of(table, COLUMNS), ROWS), TABLE[ROWS][:, COLUMNS]),
    ):
        assert type(cut) is type(table)
        np.testing.assert_array_equal(dense(cut), expected)
    np.testing.assert_array_equal(dense(table), TABLE)


def test_types_of_columns_survive():
    frame = pd.DataFrame({"n": [1, 2, 3], "c": pd.Categorical(["x", "y", "x"]), "t": list("abc")})
    cut = rows_of(columns_of(frame, np.array([1, 2])), np.array([2, 0]))
    assert cut.dtypes.tolist() == frame.dtypes[1:].tolist()
    assert cut["t"].tolist() == ["c", "a"]
    kind = pl.Enum(["x", "y"])
    polar = pl.DataFrame({"n": [1, 2, 3], "c": ["x", "y", "x"]}, schema_overrides={"c": kind})
    cut = rows_of(columns_of(polar, np.array([1])), np.array([2, 0]))
    assert cut.schema == {"c": kind}


@pytest.mark.parametrize(
    ("target", "as_list"),
    [
        (np.array(list("wxyz")), list),
        (list("wxyz"), list),
        (("w", "x", "y", "z"), list),
        (pd.Series(list("wxyz"), index=[9, 8, 7, 6]), list),
        (pl.Series(list("wxyz")), list),
    ],
)
def test_targets_of_any_kind_are_cut(target, as_list):
    assert as_list(rows_of(target, ROWS)) == ["z", "w", "w"]


def test_targets_of_several_outputs_are_cut_by_example():
    np.testing.assert_array_equal(rows_of(TABLE, ROWS), TABLE[ROWS])
