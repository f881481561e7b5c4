import polars as pl
import pytest

import holdfast as hf
from holdfast.exceptions import FileFormatError

from_subsets = hf.Selections.from_subsets


@pytest.fixture
def read(tmp_path):
    def read(columns, **options):
        path = tmp_path / "runs.parquet"
        pl.DataFrame(columns).write_parquet(path)
        return hf.read_selections(path, **options)

    return read


def test_masks(read):
    columns = {"a": [True, False], "run": ["p", "q"], "b": [1, 0], "ü\n": [0.0, 1.0]}
    expected = from_subsets([[0, 1], [2]], feature_names=["a", "b", "ü\n"], run_names=["p", "q"])
    assert read(columns) == expected
    assert read(columns, layout="masks", n_features=3) == expected


@pytest.mark.parametrize("features", [[3, 0, None], [3.0, 0.0, None], ["3", "0", ""]])
def test_pairs(read, features):
    runs = read({"feature": features, "run": [1, 2, 3]}, n_features=4)
    assert runs == from_subsets([[3], [0], []], 4, run_names=["1", "2", "3"])


def test_pairs_by_name(read):
    runs = read({"run": ["p", "p"], "feature": ["b", "a,"]}, feature_names=["a,", "b"])
    assert runs == from_subsets([[0, 1]], feature_names=["a,", "b"], run_names=["p"])


@pytest.mark.parametrize(
    ("columns", "options", "row", "message"),
    [
        ({"a": [1, 2]}, {}, 2, "column 'a' must be 0 or 1, got 2"),
        ({"a": [1, 0], "b": [True, None]}, {}, 2, "column 'b' must be 0 or 1, got nothing"),
        ({"a": [1.0, float("nan")]}, {}, 2, "column 'a' must be 0 or 1, got nan"),
        ({"a": ["1", "0"]}, {}, None, "column 'a' must hold 0/1 or booleans, got String"),
        ({"a": [[1], [0]]}, {}, None, "column 'a' must hold 0/1 or booleans, got List"),
        ({"run": ["p"]}, {}, None, "no feature columns"),
        ({"a": []}, {}, None, "no runs"),
        ({"run": ["p", "p"], "a": [1, 0]}, {}, None, "'p' more than once"),
        ({"a": [1]}, {"n_features": 2}, 1, "1 feature columns where n_features says 2"),
        ({"a": [1]}, {"layout": "lists"}, None, "masks or pairs, not lists"),
        ({"a": [1]}, {"layout": "pairs"}, 1, "columns must be 'run' and 'feature'"),
        ({"run": ["p", None], "feature": ["a", "b"]}, {"n_features": 2}, 2, "run is blank"),
        ({"run": ["p", "p"], "feature": ["a", "a"]}, {"n_features": 2}, 2, "first on row 1"),
        ({"run": ["p"], "feature": ["a"]}, {"feature_names": ["b"]}, 1, "'a' is not in"),
    ],
)
def test_faults(read, columns, options, row, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        read(columns, **options)
    assert caught.value.line == row
    if row is not None:
        assert f", row {row}: " in str(caught.value)


def test_another_format(tmp_path):
    path = tmp_path / "runs.parquet"
    path.write_text("a\n1\n")
    with pytest.raises(FileFormatError, match="not a readable Parquet file"):
        hf.read_selections(path)
