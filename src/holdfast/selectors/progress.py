"""A line that shows how a search comes along, in a terminal or a notebook."""

from __future__ import annotations

from importlib import import_module
from time import perf_counter
from types import TracebackType
from typing import Any, Protocol

from rich.console import Console
from rich.progress import Progress as RichProgress
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from holdfast.trace import Step

# A notebook is not written to more often than this.
NOTEBOOK_SECONDS = 0.2


class Line(Protocol):
    """One line of text that changes in place."""

    def start(self) -> None:
        """Begin to show it."""

    def show(self, text: str) -> None:
        """Change what it says."""

    def stop(self) -> None:
        """Leave it as it is."""


class Progress:
    """Show size, best score and evaluations; a search's end is not known, so no share is shown.

    Where stderr is neither a terminal nor a notebook, the last state is written once, at the end.
    """

    def __init__(self, title: str) -> None:
        console = Console(stderr=True)
        self._line: Line = NotebookLine() if console.is_jupyter else TerminalLine(console)
        self._title = title
        self._best = float("-inf")

    def __enter__(self) -> Progress:
        self._line.start()
        self._line.show(self._title)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._line.stop()

    def __call__(self, step: Step) -> bool:
        """Update the line; never stops a search."""
        self._best = max(self._best, step.subset.value)
        self._line.show(
            f"{self._title}: size {step.subset.size}, best {self._best:.4g}, "
            f"{step.evaluations} evaluations"
        )
        return False


class TerminalLine:
    """A spinner, the text, and the time so far."""

    def __init__(self, console: Console) -> None:
        text = TextColumn("{task.description}", markup=False)
        self._bar = RichProgress(SpinnerColumn(), text, TimeElapsedColumn(), console=console)
        self._task = self._bar.add_task("")

    def start(self) -> None:
        """Begin to show it."""
        self._bar.start()

    def show(self, text: str) -> None:
        """Change what it says."""
        self._bar.update(self._task, description=text)

    def stop(self) -> None:
        """Leave it as it is."""
        self._bar.stop()


class NotebookLine:
    """An output of the cell, changed in place; rich would need ipywidgets for that."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._text = ""
        self._began = self._shown = perf_counter()

    def start(self) -> None:
        """Begin to show it."""
        display = import_module("IPython.display").display
        self._handle = display(self._bundle(), raw=True, display_id=True)

    def show(self, text: str) -> None:
        """Change what it says."""
        self._text = text
        if perf_counter() - self._shown >= NOTEBOOK_SECONDS:
            self._update()

    def stop(self) -> None:
        """Leave it as it is, with the last that was to be said."""
        self._update()

    def _update(self) -> None:
        self._shown = perf_counter()
        self._handle.update(self._bundle(), raw=True)

    def _bundle(self) -> dict[str, str]:
        return {"text/plain": f"{self._text} ({perf_counter() - self._began:.0f} s)"}
