"""One SQLite file that holds what a study has done; survives kills, notices damage.

One process writes at a time, readers may look on. Rows carry checksums, whose sum stands beside
them and changes in the same transaction: a row that is lost, changed or doubled is noticed. Nothing
in the file is ever executed or unpickled.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from holdfast.exceptions import StoreError
from holdfast.study.records import Record, checksum

APPLICATION = 0x401DFA57
VERSION = 1
COLUMNS = "key, selector, repetition, inner, status, reason, outcomes, score_kind, scores"
SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE record (
    key TEXT PRIMARY KEY, selector TEXT NOT NULL, repetition INTEGER NOT NULL,
    inner INTEGER NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, outcomes BLOB NOT NULL,
    score_kind TEXT NOT NULL, scores BLOB NOT NULL, seconds REAL NOT NULL
) WITHOUT ROWID;
"""
WRAP = 1 << 64


class Store:
    """The records of a study.

    Parameters
    ----------
    path : str or pathlib.Path
        The file; made if it is not there and `write` is set.
    write : bool
        Whether to add to it; only one process may at a time.
    """

    def __init__(self, path: str | Path, write: bool = False) -> None:
        self.path = Path(path)
        self._lock: sqlite3.Connection | None = None
        new = not self.path.exists()
        if new and not write:
            raise StoreError(f"{self.path}: there is no such study.")
        if new and not self.path.parent.is_dir():
            raise StoreError(f"{self.path} cannot be made: there is no folder {self.path.parent}.")
        if write:
            self._lock = _locked(self.path)
        try:
            with self._understood():
                self._file = _opened(self.path, write)
                if new:
                    self._make()
                self._check()
        except BaseException:
            self.close()
            raise

    def _make(self) -> None:
        self._file.executescript(
            f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION};{SCHEMA}"
        )
        self._set("rows", "0")
        self._set("checksum", "0")

    def _check(self) -> None:
        """Refuse what is no study, of another version, or damaged."""
        application = self._file.execute("PRAGMA application_id").fetchone()[0]
        if application != APPLICATION:
            raise StoreError(f"{self.path} is not a holdfast study. Choose another file.")
        version = self._file.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise StoreError(
                f"{self.path} was written by a newer holdfast (format {version}; this one knows "
                f"{VERSION}). Update holdfast, or begin a new study in another file."
            )
        found = self._file.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise _damaged(self.path, found)

    def about(self, name: str) -> Any:
        """What was noted under a name, or None."""
        with self._understood():
            row = self._file.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
            return None if row is None else json.loads(row[0])

    def note(self, name: str, value: Any) -> None:
        """Note something under a name."""
        with self._understood(), self._file:
            self._set(name, json.dumps(value))

    def _set(self, name: str, text: str) -> None:
        self._file.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, text))

    def add(self, records: Iterable[Record]) -> None:
        """Write records, all or none of them; one that is there already is replaced."""
        with self._understood(), self._file:
            rows, total = self._totals()
            for record in records:
                packed = record.packed()
                before = self._file.execute(
                    f"SELECT {COLUMNS} FROM record WHERE key = ?", (record.key,)
                ).fetchone()
                if before is None:
                    rows += 1
                else:
                    total -= checksum(before)
                total += checksum(packed)
                marks = ", ".join("?" * (len(packed) + 1))
                self._file.execute(
                    f"INSERT OR REPLACE INTO record VALUES ({marks})", (*packed, record.seconds)
                )
            self._set("rows", str(rows))
            self._set("checksum", str(total % WRAP))

    def statuses(self) -> dict[str, str]:
        """Status by key."""
        with self._understood():
            return dict(self._file.execute("SELECT key, status FROM record"))

    def records(self) -> list[Record]:
        """All records, in an order that depends on nothing but them; refuses a damaged file."""
        with self._understood():
            query = (
                f"SELECT {COLUMNS}, seconds FROM record ORDER BY selector, repetition, inner, key"
            )
            self._file.execute("BEGIN")
            try:
                found = self._file.execute(query).fetchall()
                rows, total = self._totals()
            finally:
                self._file.rollback()
            if len(found) != rows or sum(checksum(row[:-1]) for row in found) % WRAP != total:
                raise _damaged(self.path, "its rows do not add up")
            return [Record.unpacked(row[:-1], row[-1]) for row in found]

    def _totals(self) -> tuple[int, int]:
        values = dict(
            self._file.execute("SELECT name, value FROM about WHERE name IN ('rows', 'checksum')")
        )
        return int(values["rows"]), int(values["checksum"])

    @contextmanager
    def _understood(self) -> Iterator[None]:
        """Turn what SQLite says into what to do about it."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise _explained(self.path, error) from error
        except (sqlite3.DatabaseError, ValueError, KeyError, TypeError, OverflowError) as error:
            raise _damaged(self.path, str(error)) from error

    def close(self) -> None:
        """Let go of the file; another process may write then."""
        file = getattr(self, "_file", None)
        if file is not None:
            file.close()
        if self._lock is not None:
            self._lock.close()
            _lock_path(self.path).unlink(missing_ok=True)
            self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _opened(path: Path, write: bool) -> sqlite3.Connection:
    mode = "rwc" if write else "ro"
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    file = sqlite3.connect(uri, uri=True, timeout=10.0, check_same_thread=False)
    if write:
        file.execute("PRAGMA journal_mode=WAL")
        # A power cut may take the last moments, never the file's consistency.
        file.execute("PRAGMA synchronous=NORMAL")
    return file


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + "-lock")


def _locked(path: Path) -> sqlite3.Connection:
    """Hold a lock that the system lets go of when this process ends, however it ends."""
    try:
        lock = sqlite3.connect(_lock_path(path), timeout=0.0, check_same_thread=False)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise StoreError(
                f"{path} is being written by another process. Wait for it to end, or look on with "
                "`holdfast study status`."
            ) from error
        raise _explained(path, error) from error
    return lock


def _damaged(path: Path, what: str) -> StoreError:
    return StoreError(
        f"{path} is damaged ({what}). Restore it from a copy, or delete it and run the study "
        "again; no result is read from a damaged file."
    )


def _explained(path: Path, error: sqlite3.OperationalError) -> StoreError:
    said = str(error)
    if "full" in said:
        return StoreError(
            f"{path}: the disk is full. Make room and resume; what was written before is safe."
        )
    if "readonly" in said or "unable to open" in said:
        return StoreError(
            f"{path} cannot be written ({said}). Allow writing to it and its folder, or choose "
            "another file."
        )
    if "locked" in said:
        return StoreError(f"{path} is being written by another process. Wait for it to end.")
    if "malformed" in said or "no such" in said or "corrupt" in said:
        return _damaged(path, said)
    return StoreError(f"{path}: {said}.")
