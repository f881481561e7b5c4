"""`holdfast select`: each option changes what it should, each mistake is one line."""

import csv
import io
import json
import sys

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import dump_svmlight_file, load_wine
from sklearn.model_selection import StratifiedKFold

import holdfast as hf
from holdfast.cli import main
from holdfast.datasets import FOLDER

WINE = load_wine()
NAMES = [name.replace("/", " / ") for name in WINE.feature_names[:7]]
X, Y = WINE.data[:, :7], WINE.target
FOLDS = StratifiedKFold(10, shuffle=True, random_state=0)
KNN = {"cv": FOLDS, "scale": "range"}


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command; return exit code, stdout and stderr."""
    monkeypatch.delenv(FOLDER, raising=False)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["holdfast", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return run


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Seven columns of wine, and its class in the middle."""
    path = tmp_path_factory.mktemp("data") / "wine.csv"
    frame = pl.DataFrame(X, schema=NAMES).insert_column(3, pl.Series("class", WINE.target_names[Y]))
    frame.write_csv(path)
    return path


@pytest.fixture
def select(run, file):
    """Run `holdfast select` on that file and return what its JSON holds."""

    def select(*options):
        code, out, err = run("select", file, "-t", "class", "-f", "json", *options)
        assert code == 0, err
        return json.loads(out)

    return select


def fitted(selector):
    return selector.fit(X, Y)


def agrees(answer, selector):
    assert answer["selected"] == selector.get_support(indices=True).tolist()
    assert answer["score"] == selector.score_
    assert answer["evaluations"] == selector.evaluations_
    return True


def test_by_default_it_floats_forward_with_three_neighbours_in_ten_folds(select):
    answer = select()
    expected = fitted(hf.SequentialSelector(hf.criteria.KNN(3, **KNN), floating=True))
    assert agrees(answer, expected)
    assert answer["feature_names"] == NAMES
    assert answer["selected_names"] == [NAMES[f] for f in answer["selected"]]
    assert (answer["target"], answer["examples"], answer["n_features"]) == ("class", 178, 7)


