"""``holdfast study report``: a page beside the study, with what its file asks for."""

import pytest
from typer.testing import CliRunner

from holdfast.cli.app import app

STUDY = """
[study]
title = "Wine & <b>more</b>"
{measures}
[data]
name = "wine"
[protocol]
repetitions = 3
[selectors.best]
type = "SelectKBest"
k = 2
[selectors.more]
type = "SelectKBest"
k = 4
"""


def run(*arguments):
    return CliRunner().invoke(app, ["study", *map(str, arguments)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "wine.toml"
    path.write_text(STUDY.format(measures='measures = ["jaccard"]'))
    assert run("run", path, "--quiet").exit_code == 0
    return path


def test_the_page_is_beside_the_study_and_lists_the_measures_asked_for(file):
    done = run("report", file)
    assert done.exit_code == 0
    text = file.with_suffix(".html").read_text("utf-8")
    assert "<h1>Wine &amp; &lt;b&gt;more&lt;/b&gt;</h1>" in text
    assert '<th scope="row">jaccard</th>' in text
    assert '<th scope="row">kuncheva</th>' not in text


def test_without_a_wish_all_measures_are_listed(file):
    file.write_text(STUDY.format(measures=""))
    for of in (file, file.with_suffix(".sqlite")):
        assert run("report", of).exit_code == 0
        text = file.with_suffix(".html").read_text("utf-8")
        assert '<th scope="row">kuncheva</th>' in text


def test_a_page_of_that_name_is_kept_unless_told_otherwise(file, tmp_path):
    page = tmp_path / "mine.html"
    page.write_text("mine")
    refused = run("report", file, "--output", page)
    assert refused.exit_code != 0
    assert page.read_text() == "mine"
    assert run("report", file, "--output", page, "--force").exit_code == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("wrong", [("--model", "SVM"), ("--alpha", "2")])
def test_wrong_options_are_refused_and_leave_no_page(file, wrong):
    assert run("report", file, *wrong).exit_code != 0
    assert not file.with_suffix(".html").exists()
