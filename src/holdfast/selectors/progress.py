"""A line that shows how a search comes along, in a terminal or a notebook."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import Progress as RichProgress
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from holdfast.trace import Step


class Progress:
    """Show size, best score and evaluations; a search's end is not known, so no share is shown."""

    def __init__(self, title: str) -> None:
        columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
        self._bar = RichProgress(*columns, console=Console(stderr=True))
        self._title = title
        self._task = self._bar.add_task(title)
        self._best = float("-inf")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def __call__(self, step: Step) -> bool:
        """Update the line; never stops a search."""
        self._best = max(self._best, step.subset.value)
        self._bar.update(
            self._task,
            description=f"{self._title}: size {step.subset.size}, best {self._best:.4g}, "
            f"{step.evaluations} evaluations",
        )
        return False
