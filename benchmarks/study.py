"""Studies

What a study costs beyond the work of its selectors, how well it uses two workers, and how much
memory it takes where the data are large.

The cost of a task is that of 1000 tasks whose selector does nothing, with a store that keeps them,
against 1 ms each. Two workers are compared with one process on tasks of 50 ms: some that wait,
which shows what sending tasks and writing records costs whatever else the machine does, and some
that count, which takes two cores that have nothing else to do. Workers run before the clock does.

Memory is the proportional share (PSS) of all processes together, in which a page that several
share counts once: the data as given, their copy in a file that workers map, and what Python and its
libraries take in each process. Each task looks at 1 % of the examples, so that what is measured is
the data and not the samples that scikit-learn copies out of them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import psutil
from joblib.externals.loky import get_reusable_executor
from sklearn.base import BaseEstimator
from sklearn.model_selection import ShuffleSplit

from benchmarks.harness.rows import Comparison, Outcome, Row, Section
from holdfast.study import Engine, Processes, Serial, Study
from holdfast.study.engines.cluster import Cluster

PEERS = ("joblib", "distributed")
SECONDS, N_TASKS = 0.05, 40


class Chooser(BaseEstimator):
    """Chooses the first feature, after some seconds spent in one way or the other."""

    def __init__(self, waits: float = 0.0, counts: float = 0.0) -> None:
        self.waits = waits
        self.counts = counts

    def fit(self, X: Any, y: Any) -> Chooser:
        time.sleep(self.waits)
        end = time.process_time() + self.counts
        while time.process_time() < end:
            pass
        self.support_ = np.arange(X.shape[1]) == 0
        return self


def sections() -> list[Section]:
    return [
        Section("What a task costs", "1000 tasks of nothing; ours against 1 s.", overhead_rows),
        Section("Two workers", f"{N_TASKS} tasks of 50 ms each.", worker_rows),
        Section(
            "Memory",
            "1 GiB of data (16384 examples, 8192 features), 32 tasks.",
            lambda: [Shared(2, 4 * 2**30), Shared(8, 5 * 2**30)],
        ),
    ]


def ran(engine: Engine, selector: Chooser, n_tasks: int) -> None:
    X = np.random.default_rng(0).normal(size=(100, 20))
    study = Study(X, np.arange(100) % 2, {"x": selector}, repetitions=n_tasks, models={})
    study.run(engine)
    assert study.status()["done"].to_list() == [n_tasks]


def overhead_rows() -> Iterator[Row]:
    limit = partial(time.sleep, 1.0)
    for name, engine in (("in this process", Serial()), ("two loky workers", Processes(2))):
        work = partial(ran, engine, Chooser(), 1000)
        yield Comparison(f"1000 tasks, {name}", "1 ms a task", work, limit, 1.0)


def worker_rows() -> Iterator[Row]:
    kinds = {"waiting": Chooser(waits=SECONDS), "counting": Chooser(counts=SECONDS)}
    for kind, selector in kinds.items():
        yield against_one(f"{kind}, two loky workers", Processes(2), selector, 1.8)
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        for kind, selector in kinds.items():
            yield against_one(f"{kind}, two Dask workers", Cluster(client), selector, 1.7)


def against_one(work: str, engine: Engine, selector: Chooser, required: float) -> Row:
    tasks: Callable[[Engine], Callable[[], None]]
    tasks = lambda engine: partial(ran, engine, selector, N_TASKS)  # noqa: E731
    return Comparison(work, "one process", tasks(engine), tasks(Serial()), required, turns=3)


@dataclass(frozen=True)
class Shared:
    """The peak memory of a study on large data and of all its workers."""

    n_workers: int
    limit: int

    def measure(self) -> Outcome:
        get_reusable_executor().shutdown(wait=True)  # so that all workers are new
        X = np.random.default_rng(0).random((16384, 8192))
        few = ShuffleSplit(32, train_size=0.01, test_size=0.01, random_state=0)
        study = Study(X, np.arange(16384) % 2, {"x": Chooser(waits=0.2)}, protocol=few, models={})
        with _Watch() as watch:
            start = time.perf_counter()
            study.run(Processes(self.n_workers))
            seconds = time.perf_counter() - start
        ratio = self.limit / watch.peak
        limit = f"a limit of {self.limit / 2**30:g} GiB"
        work = f"1 GiB of data, {self.n_workers} workers"
        return Outcome(
            work, limit, "B", watch.peak, self.limit, ratio, ratio, ratio, 1.0, seconds
        )  # fmt: skip


class _Watch:
    """Adds up the proportional memory of this process and its children, time and again."""

    def __init__(self) -> None:
        self.peak = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        me = psutil.Process()
        while not self._over.wait(0.1):
            total = 0
            for process in (me, *me.children(recursive=True)):
                try:
                    total += process.memory_full_info().pss
                except psutil.Error:  # it has just ended
                    continue
            self.peak = max(self.peak, total)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()
