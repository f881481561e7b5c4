"""`holdfast datasets`: what goes by a name, and its shape."""

import csv
import io
import json
import sys

import numpy as np
import pytest

import holdfast as hf
from holdfast.cli import main
from holdfast.datasets import FOLDER

SHIPPED = [
    {"name": "digits", "examples": 1797, "features": 64, "classes": 10},
    {"name": "iris", "examples": 150, "features": 4, "classes": 3},
    {"name": "wdbc", "examples": 569, "features": 30, "classes": 2},
    {"name": "wine", "examples": 178, "features": 13, "classes": 3},
]


@pytest.fixture
def run(monkeypatch, capsys):
    monkeypatch.delenv(FOLDER, raising=False)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["holdfast", "datasets", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return run


def test_json(run):
    code, out, err = run("--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out) == SHIPPED


def test_csv(run):
    _, out, _ = run("-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert rows == [{key: str(value) for key, value in line.items()} for line in SHIPPED]


def test_table(run):
    code, out, err = run()
    assert code == 0
    header, *lines = out.splitlines()
    assert header.split() == ["name", "examples", "features", "classes"]
    assert [line.split() for line in lines] == [list(map(str, s.values())) for s in SHIPPED]
    assert FOLDER in err


def test_files_of_the_folder_are_listed_as_far_as_they_say(run, monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    np.savez(tmp_path / "few.npz", X=np.eye(3), y=[0, 1, 1])
    np.savez(tmp_path / "grades.npz", X=np.eye(3), y=[0.5, 1.5, 2.0])
    (tmp_path / "labels.libsvm").write_text("1 1:2\n-1 3:1\n")
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    (tmp_path / "broken.npz").write_text("no arrays")
    _, out, _ = run("-f", "json")
    found = {line.pop("name"): tuple(line.values()) for line in json.loads(out)}
    assert found["few"] == (3, 3, 2)
    assert found["grades"] == (3, 3, None)
    assert found["labels"] == (2, 3, 2)
    assert found["table"] == found["broken"] == (None, None, None)
    assert set(found) == set(hf.datasets.names())


def test_a_folder_that_is_none_is_one_line(run, monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, str(tmp_path / "nowhere"))
    code, out, err = run()
    assert (code, out) == (1, "")
    assert "not a folder" in err
    assert err.count("\n") == 1
