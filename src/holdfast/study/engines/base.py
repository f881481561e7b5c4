"""What an engine owes a study."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from holdfast.exceptions import refusal
from holdfast.study.records import Record, Task
from holdfast.study.work import Work


class Engine(ABC):
    """Turns tasks into a stream of records, in any order, each task once.

    A task that fails, hangs or takes its worker with it becomes a failed record; the others go on.
    """

    @abstractmethod
    def run(self, work: Work, tasks: Sequence[Task]) -> Generator[Record, None, None]:
        """Do the tasks; stop cleanly where the iterator is closed."""


def engine_of(wanted: Any, owner: str) -> Engine:
    """An engine from what users say: a number of processes, "dask", an address, or an engine."""
    from holdfast.study.engines.local import Processes, Serial

    if isinstance(wanted, Engine):
        return wanted
    whole = isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool)
    if wanted is None or (whole and wanted == 1):
        return Serial()
    if whole and wanted != 0:
        return Processes(int(wanted))
    if isinstance(wanted, str) and (wanted == "dask" or "://" in wanted):
        from holdfast.study.engines.cluster import Cluster

        return Cluster(None if wanted == "dask" else wanted)
    raise refusal(
        "engine",
        owner,
        "a number of processes, 'dask', the address of a Dask scheduler or an Engine",
        repr(wanted),
    )
