"""What a search tried and chose: frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Action = Literal["start", "add", "remove", "restore", "improve"]


class Working(NamedTuple):
    """A subset in the units of the search (single features or blocks of them), and its value.

    Attributes
    ----------
    units : tuple of int
        Ascending.
    value : float
        The criterion.
    """

    units: tuple[int, ...]
    value: float

    @property
    def size(self) -> int:
        """Number of units."""
        return len(self.units)


@dataclass(frozen=True)
class Step:
    """One move of a search.

    Attributes
    ----------
    action : {"start", "add", "remove", "restore", "improve"}
        What was done; "restore" goes back to the best known subset of that size, "improve" is for
        searches without a way: a subset better than all before.
    moved : tuple of int
        The units that came or went.
    subset : Working
        Where the move led.
    folds : array
        The value fold by fold.
    others : mapping
        Further metrics, fold by fold.
    kept : bool
        Whether the search went on from here; False for a step that was tried and taken back.
    depth : int
        Depth of the swing it was part of; 0 outside swings.
    evaluations : int
        Different subsets scored so far.
    seconds : float
        Time so far.
    """

    action: Action
    moved: tuple[int, ...]
    subset: Working
    folds: NDArray[np.float64]
    others: Mapping[str, NDArray[np.float64]]
    kept: bool
    depth: int
    evaluations: int
    seconds: float


@dataclass
class Trace:
    """The whole course of a search.

    Attributes
    ----------
    steps : list of Step
        In order.
    best : dict
        The best subset known of each size.
    stopped : str
        Why the search ended.
    """

    steps: list[Step] = field(default_factory=list)
    best: dict[int, Working] = field(default_factory=dict)
    stopped: str = "complete"
