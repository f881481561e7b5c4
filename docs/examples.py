"""The examples of the README and the guide: checked by the tests, and the source of the pictures.

A page's blocks run in order, in one folder and with the names of the blocks before:

- ``python``: run as it is
- ``pycon``: run, and its output compared with what the page shows
- ``console``: the lines after ``$`` run in a shell, and their output compared

Run this file to make the pictures in ``docs/_static`` anew: what the examples save, and the demo's.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "_static"
PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md", *sorted(ROOT.glob("docs/guide/*.md"))]

FENCE = re.compile(r"^```(python|pycon|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class Block(NamedTuple):
    """One fenced block of a page, and the number of lines before its first."""

    kind: str
    code: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The blocks of a page that can be run, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(m[1], m[2], text.count("\n", 0, m.start(2))) for m in FENCE.finditer(text)]


def run(page: Path, folder: Path) -> None:
    """Run all blocks of a page in a folder; an AssertionError shows where output differs."""
    names: dict[str, Any] = {"__name__": "__page__"}
    with _inside(folder):
        for block in blocks(page):
            if block.kind == "python":
                # Empty lines before it make a traceback show the page's own line numbers.
                exec(compile("\n" * block.line + block.code, str(page), "exec"), names)
            elif block.kind == "pycon":
                _run_session(block, page, names)
            else:
                _run_shell(block, page)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _run_session(block: Block, page: Path, names: dict[str, Any]) -> None:
    parsed = doctest.DocTestParser().get_doctest(
        block.code, names, page.name, str(page), block.line
    )
    differences: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(parsed, out=differences.append, clear_globs=False)
    names.update(parsed.globs)
    if runner.failures:
        raise AssertionError("".join(differences))


def _run_shell(block: Block, page: Path) -> None:
    here = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": here + os.pathsep + os.environ["PATH"]}
    environment.pop("HOLDFAST_DATA", None)  # sets of one's own are on nobody else's page
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.code, re.MULTILINE):
        done = subprocess.run(
            command,
            shell=True,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        if not doctest.OutputChecker().check_output(shown, done.stdout, FLAGS):
            raise AssertionError(
                f"{page}, near line {block.line}: $ {command}\nshown:\n{shown}\ngot:\n{done.stdout}"
            )


def main() -> None:
    """Make every picture anew."""
    from holdfast import demo

    demo.picture(dict(demo.outcomes())).save(PICTURES / "demo.svg")
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            run(page, Path(folder))
            for picture in sorted(Path(folder).glob("*.svg")):
                shutil.copy(picture, PICTURES / picture.name)
                print(PICTURES / picture.name)


if __name__ == "__main__":
    main()