SEARCHES = {
    "sfs": hf.SequentialSelector,
    "sbs": lambda c: hf.SequentialSelector(c, direction="backward"),
    "sffs": lambda c: hf.SequentialSelector(c, floating=True),
    "sfbs": lambda c: hf.SequentialSelector(c, floating=True, direction="backward"),
    "dos": hf.DynamicOscillatingSelector,
    "exhaustive": hf.ExhaustiveSelector,
    "os": lambda c: hf.OscillatingSelector(c, 3),
    "bif": lambda c: hf.IndividualSelector(c, 3),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search(select, name):
    size = ["--size", 3] if name in ("os", "bif") else []
    answer = select("--search", name, *size)
    assert agrees(answer, fitted(SEARCHES[name](hf.criteria.KNN(3, **KNN))))


CRITERIA = {
    "knn": lambda: hf.criteria.KNN(3, **KNN),
    "gaussian": lambda: hf.criteria.Gaussian(**KNN),
    "naive-bayes": lambda: hf.criteria.NaiveBayes(**KNN),
    "svm": lambda: hf.criteria.SVM(**KNN),
    "bhattacharyya": lambda: hf.criteria.Bhattacharyya(scale="range"),
    "divergence": lambda: hf.criteria.Divergence(scale="range"),
    "mahalanobis": lambda: hf.criteria.Mahalanobis(scale="range"),
}


@pytest.mark.parametrize("name", CRITERIA)
def test_every_criterion(select, name):
    answer = select("-c", name, "-s", "sfs", "--size", 3)
    expected = hf.SequentialSelector(CRITERIA[name](), n_features_to_select=3)
    assert agrees(answer, fitted(expected))


def knn(k=3, **changes):
    return hf.criteria.KNN(k, **{**KNN, **changes})


OPTIONS = [
    (["--k", 7], hf.SequentialSelector(knn(7), floating=True)),
    (["--cv", 4], hf.SequentialSelector(knn(cv=StratifiedKFold(4, shuffle=True, random_state=0)))),
    (
        ["--seed", 5],
        hf.SequentialSelector(knn(cv=StratifiedKFold(10, shuffle=True, random_state=5))),
    ),
    (["--scale", "standard"], hf.SequentialSelector(knn(scale="standard"))),
    (["--scale", "none"], hf.SequentialSelector(knn(scale=None))),
    (
        ["-c", "svm", "--C", 0.1, "--kernel", "linear"],
        hf.SequentialSelector(hf.criteria.SVM("linear", C=0.1, **KNN)),
    ),
    (["--k", 1, "--k", 9], hf.SequentialSelector(hf.criteria.Vote([knn(1), knn(9)]))),
    (
        ["-c", "knn", "-c", "naive-bayes", "--vote", "weight"],
        hf.SequentialSelector(
            hf.criteria.Vote([knn(), hf.criteria.NaiveBayes(**KNN)], by="weight")
        ),
    ),
    (
        ["--filter", "mahalanobis", "--share", 0.4],
        hf.SequentialSelector(
            hf.criteria.Hybrid(hf.criteria.Mahalanobis(scale="range"), knn(), 0.4)
        ),
    ),
    (["--size", 2], hf.SequentialSelector(knn(), n_features_to_select=2)),
    (["--size", 0.5], hf.SequentialSelector(knn(), n_features_to_select=0.5)),
    (["--size", "2:3"], hf.SequentialSelector(knn(), n_features_to_select=(2, 3))),
    (
        ["--size", "one-standard-error"],
        hf.SequentialSelector(knn(), n_features_to_select="one_standard_error"),
    ),
    (
        ["-s", "os", "--size", 3, "--swing", 1],
        hf.OscillatingSelector(knn(), 3, swing=1),
    ),
    (
        ["-s", "os", "--size", 3, "--init", "random", "--seed", 0],
        hf.OscillatingSelector(knn(), 3, init="random", random_state=0),
    ),
    (
        ["--init", NAMES[2], "--init", NAMES[4]],
        hf.SequentialSelector(knn(), init=[2, 4]),
    ),
    (
        ["-s", "sffs", "--size", 2, "--overshoot", 1],
        hf.SequentialSelector(knn(), floating=True, n_features_to_select=2, overshoot=1),
    ),
    (["--tuple-size", 2], hf.SequentialSelector(knn(), tuple_size=2)),
    (["--tolerance", 0.05], hf.SequentialSelector(knn(), tolerance=0.05)),
    (
        ["--tolerance", 0.1, "--cost", f"{NAMES[0]}=9", "--cost", f"{NAMES[6]}=0.5"],
        hf.SequentialSelector(knn(), tolerance=0.1, prefer=[9, 1, 1, 1, 1, 1, 0.5]),
    ),
    (["--include", NAMES[2]], hf.SequentialSelector(knn(), include=[2])),
    (
        ["--block", f"{NAMES[0]}, {NAMES[1]}", "--block", f"{NAMES[3]},{NAMES[4]}"],
        hf.SequentialSelector(knn(), feature_groups=[[0, 1], [3, 4]]),
    ),
    (["-j", 2], hf.SequentialSelector(knn())),
]


@pytest.mark.parametrize(("options", "selector"), OPTIONS, ids=lambda o: str(o)[:40])
def test_each_option_is_the_parameter_it_stands_for(select, options, selector):
    search = [] if "-s" in options or selector.get_params().get("floating") else ["-s", "sfs"]
    assert agrees(select(*search, *options), fitted(selector))


def test_what_is_excluded_is_not_looked_at(run, tmp_path):
    path = tmp_path / "mixed.csv"
    frame = pl.DataFrame(X, schema=NAMES).with_columns(
        name=pl.Series([f"bottle {i}" for i in range(178)]), hole=pl.lit(None), y=pl.Series(Y)
    )
    frame.write_csv(path)
    code, out, err = run("select", path, "-t", "y", "-f", "json")
    assert (code, out) == (1, "")
    assert "Column 'name' does not hold numbers, such as 'bottle 0' in row 1" in err
    excluded = ["--exclude", "name", "--exclude", "hole", "--exclude", NAMES[0]]
    code, out, err = run("select", path, "-t", "y", "-f", "json", "-s", "sfs", *excluded)
    assert code == 0
    expected = hf.SequentialSelector(knn()).fit(X[:, 1:], Y)
    assert agrees(json.loads(out), expected)
    assert json.loads(out)["feature_names"] == NAMES[1:]


@pytest.mark.filterwarnings("default::holdfast.exceptions.SearchStoppedWarning")
@pytest.mark.parametrize(
    ("options", "reason"),
    [(["--max-evaluations", 9], "max_evaluations"), (["--max-seconds", 1e-9], "max_seconds")],
)
def test_a_search_that_stops_early_keeps_the_best_and_says_so(run, file, options, reason):
    code, out, err = run("select", file, "-t", "class", "-f", "json", *options)
    if reason == "max_seconds" and code == 1:
        assert "could not score a single subset (stopped: max_seconds)" in err
        return
    assert code == 0
    assert json.loads(out)["stop_reason"] == reason
    assert sum(json.loads(out)["evaluations"].values()) <= 9
    assert f"note: SequentialSelector stopped early ({reason})" in err


@pytest.mark.filterwarnings("default::holdfast.exceptions.SearchStoppedWarning")
def test_a_search_stopped_before_the_size_asked_for_prints_what_it_has(run, file):
    code, out, err = run("select", file, "-t", "class", "--size", 6, "--max-evaluations", 9)
    assert code == 0
    assert out.splitlines()[1].split()[0] == "2"
    assert "none of the size asked for was reached" in err


def test_several_tolerances_are_lines_of_one_search(run, select, file):
    tolerances = [0.2, 0.0, 0.05]
    options = [str(word) for t in tolerances for word in ("--tolerance", t)]
    answer = select("-s", "sfs", *options)
    expected = fitted(hf.SequentialSelector(knn(), tolerance=tolerances))
    assert answer["choices"] == expected.choices_.to_dicts()
    assert len({choice["size"] for choice in answer["choices"]}) == 3
    _, out, _ = run("select", file, "-t", "class", "-s", "sfs", *options)
    header, *lines = out.splitlines()
    assert header.split() == ["tolerance", "size", "score", "features"]
    for line, choice in zip(lines, answer["choices"], strict=True):
        tolerance, size, score, features = line.split(maxsplit=3)
        assert (float(tolerance), int(size)) == (choice["tolerance"], choice["size"])
        assert score == f"{choice['score']:.4f}"
        assert features == ", ".join(NAMES[f] for f in choice["features"])
    _, out, _ = run("select", file, "-t", "class", "-s", "sfs", *options, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["feature"] for row in rows] == [
        NAMES[f] for choice in answer["choices"] for f in choice["features"]
    ]


@pytest.mark.parametrize("format", ["table", "csv"])
def test_one_standard_error_prints_what_it_chose(run, select, file, format):
    rule = ["--size", "one-standard-error"]
    chosen = select(*rule)["selected_names"]
    assert chosen != select()["selected_names"]
    _, out, _ = run("select", file, "-t", "class", "-f", format, *rule)
    if format == "csv":
        assert [row["feature"] for row in csv.DictReader(io.StringIO(out))] == chosen
    else:
        assert out.splitlines()[1].split(maxsplit=2)[2] == ", ".join(chosen)


def written(tmp_path, suffix):
    """The same seven columns in another format, and the options it needs."""
    path = tmp_path / f"wine{suffix}"
    frame = pl.DataFrame(X, schema=NAMES).with_columns(y=pl.Series(Y))
    if suffix == ".npz":
        np.savez(path, X=X, y=Y, feature_names=np.array(NAMES))
        return path, []
    if suffix == ".libsvm":
        dump_svmlight_file(X, Y, str(path))
        return path, []
    if suffix == ".parquet":
        frame.write_parquet(path)
    elif suffix == ".arff":
        lines = [f"@attribute '{name}' numeric" for name in NAMES] + ["@attribute y {0,1,2}"]
        rows = [",".join(map(repr, row)) + f",{y}" for row, y in zip(X.tolist(), Y, strict=True)]
        path.write_text("\n".join(["@relation wine", *lines, "@data", *rows]))
    else:
        frame.write_csv(path, separator="\t" if suffix == ".tsv" else ",")
    return path, ["-t", "y"]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arff", ".libsvm", ".npz"])
def test_every_format_gives_the_same_answer(run, select, tmp_path, suffix):
    path, target = written(tmp_path, suffix)
    code, out, err = run("select", path, *target, "-f", "json")
    assert code == 0, err
    expected, answer = select(), json.loads(out)
    assert answer["selected"] == expected["selected"]
    assert answer["score"] == expected["score"]
    names = [f"x{f}" for f in range(7)] if suffix == ".libsvm" else NAMES
    assert answer["feature_names"] == names


def test_features_without_names_are_counted_before_any_is_excluded(run, tmp_path):
    path, _ = written(tmp_path, ".libsvm")
    excluded = ["--exclude", "x0", "--include", "x6"]
    _, out, _ = run("select", path, "-f", "json", *excluded)
    assert "x6" in json.loads(out)["selected_names"]
    assert json.loads(out)["feature_names"] == [f"x{f}" for f in range(1, 7)]


def test_a_set_by_name(run):
    code, out, err = run("select", "iris", "-f", "json")
    assert code == 0
    assert json.loads(out)["feature_names"][0] == "sepal length (cm)"
    code, out, err = run("select", "irs")
    assert (code, out) == (1, "")
    assert "no such file, and no data set of that name" in err
    code, out, err = run("select", "iris", "-t", "species")
    assert (code, out) == (1, "")
    assert "'iris' has its own target" in err


def test_costs_from_a_file_and_from_the_command_line(select, tmp_path):
    costs = tmp_path / "costs.csv"
    prices = [2.0, 1, 8, 1, 4, 3, 0.5]
    lines = [f'"{name}",{price}' for name, price in zip(NAMES, prices, strict=True)]
    costs.write_text("\n".join(["feature,cost", *lines[::-1], ""]))
    options = ["-s", "sfs", "--tolerance", 0.1]
    by_file = select(*options, "--costs", costs)
    expected = hf.SequentialSelector(knn(), tolerance=0.1, prefer=prices)
    assert agrees(by_file, fitted(expected))
    assert by_file["parameters"]["prefer"] == prices
    changed = select(*options, "--costs", costs, "--cost", f"{NAMES[2]}=0")
    assert changed["parameters"]["prefer"] == [2.0, 1, 0, 1, 4, 3, 0.5]
    without = select(*options, "--costs", costs, "--exclude", NAMES[2])
    assert without["parameters"]["prefer"] == [2.0, 1, 1, 4, 3, 0.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,price\n", "line 1: the header of costs must be feature,cost"),
        ("", "line 1: the header of costs"),
        ("feature,cost\na,1\n", "no cost for 'b'"),
        ("feature,cost\na,1\nb,2\nc,3\n", "no feature 'c' in the data"),
        ("feature,cost\na,1\nb,much\n", "line 3: a cost must be a finite number >= 0, got 'much'"),
        ("feature,cost\na,-1\n", "line 2: a cost must be"),
        ("feature,cost\na,1,2\n", "line 2: 3 cells"),
        ("feature,cost\na,1\na,1\n", "line 3: feature 'a' twice"),
        (None, "costs.csv: cannot be read"),
    ],
)
def test_costs_that_do_not_fit(run, tmp_path, text, message):
    data, costs = tmp_path / "data.csv", tmp_path / "costs.csv"
    data.write_text("a,b,y\n1,2,p\n2,1,q\n")
    if text is not None:
        costs.write_text(text)
    code, out, err = run("select", data, "-t", "y", "--costs", costs)
    assert (code, out) == (1, "")
    assert message in err
    assert err.count("\n") == 1


