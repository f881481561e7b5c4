"""A Dask cluster: the way past one machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    def run(self, work: Work, tasks: Sequence[Task]) -> Iterator[Record]:
        """Do the tasks in parcels; a parcel that kills workers is done again task by task."""
        try:
            from distributed import Client, LocalCluster
        except ImportError as error:
            raise InputError(
                "engine='dask' needs Dask: python -m pip install 'holdfast[dask]'."
            ) from error
        if self.address is not None and not isinstance(self.address, str):
            yield from _with(self.address, work, tasks)
        elif self.address is not None:
            with Client(self.address) as client:
                yield from _with(client, work, tasks)
        else:
            with (
                LocalCluster(
                    n_workers=self.n_workers, threads_per_worker=1, dashboard_address=None
                ) as cluster,
                Client(cluster) as client,
            ):
                yield from _with(client, work, tasks)


def _with(client: Any, work: Work, tasks: Sequence[Task]) -> Iterator[Record]:
    from distributed import as_completed

    n_workers = max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
    size = min(LARGEST_PARCEL, max(1, len(tasks) // (PARCELS_A_WORKER * n_workers)))
    shared = client.scatter(work, broadcast=True, hash=False)
    waiting = iter([tasks[i : i + size] for i in range(0, len(tasks), size)])
    sent: dict[str, Sequence[Task]] = {}

    def submitted(parcel: Sequence[Task]) -> Any:
        future = client.submit(_parcel_done, shared, list(parcel), pure=False)
        sent[future.key] = parcel
        return future

    first = [submitted(parcel) for parcel in islice(waiting, 2 * n_workers)]
    running = as_completed(first)
    for future in running:
        parcel = sent.pop(future.key)
        following = next(waiting, None)
        if following is not None:
            running.add(submitted(following))
        error = future.exception()
        if error is None:
            yield from future.result()
        elif len(parcel) > 1:
            for task in parcel:
                running.add(submitted([task]))
        else:
            reason = f"its worker ended: {type(error).__name__}: {error}"
            yield failed(parcel[0], work.draws[parcel[0].draw], reason)


def _parcel_done(work: Work, tasks: Sequence[Task]) -> list[Record]:
    return [within_limit(work, task) for task in tasks]
