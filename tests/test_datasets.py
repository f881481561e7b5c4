"""Data sets by name."""

import numpy as np
import pytest

import holdfast as hf
from holdfast.datasets import FOLDER


def test_what_scikit_learn_ships(monkeypatch):
    monkeypatch.delenv(FOLDER, raising=False)
    assert hf.datasets.names() == ["digits", "iris", "wdbc", "wine"]
    wdbc = hf.datasets.load("wdbc")
    assert wdbc.X.shape == (569, 30)
    assert wdbc.feature_names[0] == "mean radius"
    assert sorted(set(wdbc.y)) == ["benign", "malignant"]


def test_files_of_the_folder(monkeypatch, tmp_path):
    np.savez(tmp_path / "tiny.npz", X=np.eye(3), y=np.array([0, 1, 1]))
    (tmp_path / "notes.txt").write_text("no data")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert hf.datasets.names() == ["digits", "iris", "tiny", "wdbc", "wine"]
    assert hf.datasets.load("tiny").X.shape == (3, 3)


def test_unknown_names_and_folders_are_refused(monkeypatch, tmp_path):
    monkeypatch.delenv(FOLDER, raising=False)
    with pytest.raises(hf.exceptions.InputError, match=r"No data set 'madelon'.*Set HOLDFAST_DATA"):
        hf.datasets.load("madelon")
    monkeypatch.setenv(FOLDER, str(tmp_path / "nowhere"))
    with pytest.raises(hf.exceptions.InputError, match="not a folder"):
        hf.datasets.names()
