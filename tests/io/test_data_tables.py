"""Data files as they come: odd headers, missing values, broken lines, every format."""

import numpy as np
import polars as pl
import pytest
from scipy.io.arff import loadarff

from holdfast.exceptions import FileFormatError, InputError
from holdfast.io.tables import read_table


@pytest.fixture
def write(tmp_path):
    """Write a file; return its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    "name",
    ["a b", 'say "x"', "a,b", "特徴", "", " ", "x\ty", "two\nlines", "1", "y ", "_duplicated_0"],
)
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_a_header_may_hold_any_name(tmp_path, name, suffix):
    frame = pl.DataFrame({name: [1.0, 2.0], "y": ["p", "q"]})
    path = tmp_path / f"data{suffix}"
    if suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if suffix == ".tsv" else ",")
    table = read_table(path, "y")
    assert table.feature_names == (name,)
    assert table.X[name].to_list() == [1, 2]


def test_a_mark_of_utf8_and_windows_line_ends_are_no_part_of_it(write):
    table = read_table(write("data.csv", "\ufeffa,y\r\n1,p\r\n2,q\r\n"), "y")
    assert table.feature_names == ("a",)
    assert table.y.tolist() == ["p", "q"]


def test_blank_lines_are_passed_by(write):
    table = read_table(write("data.csv", "y,a,b\n0,1,2\n\n1,3,\n\n\n0,5,6\n\n"), "y")
    assert table.X["a"].to_list() == [1, 3, 5]
    assert table.X["b"].to_list() == [2, None, 6]
    assert table.y.tolist() == [0, 1, 0]


def test_text_that_is_numbers_throughout_is_read_as_numbers(write):
    table = read_table(write("data.csv", "a,b,c,y\n 1,nan,x,p\n2 ,-inf,3,q\n,2,4,q\n"), "y")
    assert table.X["a"].to_list() == [1, 2, None]
    np.testing.assert_array_equal(table.X["b"].to_numpy(), [np.nan, -np.inf, 2])
    assert table.X["c"].to_list() == ["x", "3", "4"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,y\n1,2,0\n3,4\n5,6,0\n", "line 3: 2 cells where the header has 3"),
        ("a,b,y\n1,2,0\n3,4,0,9\n", "line 3: 4 cells where the header has 3"),
        ('a,y\n"two\nlines",0\n1\n', "line 4: 1 cells where the header has 2"),
        ('a,y\n1,0\n"2,0\n', "line 3: broken record"),
        ('a,y\n1,0\n2,x"y\n', "line 3: a quotation mark in a cell"),
        (b"a,y\n1,0\n\xff,1\n", "line 3: not UTF-8"),
        (b"\xff\xfea\n", "line 1: not UTF-8"),
        ("", "no header"),
        ("\n\na,y\n1,2\n", "no header"),
        ("a,b,a,y\n1,2,3,0\n", "line 1: column 'a' twice"),
    ],
)
def test_a_broken_line_is_named(write, text, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        read_table(write("data.csv", text), "y")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "target", "message"),
    [
        ("d.csv", "a,y\n", "y", "no examples"),
        ("d.csv", "a,y\n1,p\n", None, r"which column is the target\? .*a, y"),
        ("d.csv", "a;y\n1;p\n", "y", "no column 'y'. Its columns are a;y"),
        ("d.csv", "a,y\n1,p\n2,\n", "y", "'y' is missing in row 2"),
        ("d.csv", "a,y\n1,2.5\n2,nan\n3,nan\n", "y", "'y' is missing in row 2"),
        ("d.csv.gz", b"\x1f\x8b", "y", "not one of the formats"),
        ("d.parquet", "no parquet", "y", "cannot be read as parquet"),
        ("d.npz", "no npz", None, "cannot be read as npz"),
        ("d.libsvm", "1 2:x\n", None, "cannot be read as libsvm"),
        ("d.libsvm", "", None, "no examples"),
        ("d.libsvm", "1 1:2\n", "y", "has its own target"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(write, name, content, target, message):
    with pytest.raises(InputError, match=message) as caught:
        read_table(write(name, content), target)
    assert "\n" not in str(caught.value)


def test_a_target_keeps_its_kind(write):
    path = write("data.csv", "whole,share,word,answer,a\n1,0.5,p,true,1\n2,0.25,q,false,2\n")
    kinds = {"whole": "i", "share": "f", "word": "O", "answer": "b"}
    assert {name: read_table(path, name).y.dtype.kind for name in kinds} == kinds


def test_categories_of_parquet_are_their_labels(tmp_path):
    kind = pl.Enum(["q", "p"])
    frame = pl.DataFrame({"a": [1, 2], "y": pl.Series(["p", "q"], dtype=kind)})
    frame.write_parquet(tmp_path / "data.parquet")
    assert read_table(tmp_path / "data.parquet", "y").y.tolist() == ["p", "q"]


def test_libsvm_of_many_features_takes_no_dense_memory(write):
    table = read_table(write("data.svmlight", "1 1:1 5000000:2\n-1 7:0.5 # remark\n"))
    assert table.X.shape == (2, 5_000_000)
    assert table.X.nnz == 3
    assert table.feature_names is None


NPZ = {"X": np.eye(3), "y": np.array([0, 1, 1])}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": None}, "no array 'y' among X"),
        ({"X": None}, "no array 'X'"),
        ({"X": np.arange(3)}, r"examples x features, got the shape \(3,\)"),
        ({"y": np.array([0, 1])}, r"y has the shape \(2,\); X has 3 examples"),
        ({"y": np.eye(3)}, r"y has the shape \(3, 3\)"),
        ({"y": np.array([0, np.nan, 1])}, "target is missing in example 1"),
        ({"feature_names": np.array(["a", "b"])}, "2 feature_names for 3 features"),
        ({"feature_names": np.array(["a", "b", "a"])}, "feature 'a' twice"),
        ({"classes": np.array(["p"])}, "made of 0 to 0"),
        ({"feature_names": np.array(["a", 1, None], dtype=object)}, "cannot be read as npz"),
    ],
)
def test_arrays_of_npz_that_do_not_fit(tmp_path, change, message):
    arrays = {name: array for name, array in {**NPZ, **change}.items() if array is not None}
    np.savez(tmp_path / "data.npz", **arrays)
    with pytest.raises(InputError, match=message):
        read_table(tmp_path / "data.npz")


ARFF = """% a remark
@RELATION 'some data'

