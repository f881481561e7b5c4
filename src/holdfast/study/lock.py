"""One writer at a time, without keeping readers away."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from holdfast.exceptions import StoreError


class Lock:
    """A lock that the system lets go of when this process ends, however it ends.

    An empty SQLite file beside the guarded one, since SQLite knows how to lock on every system.

    Parameters
    ----------
    path : pathlib.Path
        Of the file to guard.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(path.name + "-lock")
        while True:
            self.path.touch()
            before = _identity(self.path)
            self._held = sqlite3.connect(self.path, timeout=0.0, check_same_thread=False)
            try:
                self._held.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                # Looked at while it is open: a closed file's number may be another's at once.
                gone = _identity(self.path) != before
                self._held.close()
                if gone:
                    continue
                if "locked" not in str(error):
                    raise
                raise StoreError(
                    f"{path} is being written by another process. Wait for it to end, or look on "
                    "with `holdfast study status`."
                ) from error
            # The one before may have removed the file between these lines; then it guards nothing.
            if before is not None and _identity(self.path) == before:
                return
            self._held.close()

    def release(self) -> None:
        """Let go."""
        # Removed while it is held: whoever opens it from now on sees that it is another.
        with suppress(OSError):  # where open files cannot be removed it stays, and does no harm
            self.path.unlink()
        self._held.close()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
