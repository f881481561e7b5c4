"""Killed at any moment and resumed, a study is as if nothing had happened."""

import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest

from holdfast.study import Study
from holdfast.study.store import Store
from tests.study.crafted import First, same

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
SCRIPT = """
import sys
from tests.study.test_killed import killable
if __name__ == "__main__":
    study = killable(sys.argv[1])
    study.run(int(sys.argv[2]), progress=lambda n, total, record: print(n, flush=True))
"""


def killable(path):
    X, y = load_iris(return_X_y=True)
    selectors = {"slow": First(1, pause=0.002), "F": SelectKBest(k=2), "first": First(3)}
    return Study(X, y, selectors, repetitions=300, models={}, sizes=[1], store=path)


@cache
def undisturbed():
    study = killable(None).run()
    with Store(study.path) as store:
        return study.results.n_planned, store.records()


def kill_and_resume(folder, moment, workers, signal_number=signal.SIGKILL):
    """Kill the whole run a while after its first task; resume until it is done."""
    path = folder / "study.sqlite"
    script = folder / "run.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])}
    run = subprocess.Popen(
        [sys.executable, script, path, str(workers)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        for _ in range(2):  # it is ready, then it has done one
            assert run.stdout.readline()
        time.sleep(moment)
    finally:
        os.killpg(run.pid, signal_number)
        code = run.wait()
        run.stdout.close()
    planned, right = undisturbed()
    with Store(path) as store:
        kept = store.records()
    keys = {one.key for one in kept}
    assert len(keys) == len(kept)
    assert same(kept, [one for one in right if one.key in keys])
    seen = []
    killable(path).run(progress=lambda n, total, record: seen.append(n))
    assert seen == list(range(len(kept), planned + 1))  # what was kept is not done again
    with Store(path) as store:
        assert same(store.records(), right)
    return code, len(kept)


@pytest.mark.parametrize(("moment", "workers"), [(0.0, 1), (0.4, 1), (0.9, 1), (0.5, 2)])
def test_killed_and_resumed(tmp_path, moment, workers):
    kill_and_resume(tmp_path, moment, workers)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(50))
def test_killed_at_random_moments_under_load(tmp_path, number):
    random = np.random.default_rng(number)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        kill_and_resume(tmp_path, random.uniform(0, 2), number % 2 + 1)
    finally:
        for one in busy:
            one.kill()
            one.wait()


def test_interrupted_from_the_keyboard(tmp_path):
    code, _ = kill_and_resume(tmp_path, 0.5, 2, signal.SIGINT)
    assert code == -signal.SIGINT
