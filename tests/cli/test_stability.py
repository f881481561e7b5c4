import csv
import io
import json
import sys

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.cli import main

SUBSETS = [[0, 3], [0, 2], [0, 3], [1, 3]]
NAMES = ["a,b", "[bold]x", "特徴", 'say "x"', "e", "f"]
RUNS = hf.Selections.from_subsets(SUBSETS, feature_names=NAMES)


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command; return exit code, stdout and stderr."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["holdfast", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return run


@pytest.fixture
def file(tmp_path):
    return hf.write_selections(RUNS, tmp_path / "runs.csv")


def test_table(run, file):
    code, out, err = run("stability", file)
    assert code == 0
    header, *rows = out.splitlines()
    assert header.split("  ")[0] == "measure"
    assert "95 % interval" in header
    expected = hf.stability.table(RUNS)
    assert [row.split()[:2] for row in rows] == [
        [key, f"{value:.4f}"] for key, value in expected.select("measure", "value").iter_rows()
    ]
    nogueira = next(row for row in rows if row.startswith("nogueira2018"))
    limits = hf.stability.interval(RUNS)
    assert f"{limits.low:.4f} to {limits.high:.4f}" in nogueira
    assert "\x1b" not in out
    assert "4 runs, 2 of 6 features each" in err
    assert "Higher is more stable" in err


def test_json(run, file):
    code, out, err = run("stability", file, "--format", "json", "--level", "0.9")
    content = json.loads(out)
    assert code == 0
    assert (content["runs"], content["features"], content["level"]) == (4, 6, 0.9)
    assert content["measures"] == hf.stability.table(RUNS, level=0.9).to_dicts()
    assert "4 runs" in err


def test_csv(run, file):
    code, out, _ = run("stability", file, "-f", "csv")
    assert code == 0
    table = hf.stability.table(RUNS)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["measure"] for row in rows] == table["measure"].to_list()
    assert [float(row["value"]) for row in rows] == table["value"].to_list()


def test_measures_in_the_order_asked(run, file):
    _, out, _ = run("stability", file, "-m", "jaccard", "--measure", "nogueira", "-f", "json")
    asked = [row["measure"] for row in json.loads(out)["measures"]]
    assert asked == ["jaccard", "nogueira2018"]


@pytest.mark.parametrize("suffix", [".tsv", ".json", ".parquet"])
def test_every_kind_of_file_gives_the_same(run, file, tmp_path, suffix):
    other = hf.write_selections(RUNS, tmp_path / f"runs{suffix}")
    assert run("stability", other)[1] == run("stability", file)[1]


def test_lists_with_the_number_of_features_or_their_names(run, tmp_path):
    path = tmp_path / "lists.csv"
    path.write_text("0,3\n0,2\n0,3\n1,3\n")
    expected = run("stability", path, "--layout", "lists", "--n-features", 6)
    assert expected[0] == 0
    names = tmp_path / "names.txt"
    names.write_text("\ufeff" + "\n".join(NAMES) + "\n", encoding="utf-8")
    assert run("stability", path, "--layout", "lists", "--feature-names", names) == expected


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_data_adds_the_measures_that_need_it(run, file, tmp_path, suffix):
    X = np.random.default_rng(0).normal(size=(20, 6))
    data = pl.DataFrame(dict(zip(NAMES[::-1], X.T, strict=True)))
    path = tmp_path / f"data{suffix}"
    if suffix == ".parquet":
        data.write_parquet(path)
    else:
        data.write_csv(path, separator="\t" if suffix == ".tsv" else ",")
    _, out, _ = run("stability", file, "--data", path, "-f", "json")
    expected = hf.stability.table(RUNS, X=X[:, ::-1])
    assert expected.height > hf.stability.table(RUNS).height
    rows = json.loads(out)["measures"]
    assert [row["measure"] for row in rows] == expected["measure"].to_list()
    assert [row["value"] for row in rows] == pytest.approx(expected["value"].to_list(), abs=1e-12)


def test_output_is_written_whole_and_replaced_when_forced(run, file, tmp_path):
    target = tmp_path / "table.csv"
    code, out, err = run("stability", file, "-f", "csv", "-o", target)
    assert (code, out) == (0, "")
    assert f"written to {target}" in err
    first = target.read_text(encoding="utf-8")
    assert first == run("stability", file, "-f", "csv")[1]
    code, out, err = run("stability", file, "-f", "json", "-o", target)
    assert (code, out) == (1, "")
    assert "is there already. Use --force" in err
    assert target.read_text(encoding="utf-8") == first
    assert run("stability", file, "-f", "json", "-o", target, "--force")[0] == 0
    assert json.loads(target.read_text(encoding="utf-8"))["runs"] == 4
    assert sorted(tmp_path.iterdir()) == [file, target]


