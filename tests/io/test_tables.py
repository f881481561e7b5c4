"""CSV and TSV in the three layouts: what is read, and which line is at fault."""

import pickle
from pathlib import Path

import pytest

import holdfast as hf
from holdfast.exceptions import FileFormatError, InputError

from_subsets = hf.Selections.from_subsets


@pytest.fixture
def read(tmp_path):
    def read(text, suffix=".csv", **options):
        path = tmp_path / f"runs{suffix}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return hf.read_selections(path, **options)

    return read


ABC = list("abc")


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c\n1,0,1\n0,0,0\n",
        "a,b,c\r\n1,0,1\r\n0,0,0",
        "\ufeffa,b,c\n1,0,1\n\n0,0,0\n\n",
        '"a","b","c"\n"1","0","1"\n0,0,0\n',
        "a,b,c\ntrue,FALSE,True\nfalse,false,false\n",
        "a,b,c\n1.0,0.0,1\n 0, 0 ,0\n",
    ],
)
def test_masks(read, text):
    assert read(text) == from_subsets([[0, 2], []], feature_names=ABC)
    assert read(text.replace(",", "\t"), ".tsv", layout="masks", feature_names=ABC).n_runs == 2


def test_masks_with_run_names_in_any_column(read):
    expected = from_subsets([[0], [1]], feature_names=["a", "b"], run_names=["x,", "y"])
    assert read('a,run,b\n1,"x,",0\n0,y,1\n') == expected


@pytest.mark.parametrize(
    "text",
    [
        'run,feature\np,b\nq,"a\nb"\np,"é,<i>"\nr,\n',
        '\ufefffeature,run\r\nb,p\r\n"a\nb",q\r\n"é,<i>",p\r\n,r\r\n',
    ],
)
def test_pairs(read, text):
    names = ["a\nb", "b", "c", "é,<i>"]
    expected = from_subsets([[1, 3], [0], []], feature_names=names, run_names=["p", "q", "r"])
    assert read(text, feature_names=names) == expected
    unnamed = read(text, n_features=4)
    assert unnamed.feature_names == ("b", "a\nb", "é,<i>", "(never chosen 1)")
    assert [run.tolist() for run in unnamed] == [[0, 2], [1], []]


def test_lists(read):
    runs = read("c, a\n\n b,,\n", layout="lists", feature_names=ABC)
    assert runs == from_subsets([[0, 2], [], [1]], feature_names=ABC)


def test_names_with_spaces_at_their_ends_are_found(read):
    assert read(" a,b\n", layout="lists", feature_names=[" a", "a", "b"])[0].tolist() == [0, 2]


@pytest.mark.parametrize("layout", ["lists", "pairs"])
def test_whole_numbers_are_indices_unless_names_have_them(read, layout):
    text = {"lists": "0,3\n2\n", "pairs": "run,feature\np,0\nq,2\np,3\n"}[layout]
    runs = {"lists": None, "pairs": ["p", "q"]}[layout]
    assert read(text, layout=layout, n_features=4) == from_subsets([[0, 3], [2]], 4, run_names=runs)
    labelled = read(text, layout=layout, feature_names=["w", "x", "y", "z"])
    assert labelled.feature_names == tuple("wxyz")
    assert [run.tolist() for run in labelled] == [[0, 3], [2]]
    named = read(text, layout=layout, feature_names=["3", "2", "1", "0"])
    assert [run.tolist() for run in named] == [[0, 3], [1]]


def test_numbers_with_leading_zeros_are_names(read):
    assert read("007,8\n7\n", layout="lists", n_features=4).feature_names[:3] == ("007", "8", "7")


