"""The line that shows how a search comes along: terminal, plain file, notebook."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
import rich.console

from holdfast import SequentialSelector
from holdfast.criteria import KNN, Mahalanobis
from holdfast.selectors import progress
from tests.selectors.cases import SELECTORS, wine


class Notebook:
    """Stands in for a front end: keeps what is displayed."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def display(self, bundle: dict[str, str], raw: bool, display_id: bool) -> Notebook:
        assert raw
        assert display_id
        self.shown.append(bundle["text/plain"])
        return self

    def update(self, bundle: dict[str, str], raw: bool) -> None:
        assert raw
        self.shown.append(bundle["text/plain"])


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    front_end = Notebook()
    module = ModuleType("IPython.display")
    module.display = front_end.display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(rich.console, "_is_jupyter", lambda: True)
    return front_end


@pytest.mark.parametrize("name", SELECTORS)
def test_nothing_is_said_unless_asked(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    SELECTORS[name](Mahalanobis()).fit(*wine())
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", SELECTORS)
def test_a_file_gets_the_last_state(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    selector = SELECTORS[name](KNN(1, cv=3), verbose=1).fit(*wine())
    out, err = capfd.readouterr()
    assert out == ""
    # Lines are broken where the file is narrow.
    told = " ".join(err.split())
    assert type(selector).__name__ in told
    assert f"{selector.history_['evaluations'][-1]} evaluations" in told
    assert err.count("best") == 1


def test_a_terminal_gets_a_line_that_changes(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    SequentialSelector(KNN(1, cv=3), verbose=True).fit(*wine())
    err = capfd.readouterr().err
    assert "\x1b[" in err
    # The cursor was hidden, and is back.
    assert err.count("\x1b[?25l") == err.count("\x1b[?25h") == 1


def test_a_notebook_gets_a_line_that_changes(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "NOTEBOOK_SECONDS", 0.0)
    selector = SequentialSelector(KNN(1, cv=3), verbose=1).fit(*wine())
    assert len(notebook.shown) > selector.history_.height
    assert f"size 6, best {max(selector.history_['score']):.4g}" in notebook.shown[-1]
    assert capfd.readouterr() == ("", "")


def test_a_notebook_is_not_flooded(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "NOTEBOOK_SECONDS", 60.0)
    SequentialSelector(KNN(1, cv=3), verbose=1).fit(*wine())
    # What it began with, and the end.
    assert len(notebook.shown) == 2
    assert "size 6" in notebook.shown[-1]


@pytest.mark.parametrize("where", ["file", "notebook"])
def test_the_line_is_left_in_order_when_a_search_fails(
    where: str, request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]
) -> None:
    if where == "notebook":
        request.getfixturevalue("notebook")

    def fail(step: Any) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        SequentialSelector(Mahalanobis(), verbose=1, callback=fail).fit(*wine())
    assert ("SequentialSelector" in capfd.readouterr().err) == (where == "file")