@attribute 'petal width' real
@Attribute "it's" {small, 'very large', "a, b"}
@attribute flag {0,1}
@attribute note string
@attribute class {a, b}
@DATA
1.5, 'very large', 1, 'it\\'s', a
% another
?, small, ?, "x, y", b
-2e3 , "a, b",0, ?,b
"""


def test_arff_with_all_it_may_have(write):
    table = read_table(write("data.arff", ARFF), "class")
    assert table.feature_names == ("petal width", "it's", "flag", "note")
    assert table.y.tolist() == ["a", "b", "b"]
    np.testing.assert_array_equal(table.X["petal width"].to_numpy(), [1.5, np.nan, -2000])
    assert table.X["it's"].to_list() == ["very large", "small", "a, b"]
    assert table.X["flag"].to_list() == [1, None, 0]
    assert table.X["note"].to_list() == ["it's", "x, y", None]


def test_arff_agrees_with_scipy(write):
    rng = np.random.default_rng(0)
    numbers = zip(*rng.normal(size=(2, 50)).tolist(), "pqrst" * 10, strict=True)
    rows = [f"{a!r},{b!r},{c}" for a, b, c in numbers]
    header = (
        "@relation r\n@attribute a numeric\n@attribute b real\n@attribute c {p,q,r,s,t}\n@data\n"
    )
    path = write("data.arff", header + "\n".join(rows) + "\n")
    records, _ = loadarff(path)
    table = read_table(path, "c")
    assert table.X["a"].to_list() == records["a"].tolist()
    assert table.X["b"].to_list() == records["b"].tolist()
    assert table.y.tolist() == records["c"].astype(str).tolist()


def test_sparse_rows_of_arff_say_what_is_not_zero(write):
    text = (
        "@relation r\n@attribute a numeric\n@attribute b {red,'dark green'}\n@attribute c numeric\n"
        "@attribute class {no,yes}\n@data\n"
        "{0 1.5, 1 'dark green', 3 yes}\n{}\n{ 2 -1 ,3 yes }\n{2 ?}\n"
    )
    table = read_table(write("data.arff", text), "class")
    assert table.X["a"].to_list() == [1.5, 0, 0, 0]
    assert table.X["b"].to_list() == ["dark green", "red", "red", "red"]
    np.testing.assert_array_equal(table.X["c"].to_numpy(), [0, 0, -1, np.nan])
    assert table.y.tolist() == ["yes", "no", "yes", "no"]


HEADER = "@relation r\n@attribute a numeric\n@attribute y {p,q}\n@data\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + "1,p\nx,q\n", "line 6: 'a' must be a number, got 'x'"),
        (HEADER + "1,r\n", r"line 5: 'y' must be one of \['p', 'q'\], got 'r'"),
        (HEADER + "1,p,2\n", "line 5: 3 cells for 2 attributes"),
        (HEADER + "1,'p\n", "line 5: a quotation mark that does not end"),
        (HEADER + "{0 1, 5 p}\n", "line 5: index 5 for 2 attributes"),
        (HEADER + "{0 1, p}\n", "line 5: not an index and a value: 'p'"),
        (HEADER + "{0 1}, {5}\n", "line 5: not an index and a value: '0 1}, {5'"),
        (HEADER + "{0 1\n", "line 5: a sparse row must end"),
        (HEADER + "1,?\n", "target 'y' is missing in row 1"),
        (HEADER, "no examples"),
        ("@relation r\n@data\n1\n", "line 2: no @attribute before @data"),
        ("@relation r\n@attribute a numeric\n", "no @data"),
        ("@attribute a complex\n@data\n1\n", "line 1: an attribute of kind 'complex'"),
        ("@attribute a\n@data\n1\n", "line 1: not an @attribute with a name and a kind"),
        ("a,y\n1,p\n", "line 1: neither @attribute nor @data"),
        ("@attribute a real\n@attribute a real\n@data\n1,2\n", "attribute 'a' twice"),
    ],
)
def test_arff_that_is_broken_is_refused_with_its_line(write, text, message):
    with pytest.raises(InputError, match=message):
        read_table(write("data.arff", text), "y")
