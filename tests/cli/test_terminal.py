"""The command as a process: what a terminal, a pipe and a script see of it."""

import json
import os
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


def shown_in_terminal(arguments, columns):
    """What a terminal of so many columns gets to show on stdout."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "LINES": "50", "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=theirs, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # how a terminal says that the other side has closed
                break
            if not part:
                break
            parts.append(part)
    os.close(ours)
    assert process.returncode == 0
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
