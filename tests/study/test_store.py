"""What a store owes a study."""

import json
import multiprocessing
import os
import resource
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from holdfast.exceptions import StoreError
from holdfast.study.results import Results
from holdfast.study.store import APPLICATION, Store
from tests.study.crafted import outcome, record, same


def rows(n, selector="A", **more):
    return [
        record(f"{selector}{i:04d}", selector, i, outcomes=[outcome([0, i % 5 + 1])], **more)
        for i in range(n)
    ]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def test_rows_come_back(path):
    with Store(path, write=True) as store:
        assert store.records() == []
        assert store.statuses() == {}
        store.add(rows(3))
        store.add([])
        store.add(iter(rows(2, "B", status="failed", reason="why", seconds=0.1)))
        store.note("plan", {"a": [1, None, "ü"]})
    with Store(path) as store:
        assert same(store.records(), [*rows(3), *rows(2, "B", status="failed", reason="why")])
        assert store.records()[-1].seconds == 0.1
        assert store.statuses()["B0001"] == "failed"
        assert store.about("plan") == {"a": [1, None, "ü"]}
        assert store.about("other") is None


def test_a_row_replaces_that_of_the_same_key(path):
    with Store(path, write=True) as store:
        store.add(rows(3, status="failed"))
        store.add(rows(2))
        store.add(rows(2))
        assert sorted(store.statuses().values()) == ["done", "done", "failed"]
        assert len(store.records()) == 3


def test_all_of_a_batch_or_nothing(path):
    def broken():
        yield from rows(3)
        raise RuntimeError("in the middle")

    with Store(path, write=True) as store:
        store.add(rows(1))
        with pytest.raises(RuntimeError, match="in the middle"):
            store.add(broken())
        assert same(store.records(), rows(1))
        store.add(rows(3))
        assert same(store.records(), rows(3))


def test_order_depends_on_the_rows_alone(path, tmp_path):
    with Store(path, write=True) as store, Store(tmp_path / "other", write=True) as other:
        store.add([*rows(4, "B"), *rows(4)])
        for one in reversed([*rows(4), *rows(4, "B")]):
            other.add([one])
        assert same(store.records(), other.records())


def test_any_text_and_any_number(path):
    odd = record("k\0", "a\0b 特徴 \U0001f600", 0, outcomes=[outcome([], accuracy=np.nan)])
    odd = record("k2", "B", 2**40, reason="x" * 3000, scores=np.array([np.nan, np.inf, -0.0]))
    with Store(path, write=True) as store:
        store.add([odd])
    with Store(path) as store:
        assert same(store.records(), [odd])


def test_one_writes_others_look_on(path):
    with Store(path, write=True) as store:
        store.add(rows(2))
        with pytest.raises(StoreError, match=r"being written by another process\. Wait"):
            Store(path, write=True)
        with Store(path) as reader:
            assert len(reader.records()) == 2
            store.add(rows(5))
            assert len(reader.records()) == 5
    with Store(path, write=True):  # free again
        pass
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_another_process_is_refused_and_a_killed_one_lets_go(path):
    script = (
        "import sys, time\n"
        "from holdfast.study.store import Store\n"
        f"store = Store({str(path)!r}, write=True)\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"ready\n"
        with pytest.raises(StoreError, match="another process"):
            Store(path, write=True)
        with Store(path) as reader:
            assert reader.records() == []
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    with Store(path, write=True) as store:
        store.add(rows(1))


def _contended(path, turns, number):
    taken = 0
    while taken < turns:
        try:
            with Store(path, write=True) as store:
                mine = store.about("turns") or 0
                store.note("turns", mine + 1)
                taken += 1
        except StoreError as error:
            if "another process" not in str(error):
                raise


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_turns_are_never_taken_together(path):
    context = multiprocessing.get_context("fork")
    with Store(path, write=True) as store:
        store.note("turns", 0)
    crowd = [context.Process(target=_contended, args=(path, 8, i)) for i in range(3)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
        assert one.exitcode == 0
    with Store(path) as store:
        assert store.about("turns") == 24


def test_a_maker_killed_at_once_leaves_nothing_in_the_way(path):
    path.touch()  # a file that was opened and never written
    with Store(path, write=True) as store:
        store.add(rows(1))
    with Store(path) as store:
        assert len(store.records()) == 1


@pytest.mark.parametrize("content", [b"a,b\n1,2\n" * 100, b"", b"x"])
def test_other_files_are_refused_and_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"not a holdfast study\. Choose another file"):
        Store(path)
    if content:
        with pytest.raises(StoreError, match="not a holdfast study"):
            Store(path, write=True)
    assert path.read_bytes() == content


def test_databases_of_others_are_left_alone(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE precious (x)")
    other.close()
    before = path.read_bytes()
    for write in (False, True):
        with pytest.raises(StoreError, match="not a holdfast study"):
            Store(path, write=write)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_missing(tmp_path):
    with pytest.raises(StoreError, match="there is no such study"):
        Store(tmp_path / "none")
    with pytest.raises(StoreError, match="there is no folder"):
        Store(tmp_path / "none" / "study", write=True)
    for write in (False, True):
        with pytest.raises(StoreError):
            Store(tmp_path, write=write)


def test_newer_version(path):
    Store(path, write=True).close()
    file = sqlite3.connect(path)
    file.execute("PRAGMA user_version=7")
    file.close()
    for write in (False, True):
        with pytest.raises(StoreError, match=r"newer holdfast.*Update"):
            Store(path, write=write)


def test_disk_full(path):
    with Store(path, write=True) as store:
        store.add(rows(2))
        store._do("PRAGMA max_page_count=12")
        with pytest.raises(StoreError, match=r"disk is full.*Make room and resume"):
            store.add(rows(4000, "B"))
        assert same(store.records(), rows(2))
        store._do("PRAGMA max_page_count=100000")
        store.add(rows(4000, "B"))
    with Store(path) as store:
        assert len(store.records()) == 4002


def add_forever(store):
    for i in range(1000):
        store.add(rows(50, f"B{i}"))


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_file_cannot_grow(path):
    with Store(path, write=True) as store:
        store.add(rows(2))
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limits[1]))
        try:
            with pytest.raises(StoreError, match=r"disk is full.*Make room and resume"):
                add_forever(store)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with Store(path, write=True) as store:
        kept = store.records()
        whole = {r.selector for r in kept if r.selector != "A"}
        assert len(kept) == 2 + 50 * len(whole)  # whole batches only
        store.add(rows(500, "C"))
    with Store(path) as store:
        assert len(store.records()) == len(kept) + 500


