"""One SQLite file that holds what a study has done; survives kills, notices damage.

One process writes at a time, readers may look on. Rows and notes carry checksums, whose sum stands
beside them and changes in the same transaction: what is lost, changed or doubled is noticed.
Nothing in the file is ever executed or unpickled.
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
from holdfast.study.lock import Lock
from holdfast.study.records import Record, checksum

APPLICATION = 0x401DFA57
VERSION = 1
COLUMNS = "key, selector, repetition, inner, status, reason, outcomes, score_kind, scores, seconds"
# One transaction: a file is either a study or nothing yet, whenever its maker is killed.
SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL, sum TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE record (
    key TEXT PRIMARY KEY, selector TEXT NOT NULL, repetition INTEGER NOT NULL,
    inner INTEGER NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, outcomes BLOB NOT NULL,
    score_kind TEXT NOT NULL, scores BLOB NOT NULL, seconds REAL NOT NULL
) WITHOUT ROWID;
PRAGMA application_id={APPLICATION};
PRAGMA user_version={VERSION};
COMMIT;
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
        self._lock: Lock | None = None
        self._file: sqlite3.Connection | None = None
        if not self.path.exists() and not write:
            raise StoreError(f"{self.path}: there is no such study.")
        if not self.path.parent.is_dir():
            raise StoreError(f"{self.path} cannot be made: there is no folder {self.path.parent}.")
        try:
            with self._understood():
                if write:
                    self._lock = Lock(self.path)
                if write and (not self.path.exists() or self.path.stat().st_size == 0):
                    # An empty file may have a log beside it that the next reader would replay.
                    _make(self.path)
                # Looked at before anything is written, lest another program's file is changed.
                self._file = _reading(self.path)
                self._check()
                if write:
                    self._file.close()
                    self._file = _writing(self.path)
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        """Refuse what is no study, of another version, or damaged."""
        try:
            application = self._one("PRAGMA application_id")
        except sqlite3.DatabaseError as error:
            if "not a database" in str(error) and not _was_a_study(self.path):
                raise _no_study(self.path) from error
            raise
        if application != APPLICATION:
            raise _no_study(self.path)
        version = self._one("PRAGMA user_version")
        if version > VERSION:
            raise StoreError(
                f"{self.path} was written by a newer holdfast (format {version}; this one knows "
                f"{VERSION}). Update holdfast, or begin a new study in another file."
            )
        found = self._one("PRAGMA integrity_check(1)")
        if found != "ok":
            raise _damaged(self.path, found)

    def about(self, name: str) -> Any:
        """What was noted under a name, or None."""
        with self._understood():
            row = self._do("SELECT value, sum FROM about WHERE name = ?", (name,)).fetchone()
            if row is None:
                return None
            if str(checksum((name, row[0]))) != row[1]:
                raise _damaged(self.path, f"its note {name!r} does not add up")
            return json.loads(row[0])

    def note(self, name: str, value: Any) -> None:
        """Note something under a name."""
        with self._understood(), self._change():
            self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        text = json.dumps(value)
        total = str(checksum((name, text)))
        self._do("INSERT OR REPLACE INTO about VALUES (?, ?, ?)", (name, text, total))

    def add(self, records: Iterable[Record]) -> None:
        """Write records, all or none of them; one that is there already is replaced."""
        with self._understood(), self._change():
            rows, total = self._totals()
            for record in records:
                row = (*record.packed(), float(record.seconds))
                before = self._do(
                    f"SELECT {COLUMNS} FROM record WHERE key = ?", (record.key,)
                ).fetchone()
                if before is None:
                    rows += 1
                else:
                    total -= checksum(before)
                total += checksum(row)
                marks = ", ".join("?" * len(row))
                self._do(f"INSERT OR REPLACE INTO record VALUES ({marks})", row)
            self._set("totals", [rows, total % WRAP])

    def statuses(self) -> dict[str, str]:
        """Status by key; refuses a damaged file, lest its losses are taken for work to do."""
        return {row[0]: row[4] for row in self._rows()}

    def records(self) -> list[Record]:
        """All records, in an order that depends on nothing but them; refuses a damaged file."""
        with self._understood():
            return [Record.unpacked(row[:-1], row[-1]) for row in self._rows()]

    def _rows(self) -> list[tuple[Any, ...]]:
        with self._understood():
            query = f"SELECT {COLUMNS} FROM record ORDER BY selector, repetition, inner, key"
            self._do("BEGIN")
            try:
                found: list[tuple[Any, ...]] = self._do(query).fetchall()
                rows, total = self._totals()
            finally:
                self._do("ROLLBACK")
            doubled = len({row[0] for row in found}) < len(found)
            added = sum(checksum(row) for row in found) % WRAP
            if doubled or len(found) != rows or added != total:
                raise _damaged(self.path, "its rows do not add up")
            return found

    def _totals(self) -> tuple[int, int]:
        rows, total = self.about("totals") or (0, 0)
        return rows, total

    def _do(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        assert self._file is not None
        return self._file.execute(statement, values)

    def _one(self, statement: str) -> Any:
        return self._do(statement).fetchone()[0]

    @contextmanager
    def _change(self) -> Iterator[None]:
        """A transaction: everything in the block, or nothing."""
        self._do("BEGIN IMMEDIATE")
        try:
            yield
            self._do("COMMIT")
        except BaseException:
            # A full disk ends the transaction by itself.
            if self._file is not None and self._file.in_transaction:
                self._do("ROLLBACK")
            raise

    @contextmanager
    def _understood(self) -> Iterator[None]:
        """Turn what SQLite says into what to do about it."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            raise _explained(self.path, error) from error
        except (sqlite3.Error, ValueError, KeyError, TypeError, OverflowError) as error:
            raise _damaged(self.path, str(error)) from error

    def close(self) -> None:
        """Let go of the file; another process may write then."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock is not None:
            self._lock.release()
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


def _connected(path: Path, options: str) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?{options}"
    # Transactions are begun and ended here, never by the module's own rules.
    return sqlite3.connect(
        uri, uri=True, timeout=10.0, check_same_thread=False, isolation_level=None
    )


def _make(path: Path) -> None:
    file = _connected(path, "mode=rwc")
    try:
        file.executescript(SCHEMA)
        # Readers look on while one process writes.
        file.execute("PRAGMA journal_mode=WAL")
    finally:
        file.close()


def _writing(path: Path) -> sqlite3.Connection:
    file = _connected(path, "mode=rw")
    # A power cut may take the last moments, never the file's consistency.
    file.execute("PRAGMA synchronous=NORMAL")
    return file


def _reading(path: Path) -> sqlite3.Connection:
    file = _connected(path, "mode=ro")
    try:
        file.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        file.close()
        log = path.with_name(path.name + "-wal")
        unwritable = "unable to open" in str(error) or "readonly" in str(error)
        if not unwritable or (log.exists() and log.stat().st_size):
            raise
        # A folder where SQLite may not put its files: nobody can be writing there.
        return _connected(path, "mode=ro&immutable=1")
    except sqlite3.DatabaseError:
        pass  # said better by the check
    return file


def _was_a_study(path: Path) -> bool:
    """Whether damage or another program is the likelier reason for an unreadable file."""
    with path.open("rb") as file:
        head = file.read(100)
    marks = head[:15] == b"SQLite format 3", head[68:72] == APPLICATION.to_bytes(4, "big")
    return any(marks)


def _no_study(path: Path) -> StoreError:
    return StoreError(f"{path} is not a holdfast study. Choose another file.")


def _damaged(path: Path, what: str) -> StoreError:
    return StoreError(
        f"{path} is damaged ({what}). Restore it from a copy, or delete it and run the study "
        "again; no result is read from a damaged file."
    )


def _explained(path: Path, error: Exception) -> StoreError:
    said = str(error)
    if "full" in said or "disk I/O error" in said:
        return StoreError(
            f"{path}: the disk is full or cannot be written to ({said}). Make room and resume; "
            "what was written before is safe."
        )
    if isinstance(error, OSError) or "readonly" in said or "unable to open" in said:
        return StoreError(
            f"{path} cannot be used ({said}). Allow reading and writing it and its folder, or "
            "choose another file."
        )
    if "locked" in said:
        return StoreError(f"{path} is being written by another process. Wait for it to end.")
    return _damaged(path, said)
