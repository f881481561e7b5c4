import json

import pytest

import holdfast as hf
from holdfast.exceptions import FileFormatError

from_subsets = hf.Selections.from_subsets


@pytest.fixture
def read(tmp_path):
    def read(content, **options):
        path = tmp_path / "runs.json"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return hf.read_selections(path, **options)

    return read


def test_lists_and_objects(read):
    expected = from_subsets([[0, 2], []], 3)
    assert read([[2, 0], []], n_features=3) == expected
    assert read("\ufeff" + json.dumps({"n_features": 3, "subsets": [[2, 0], []]})) == expected
    assert read({"n_features": 3, "feature_names": None, "subsets": [[2, 0], []]}) == expected
    named = from_subsets([[0, 2], []], feature_names=["a", "<b>", "ç\n"], run_names=["p", "q"])
    content = {"feature_names": ["a", "<b>", "ç\n"], "run_names": ["p", "q"]}
    assert read({**content, "subsets": [["ç\n", "a"], []]}) == named
    assert read({**content, "subsets": [[2, 0], []], "format": "holdfast selections"}) == named


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("[[1],\n[2,]]", {}, "line 2: not JSON"),
        ("", {}, "line 1: not JSON"),
        ('{"subsets": [[1]], "subsets": [[2]]}', {}, "key 'subsets' twice"),
        ("[" * 200_000, {}, "lists in lists without end"),
        ("3", {}, "must hold a list of subsets"),
        ('"abc"', {}, "must hold a list of subsets"),
        ({}, {}, "no 'subsets' among its keys .none"),
        ({"n_features": 3}, {}, "no 'subsets' among its keys .n_features"),
        ({"subset": [[1]]}, {}, "unknown key 'subset'. Known: format, n_features"),
        ({"subsets": None}, {}, "'subsets' must be a list of subsets, got null"),
        ({"subsets": {"a": [1]}}, {}, "'subsets' must be a list"),
        ({"subsets": [[1]], "n_features": "3"}, {}, "'n_features' must be a whole number, got \"3"),
        ({"subsets": [[1]], "n_features": True}, {}, "'n_features' must be a whole number"),
        ({"subsets": [[1]], "feature_names": "abc"}, {}, "'feature_names' must be a list, got"),
        ({"subsets": [[1]], "feature_names": ["a", 1]}, {}, "list of text, got 1"),
        ({"subsets": [[1]], "run_names": [None], "n_features": 2}, {}, "'run_names'.*got null"),
        ({"subsets": [[1]], "n_features": 2, "format": "other"}, {}, "'format' must be"),
        ({"subsets": [[1]]}, {}, "how many features.*--n-features"),
        ({"subsets": [[1]], "n_features": 3}, {"n_features": 4}, "'n_features' is not the one"),
        (
            {"subsets": [[1]], "feature_names": ["a"]},
            {"feature_names": ["b"]},
            "'feature_names' is not the one",
        ),
        ({"subsets": [[1]], "n_features": 3, "feature_names": ["a"]}, {}, "n_features=3"),
        ([[1], [3]], {"n_features": 3}, "Got 3 in run 1"),
        ([[True]], {"n_features": 3}, "Got True in run 0"),
        ([[1.5]], {"n_features": 3}, "Got 1.5 in run 0"),
        ([[1, "a"]], {"n_features": 3}, "names only or of indices only"),
        ([["a", "a"]], {"n_features": 3}, "'a' twice in run 0"),
        ([3], {"n_features": 3}, "Got 3 as run 0"),
        ([], {"n_features": 3}, "at least one run"),
        ([[1]], {"n_features": 3, "layout": "lists"}, "'lists' is for tables"),
    ],
)
def test_faults(read, content, options, message):
    with pytest.raises(FileFormatError, match=message):
        read(content, **options)


def test_other_encodings(tmp_path):
    path = tmp_path / "runs.json"
    path.write_bytes("[[0]]".encode("utf-16"))
    with pytest.raises(FileFormatError, match="Save the file as UTF-8"):
        hf.read_selections(path, n_features=2)
