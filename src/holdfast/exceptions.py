"""What holdfast raises and warns with, and the one sentence shape of every refusal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class HoldfastError(Exception):
    """Base of every error that holdfast raises on purpose."""


class InputError(HoldfastError, ValueError):
    """Something given to holdfast cannot be used; the message says what, why and how to mend it."""


class FileFormatError(InputError):
    """A file cannot be read; the message says where and why.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    line : int or None
        The line at fault, counted from 1, where one line is; in a Parquet file the row.
    """

    def __init__(
        self, path: Path, problem: str, line: int | None = None, unit: str = "line"
    ) -> None:
        self.path = path
        self.line = line
        self._arguments = (path, problem, line, unit)
        where = f"{path}, {unit} {line}" if line is not None else str(path)
        super().__init__(f"{where}: {problem}")

    def __reduce__(self) -> tuple[type[FileFormatError], tuple[Path, str, int | None, str]]:
        # Errors cross process borders as pickles, which would pass the message alone.
        return type(self), self._arguments


class UndefinedInferenceError(HoldfastError, ValueError):
    """A test was asked for where the estimated variance is zero, so it has no p-value."""


class UndefinedStabilityWarning(UserWarning):
    """A part of the answer is a convention, or was left out, because it is undefined."""


class EstimatorFailedError(HoldfastError, RuntimeError):
    """A model failed to fit or to score on a subset, and was asked to say so."""


class EstimatorFailedWarning(UserWarning):
    """A model failed on a subset, which is left out of the search."""


class SearchFailedError(HoldfastError, RuntimeError):
    """No candidate of a step could be scored."""


class SingularCovarianceWarning(UserWarning):
    """A covariance was singular, and got a ridge that makes it positive definite."""


class StoreError(HoldfastError, RuntimeError):
    """The file of a study cannot be read or written; the message says what to do."""


class SearchStoppedWarning(UserWarning):
    """A search ended before it was complete; the best so far is kept."""


def refusal(parameter: str, owner: str, expected: str, got: object, cure: str = "") -> InputError:
    """Say what a parameter must be, what came, and how to mend it."""
    sentence = f"The '{parameter}' parameter of {owner} must be {expected}. Got {got} instead."
    return InputError(f"{sentence} {cure}".rstrip())


def listed(items: Sequence[str], most: int = 5) -> str:
    """Join the first few items and say how many more there are."""
    shown = ", ".join(items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most} more"
