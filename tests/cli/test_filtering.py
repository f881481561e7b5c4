"""Selection without a search on the command line: the same as in Python, and nothing idle."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import holdfast as hf
from holdfast.cli.app import app

X, Y = (part for part in (hf.datasets.load("wine").X, hf.datasets.load("wine").y))
WIDTH = {"discretiser": "equal_width"}
SELECTORS = {
    "cwc": (["--search", "cwc"], hf.CWC(**WIDTH)),
    "no denoising": (["--search", "cwc", "--denoise", "none"], hf.CWC(None, **WIDTH)),
    "lcc": (["--search", "lcc", "--threshold", "0.05"], hf.LCC(0.05, **WIDTH)),
    "interact": (["--search", "interact"], hf.INTERACT(**WIDTH)),
    "fcbf": (["--search", "fcbf", "--discretise", "mdl"], hf.FCBF(discretiser="mdl")),
    "cfs": (["--search", "cfs", "--discretise", "equal-frequency"],
            hf.CFS(discretiser="equal_frequency")),
}  # fmt: skip
RANKERS = {
    "information-gain": hf.rankers.InformationGain(**WIDTH),
    "chi-square": hf.rankers.ChiSquare(**WIDTH),
    "symmetrical-uncertainty": hf.rankers.SymmetricalUncertainty(**WIDTH),
    "relieff": hf.rankers.ReliefF(),
    "svm": hf.rankers.LinearSVM(scale="standard"),
    "svm-rfe": hf.rankers.SVMRFE(scale="standard"),
    "forest": hf.rankers.Forest(random_state=0),
    "mrmr": hf.rankers.MRMR(**WIDTH),
    "jmi": hf.rankers.JMI(**WIDTH),
}


def ran(*arguments):
    return CliRunner().invoke(app, ["select", *map(str, arguments)])


@pytest.mark.parametrize("name", SELECTORS)
def test_every_algorithm(name):
    options, selector = SELECTORS[name]
    answer = json.loads(ran("wine", *options, "--format", "json").stdout)
    assert answer["selected"] == selector.fit(X, Y).get_support(indices=True).tolist()
    assert (answer["examples"], answer["n_features"]) == X.shape


@pytest.mark.parametrize("name", RANKERS)
def test_every_ranker(name):
    options = "--search", "ranked", "--ranker", name, "--size", 4, "--format", "json"
    answer = json.loads(ran("wine", *options).stdout)
    expected = hf.RankedSelector(RANKERS[name], 4).fit(X, Y)
    assert answer["selected"] == expected.get_support(indices=True).tolist()
    best = np.argsort(expected.ranking_)[:4]
    assert [row["score"] for row in answer["features"]] == expected.scores_[best].tolist()


def test_thresholds_shares_and_forced_features():
    options = "--search", "ranked", "--include", "ash", "--exclude", "proline", "--format", "csv"
    chosen = ran("wine", *options, "--size", 0.25).stdout.splitlines()
    assert len(chosen) == 1 + 3
    assert any(line.startswith("ash,") for line in chosen)
    assert not any(line.startswith("proline,") for line in chosen)
    above = ran("wine", "--search", "ranked", "--threshold", 0.15, "--format", "csv").stdout
    assert all(float(line.split(",")[1]) >= 0.15 for line in above.splitlines()[1:])


def test_columns_of_text_are_levels(tmp_path):
    path = tmp_path / "play.csv"
    path.write_text("sky,wind,y\nblue,low,1\ngrey,low,0\nblue,high,1\ngrey,high,0\n")
    answer = ran(path, "--target", "y", "--search", "cwc", "--discretise", "none")
    assert answer.stdout.split() == ["feature", "sky"]
    refused = ran(path, "--target", "y", "--search", "ranked", "--size", 1)
    assert "does not hold numbers" in str(refused.exception)


def test_sparse_files_stay_sparse(tmp_path):
    path = tmp_path / "sparse.libsvm"
    path.write_text("1 1:1 3:1\n0 2:1\n1 1:1\n0 3:1\n")
    answer = ran(path, "--search", "cwc", "--discretise", "none", "--format", "csv")
    assert answer.stdout.split() == ["feature", "x0"]


@pytest.mark.parametrize(
    ("options", "needed"),
    [
        (["--search", "cwc", "--k", "3"], "'--k': would change nothing: it needs a search through"),
        (["--search", "cwc", "--size", "3"], "'--size': would change nothing"),
        (["--search", "cfs", "--threshold", "0.1"], "'--threshold': would change nothing"),
        (["--search", "ranked", "--ranker", "svm", "--discretise", "mdl"], "goes by counts"),
        (["--search", "ranked", "--denoise", "none"], "it needs --search cwc"),
        (["--search", "ranked", "--seed", "1"], "it needs the ranker forest"),
        (["--ranker", "svm"], "it needs --search ranked"),
        (["--search", "ranked", "--size", "one-standard-error"], "must be a number or a share"),
    ],
)
def test_options_that_would_change_nothing_are_refused(options, needed):
    answer = ran("wine", *options)
    assert answer.exit_code == 2
    assert needed in " ".join(answer.stderr.replace("│", " ").split())