FAULTS = [
    # masks
    ("", {}, 1, "file is empty"),
    ("\na\n", {}, 1, "first line is"),
    ("a,b\n", {}, None, "no runs"),
    ("run\nx\n", {}, 1, "no feature columns"),
    ("a,b,a,b\n1,0,0,0\n", {}, 1, "column 'a' twice.*--layout lists"),
    ("a,b\n1,0\n1\n", {}, 3, "1 cells where the header has 2"),
    ("a,b\n1,0\n1,0,1\n", {}, 3, "3 cells where the header has 2"),
    ("a,b\n1,0\n\n1,2\n", {}, 4, "column 'b' must be 0 or 1.*got '2'"),
    ("a,b\n1,nan\n", {}, 2, "column 'b'.*got 'nan'"),
    ("a,b\n1,\n", {}, 2, "column 'b'.*got ''"),
    ("a,b\n01,\n", {}, 2, "column 'a'.*got '01'"),
    ('"a\nb",c\n1,0\n1,x\n', {}, 4, "column 'c'.*got 'x'"),
    ('run,a\n"x\ny",1\nz,5\n', {}, 4, "got '5'"),
    ("run,a\nx,1\ny,0\nx,1\n", {}, 4, "run 'x' again, first on line 2"),
    (",a\n0,1\n1,0\n", {}, 1, "first column has no name.*'run'.*index"),
    ("0,1\n1,0\n", {}, 1, "features must be named here.*layout='lists'.*layout='masks'"),
    ("0,3\n0,2\n", {"n_features": 2}, 2, "column '3'.*got '2'.*layout='lists'"),
    ("a,b\n1,0\n", {"n_features": 3}, 1, "2 feature columns where n_features says 3"),
    ("a,b\n1,0\n", {"feature_names": ["b", "a"]}, 1, "not the given feature_names"),
    ("run,feature,score\np,a,1\n", {}, 2, "column 'feature'.*keep only the columns"),
    # pairs
    ("run,feature\n", {"n_features": 3}, None, "no runs"),
    ("run,feature\np,a\n", {}, None, "how many features.*--n-features"),
    ("run,feature\np,1\n", {}, None, "how many features.*--n-features"),
    ("run,feature\np,a\np,b,c\n", {"n_features": 3}, 3, "3 cells where the header has 2"),
    ("run,feature\np,a\np\n", {"n_features": 3}, 3, "1 cells where the header has 2"),
    ("run,feature\np,a\n,b\n", {"n_features": 3}, 3, "the run is blank"),
    ("run,feature\np,a\nq,a\np,a\n", {"n_features": 3}, 4, "'a' of run 'p' again, first on line 2"),
    ("run,feature\np,a\nq,x\nr,x\n", {"feature_names": ABC}, 3, "'x' is not in feature_names"),
    ("run,feature\np,a\nq,1\n", {"feature_names": ABC}, 3, "'1' is not in feature_names"),
    ("run,feature\np,0\nq,7157\n", {"n_features": 9}, 3, "7157 is not an index from 0 to 8.*names"),
    ("run,feature\np,99999999999999999999\n", {"n_features": 9}, 2, "not an index from 0 to 8"),
    ("run,feature\np,a\nq,b\n", {"n_features": 1}, None, "2 different features where n_features"),
    ("a,b\n1,0\n", {"layout": "pairs"}, 1, "columns must be 'run' and 'feature', got a, b"),
    # lists
    ("", {"layout": "lists", "n_features": 3}, None, "no runs"),
    ("a,b\n", {"layout": "lists"}, None, "how many features"),
    ("\n\n", {"layout": "lists"}, None, "how many features"),
    ("a\nb,c, b\n", {"layout": "lists", "n_features": 3}, 2, "'b' again, first on line 2"),
    ("a\nx\n", {"layout": "lists", "feature_names": ABC}, 2, "'x' is not in feature_names"),
    ("0\n3\n", {"layout": "lists", "feature_names": ABC}, 2, "3 is not an index from 0 to 2"),
    # text
    ('a,b\n1,0\n1,"0\n', {}, 3, "broken record"),
    ('a,b\n1,0\n"1"x,0\n', {}, 3, "broken record"),
    ("a,b\r1,0\r", {}, 1, "broken record.*line feed"),
    (b"a,b\n1,0\n\xff,0\n", {}, 3, "not UTF-8.*Save the file as UTF-8"),
    ("a,b\n1,0\n".encode("utf-16"), {}, 1, "not UTF-8"),
]


@pytest.mark.parametrize(("text", "options", "line", "message"), FAULTS)
def test_faults(read, text, options, line, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        read(text, **options)
    assert caught.value.line == line
    assert str(caught.value.path) in str(caught.value)
    if line is not None:
        assert f", line {line}: " in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.path) == (
        str(caught.value),
        line,
        caught.value.path,
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": "wide"}, "'layout'.*Got 'wide'"),
        ({"n_features": 0}, "'n_features' parameter of read_selections"),
        ({"n_features": "3"}, "'n_features' parameter of read_selections"),
        ({"feature_names": "abc"}, "'feature_names' parameter of read_selections"),
        ({"feature_names": ["a", "a"]}, "'feature_names'.*more than once"),
        ({"feature_names": ABC, "n_features": 4}, "'feature_names'.*n_features=4"),
    ],
)
def test_options_are_checked(read, options, message):
    with pytest.raises(InputError, match=message):
        read("a,b,c\n1,0,1\n", **options)


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileFormatError, match="no such file"):
        hf.read_selections(tmp_path / "runs.csv")
    (tmp_path / "runs.csv").mkdir()
    with pytest.raises(FileFormatError, match="not a file"):
        hf.read_selections(tmp_path / "runs.csv")
    with pytest.raises(InputError, match=r"'path'.*ends in .csv"):
        hf.read_selections(tmp_path / "runs.xlsx")


def test_files_that_cannot_be_opened(read, monkeypatch):
    opened = Path.open

    def forbidden(path, mode="r", *rest, **options):
        if mode == "rb":
            raise PermissionError(13, "Permission denied")
        return opened(path, mode, *rest, **options)

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(FileFormatError, match=r"cannot be read .Permission denied"):
        read("a\n1\n")