def test_output_is_written_whole_and_replaced_when_forced(run, file, tmp_path):
    target = tmp_path / "chosen.json"
    options = ["select", file, "-t", "class", "-s", "sfs", "-o", target, "-f"]
    code, out, err = run(*options, "json")
    assert (code, out) == (0, "")
    assert f"written to {target}" in err
    first = target.read_text()
    code, out, err = run(*options, "csv")
    assert (code, out) == (1, "")
    assert "is there already. Use --force" in err
    assert target.read_text() == first
    assert run(*options, "csv", "--force")[0] == 0
    assert target.read_text().startswith("tolerance,size,score,feature\n")


def test_the_same_seed_gives_the_same_answer_and_threads_change_nothing(select):
    def answer(*options):
        found = select("-s", "dos", "--swing", 3, *options)
        for row in found["history"]:
            del row["seconds"]
        del found["parameters"]
        return found

    first = answer("--seed", 3)
    assert answer("--seed", 3) == first
    assert answer("--seed", 3, "--jobs", 2) == first
    assert answer("--seed", 4)["history"] != first["history"]


def test_progress_talks_on_stderr(run, file):
    quiet = run("select", file, "-t", "class")
    code, out, err = run("select", file, "-t", "class", "--progress")
    assert code == 0
    assert out == quiet[1]
    assert "evaluations" in err
    assert "evaluations" not in quiet[2]


