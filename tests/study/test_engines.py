"""Every engine gives the same rows, whatever tasks do to it."""

import logging
import os
import time
from functools import cache

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectKBest, mutual_info_classif
from sklearn.svm import SVC

from holdfast.exceptions import InputError
from holdfast.study import Processes, Serial, Study
from holdfast.study.engines import Engine, engine_of
from holdfast.study.store import Store
from tests.study.crafted import First, same

X, y = load_iris(return_X_y=True)
REASONS = {
    "raise": "ValueError: not today",
    "leave": "SystemExit: 3",
    "no_memory": "MemoryError",
    "short": "answered for 3 features; the data have 4",
    "unscored": "scores that are not finite",
    "infinite": "scores that are not finite",
    "sleep": "longer than the time limit of 1 s",
    "spin": "longer than the time limit of 1 s",
    "exit": "its worker ended",
    "killed": "its worker ended",
}
GENTLE = [how for how in REASONS if how not in ("exit", "killed")]
MODELS = {"forest": RandomForestClassifier(3)}


class Random(BaseEstimator):
    """Its choice depends on its seed alone."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.coef_ = np.random.RandomState(self.random_state).randn(1, X.shape[1])
        return self


def plain(path, repetitions=6, **more):
    selectors = {
        "F": SelectKBest(k=2),
        "MI": SelectKBest(mutual_info_classif, k=2),
        "RFE": RFE(SVC(kernel="linear"), n_features_to_select=2),
        "forest": RandomForestClassifier(3),
        "random": Random(),
    }
    options = {"protocol": "bootstrap", "models": MODELS, "sizes": [1, 3], **more}
    return Study(X, y, selectors, repetitions=repetitions, store=path, **options)


def misbehaving(path, hows):
    probe = Study(X, y, {"x": First()}, repetitions=4, models={})
    at = probe.tasks[1].seed
    selectors = {"good": First(), **{how: First(how=how, at=at) for how in hows}}
    return Study(X, y, selectors, repetitions=4, models={}, time_limit=1, store=path)


def check_misbehaving(study, engine, hows):
    study.run(engine)
    results = study.results
    assert len(results.records) == len(study.tasks) - len(hows)
    assert {r.selector for r in results.failures} == set(hows)
    for failure in results.failures:
        assert REASONS[failure.selector] in failure.reason
        assert failure.repetition == 1
        assert failure.outcomes == ()
    expected = results.records[0].outcomes
    assert all(str(r.outcomes) == str(expected) for r in results.records)


@cache
def undisturbed(nested=False):
    study = nested_study(None) if nested else plain(None)
    study.run()
    with Store(study.path) as store:
        return store.records()


def nested_study(path):
    return plain(path, 3, protocol="kalousis2007", models=None)


def test_processes_give_the_same_rows(tmp_path):
    for nested in (False, True):
        study = (nested_study if nested else plain)(tmp_path / f"{nested}").run(Processes(2))
        with Store(study.path) as store:
            assert same(store.records(), undisturbed(nested))
        assert not study.results.failures


def test_order_does_not_matter(tmp_path):
    class Backwards(Engine):
        def run(self, work, tasks):
            yield from Serial().run(work, list(tasks)[::-1])

    study = plain(tmp_path / "study").run(Backwards())
    with Store(study.path) as store:
        assert same(store.records(), undisturbed())


def test_failures_in_this_process(tmp_path, caplog):
    with caplog.at_level(logging.INFO, logger="holdfast.study"):
        check_misbehaving(misbehaving(tmp_path / "study", GENTLE), None, GENTLE)
    failures = [r for r in caplog.records if r.levelno == logging.WARNING]
    assert len(failures) == len(GENTLE)
    assert "raise, repetition 1: ValueError: not today" in caplog.messages
    assert "36 of 36 tasks to do" in caplog.messages[0]
    assert "done in" in caplog.messages[-1]


def test_failures_in_processes(tmp_path):
    check_misbehaving(misbehaving(tmp_path / "study", REASONS), 2, REASONS)


def test_time_limit_in_a_thread():
    import threading

    found = []

    def run():
        study = misbehaving(None, ["spin"])
        found.append(study.run().results)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert [f.selector for f in found[0].failures] == ["spin"]


def test_time_limit_leaves_no_alarm_behind():
    import signal

    before = signal.getsignal(signal.SIGALRM)
    began = time.perf_counter()
    Study(X, y, {"x": First(how="sleep")}, repetitions=1, models={}, time_limit=0.1).run()
    assert time.perf_counter() - began < 5
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_failed_tasks_are_left_until_asked_for(tmp_path):
    study = misbehaving(tmp_path / "study", ["raise"])
    study.run()
    done = []
    study.run(progress=lambda n, total, record: done.append(record))
    assert done == [None]
    study.run(retry_failed=True, progress=lambda n, total, record: done.append(record))
    assert [r.status for r in done[2:]] == ["failed"]
    # Another day, another weather.
    First._raise, before = (lambda self: None), First._raise
    try:
        study.run(retry_failed=True)
    finally:
        First._raise = before
    assert not study.results.failures
    assert len(study.results.records) == len(study.tasks)


def test_what_a_notebook_defines_reaches_the_workers(tmp_path):
    class Local(First):
        pass

    selectors = {"local": Local(), "lambda": SelectKBest(lambda X, y: X.mean(axis=0), k=1)}
    study = Study(X, y, selectors, repetitions=2, models={}, store=tmp_path / "s").run(2)
    assert not study.results.failures
    assert len(study.results.records) == 4


def test_workers_use_one_thread_and_leave_nothing_behind(tmp_path, monkeypatch):
    import tempfile

    class Named(First):
        def fit(self, X, y):
            super().fit(X, y)
            names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
            self.scores_ = np.array([float(os.environ[name]) for name in names] + [1.0])
            return self

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    study = Study(X, y, {"x": Named()}, repetitions=2, models={}, store=tmp_path / "s").run(2)
    assert [r.scores.tolist() for r in study.results.records] == [[1.0] * 4] * 2
    assert not list(tmp_path.glob("holdfast-*"))


def test_engines_by_what_users_say():
    assert isinstance(engine_of(None, "x"), Serial)
    assert isinstance(engine_of(1, "x"), Serial)
    assert engine_of(3, "x").n_workers == 3
    assert engine_of(-1, "x").n_workers >= 1
    own = Serial()
    assert engine_of(own, "x") is own
    assert engine_of("tcp://somewhere:1", "x").address == "tcp://somewhere:1"
    for wrong in (0, True, 1.5, "two", []):
        with pytest.raises(InputError, match="a number of processes, 'dask'"):
            engine_of(wrong, "x")


class TestDask:
    """One cluster for all, since starting one takes seconds."""

    @pytest.fixture(scope="class")
    @classmethod
    def client(cls):
        dask = pytest.importorskip("dask")
        distributed = pytest.importorskip("distributed")
        with (
            dask.config.set({"distributed.scheduler.allowed-failures": 0}),
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None,
                silence_logs=logging.CRITICAL,
            ) as cluster,
            distributed.Client(cluster) as client,
        ):  # fmt: skip
            yield client

    def test_same_rows(self, client, tmp_path):
        from holdfast.study.engines.cluster import Cluster

        study = plain(tmp_path / "a").run(Cluster(client))
        with Store(study.path) as store:
            assert same(store.records(), undisturbed())
        study = nested_study(tmp_path / "b").run(client.scheduler.address)
        with Store(study.path) as store:
            assert same(store.records(), undisturbed(nested=True))

    def test_failures(self, client, tmp_path):
        from holdfast.study.engines.cluster import Cluster

        hows = ["raise", "spin", "short", "exit", "killed"]
        check_misbehaving(misbehaving(tmp_path / "study", hows), Cluster(client), hows)

    def test_a_task_that_cannot_be_interrupted(self, client, tmp_path):
        from holdfast.study.engines.cluster import Cluster

        study = misbehaving(tmp_path / "study", ["sleep"]).run(Cluster(client))
        assert "its worker ended" in study.results.failures[0].reason
        assert len(study.results.records) == len(study.tasks) - 1


def test_a_cluster_of_its_own(tmp_path):
    pytest.importorskip("distributed")
    from holdfast.study.engines.cluster import Cluster

    study = plain(tmp_path / "study", 2).run(Cluster(n_workers=1))
    assert len(study.results.records) == len(study.tasks)
    study.run("dask")  # nothing to do: no cluster is started
