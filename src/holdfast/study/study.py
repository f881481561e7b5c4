"""Which selector for these data, with proof: run many selectors on many samples, and compare."""

from __future__ import annotations

import hashlib
import logging
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import is_classifier, is_regressor

from holdfast.exceptions import listed, refusal
from holdfast.selections import Selections
from holdfast.selections.core import Rule
from holdfast.study import analysis
from holdfast.study.data import DataCard
from holdfast.study.engines import engine_of
from holdfast.study.fingerprint import canonical, digest, digest_of_array
from holdfast.study.protocols import Draws, protocol_of
from holdfast.study.records import Record, Task
from holdfast.study.results import Results, Variant
from holdfast.study.store import Store
from holdfast.study.work import Work

OWNER = "Study"
LOG = logging.getLogger("holdfast.study")
FORMAT = 1  # of what a task computes; a higher number makes old records no longer count
# Records are written together, at the latest after this long.
WRITE_SECONDS = 0.25
WRITE_RECORDS = 256

Progress = Callable[[int, int, Record | None], object]


class Study:
    """Selectors on many samples of the data: what they choose, how stably, and what it is worth.

    Nothing is computed until `run`. What was computed is kept in the store, so that a study which
    was interrupted goes on, and one with another selector or more repetitions does only what is
    new. The same seed gives the same records in any order and on any number of workers.

    Parameters
    ----------
    X : array, sparse matrix or dataframe, examples x features
    y : array
        One target an example.
    selectors : mapping
        Name to anything with ``fit`` and then ``get_support``, ``coef_``, ``feature_importances_``,
        ``scores_`` or ``ranking_``; pipelines and searches too.
    protocol : str, Protocol or scikit-learn splitter, default="subsampling"
        How samples are drawn; see `PROTOCOLS` for the names.
    repetitions : int, optional
        How many samples a named protocol draws; the paper's number by default.
    models : mapping, optional
        Name to scikit-learn model, fitted on what was chosen; the protocol's own by default.
    sizes : list of int, "profile" or None
        Cut selectors that score all features at these sizes too; "profile" is 10, 15, ... to all.
    groups : array, optional
        Groups of the examples, for splitters and selectors that take them.
    feature_names : sequence of str, optional
        By default those of the dataframe.
    store : path, optional
        The file that keeps the records; a temporary one by default.
    time_limit : float, optional
        Seconds that one selector may take on one sample; longer ones are recorded as failed.
    random_state : int, default=0
        For the samples and for every selector and model that leaves its own open.
    title : str
        Heading of the report.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.feature_selection import SelectKBest
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> study = Study(X, y, {"F test": SelectKBest(k=4)}, repetitions=10).run()
    >>> study.selections("F test")
    Selections(10 runs, 13 features, 4 chosen)
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        selectors: Mapping[str, Any],
        *,
        protocol: Any = "subsampling",
        repetitions: int | None = None,
        models: Mapping[str, Any] | None = None,
        sizes: Any = None,
        groups: Any = None,
        feature_names: Iterable[str] | None = None,
        store: str | Path | None = None,
        time_limit: float | None = None,
        random_state: int = 0,
        title: str = "",
    ) -> None:
        seed = _whole(random_state, "random_state")
        if time_limit is not None and not time_limit > 0:
            raise refusal("time_limit", OWNER, "None or seconds > 0", repr(time_limit))
        self.X = X if hasattr(X, "shape") else np.asarray(X)
        self.y = np.asarray(y)
        self.groups = None if groups is None else np.asarray(groups)
        self._check_lengths()
        names = _names_of(self.X, feature_names)
        self.protocol = protocol_of(protocol, repetitions, seed, OWNER)
        self.selectors = _fitting(selectors, "selectors")
        self.models = _fitting(self.protocol.models if models is None else models, "models")
        _check_models(self.models)
        asked = sizes if sizes is not None else self.protocol.sizes
        self.sizes = _sizes(asked, self.X.shape[1])
        self.time_limit = time_limit
        self.title = title
        self._seed = seed
        self._draws = Draws(self.protocol.draws(self.X, self.y, self.groups))
        self.card = DataCard.of(self.X, self.y, self.groups, names)
        self.tasks = self._planned()
        if store is None:
            folder = tempfile.mkdtemp(prefix="holdfast-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            store = Path(folder) / "study.sqlite"
        self.path = Path(store)

    def _check_lengths(self) -> None:
        for name in ("y", "groups"):
            values = getattr(self, name)
            if values is not None and values.shape != (self.X.shape[0],):
                raise refusal(
                    name, OWNER, f"one for each of {self.X.shape[0]} examples", values.shape
                )

    def _planned(self) -> list[Task]:
        """All tasks, sample by sample, so that a study half done has some of every selector."""
        common = digest([FORMAT, self.card.key, canonical(self.models), list(self.sizes)])
        # With its name: records tell whose they are by it.
        own = {name: digest([name, selector]) for name, selector in self.selectors.items()}
        tasks = []
        for place, draw in enumerate(self._draws):
            sample = digest_of_array(draw.train) + digest_of_array(draw.test)
            seed = _hashed(f"{self._seed} {sample}") >> 97  # 31 bits: what scikit-learn takes
            for name, selector in own.items():
                key = f"{_hashed(f'{common} {selector} {sample} {seed} {draw[:2]}'):032x}"
                tasks.append(Task(key, name, place, seed))
        return tasks

    def run(
        self,
        engine: Any = None,
        *,
        retry_failed: bool = False,
        progress: Progress | bool = False,
    ) -> Study:
        """Do what is not done yet.

        Parameters
        ----------
        engine : int, "dask", address or Engine, optional
            A number of processes (-1 for one a core), a Dask cluster of this machine, or the
            address of a scheduler; one process, this one, by default.
        retry_failed : bool, default=False
            Whether to do again what failed before.
        progress : bool or callable
            Show a bar, or call a function with the number done, of how many, and the last record.
        """
        runner = engine_of(engine, f"{OWNER}.run")
        with Store(self.path, write=True) as store:
            self._note_plan(store)
            known = store.statuses()
            left = [
                task
                for task in self.tasks
                if known.get(task.key) is None or (retry_failed and known[task.key] == "failed")
            ]
            n_done = len(self.tasks) - len(left)
            LOG.info("%s: %d of %d tasks to do", self.path, len(left), len(self.tasks))
            began = time.perf_counter()
            try:
                # Closed, so that an engine stops its workers where something ends the run.
                with closing(runner.run(self._work, left)) as stream:
                    self._write(store, self._shown(_logged(stream), n_done, progress))
            except BaseException as error:
                LOG.info("%s: stopped (%s)", self.path, type(error).__name__)
                raise
            LOG.info("%s: done in %.1f s", self.path, time.perf_counter() - began)
        return self

    @property
    def _work(self) -> Work:
        return Work(
            self.X, self.y, self.groups, self._draws, self.selectors, self.models, self.sizes,
            self.time_limit,
        )  # fmt: skip

    def _write(self, store: Store, records: Iterator[Record]) -> None:
        """Write records together; those at hand also where something ends the run."""
        waiting: list[Record] = []
        written = time.perf_counter()
        try:
            for record in records:
                waiting.append(record)
                now = time.perf_counter()
                if len(waiting) >= WRITE_RECORDS or now - written > WRITE_SECONDS:
                    store.add(waiting)
                    waiting, written = [], now
        finally:
            if waiting:
                store.add(waiting)

    def _shown(
        self, stream: Iterator[Record], n_done: int, progress: Progress | bool
    ) -> Iterator[Record]:
        if progress is False:
            yield from stream
            return
        from holdfast.study.progress import Bar

        total = len(self.tasks)
        show: Any = Bar(self.title or "study") if progress is True else progress
        try:
            show(n_done, total, None)
            for number, record in enumerate(stream, n_done + 1):
                yield record
                show(number, total, record)
        finally:
            if isinstance(show, Bar):
                show.close()

    def _note_plan(self, store: Store) -> None:
        before = store.about("data")
        if before is not None:
            DataCard.noted(before).refuse_other(self.card)
        else:
            store.note("data", vars(self.card))
        plan = {
            "title": self.title,
            "protocol": self.protocol.name,
            "splitter": repr(self.protocol.splitter),
            "nested": self.protocol.inner is not None,
            "disjoint_tests": self._draws.disjoint_tests(),
            "test_per_train": self._draws.test_per_train(),
            "selectors": {name: repr(one) for name, one in self.selectors.items()},
            "models": {name: repr(one) for name, one in self.models.items()},
            "sizes": list(self.sizes),
            "random_state": self._seed,
            "keys": [task.key for task in self.tasks],
        }
        if store.about("plan") != plan:
            store.note("plan", plan)

    @property
    def results(self) -> Results:
        """What is in the store of this plan."""
        return Results.read(self.path)

    def selections(
        self, selector: str, size: int | None = None, repetition: int | None = None
    ) -> Selections:
        """The choices of one selector; see ``Results.selections``."""
        return self.results.selections(selector, size, repetition)

    def status(self) -> pl.DataFrame:
        """A row a selector: tasks planned, done and failed."""
        return self.results.status()

    def summary(self, model: str | None = None) -> pl.DataFrame:
        """A row a variant: accuracy, stability with its interval, size, and how they compare."""
        return analysis.weighed(self.results, model)

    def recommend(self, model: str | None = None, alpha: float = 0.05) -> analysis.Recommendation:
        """The most stable variant of those not significantly less accurate than the best."""
        return analysis.recommend(self.results, model, alpha)

    def report(
        self,
        path: str | Path,
        model: str | None = None,
        alpha: float = 0.05,
        measures: Sequence[str] | None = None,
    ) -> Path:
        """Write all of it to one HTML file that opens anywhere, offline.

        Parameters
        ----------
        path : str or pathlib.Path
            Of the page; replaced as a whole if it is there.
        model : str, optional
            Whose accuracy counts; the first by default.
        alpha : float, default=0.05
            Significance of differences.
        measures : sequence of str, optional
            Stability measures to list; every one that applies by default.
        """
        # The one step forward, to the room that is built on this one.
        from holdfast.report.study import write_report

        return write_report(self.results, path, model, alpha, measures)

    def consensus(
        self, selector: str, size: int | None = None, rule: Rule = "majority", **options: Any
    ) -> analysis.Consensus:
        """The features that a selector's runs agree on; in a nested study, with an estimate.

        Parameters
        ----------
        selector, size
            Which choices: a selector's own, or those cut at a size.
        rule, **options
            As for ``Selections.consensus``.
        """
        variant = Variant(selector, size)
        return analysis.consensus(self.results, variant, self._work, rule, **options)


def _logged(stream: Iterator[Record]) -> Iterator[Record]:
    for record in stream:
        if record.status == "failed":
            sample = f"repetition {record.repetition}"
            sample += f", inner sample {record.inner}" if record.inner >= 0 else ""
            LOG.warning("%s, %s: %s", record.selector, sample, record.reason)
        yield record


def _whole(value: Any, parameter: str) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 0:
        raise refusal(parameter, OWNER, "a whole number >= 0", repr(value))
    return int(value)


def _hashed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")


def _names_of(X: Any, given: Iterable[str] | None) -> tuple[str, ...]:
    n_features = X.shape[1]
    if given is None:
        columns = getattr(X, "columns", None)
        given = [f"x{f}" for f in range(n_features)] if columns is None else columns
    names = tuple(str(name) for name in given)
    repeated = (
        sorted({name for name in names if names.count(name) > 1})
        if (len(set(names)) < len(names))
        else []
    )
    if len(names) != n_features or repeated:
        got = f"{listed(repeated)} twice" if repeated else f"{len(names)} names"
        raise refusal("feature_names", OWNER, f"{n_features} different names", got)
    return names


def _fitting(named: Any, parameter: str) -> dict[str, Any]:
    expected = "a mapping from names to objects with fit"
    if not isinstance(named, Mapping) or (not named and parameter == "selectors"):
        raise refusal(parameter, OWNER, expected, repr(named))
    for name, one in named.items():
        if not isinstance(name, str) or not hasattr(one, "fit") or isinstance(one, type):
            raise refusal(parameter, OWNER, expected, f"{one!r} for {name!r}")
    return dict(named)


def _check_models(models: Mapping[str, Any]) -> None:
    for name, model in models.items():
        if not is_classifier(model) and not is_regressor(model):
            raise refusal("models", OWNER, "classifiers or regressors", f"{model!r} for {name!r}")


def _sizes(wanted: Any, n_features: int) -> tuple[int, ...]:
    if wanted is None:
        return ()
    if isinstance(wanted, str) and wanted == "profile":
        return (*range(min(10, n_features), n_features, 5), n_features)
    if isinstance(wanted, str) or not isinstance(wanted, (Sequence, range, np.ndarray)):
        raise refusal("sizes", OWNER, "None, 'profile' or a list of sizes", repr(wanted))
    sizes = sorted({_whole(size, "sizes") for size in wanted})
    if sizes and not 1 <= sizes[0] <= sizes[-1] <= n_features:
        raise refusal("sizes", OWNER, f"from 1 to {n_features}", repr(list(wanted)))
    return tuple(sizes)
