"""On which line of a TOML text a key stands, for messages that point there."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEAD = re.compile(r"^\s*\[\[?\s*(?P<path>[^\]]+?)\s*\]\]?\s*(#.*)?$")
_ENTRY = re.compile(r"^\s*(?P<path>(?:\"[^\"]*\"|'[^']*'|[A-Za-z0-9_-]+|\s*\.\s*)+?)\s*=")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+)")


def line_of(text: str, path: Sequence[str]) -> int | None:
    """The line, from 1, of a key or of the nearest table around it that has a line of its own.

    Keys inside inline tables count as the key of that table. Text inside multi-line strings is
    taken for TOML, which may name a wrong line and never a wrong key.
    """
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.match(line)
        if head:
            table = _parts(head["path"])
            lines.setdefault(table, number)
            continue
        entry = _ENTRY.match(line)
        if entry:
            lines.setdefault((*table, *_parts(entry["path"])), number)
    wanted = tuple(path)
    while wanted:
        if wanted in lines:
            return lines[wanted]
        wanted = wanted[:-1]
    return None


def _parts(path: str) -> tuple[str, ...]:
    return tuple("".join(groups) for groups in _PART.findall(path))
