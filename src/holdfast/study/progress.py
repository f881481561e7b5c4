"""A bar with the time that is left."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from holdfast.study.records import Record


class Bar:
    """Shows how many tasks of a study are done, how many failed, and the time left."""

    def __init__(self, title: str) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._title = title
        self._failed = 0
        self._task = self._bar.add_task(title, total=None)
        self._bar.start()

    def __call__(self, n_done: int, total: int, record: Record | None) -> None:
        """Move the bar."""
        if record is not None and record.status == "failed":
            self._failed += 1
        failed = f" ({self._failed} failed)" if self._failed else ""
        self._bar.update(
            self._task, completed=n_done, total=total, description=f"{self._title}{failed}"
        )

    def close(self) -> None:
        """Leave the bar as it is."""
        self._bar.stop()
