"""The command as a process: what a terminal, a pipe and a script see of it."""

import json
import os
import signal
import subprocess
import sys

import pytest

import holdfast as hf

pty = pytest.importorskip("pty", reason="this system has no such terminals")

COMMAND = [sys.executable, "-m", "holdfast"]


@pytest.fixture
def file(tmp_path):
    runs = hf.Selections.from_subsets([[0, 3], [0, 2], [0, 3], [1, 3]], 6)
    return str(hf.write_selections(runs, tmp_path / "runs.json"))


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    rows = [f"{i % 7},{i % 5},{i % 3},{i % 2},{'no' if i % 3 else 'yes'}" for i in range(60)]
    names = ",".join(f"a rather long name of feature {i}" for i in range(4))
    path.write_text("\n".join([f"{names},answer", *rows, ""]))
    return str(path)


def shown_in_terminal(arguments, columns):
    """What a terminal of so many columns gets to show on stdout."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "LINES": "50", "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=theirs, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        os.close(theirs)
        shown = read_to_the_end(ours)
    assert process.returncode == 0
    return shown


def read_to_the_end(terminal):
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how a terminal says that the other side has closed
            break
        if not part:
            break
        parts.append(part)
    os.close(terminal)
    return b"".join(parts).decode()


def plain(text):
    return text.replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\r\n", "\n")


@pytest.mark.parametrize("command", ["stability", "measures"])
def test_a_terminal_of_80_columns_shows_every_value(file, command):
    arguments = ["stability", file] if command == "stability" else ["measures"]
    shown = shown_in_terminal(arguments, 80)
    assert "\x1b[1m" in shown
    lines = plain(shown).splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)
    piped = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    # The same columns, as far as they fit.
    assert len(lines) == len(piped.splitlines())
    pairs = zip(lines, piped.splitlines(), strict=True)
    assert all(whole.startswith(line.rstrip()) for line, whole in pairs)


def test_a_wider_terminal_shows_titles(file):
    lines = plain(shown_in_terminal(["stability", file], 120)).splitlines()
    assert "title" in lines[0]
    assert max(map(len, lines)) <= 120


FILTER = ["--target", "answer", "--criterion", "mahalanobis", "--size", "3"]


def test_a_choice_wraps_in_a_terminal_and_nothing_of_it_is_lost(data):
    command = ["select", data, *FILTER]
    shown = plain(shown_in_terminal(command, 60))
    assert max(map(len, shown.splitlines())) <= 60
    piped = subprocess.run([*COMMAND, *command], capture_output=True, text=True, check=True)
    assert len(piped.stdout.splitlines()) == 2
    assert " ".join(shown.split()) == " ".join(piped.stdout.split())
    assert "3 of 4 features" in piped.stderr


def test_help_fits_a_terminal_of_80_columns():
    shown = plain(shown_in_terminal(["select", "--help"], 80))
    assert max(map(len, shown.splitlines())) <= 80
    assert "--max-evaluations N" in shown


def test_a_pipe_into_a_program(data):
    done = subprocess.run(
        [*COMMAND, "select", data, *FILTER, "--format", "json"], capture_output=True, check=True
    )
    assert json.loads(done.stdout.decode("utf-8"))["selected"] == [0, 1, 2]
    wrong = subprocess.run([*COMMAND, "select", data], capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.startswith("holdfast: ")
    assert wrong.stderr.count("\n") == 1


def test_ctrl_c_keeps_the_best_so_far():
    options = ["digits", "--search", "dos", "--progress", "--format", "json"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "select", *options], stdout=subprocess.PIPE, stderr=theirs, text=True
    ) as process:
        os.close(theirs)
        talk = ""
        while "best 0." not in talk:
            talk += os.read(ours, 1024).decode(errors="replace")
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=60)[0]
    talk += read_to_the_end(ours)
    assert process.returncode == 0
    assert json.loads(out)["stop_reason"] == "interrupted"
    assert "stopped early (interrupted)" in talk


def test_a_reader_who_leaves_ends_it_quietly(file):
    with subprocess.Popen(
        [*COMMAND, "stability", file, "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        process.stdout.close()
        talk = process.stderr.read()
    assert "Traceback" not in talk
    assert "Broken pipe" not in talk
    assert "Exception" not in talk


def test_a_pipe_gets_utf8_whatever_the_locale(file):
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment.pop("PYTHONIOENCODING", None)
    done = subprocess.run(
        [*COMMAND, "stability", file, "-f", "json"],
        capture_output=True,
        env=environment,
        check=True,
    )
    titles = [row["title"] for row in json.loads(done.stdout.decode("utf-8"))["measures"]]
    assert titles == hf.stability.table(hf.read_selections(file))["title"].to_list()


def test_python_m_holdfast():
    done = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"holdfast {hf.__version__}\n"
    done = subprocess.run([*COMMAND, "stability"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
