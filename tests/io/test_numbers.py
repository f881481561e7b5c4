import polars as pl
import pytest

from holdfast.exceptions import FileFormatError, InputError
from holdfast.io.numbers import read_numbers


def test_columns_are_found_by_name_whatever_it_holds(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('\ufeff"a\nb","say ""x""",c\n1,2,x\n3,-4e1,\n\n')
    assert read_numbers(path, ['say "x"', "a\nb"]).tolist() == [[2, 1], [-40, 3]]
    path = tmp_path / "data.parquet"
    pl.DataFrame({"a": [True, False], "b": ["x", "y"], "c": [1, 2]}).write_parquet(path)
    assert read_numbers(path, ["c", "a"]).tolist() == [[1, 1], [2, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column for 2 of the features, such as 'a'"),
        ("a,c\n1,2\n", "no column for 1 of the features, such as 'b'"),
        ('a,b\n"1\n",2\n3\n', "line 4: 1 cell where the header has 2"),
        ("a,b\n1,2\n3,\n", "line 3: column 'b' must hold numbers, got ''"),
        ("c,b,a\nx,y,1\n", "line 2: column 'b' must hold numbers, got 'y'"),
        ("a,b\n1,2\n\n3,nan\n", "line 4: column 'b' must hold finite numbers, got nan. Fill"),
        ("b,a,c,c\n1,-inf,1,2\n", "line 2: column 'a' must hold finite numbers, got -inf"),
        ("a,b,b\n1,2,3\n", "line 1: column 'b' twice. Rename or drop one."),
    ],
)
def test_faults(tmp_path, text, message):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        read_numbers(path, ["a", "b"])


def test_other_files(tmp_path):
    with pytest.raises(FileFormatError, match="No such file"):
        read_numbers(tmp_path / "data.csv", ["a"])
    with pytest.raises(FileFormatError, match="No such file"):
        read_numbers(tmp_path / "data.parquet", ["a"])
    with pytest.raises(InputError, match=r"ends in \.csv, \.tsv, \.parquet"):
        read_numbers(tmp_path / "data.xls", ["a"])
    (tmp_path / "data.parquet").write_text("a")
    with pytest.raises(FileFormatError, match="not a readable Parquet file"):
        read_numbers(tmp_path / "data.parquet", ["a"])
    pl.DataFrame({"a": ["x"]}).write_parquet(tmp_path / "data.parquet")
    with pytest.raises(FileFormatError, match="column 'a' must hold numbers, got String"):
        read_numbers(tmp_path / "data.parquet", ["a"])
    pl.DataFrame({"a": [1, None]}).write_parquet(tmp_path / "data.parquet")
    with pytest.raises(FileFormatError, match="row 2: column 'a' must hold finite numbers, got na"):
        read_numbers(tmp_path / "data.parquet", ["a"])
