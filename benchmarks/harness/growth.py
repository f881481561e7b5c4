"""How seconds grow with the size of something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmarks.harness.rows import significant


@dataclass(frozen=True)
class Grown:
    """Seconds at some sizes, and the power of the size that fits them best."""

    work: str
    over: str
    at: Sequence[int]
    seconds: Sequence[float]
    exponent: float
    reached: bool | None = None

    def __str__(self) -> str:
        shown = ", ".join(f"{significant(1e6 * one)} µs" for one in self.seconds)
        return f"{self.work} over {self.over}: {shown}; exponent {self.exponent:.2f}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Growth:
    """A row of seconds at growing sizes.

    Parameters
    ----------
    work, over : str
        What is done, and what grows.
    at : sequence of int
        The sizes.
    seconds : callable
        Seconds at a size; the least of some turns counts.
    turns : int
    """

    work: str
    over: str
    at: Sequence[int]
    seconds: Callable[[int], float]
    turns: int = 3

    def measure(self) -> Grown:
        least = [min(self.seconds(size) for _ in range(self.turns)) for size in self.at]
        exponent = float(np.polyfit(np.log(self.at), np.log(least), 1)[0])
        return Grown(self.work, self.over, self.at, least, exponent)
