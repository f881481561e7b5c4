"""The process that runs the study, or processes beside it on the same machine."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import joblib
from joblib import (
    Parallel,
    delayed,
    effective_n_jobs,
    parallel_config,
    wrap_non_picklable_objects,
)
from threadpoolctl import ThreadpoolController

from holdfast.study.engines.base import Engine
from holdfast.study.limits import end_this_process, limited
from holdfast.study.protocols import plain
from holdfast.study.records import Record, Task
from holdfast.study.work import Work, done, failed

# Tasks travel in parcels that take about this long, so that sending them costs next to nothing.
PARCEL_SECONDS = 0.2
LARGEST_PARCEL = 500


class Serial(Engine):
    """One task after another in this process, with one thread, as in every other engine.

    Small matrices gain nothing from threads that wait for each other, and sums over another number
    of threads may end in other digits.
    """

    def run(self, work: Work, tasks: Sequence[Task]) -> Generator[Record, None, None]:
        """Do the tasks in order."""
        threads = ThreadpoolController()
        for task in tasks:
            with threads.limit(limits=1):
                record = within_limit(work, task)
            yield record


class Processes(Engine):
    """Processes of joblib's loky, each with one thread; the data are mapped, not copied.

    Parameters
    ----------
    n_workers : int
        How many; -1 for one a core.
    """

    def __init__(self, n_workers: int = -1) -> None:
        self.n_workers = effective_n_jobs(n_workers)

    def run(self, work: Work, tasks: Sequence[Task]) -> Generator[Record, None, None]:
        """Do the tasks in parcels; one that takes its worker with it is found and set aside."""
        left = {task.key: task for task in tasks}
        with tempfile.TemporaryDirectory(prefix="holdfast-") as folder:
            _leave_in(folder, work)
            while left:
                try:
                    for record in self._parcels(folder, list(left.values())):
                        del left[record.key]
                        yield record
                except BrokenProcessPool:
                    suspects = [left[key] for key in _begun(folder) if key in left]
                    # None: a worker ended before it began, perhaps for want of memory.
                    for task in suspects or list(left.values())[:1]:
                        record = self._alone(work, folder, task)
                        del left[task.key]
                        yield record

    def _parcels(self, folder: str, tasks: Sequence[Task]) -> Iterator[Record]:
        pace = _Pace()
        parcels = (delayed(_parcel_done)(folder, parcel) for parcel in pace.parcels(tasks))
        with parallel_config(backend="loky", inner_max_num_threads=1):
            answers = Parallel(self.n_workers, return_as="generator_unordered", batch_size=1)(
                parcels
            )
        for records, seconds in answers:
            pace.heard(len(records), seconds)
            yield from records

    def _alone(self, work: Work, folder: str, task: Task) -> Record:
        """Do a task with nothing beside it, so that it is known who broke what."""
        began = time.perf_counter()
        try:
            # Two workers asked for, since joblib would do one worker's tasks in this process.
            with parallel_config(backend="loky", inner_max_num_threads=1):
                records, _ = Parallel(2)([delayed(_parcel_done)(folder, [task])])[0]
        except BrokenProcessPool as broken:
            seconds = time.perf_counter() - began
            reason = str(broken).partition("\n")[0]
            if work.time_limit is not None and seconds > work.time_limit:
                reason = f"it took longer than the time limit of {work.time_limit:g} s"
            return failed(task, work.draws[task.draw], f"its worker ended: {reason}", seconds)
        record: Record = records[0]
        return record


class _Pace:
    """How many tasks to send at once, from how long the last ones took."""

    def __init__(self) -> None:
        self._size = 1

    def parcels(self, tasks: Sequence[Task]) -> Iterator[list[Task]]:
        place = 0
        while place < len(tasks):
            size = self._size  # it may be another when the next parcel is asked for
            yield list(tasks[place : place + size])
            place += size

    def heard(self, n_tasks: int, seconds: float) -> None:
        fitting = int(PARCEL_SECONDS * n_tasks / max(seconds, 1e-9))
        # No more than twice the last, lest one quick task makes a parcel of slow ones.
        self._size = max(1, min(fitting, 2 * self._size, LARGEST_PARCEL))


def within_limit(work: Work, task: Task, worker: bool = False) -> Record:
    """Do a task within the time limit."""
    began = time.perf_counter()
    try:
        with limited(work.time_limit, end_this_process if worker else None):
            return done(work, task)
    except TimeoutError as error:
        return failed(task, work.draws[task.draw], str(error), time.perf_counter() - began)


def _parcel_done(folder: str, tasks: Sequence[Task]) -> tuple[list[Record], float]:
    began = time.perf_counter()
    work = _work_in(folder)
    note = Path(folder) / f"begun-{os.getpid()}"
    records = []
    with note.open("wb", buffering=0) as told:
        for task in tasks:
            # If this process goes down, the note tells what it was doing.
            told.seek(0)
            told.write(task.key.encode())
            records.append(within_limit(work, task, worker=True))
    note.unlink()
    return records, time.perf_counter() - began


def _leave_in(folder: str, work: Work) -> None:
    """Write the work where workers map it into memory, sharing its arrays."""
    # By value where they are of a script or notebook, which workers cannot import.
    code = wrap_non_picklable_objects((work.selectors, work.models), keep_wrapper=False)
    joblib.dump((replace(work, selectors={}, models={}), code), Path(folder) / "work")


@lru_cache(maxsize=1)
def _work_in(folder: str) -> Work:
    work: Work
    work, (selectors, models) = joblib.load(Path(folder) / "work", mmap_mode="r")
    # Plain arrays over the same memory: every step is slower on the special kind.
    work.draws.share_plainly()
    arrays = {name: plain(getattr(work, name)) for name in ("X", "y", "groups")}
    return replace(work, selectors=selectors, models=models, **arrays)


def _begun(folder: str) -> list[str]:
    """Keys that workers noted and did not come back from; the notes go."""
    keys = []
    for note in sorted(Path(folder).glob("begun-*")):
        keys.append(note.read_text())
        note.unlink()
    return keys
