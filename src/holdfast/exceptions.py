"""What holdfast raises and warns with, and the one sentence shape of every refusal."""

from __future__ import annotations

from pathlib import Path


class HoldfastError(Exception):
    """Base of every error that holdfast raises on purpose."""


class InputError(HoldfastError, ValueError):
    """Something given to holdfast cannot be used; the message says what, why and how to mend it."""


class FileFormatError(InputError):
    """A file cannot be read as selections.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    line : int or None
        The line at fault, counted from 1, where one line is.
    """

    def __init__(self, path: Path, problem: str, line: int | None = None) -> None:
        self.path = path
        self.line = line
        where = f"{path}, line {line}" if line is not None else str(path)
        super().__init__(f"{where}: {problem}")


class UndefinedInferenceError(HoldfastError, ValueError):
    """A test was asked for where the estimated variance is zero, so it has no p-value."""


class UndefinedStabilityWarning(UserWarning):
    """A part of the answer is a convention, or was left out, because it is undefined."""


def refusal(parameter: str, owner: str, expected: str, got: object, cure: str = "") -> InputError:
    """Say what a parameter must be, what came, and how to mend it."""
    sentence = f"The '{parameter}' parameter of {owner} must be {expected}. Got {got} instead."
    return InputError(f"{sentence} {cure}".rstrip())


def listed(items: list[str], most: int = 5) -> str:
    """Join the first few items and say how many more there are."""
    shown = ", ".join(items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most} more"
