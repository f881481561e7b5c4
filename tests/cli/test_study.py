import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sklearn.datasets import load_wine

from holdfast.cli import main
from holdfast.study.results import Results

TEXT = """
[data]
file = "wine.csv"
target = "target"
[protocol]
repetitions = 4
[selectors.F]
type = "SelectKBest"
k = 3
[selectors.tree]
type = "SelectFromModel"
estimator = {type = "DecisionTreeClassifier"}
"""


@pytest.fixture
def file(tmp_path):
    load_wine(as_frame=True).frame.to_csv(tmp_path / "wine.csv", index=False)
    (tmp_path / "wine.toml").write_text(TEXT)
    return tmp_path / "wine.toml"


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command; return exit code, stdout and stderr."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["holdfast", "study", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return run


def test_run_status_resume(run, file):
    code, out, err = run("run", file)
    assert code == 0
    assert out.splitlines()[0].split()[:3] == ["selector", "cut_at", "accuracy"]
    assert "8 tasks, subsampling" in err
    assert "most stable" in err or "significantly less" in err
    code, out, _ = run("status", file, "--format", "csv")
    assert (code, out.splitlines()) == (
        0, ["selector,planned,done,failed,first failure", "F,4,4,0,", "tree,4,4,0,"],
    )  # fmt: skip
    file.write_text(TEXT.replace("repetitions = 4", "repetitions = 6"))
    code, _, err = run("resume", file, "--engine", "1")
    assert code == 0
    code, out, _ = run("status", file.with_suffix(".sqlite"), "--format", "json")
    assert [row["done"] for row in json.loads(out)] == [6, 6]


def test_progress_goes_to_stderr(run, file):
    _, out, err = run("run", file)
    assert "8/8" in err
    assert "left" in err
    assert "8/8" not in out
    _, _, err = run("resume", file, "--quiet")
    assert "8/8" not in err


def test_failures_can_be_retried_and_are_logged(run, file, tmp_path):
    log = tmp_path / "log.txt"
    file.write_text(TEXT.replace("k = 3", 'k = "three"'))
    code, _, err = run("run", file, "--log", log)
    assert code == 0
    assert "4 tasks failed, the first because: InvalidParameterError" in err
    assert "resume --retry-failed" in err
    text = log.read_text()
    assert "INFO" in text
    assert "8 of 8 tasks to do" in text
    assert text.count("WARNING F, repetition") == 4
    run("resume", file, "--log", log)
    assert log.read_text().count("WARNING") == 4
    assert "0 of 8 tasks to do" in log.read_text()
    run("resume", file, "--retry-failed", "--log", log)
    assert log.read_text().count("WARNING") == 8


def test_without_models_stability_alone(run, file):
    file.write_text(TEXT + "[models]\n")
    code, out, _ = run("run", file, "-q")
    assert code == 0
    assert "nogueira2018" in out


def test_mistakes_end_with_1_and_say_what_to_do(run, file, tmp_path):
    for arguments, said in [
        (("run", tmp_path / "none.toml"), "cannot be read"),
        (("resume", file), "Begin with `holdfast study run"),
        (("status", file), "there is no such study"),
        (("status", tmp_path / "none.sqlite"), "there is no such study"),
        (("run", file, "--engine", "many"), "a number of processes, 'dask'"),
        (("run", file, "--engine", "0"), "a number of processes"),
        (("run", file, "--log", tmp_path / "no" / "log"), "cannot be written"),
    ]:
        code, out, err = run(*arguments)
        assert (code, out) == (1, ""), (arguments, code, err)
        assert said in " ".join(err.split()), (arguments, err)
        assert "Traceback" not in err
    assert run("run", file, "--engin", "1")[0] == 2
    file.write_text(TEXT.replace("SelectKBest", "SelectKBst"))
    code, _, err = run("run", file)
    assert code == 1
    assert "line 8: there is no type 'SelectKBst'; did you mean 'SelectKBest'?" in err


def test_changed_data_are_refused(run, file):
    run("run", file, "-q")
    table = file.with_name("wine.csv")
    table.write_text(table.read_text().replace("14.23,", "14.24,", 1))
    code, _, err = run("resume", file)
    assert code == 1
    assert "other values in column 'alcohol'" in " ".join(err.split())


def test_damaged(run, file):
    run("run", file, "-q")
    store = file.with_suffix(".sqlite")
    content = bytearray(store.read_bytes())
    content[8000:9000] = bytes(1000)
    store.write_bytes(content)
    code, out, err = run("status", file)
    assert (code, out) == (1, "")
    assert "damaged" in err
    assert "Traceback" not in err


def started(*arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-m", "holdfast", "study", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, start_new_session=True,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_piped_and_stopped_by_the_keyboard(file, run):
    file.write_text(TEXT.replace("repetitions = 4", "repetitions = 3000"))
    going = started("run", file)
    store = file.with_suffix(".sqlite")
    for _ in range(600):
        if store.exists() and store.with_name(store.name + "-wal").exists():
            break
        time.sleep(0.05)
    time.sleep(1.0)
    os.killpg(going.pid, signal.SIGINT)
    out, err = going.communicate(timeout=60)
    assert going.returncode == 130
    assert out == b""
    assert b"what is done is kept. Go on with" in err
    assert b"Traceback" not in err
    assert len(Results.read(store).records) > 0
    code, out, _ = run("status", store)
    assert code == 0
    assert "3000" in out
