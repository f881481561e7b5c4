"""Compiling is announced: once, where it lasts, and where somebody would wonder."""

import logging
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from holdfast._kernels import notice

SCRIPT = """
import logging
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
import numpy as np
from holdfast._kernels import notice
notice.PATIENCE = 0.0
from holdfast._kernels.symmetric import examine
examine(np.eye(3))
"""


def event_of(module):
    function = SimpleNamespace(__module__=module)
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


@pytest.fixture
def clock(monkeypatch):
    now = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(notice, "perf_counter", lambda: now.seconds)
    return now


def test_a_long_wait_is_announced_once(clock, caplog):
    listener, ours = notice.CompileNotice(), event_of("holdfast._kernels.svm")
    with caplog.at_level(logging.INFO, "holdfast"):
        listener.on_start(ours)
        clock.seconds = notice.PATIENCE / 2
        listener.on_end(ours)
        assert not caplog.records
        clock.seconds = 2 * notice.PATIENCE
        listener.on_start(ours)
        listener.on_end(ours)
    assert [record.getMessage() for record in caplog.records] == [notice.TEXT]


def test_what_others_compile_is_none_of_ours(clock, caplog):
    listener = notice.CompileNotice()
    with caplog.at_level(logging.INFO, "holdfast"):
        listener.on_start(event_of("umap.layouts"))
        clock.seconds = 10.0
        listener.on_end(event_of("umap.layouts"))
    assert not caplog.records


@pytest.mark.parametrize(("watched", "level"), [(True, "WARNING"), (False, "INFO")])
def test_it_is_shown_unasked_where_somebody_watches(watched, level, clock, caplog, monkeypatch):
    monkeypatch.setattr(notice, "_somebody_watches", lambda: watched)
    listener, ours = notice.CompileNotice(), event_of("holdfast._kernels.svm")
    with caplog.at_level(logging.INFO, "holdfast"):
        listener.on_start(ours)
        clock.seconds = 10.0
        listener.on_end(ours)
    assert [record.levelname for record in caplog.records] == [level]


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")
def test_an_empty_cache_is_announced_and_a_filled_one_is_not(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def said():
        run = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
        return done.stderr.count(notice.TEXT)

    assert said() == 1
    assert said() == 0
