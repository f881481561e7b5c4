"""Ensembles of criteria that vote about each step.

Somol, Grim, Novovičová & Pudil (2011), section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from scipy.stats import rankdata

from holdfast.contracts import Candidates, Criterion, Floats, Ints, Judge, Problem, Verdict
from holdfast.exceptions import refusal


class Vote(Criterion):
    """Several criteria decide together which features come or go.

    Each step, every member ranks all candidates; the candidate with the best mean rank wins (or
    with ``by="weight"`` the one with the smallest mean loss to each member's favourite, which asks
    for members on one scale, such as accuracies). A tie goes to the candidate with the best mean
    vote over all steps so far, then to the first in feature order.

    Votes compare the candidates of one step. Subsets of different steps are compared by their
    `value`.

    Parameters
    ----------
    members : list of Criterion
        At least one; any criterion, other votes and hybrids included.
    by : {"order", "weight"}, default="order"
        Vote by ranks (eq. 17) or by differences of values (eq. 19).
    ties : {"min", "median"}, default="min"
        Rank of candidates that one member finds equal: the best of their ranks with no gap after it
        (eq. 16), or the middle of the ranks they take up (Remark 3.1).
    value : "mean" or int, default="mean"
        What a subset is worth when it is compared with subsets of other steps: the mean of the
        members' values, or the value of the member with this index.
    """

    def __init__(
        self,
        members: Sequence[Criterion],
        by: Literal["order", "weight"] = "order",
        ties: Literal["min", "median"] = "min",
        value: Literal["mean"] | int = "mean",
    ) -> None:
        self.members = members
        self.by = by
        self.ties = ties
        self.value = value

    @property
    def needs_numbers(self) -> bool:  # type: ignore[override]
        """Whether a member does."""
        return any(member.needs_numbers for member in self.members)

    def prepare(self, problem: Problem) -> Judge:
        owner = "criteria.Vote"
        members = list(self.members)
        if not members or not all(isinstance(member, Criterion) for member in members):
            raise refusal("members", owner, "a list of criteria", repr(self.members))
        if self.by not in ("order", "weight"):
            raise refusal("by", owner, "'order' or 'weight'", repr(self.by))
        if self.ties not in ("min", "median"):
            raise refusal("ties", owner, "'min' or 'median'", repr(self.ties))
        if self.value != "mean" and self.value not in range(len(members)):
            raise refusal(
                "value", owner, f"'mean' or a member from 0 to {len(members) - 1}", repr(self.value)
            )
        uncounted = replace(problem, budget=problem.budget.time_only())
        judges = [
            member.prepare(problem if position == 0 else uncounted)
            for position, member in enumerate(members)
        ]
        return Voting(judges, problem.n_features, self.by, self.ties, self.value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; those of member i as ``member<i>__<name>``."""
        params: dict[str, Any] = super().get_params(deep=False)
        if deep:
            for i, member in enumerate(self.members):
                nested = member.get_params(deep=True).items()
                params |= {f"member{i}__{name}": value for name, value in nested}
        return params

    def set_params(self, **params: Any) -> Vote:
        """Set parameters; ``member<i>__<name>`` reaches into member i."""
        own = {name: value for name, value in params.items() if "__" not in name}
        super().set_params(**own)
        for name, value in params.items():
            member, inside, nested = name.partition("__")
            if inside:
                self.members[int(member.removeprefix("member"))].set_params(**{nested: value})
        return self


class Voting(Judge):
    """The members' judges at one table."""

    comparable = False

    def __init__(
        self, judges: list[Judge], n_features: int, by: str, ties: str, value: str | int
    ) -> None:
        self.judges = judges
        self._by = by
        self._ties = ties
        self._value = value
        # Votes a candidate got so far, apart for additions and removals: sum and number.
        self._record: dict[bool, dict[bytes, tuple[float, int]]] = {True: {}, False: {}}

    @property
    def evaluations(self) -> int:
        return self.judges[0].evaluations

    @property
    def counts(self) -> Mapping[str, int]:
        return _summed(judge.counts for judge in self.judges)

    def value(self, subset: Ints) -> float:
        return float(self._worth(np.array([[judge.value(subset)] for judge in self.judges]))[0])

    def judge(self, base: Ints, candidates: Candidates, adding: bool) -> Verdict:
        first = self.judges[0].judge(base, candidates, adding)
        # What the first member could not score (a spent budget, a failure) is out for all.
        alive = np.flatnonzero(~np.isneginf(first.preference))
        values = np.full(first.values.size, np.nan)
        preference = np.full(first.values.size, -np.inf)
        if alive.size == 0:
            return Verdict(values, preference)
        picked = pick(candidates, alive)
        verdicts = [Verdict(first.values[alive], first.preference[alive])]
        verdicts += [judge.judge(base, picked, adding) for judge in self.judges[1:]]
        values[alive] = self._worth(np.stack([verdict.values for verdict in verdicts]))
        votes = np.mean([self._votes(verdict) for verdict in verdicts], axis=0)
        everyone = np.all([~np.isneginf(verdict.preference) for verdict in verdicts], axis=0)
        average = self._remember(picked, votes, adding)
        # Best vote, then best average so far, then feature order: as one strict order.
        order = np.lexsort((np.arange(alive.size), -average, -votes))
        place = np.empty(alive.size)
        place[order] = -np.arange(alive.size)
        preference[alive] = np.where(everyone, place, -np.inf)
        values[alive[~everyone]] = np.nan
        return Verdict(values, preference)

    def folds(self, subset: Ints) -> Floats:
        members = [judge.folds(subset) for judge in self.judges]
        if self._value != "mean":
            return members[int(self._value)]
        if len({member.size for member in members}) > 1:
            members = [member.mean(keepdims=True) for member in members]
        mean: Floats = np.stack(members).mean(axis=0)
        return mean

    def others(self, subset: Ints) -> Mapping[str, Floats]:
        return {f"member{i}": judge.folds(subset) for i, judge in enumerate(self.judges)}

    def _worth(self, values: Floats) -> Floats:
        """One number a subset, from members x subsets."""
        worth: Floats = values.mean(axis=0) if self._value == "mean" else values[int(self._value)]
        return worth

    def _votes(self, verdict: Verdict) -> Floats:
        """What one member gives each candidate: higher is better."""
        if self._by == "weight":
            if np.isnan(verdict.values).all():
                return verdict.preference
            return np.nan_to_num(verdict.values - np.nanmax(verdict.values), nan=-np.inf)
        if self._ties == "min":
            return -rankdata(-verdict.preference, method="dense").astype(np.float64)
        return -rankdata(-verdict.preference, method="average")

    def _remember(self, candidates: Candidates, votes: Floats, adding: bool) -> Floats:
        """Add these votes to the record; return each candidate's mean vote so far."""
        record = self._record[adding]
        average = np.empty(votes.size)
        for i, vote in enumerate(votes.tolist()):
            key = np.sort(candidates[i]).tobytes()
            total, number = record.get(key, (0.0, 0))
            record[key] = total + vote, number + 1
            average[i] = (total + vote) / (number + 1)
        return average


def pick(candidates: Candidates, positions: Ints) -> Candidates:
    """Some of the candidates."""
    if isinstance(candidates, np.ndarray):
        return candidates[positions]
    return [candidates[p] for p in positions]


def _summed(parts: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for name, count in part.items():
            total[name] = total.get(name, 0) + count
    return total
