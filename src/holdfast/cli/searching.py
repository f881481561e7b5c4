"""From options to the search."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from holdfast.contracts import Criterion
    from holdfast.selectors.base import SubsetSelector

STARTS = ("individual", "random", "forward")
RULES = ("best", "one-standard-error")


class Search(str, Enum):
    """Which search."""

    sfs = "sfs"
    sbs = "sbs"
    sffs = "sffs"
    sfbs = "sfbs"
    os = "os"
    dos = "dos"
    bif = "bif"
    exhaustive = "exhaustive"


FLOATING = {Search.sffs, Search.sfbs}
SWINGING = {Search.os, Search.dos}
STEPWISE = {Search.sfs, Search.sbs} | FLOATING | SWINGING


@dataclass(frozen=True)
class Searching:
    """Which subsets are tried, as asked for.

    Attributes
    ----------
    search : Search
        The algorithm.
    size : int, float, (low, high) or str
        As the selectors take it.
    swing, tuple_size, overshoot : int
        Depth of a swing; features that move at once; how far beyond the size to float.
    init, include, blocks : list of str
        Names of features, or of a way to start; blocks are records of names.
    tolerances : list of float
        Of the treated-as-equal choice.
    seed : int
        For random starts.
    limits : dict
        Budgets, threads and progress, as the selectors call them.
    """

    search: Search
    size: Any
    swing: int
    tuple_size: int
    overshoot: int | None
    init: list[str]
    include: list[str]
    blocks: list[str]
    tolerances: list[float]
    seed: int
    limits: dict[str, Any] = field(default_factory=dict)

    def selector(
        self, criterion: Criterion, column: Callable[[str], int], costs: Sequence[float] | None
    ) -> SubsetSelector:
        """Make the selector; `column` knows where a feature is."""
        from holdfast import selectors

        common: dict[str, Any] = {"include": [column(name) for name in self.include], **self.limits}
        if self.blocks:
            common["feature_groups"] = [[column(n) for n in _names(one)] for one in self.blocks]
        if self.search is Search.bif:
            return selectors.IndividualSelector(criterion, self.size, **common)
        common |= {"tolerance": self.tolerances, "n_features_to_select": self.size}
        if costs is not None:
            common["prefer"] = costs
        if self.search is Search.exhaustive:
            return selectors.ExhaustiveSelector(criterion, **common)
        common |= {"tuple_size": self.tuple_size, "random_state": self.seed}
        if self.init:
            common["init"] = self._init(column)
        if self.search is Search.os:
            return selectors.OscillatingSelector(criterion, swing=self.swing, **common)
        if self.search is Search.dos:
            return selectors.DynamicOscillatingSelector(criterion, swing=self.swing, **common)
        return selectors.SequentialSelector(
            criterion,
            direction="forward" if self.search in (Search.sfs, Search.sffs) else "backward",
            floating=self.search in FLOATING,
            overshoot=self.overshoot,
            **common,
        )

    def _init(self, column: Callable[[str], int]) -> Any:
        if self.search in SWINGING and len(self.init) == 1 and self.init[0] in STARTS:
            return self.init[0]
        return [column(name) for name in self.init]


def size_of(text: str) -> Any:
    """A number, a share, a range or a rule, as the selectors take it."""
    if text in RULES:
        return text.replace("-", "_")
    low, colon, high = text.partition(":")
    try:
        if colon:
            return int(low), int(high)
        return float(text) if "." in text else int(text)
    except ValueError:
        raise typer.BadParameter(
            f"must be a number, a share such as 0.5, LOW:HIGH, best or one-standard-error; "
            f"got {text!r}.",
            param_hint="'--size'",
        ) from None


def _names(block: str) -> list[str]:
    """Names with commas between them; quotation marks around one that holds a comma."""
    return next(csv.reader([block], skipinitialspace=True), [])
