"""Damaged in any way, a store gives the right rows or an error that says what to do."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from holdfast.exceptions import InputError, StoreError
from holdfast.study.results import Results
from holdfast.study.store import Store
from tests.study.crafted import outcome, record

BATCHES = 12
PER_BATCH = 25


def row(number):
    return record(
        f"{number:04d}", "AB"[number % 2], number, outcomes=[outcome([0, number % 5 + 1])],
        scores=np.arange(6) * 1.5, score_kind="weights", seconds=0.25,
    )  # fmt: skip


ROWS = [row(i) for i in range(BATCHES * PER_BATCH)]
PLAN = {
    "selectors": {"A": "", "B": ""},
    "models": {},
    "nested": False,
    "keys": [one.key for one in ROWS],
}


def write(path, kill):
    store = Store(path, write=True)
    store.note("data", {"feature_names": list("abcdef")})
    store.note("plan", PLAN)
    for i in range(BATCHES):
        store.add(ROWS[i * PER_BATCH : (i + 1) * PER_BATCH])
        if kill and i == BATCHES // 2:
            store._do("PRAGMA wal_checkpoint")  # some in the file, some in the log
    if kill:
        os.kill(os.getpid(), 9)
    store.close()


@pytest.fixture(scope="module", params=["closed", "killed"])
def folder(request, tmp_path_factory):
    """A study's files: closed well, or with a log that a killed writer left."""
    folder = tmp_path_factory.mktemp(request.param)
    path = folder / "study.sqlite"
    if request.param == "closed":
        write(path, kill=False)
    else:
        script = f"from tests.study.test_damage import *; write({str(path)!r}, True)"
        subprocess.run([sys.executable, "-c", script], check=False)
        assert path.with_name("study.sqlite-wal").stat().st_size > 4096
        path.with_name("study.sqlite-shm").unlink()  # a reader makes it anew
    return folder


def bit_flips(random, content):
    for place in random.integers(len(content), size=random.integers(1, 9)):
        content[place] ^= 1 << random.integers(8)
    return content


def cut_off(random, content):
    return content[: random.integers(len(content))]


def pages_swapped(random, content):
    n = max(2, len(content) // 4096)
    one, other = random.integers(n, size=2) * 4096
    first, second = content[one : one + 4096], content[other : other + 4096]
    content[one : one + len(second)] = second
    content[other : other + len(first)] = first
    return content


def zeroed(random, content):
    begin = random.integers(len(content))
    n = min(len(content) - begin, int(random.integers(1, 5000)))
    content[begin : begin + n] = bytes(n)
    return content


def cut_out(random, content):
    begin = random.integers(len(content))
    return content[:begin] + content[begin + random.integers(1, 5000) :]


def text_replaced(random, content):
    """As an editor would: the same length, another selector."""
    return bytearray(bytes(content).replace(b"A\x00", b"B\x00").replace(b'"A"', b'"C"'))


DAMAGES = [bit_flips, cut_off, pages_swapped, zeroed, cut_out, text_replaced]


def checked(path):
    """What a reader finds: "refused", or how many of the right rows."""
    try:
        results = Results.read(path)
    except (StoreError, InputError) as error:
        said = str(error)
        cures = ("delete it and run", "Choose another file", "Run one first", "choose another")
        cures += ("Update holdfast", "there is no such study", "Make room")
        assert any(cure in said for cure in cures), said
        return "refused"
    right = {one.key: one for one in ROWS}
    assert results.selectors == ["A", "B"]
    assert results.feature_names == tuple("abcdef")
    for found in results.records:
        assert found.packed() == right[found.key].packed()
        assert found.seconds == 0.25
    assert len(results.records) % PER_BATCH == 0
    # As far as they were written, from the first on.
    assert {r.key for r in results.records} == {r.key for r in ROWS[: len(results.records)]}
    return len(results.records)


def damaged(folder, target, number):
    shutil.copytree(folder, target)
    random = np.random.default_rng(number)
    files = sorted(file for file in target.iterdir() if file.stat().st_size)
    file = files[number % len(files)]
    damage = DAMAGES[number // 2 % len(DAMAGES)]
    file.write_bytes(damage(random, bytearray(file.read_bytes())))
    return target / "study.sqlite"


def test_undamaged(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    assert checked(tmp_path / "copy" / "study.sqlite") == len(ROWS)


@pytest.mark.parametrize("part", range(4))
def test_never_a_wrong_table(folder, tmp_path, part):
    found = []
    for number in range(part * 25, (part + 1) * 25):
        path = damaged(folder, tmp_path / str(number), number)
        found.append(checked(path))
        # Who wants to go on with it is told the same, and nothing is made worse.
        try:
            with Store(path, write=True) as store:
                statuses = store.statuses()
                store.add(ROWS)
                assert found[-1] == "refused" or len(statuses) == found[-1]
            assert checked(path) in (len(ROWS), "refused")
        except StoreError:
            pass
    assert found.count("refused") > 0


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_never_a_wrong_table_however_often(folder, tmp_path, part):
    for number in range(1000 + part * 100, 1100 + part * 100):
        checked(damaged(folder, tmp_path / str(number), number))
        shutil.rmtree(tmp_path / str(number))
