"""A Dask cluster: the way past one machine."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import Any

from holdfast.exceptions import InputError
from holdfast.study.engines.base import Engine
from holdfast.study.engines.local import within_limit
from holdfast.study.records import Record, Task
from holdfast.study.work import Work, failed

PARCELS_A_WORKER = 4
LARGEST_PARCEL = 50


class Cluster(Engine):
    """Workers of Dask; each gets the data once.

    Parameters
    ----------
    address : str, distributed.Client or None
        Scheduler to use, or a client that knows one; None starts a cluster on this machine and
        stops it afterwards.
    n_workers : int, optional
        Of a cluster that is started.
    """

    def __init__(self, address: Any = None, n_workers: int | None = None) -> None:
        self.address = address
        self.n_workers = n_workers

    def run(self, work: Work, tasks: Sequence[Task]) -> Generator[Record, None, None]:
        """Do the tasks in parcels; those of a parcel that kills workers again, one by one."""
        if not tasks:
            return
        with ExitStack() as stack:
            yield from _Run(self._client(stack), work).records(tasks)

    def _client(self, stack: ExitStack) -> Any:
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError as error:
            raise InputError(
                "engine='dask' needs Dask: python -m pip install 'holdfast[dask]'."
            ) from error
        if self.address is None:
            # Here a worker that ends is told of at once; by default Dask would try thrice.
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 0}))
            cluster = LocalCluster(
                n_workers=self.n_workers,
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
            return stack.enter_context(Client(stack.enter_context(cluster)))
        if isinstance(self.address, str):
            return stack.enter_context(Client(self.address))
        return self.address


class _Run:
    """One study on one cluster."""

    def __init__(self, client: Any, work: Work) -> None:
        self._client = client
        self._work = work
        self._shared: Any = None
        self._reason = ""

    def records(self, tasks: Sequence[Task]) -> Iterator[Record]:
        """All records; whatever was running where a worker ended is done again alone."""
        n_workers = max(1, len(self._client.nthreads()))
        size = min(LARGEST_PARCEL, max(1, len(tasks) // (PARCELS_A_WORKER * n_workers)))
        parcels = [tasks[i : i + size] for i in range(0, len(tasks), size)]
        suspects: list[Task] = []
        yield from self._parcels(parcels, 2 * n_workers, suspects)
        # Workers end with all that they had taken on; alone it is known who ended them.
        for task in suspects:
            guilty: list[Task] = []
            yield from self._parcels([[task]], 1, guilty)
            if guilty:
                reason = f"its worker ended: {self._reason}"
                yield failed(task, self._work.draws[task.draw], reason)

    def _parcels(
        self, parcels: Sequence[Sequence[Task]], at_once: int, suspects: list[Task]
    ) -> Iterator[Record]:
        from distributed import as_completed

        waiting = iter(parcels)
        sent: dict[str, tuple[Any, Sequence[Task]]] = {}

        def submitted(parcel: Sequence[Task]) -> Any:
            future = self._client.submit(_parcel_done, self._data(), list(parcel), pure=False)
            sent[future.key] = future, parcel
            return future

        running = as_completed([submitted(parcel) for parcel in islice(waiting, at_once)])
        try:
            for future in running:
                _, parcel = sent.pop(future.key)
                if future.status == "finished":
                    yield from future.result()
                else:
                    self._reason = _why(future)
                    suspects += parcel
                following = next(waiting, None)
                if following is not None:
                    running.add(submitted(following))
        finally:
            self._client.cancel([future for future, _ in sent.values()])

    def _data(self) -> Any:
        """The work on every worker; sent again where all that had it have ended."""
        if self._shared is None or self._shared.status != "finished":
            self._shared = self._client.scatter(self._work, broadcast=True, hash=False)
        return self._shared


def _why(future: Any) -> str:
    if future.status == "cancelled":
        return "the cluster lost it"
    error = future.exception()
    return f"{type(error).__name__}: {error}"


def _parcel_done(work: Work, tasks: Sequence[Task]) -> list[Record]:
    from distributed import get_worker

    worker = get_worker()
    # A nanny starts another worker for one that ended; other threads would end with it.
    replaceable = worker.nanny is not None and worker.state.nthreads == 1
    return [within_limit(work, task, worker=replaceable) for task in tasks]
