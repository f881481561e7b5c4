"""Data files: what comes out of each format, and what each refuses."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array

from holdfast.exceptions import InputError
from holdfast.io.tables import read_table

NAMES = ["plain", 'say "x"', "a,b", "<b>", "größe"]


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    columns = {name: rng.normal(size=12) for name in NAMES}
    return pl.DataFrame({**columns, "y": ["no", "yes"] * 6})


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_tables_with_a_target_column(frame, suffix, tmp_path):
    path = tmp_path / f"data{suffix}"
    if suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if suffix == ".tsv" else ",")
    table = read_table(path, "y")
    assert table.feature_names == tuple(NAMES)
    assert table.y.tolist() == ["no", "yes"] * 6
    np.testing.assert_allclose(table.X.to_numpy(), frame.drop("y").to_numpy())


def test_arff(tmp_path):
    path = tmp_path / "data.arff"
    path.write_text(
        "@relation r\n@attribute size numeric\n@attribute colour {red,green}\n"
        "@attribute class {a,b}\n@data\n1.5,red,a\n?,green,b\n"
    )
    table = read_table(path, "class")
    assert table.feature_names == ("size", "colour")
    assert table.y.tolist() == ["a", "b"]
    assert table.X["colour"].to_list() == ["red", "green"]
    assert np.isnan(table.X["size"][1])


def test_libsvm_stays_sparse(tmp_path):
    path = tmp_path / "data.libsvm"
    path.write_text("1 1:0.5 3:2\n-1 2:1\n")
    table = read_table(path)
    assert table.X.toarray().tolist() == [[0.5, 0, 2], [0, 1, 0]]
    assert table.y.tolist() == [1, -1]


def test_npz_dense_and_sparse(tmp_path):
    X = np.array([[0.0, 2.0], [3.0, 0.0]])
    names = np.array(["a", "b"])
    np.savez(tmp_path / "dense.npz", X=X, y=[1, 0], classes=["n", "p"], feature_names=names)
    dense = read_table(tmp_path / "dense.npz")
    assert dense.y.tolist() == ["p", "n"]
    assert dense.feature_names == ("a", "b")
    parts = csr_array(X)
    np.savez(
        tmp_path / "sparse.npz",
        data=parts.data,
        indices=parts.indices,
        indptr=parts.indptr,
        shape=X.shape,
        y=[1, 0],
    )
    assert read_table(tmp_path / "sparse.npz").X.toarray().tolist() == X.tolist()


def test_refusals_say_what_to_do(frame, tmp_path):
    path = tmp_path / "data.csv"
    frame.write_csv(path)
    with pytest.raises(InputError, match="which column is the target"):
        read_table(path)
    with pytest.raises(InputError, match="no column 'Y'"):
        read_table(path, "Y")
    with pytest.raises(InputError, match="no such file"):
        read_table(tmp_path / "none.csv", "y")
    with pytest.raises(InputError, match="not one of the formats"):
        read_table(tmp_path / "data.xls", "y")
    path.write_text("a,y\n1,0\n2,\n")
    with pytest.raises(InputError, match="missing in row 2"):
        read_table(path, "y")
    path.write_text("a,a,y\n1,2,0\n")
    with pytest.raises(InputError, match="'a' twice"):
        read_table(path, "y")
    path.write_text("y\n1\n")
    with pytest.raises(InputError, match="no column beside"):
        read_table(path, "y")
    path.write_text('a,y\n"1,0\n')
    with pytest.raises(InputError, match="line 2: broken record"):
        read_table(path, "y")
    np.savez(tmp_path / "bad.npz", Z=[1])
    with pytest.raises(InputError, match="no array 'y'"):
        read_table(tmp_path / "bad.npz")
