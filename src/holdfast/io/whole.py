"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holdfast.exceptions import InputError


def refuse_to_replace(path: Path, overwrite: bool, cure: str) -> None:
    """Refuse a path that is taken or cannot be; a file may be replaced where that is allowed."""
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}.")
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is not a file that can be written.")
    if path.exists() and not overwrite:
        raise InputError(f"{path} is there already. {cure}")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to, which then takes its place; on an error it goes."""
    # A link keeps pointing where it points.
    target = Path(os.path.realpath(path))
    spare = target.with_name(f".{secrets.token_hex(8)}{target.suffix}")
    try:
        yield spare
        if target.exists():
            shutil.copymode(target, spare)
        spare.replace(target)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}).") from error
    finally:
        spare.unlink(missing_ok=True)