IDLE = [
    (["-c", "gaussian", "--k", 3], "'--k'", "knn"),
    (["--kernel", "rbf"], "'--kernel'", "svm"),
    (["--C", 2], "'--C'", "svm"),
    (["-c", "divergence", "--cv", 5], "'--cv'", "folds"),
    (["--vote", "weight"], "'--vote'", "several criteria"),
    (["--share", 0.5], "'--share'", "--filter"),
    (["--swing", 5], "'--swing'", "os or dos"),
    (["-s", "sfs", "--overshoot", 1], "'--overshoot'", "sffs or sfbs"),
    (["-s", "exhaustive", "--tuple-size", 2], "'--tuple-size'", "step by step"),
    (["-s", "bif", "--init", "a"], "'--init'", "step by step"),
    (["-s", "bif", "--tolerance", 0.1], "'--tolerance'", "several sizes"),
    (["-s", "bif", "--cost", "a=1"], "'--cost'", "several sizes"),
    (["--size", "one-standard-error", "--tolerance", 0.1], "'--tolerance'", "no other rule"),
]


@pytest.mark.parametrize(("options", "option", "need"), IDLE, ids=lambda o: str(o)[:30])
def test_an_option_that_would_change_nothing_is_refused(run, file, options, option, need):
    code, out, err = run("select", file, "-t", "class", *options)
    assert (code, out) == (2, "")
    said = " ".join(err.split())
    assert f"Invalid value for {option}: would change nothing: it needs" in said
    assert need in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["select"], "Missing argument"),
        (["select", "x.csv", "--search", "best"], "'exhaustive'"),
        (["select", "x.csv", "-c", "knm"], "'naive-bayes'"),
        (["select", "x.csv", "--size", "few"], "a number, a share such as 0.5, LOW:HIGH"),
        (["select", "x.csv", "--size", "1:x"], "LOW:HIGH"),
        (["select", "x.csv", "--cv", "1"], "--cv"),
        (["select", "x.csv", "--k", "0"], "--k"),
        (["select", "x.csv", "--jobs", "0"], "--jobs"),
        (["select", "x.csv", "--tolerance", "2"], "--tolerance"),
        (["select", "x.csv", "--max-evaluations", "0"], "--max-evaluations"),
        (["select", "x.csv", "--bla"], "No such option"),
    ],
)
def test_commands_that_are_wrong_end_with_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