@pytest.fixture
def unprivileged(tmp_path):
    """Permissions mean nothing to the superuser, so be somebody else for a while."""
    if sys.platform == "win32":
        pytest.skip("permissions of POSIX")
    if os.geteuid() == 0:
        for folder in (tmp_path, *list(tmp_path.parents)[:3]):
            if folder.stat().st_uid == 0 and "pytest" in str(folder):
                folder.chmod(0o755)
        os.seteuid(65534)
        yield
        os.seteuid(0)
    else:
        yield


def test_read_only(tmp_path, request):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "study.sqlite"
    with Store(path, write=True) as store:
        store.add(rows(3))
    path.chmod(0o444)
    folder.chmod(0o555)
    request.getfixturevalue("unprivileged")
    with Store(path) as store:
        assert same(store.records(), rows(3))
    with pytest.raises(StoreError, match="Allow reading and writing"):
        Store(path, write=True)
    with pytest.raises(StoreError, match="Allow reading and writing"):
        Store(folder / "other", write=True)


def test_unreadable(tmp_path, request):
    path = tmp_path / "study.sqlite"
    Store(path, write=True).close()
    path.chmod(0)
    request.getfixturevalue("unprivileged")
    with pytest.raises(StoreError, match="Allow reading"):
        Store(path)


def test_log_of_a_killed_writer_is_read_and_rolled_in(path):
    script = (
        "import os, sys\n"
        "from holdfast.study.store import Store\n"
        "from tests.study.test_store import rows\n"
        f"store = Store({str(path)!r}, write=True)\n"
        "for i in range(5): store.add(rows(10, f'B{i}'))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], check=False)
    assert ended.returncode == -9
    assert path.with_name(path.name + "-wal").stat().st_size > 0
    with Store(path) as store:
        assert len(store.records()) == 50
    with Store(path, write=True) as store:
        store.add(rows(1))
    with Store(path) as store:
        assert len(store.records()) == 51


def test_nothing_is_unpickled_or_run(path, tmp_path):
    sign = tmp_path / "sign"
    attack = b"cposix\nsystem\n(S'touch " + str(sign).encode() + b"'\ntR."
    with Store(path, write=True) as store:
        store.add(rows(1))
    file = sqlite3.connect(path)
    with file:
        file.execute("UPDATE record SET outcomes = ?, scores = ?", (attack, attack))
        file.execute("INSERT OR REPLACE INTO about VALUES ('plan', ?, '')", (attack.decode(),))
    file.close()
    with pytest.raises(StoreError, match="damaged"):
        Results.read(path)
    with Store(path) as store, pytest.raises(StoreError, match="do not add up"):
        store.records()
    assert not sign.exists()


def test_a_lost_a_doubled_and_a_changed_row_are_noticed(path):
    for change in (
        "DELETE FROM record WHERE repetition = 1",
        "INSERT INTO record SELECT key || 'x', selector, repetition, inner, status, reason, "
        "outcomes, score_kind, scores, seconds FROM record WHERE repetition = 1",
        "UPDATE record SET status = 'failed' WHERE repetition = 1",
        "UPDATE record SET seconds = seconds + 1 WHERE repetition = 1",
        "DELETE FROM about WHERE name = 'totals'",
    ):
        with Store(path, write=True) as store:
            store.add(rows(3))
        file = sqlite3.connect(path)
        with file:
            file.execute(change)
        file.close()
        with Store(path) as store:
            for look in (store.records, store.statuses):
                with pytest.raises(StoreError, match="delete it and run the study again"):
                    look()
        path.unlink()


def test_changed_notes_are_noticed(path):
    with Store(path, write=True) as store:
        store.note("plan", {"title": "one"})
    file = sqlite3.connect(path)
    with file:
        file.execute("UPDATE about SET value = ?", (json.dumps({"title": "two"}),))
    file.close()
    with Store(path) as store, pytest.raises(StoreError, match="'plan' does not add up"):
        store.about("plan")


def test_the_file_says_what_it_is(path):
    Store(path, write=True).close()
    file = sqlite3.connect(path)
    assert file.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    file.close()
