"""The demo ends with reports and a picture on disk, and says where; run again, it goes on."""

import time

import pytest

from holdfast import demo

RUNS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "new folder"


@pytest.fixture(scope="module", autouse=True)
def pages(folder):
    return demo.main(folder, RUNS)


def test_it_leaves_reports_and_a_picture(folder, pages):
    assert [page.name for page in pages] == ["wine.html", "breast-cancer.html"]
    for page in pages:
        text = page.read_text("utf-8")
        assert text.startswith("<!doctype html>")
        assert "8 best by F test" in text or "5 best by F test" in text
    assert (folder / "stability.png").read_bytes().startswith(b"\x89PNG")


def test_run_again_it_goes_on_from_its_store_and_prints_the_paths(folder, pages, capsys):
    begun = time.perf_counter()
    again = demo.main(folder, RUNS)
    assert time.perf_counter() - begun < 20
    assert again == pages
    said = capsys.readouterr().out
    for path in (*pages, folder / "stability.png"):
        assert str(path) in said
    assert "of the 5 that are not significantly less accurate" in " ".join(said.split())


def test_stability_tells_the_selectors_apart_where_accuracy_does_not(folder):
    table = demo.breast_cancer(folder / "breast-cancer.sqlite", RUNS).summary()
    rows = {row["selector"]: row for row in table.iter_rows(named=True)}
    assert len(rows) == 5
    sparse = rows["L1 linear SVM"]
    for name in ("8 best of a decision tree", "8 best by SFFS, naive Bayes"):
        assert abs(sparse["accuracy"] - rows[name]["accuracy"]) < 0.02
        assert sparse["low"] > rows[name]["high"] + 0.2