GOOD = "a,b,y\n" + "1,2,p\n2,1,q\n3,5,p\n5,4,q\n" * 5
WRONG_INPUT = [
    (None, [], "there is no such file"),
    (GOOD, ["-t", "z"], "no column 'z'"),
    ("a,b,y\n1,2\n", [], "line 2: 2 cells where the header has 3"),
    (GOOD + "1,,p\n", [], "Column 'b' must hold finite numbers. Row 21 has a missing value"),
    (
        GOOD + "1,inf,p\n,2,q\n",
        [],
        "Columns 'a', 'b' must hold finite numbers. Row 21 has the value inf",
    ),
    (GOOD + "1,NA,p\n", [], "Column 'b' does not hold numbers, such as 'NA' in row 21"),
    (GOOD + "1,2,\n", [], "target 'y' is missing in row 21"),
    ("a,b,y\n" + "1,2,p\n" * 20, [], "at least 2 classes"),
    ("a,b,y\n" + "1,2,0.5\n2,1,1.5\n" * 20, [], "regression"),
    (GOOD + "1,2,rare\n", [], "10 folds, but class 'rare' has 1 examples. Leave that class out"),
    (GOOD, ["--cv", "11"], "Use --cv 10 or less"),
    (GOOD, ["--include", "c"], "No feature 'c'. The features are a, b"),
    (GOOD, ["--exclude", "c"], "No feature 'c'"),
    (GOOD, ["--exclude", "a", "--exclude", "b"], "No feature is left"),
    (GOOD, ["--exclude", "a", "--include", "a"], "No feature 'a'. The features are b"),
    (GOOD, ["--block", "a,c"], "No feature 'c'"),
    (GOOD, ["--block", "a,b", "--block", "b"], "share no feature"),
    (GOOD, ["--cost", "a"], "--cost must be NAME=COST"),
    (GOOD, ["--cost", "c=1"], "no feature 'c'"),
    (GOOD, ["--cost", "a=-1"], "finite number >= 0"),
    (GOOD, ["--size", "3"], "from 1 to 2"),
    (GOOD, ["-c", "svm", "--C", "0"], "'C' parameter"),
    (GOOD, ["--k", "50"], "'n_neighbors' parameter"),
    (GOOD, ["-s", "os"], "one size"),
    (GOOD, ["-o", "no/folder.csv"], "no folder"),
]


@pytest.mark.parametrize(("text", "options", "message"), WRONG_INPUT)
def test_input_that_cannot_be_used_ends_with_1_and_one_line(
    run, tmp_path, monkeypatch, text, options, message
):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "data.csv").write_text(text)
    target = [] if "-t" in options else ["-t", "y"]
    code, out, err = run("select", "data.csv", *target, *options)
    assert (code, out) == (1, "")
    assert message in err
    assert err.startswith("holdfast: ")
    assert err.count("\n") == 1


def test_columns_of_truth_values_are_numbers(run, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,y\n" + "true,2,p\nfalse,1,q\n" * 10)
    code, out, err = run("select", path, "-t", "y", "-f", "json")
    assert code == 0, err
    assert json.loads(out)["score"] == 1