WRONG_INPUT = [
    ("nope.csv", None, [], "no such file"),
    ("runs.txt", "a\n1\n", [], "ends in .csv, .tsv, .json, .parquet"),
    ("runs.csv", "a,b\n1,0\n1,2\n", [], "line 3: column 'b' must be 0 or 1"),
    ("runs.csv", "0,3\n0,2\n", [], "--layout lists"),
    ("runs.csv", "run,feature\np,a\n", [], "--n-features, --feature-names"),
    ("runs.csv", "a,b\n1,0\n", [], "at least 2 runs"),
    ("runs.csv", "a,b\n1,0\n1,1\n", ["-m", "kuncheva"], "one size"),
    ("runs.csv", "a,b\n1,0\n0,1\n", ["-m", "sechidis"], "similarity"),
    ("runs.csv", "a,b\n1,0\n0,1\n", ["-o", "no/folder.csv"], "no folder"),
    ("runs.csv", "a,b\n1,0\n0,1\n", ["-o", "/dev/null", "--force"], "not a file"),
    ("runs.csv", "a,b\n1,0\n0,1\n", ["--feature-names", "none.txt"], "none.txt: cannot be read"),
    ("runs.csv", "a,b\n1,0\n0,1\n", ["--data", "none.csv"], "none.csv: cannot be read"),
    ("runs.csv", "a,b\n1,0\n0,1\n", ["--data", "runs.csv", "--n-features", "3"], "n_features says"),
    ("runs.json", '{"subsets": [[0]],\n "n_features": }', [], "line 2: not JSON"),
]


@pytest.mark.parametrize(("name", "text", "options", "message"), WRONG_INPUT)
def test_input_that_cannot_be_used_ends_with_1(
    run, tmp_path, monkeypatch, name, text, options, message
):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / name).write_text(text)
    code, out, err = run("stability", name, *options)
    assert (code, out) == (1, "")
    assert message in err
    assert err.startswith("holdfast: ")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("c", "no column for 1 of the features, such as 'b'"),
        ("b", "line 2: column 'b' must hold numbers, got 'x'"),
    ],
)
def test_data_that_does_not_fit(run, tmp_path, column, message):
    choices, data = tmp_path / "runs.csv", tmp_path / "data.csv"
    choices.write_text("a,b\n1,0\n0,1\n")
    data.write_text(f"a,{column}\n1,x\n2,y\n")
    code, out, err = run("stability", choices, "--data", data)
    assert (code, out) == (1, "")
    assert message in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["stability"], "Missing argument"),
        (["stability", "runs.csv", "--bla"], "No such option: --bla"),
        (["stability", "runs.csv", "-f", "xml"], "'table', 'csv', 'json'"),
        (["stability", "runs.csv", "--layout", "wide"], "'lists'"),
        (["stability", "runs.csv", "--n-features", "x"], "--n-features"),
        (["stability", "runs.csv", "--n-features", "0"], "--n-features"),
        (["stability", "runs.csv", "--level", "95"], "between 0 and 1, such as 0.95; got 95"),
        (["stability", "runs.csv", "-m", "jacard"], "Did you mean 'jaccard'"),
        (["stability", "runs.csv", "-m", "zzz"], "`holdfast measures` lists them"),
        (["stabilty"], "No such command"),
    ],
)
def test_commands_that_are_wrong_end_with_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


@pytest.mark.filterwarnings("default::holdfast.exceptions.UndefinedStabilityWarning")
def test_a_convention_is_talked_about(run, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("a,b\n0,0\n0,0\n")
    code, out, err = run("stability", path, "-f", "json")
    assert code == 0
    assert json.loads(out)
    assert "note: All runs chose no feature" in err


@pytest.mark.parametrize("format", ["table", "csv", "json"])
def test_measures(run, format):
    code, out, _ = run("measures", "--format", format)
    assert code == 0
    keys = list(hf.stability.MEASURES)
    if format == "json":
        assert json.loads(out) == hf.stability.catalogue().to_dicts()
    elif format == "csv":
        assert [row["key"] for row in csv.DictReader(io.StringIO(out))] == keys
    else:
        assert [row.split()[0] for row in out.splitlines()[1:]] == keys


def test_version_and_help(run):
    assert run("--version") == (0, f"holdfast {hf.__version__}\n", "")
    assert "stability" in run("--help")[1]
    assert "--n-features" in run("stability", "--help")[1]
