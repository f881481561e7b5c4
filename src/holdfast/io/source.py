"""What the readers share: the file at hand, and what the caller said about its features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from holdfast.exceptions import FileFormatError

SUFFIXES = (".csv", ".tsv", ".json", ".parquet")

# Cells of each record and the number of the line it begins on.
Lines = Iterator[tuple[int, list[str]]]

UNIVERSE_UNKNOWN = (
    "the file does not say how many features there were to choose from, and stability beyond "
    "chance depends on it. Pass n_features= or feature_names= (--n-features, --feature-names)."
)


def counted(cells: int) -> str:
    """Count cells in words."""
    return f"{cells} cell{'s' * (cells != 1)}"


@dataclass(frozen=True)
class Source:
    """A file to read, and all features if the caller told."""

    path: Path
    n_features: int | None
    names: tuple[str, ...] | None
    unit: str = "line"

    def error(self, problem: str, line: int | None = None) -> FileFormatError:
        """Say what is wrong where."""
        return FileFormatError(self.path, problem, line, self.unit)
