"""What a stability measure is: a function of Selections, and what is known about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from holdfast.exceptions import InputError, listed, refusal
from holdfast.selections import Selections

Property = Literal["limits", "monotone", "chance", "unconstrained", "symmetric", "redundancy"]
Need = Literal["equal sizes", "similarity", "weights", "weights or ranks"]

PROPERTIES: Mapping[Property, str] = {
    "limits": "bounds that depend on neither the number of features nor the subset sizes, "
    "and the best value wherever all runs choose the same features, neither none nor all",
    "monotone": "never worse when one run replaces a feature by one that all other runs have "
    "that had the old one, and more; or, where similarities count, by one at least as similar to "
    "each feature of each other run",
    "chance": "0 on average over random choices: exactly for runs of one size, and for any sizes "
    "exactly or in the limit of many runs",
    "unconstrained": "defined for subsets of different sizes",
    "symmetric": "independent of the order of the runs",
    "redundancy": "better when a feature is replaced by a similar one than by an unrelated one",
}


@dataclass(frozen=True)
class Measure:
    """One stability measure.

    Attributes
    ----------
    key, title : str
        Its name in code and in words.
    paper : str
        Where it was published.
    formula : str
        The formula, in LaTeX.
    low, high : str
        Range of its values.
    better : {"higher", "lower"}
        Which direction is more stable.
    properties : frozenset of str
        Which of :data:`PROPERTIES` it has; tested.
    asked : frozenset of str
        For which of them the question makes sense.
    needs : frozenset of str
        What the runs or the caller must bring beyond subsets.
    options : mapping
        Keyword options and their defaults.
    note : str
        What its definition leaves open and how it is settled here.
    compute : callable
        The function itself.
    """

    key: str
    title: str
    paper: str
    formula: str
    low: str
    high: str
    compute: Callable[..., float] = field(repr=False)
    properties: frozenset[Property] = frozenset()
    asked: frozenset[Property] = frozenset(PROPERTIES)
    better: Literal["higher", "lower"] = "higher"
    needs: frozenset[Need] = frozenset()
    options: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    @property
    def corrected_for_chance(self) -> bool:
        """Whether random choices score 0 on average."""
        return "chance" in self.properties

    def why_not(self, runs: Selections, given: Mapping[str, Any]) -> str:
        """Say what is missing to compute it; empty where nothing is."""
        if "equal sizes" in self.needs and runs.sizes.min() != runs.sizes.max():
            return "needs subsets of one size"
        if "similarity" in self.needs and given.get("similarity") is None:
            return "needs similarity= or X="
        if "weights" in self.needs and runs.score_kind != "weights":
            return "needs runs made from weights"
        if "weights or ranks" in self.needs and runs.score_kind is None:
            return "needs runs made from weights or rankings"
        return ""

    def __call__(self, runs: Selections, **options: Any) -> float:
        """Compute the measure."""
        at_least_two_runs(runs, self.key)
        unknown = sorted(set(options) - set(self.options))
        if unknown:
            known = ", ".join(self.options) or "none"
            raise refusal(unknown[0], f"the measure {self.key!r}", f"one of: {known}", unknown[0])
        return float(self.compute(runs, **{**self.options, **options}))


def at_least_two_runs(runs: Selections, asked: str) -> None:
    """Stability compares runs, so it needs two."""
    if not isinstance(runs, Selections):
        raise refusal(
            "runs",
            f"stability ({asked!r})",
            "a Selections",
            f"a {type(runs).__name__}",
            "Make one with Selections.from_subsets or Selections.from_masks.",
        )
    if runs.n_runs < 2:
        raise refusal(
            "runs",
            f"stability ({asked!r})",
            "at least 2 runs",
            "1 run",
            "Repeat the selection on other samples of the data and pass all of them.",
        )


def equal_size(runs: Selections, key: str) -> int:
    """Return the one size of all subsets, or refuse and name the sizes where they differ."""
    distinct, counts = np.unique(runs.sizes, return_counts=True)
    if distinct.size > 1:
        runs_of = ["1 run" if count == 1 else f"{count} runs" for count in counts.tolist()]
        found = [f"{size} ({of})" for size, of in zip(distinct, runs_of, strict=True)]
        raise InputError(
            f"The measure {key!r} is defined for subsets of one size only. Got sizes "
            f"{listed(found)}. Use 'nogueira2018' or 'cw_rel', which allow different sizes."
        )
    return int(distinct[0])
