"""Ensembles of criteria that vote about each step.

Somol, Grim, Novovičová & Pudil (2011), section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from scipy.stats import rankdata
from sklearn.utils import Tags

from holdfast.contracts import (
    Budget,
    Candidates,
    Criterion,
    Floats,
    Ints,
    Judge,
    Problem,
    Verdict,
)
from holdfast.criteria.parts import pick, summed, tags_of_all
from holdfast.exceptions import refusal


class Vote(Criterion):
    """Several criteria decide together which features come or go.

    Each step, every member ranks all candidates; the candidate with the best mean rank wins (or
    with ``by="weight"`` the one with the smallest mean loss to each member's favourite, which asks
    for members on one scale, such as accuracies). A tie goes to the candidate with the best mean
    vote over all steps so far, then to the first in feature order. A candidate that a member left
    out, as hybrids do, comes behind those that more members judged.

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
        return any(getattr(member, "needs_numbers", False) for member in self.members)

    def __sklearn_tags__(self) -> Tags:
        return tags_of_all(super().__sklearn_tags__(), self.members)

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
        return Voting(judges, self.by, self.ties, self.value, problem.budget)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; member i is ``member<i>``, its parameters ``member<i>__<name>``."""
        params: dict[str, Any] = super().get_params(deep=False)
        if deep:
            for i, member in enumerate(self.members):
                params[f"member{i}"] = member
                nested = member.get_params(deep=True).items()
                params |= {f"member{i}__{name}": value for name, value in nested}
        return params

    def set_params(self, **params: Any) -> Vote:
        """Set parameters; ``member<i>`` replaces a member, ``member<i>__<name>`` changes it."""
        own = {name: params.pop(name) for name in list(params) if name in self._get_param_names()}
        super().set_params(**own)
        # Whole members before their parameters, whatever order they come in.
        for name in sorted(params, key=lambda name: "__" in name):
            member, inside, nested = name.partition("__")
            position = self._position(member, name)
            if inside:
                self.members[position].set_params(**{nested: params[name]})
            else:
                members = list(self.members)
                members[position] = params[name]
                self.members = members
        return self

    def _position(self, member: str, name: str) -> int:
        known = [f"member{i}" for i in range(len(self.members))]
        if member not in known:
            raise refusal(
                name,
                "criteria.Vote",
                f"one of {self._get_param_names()} or begin with {known}",
                name,
            )
        return known.index(member)


class Voting(Judge):
    """The members' judges at one table.

    Parameters
    ----------
    judges : list of Judge
        One a member; the first one's evaluations are those that are counted.
    by, ties, value : as for :class:`Vote`
    budget : Budget
        Where it is spent, no member begins what the first could not do.
    """

    comparable = False

    def __init__(
        self, judges: list[Judge], by: str, ties: str, value: str | int, budget: Budget
    ) -> None:
        self.judges = judges
        self._by = by
        self._ties = ties
        self._value = value
        self._budget = budget
        # Votes a candidate got so far, apart for additions and removals: sum and number.
        self._record: dict[bool, dict[bytes, tuple[float, int]]] = {True: {}, False: {}}

    @property
    def evaluations(self) -> int:
        return self.judges[0].evaluations

    @property
    def counts(self) -> Mapping[str, int]:
        return summed(judge.counts for judge in self.judges)

    def value(self, subset: Ints) -> float:
        return float(self._worth(np.array([[judge.value(subset)] for judge in self.judges]))[0])

    def judge(self, base: Ints, candidates: Candidates, adding: bool) -> Verdict:
        first = self.judges[0].judge(base, candidates, adding)
        values = np.full(first.values.size, np.nan)
        preference = np.full(first.values.size, -np.inf)
        asked = np.arange(first.values.size)
        if self._budget.spent_reason is not None:
            asked = np.flatnonzero(~np.isneginf(first.preference))
        if asked.size == 0:
            return Verdict(values, preference)
        picked = pick(candidates, asked)
        verdicts = [Verdict(first.values[asked], first.preference[asked])]
        verdicts += [judge.judge(base, picked, adding) for judge in self.judges[1:]]
        judged_by = np.sum([~np.isneginf(verdict.preference) for verdict in verdicts], axis=0)
        order = self._order(verdicts, judged_by, [np.sort(one).tobytes() for one in picked], adding)
        worth = self._worth(np.stack([verdict.values for verdict in verdicts]))
        by_all = judged_by == len(self.judges)
        if not by_all.any():
            # Hybrids may agree on no candidate: the first one that all can value wins.
            winner = self._first_valued(base, picked, adding, order[judged_by[order] > 0], worth)
            by_all[winner] = True
        place = np.empty(asked.size)
        place[order] = -np.arange(asked.size)
        values[asked] = np.where(by_all, worth, np.nan)
        preference[asked] = np.where(by_all, place, -np.inf)
        return Verdict(values, preference)

    def _order(
        self, verdicts: list[Verdict], judged_by: Ints, keys: list[bytes], adding: bool
    ) -> Ints:
        """Order the candidates from best to worst, strictly.

        By how many members judged it, by its vote, by its mean vote so far, then in feature order.
        """
        # A sum orders as the mean does, and sums of ranks are exact: equal votes are seen as equal.
        votes = np.sum([self._votes(verdict) for verdict in verdicts], axis=0)
        average = self._remember(keys, votes, adding)
        return np.lexsort((np.arange(votes.size), -average, -votes, -judged_by))

    def _first_valued(
        self, base: Ints, candidates: Candidates, adding: bool, order: Ints, worth: Floats
    ) -> list[int]:
        """Position of the first candidate in order that has a value, which is entered in worth."""
        for position in order.tolist():
            moved = candidates[position]
            subset = np.union1d(base, moved) if adding else np.setdiff1d(base, moved)
            worth[position] = self.value(subset)
            if not np.isnan(worth[position]):
                return [position]
        return []

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
        """What one member gives each candidate: higher is better; its worst where it is silent."""
        if self._by == "order":
            method: Literal["dense", "average"] = "dense" if self._ties == "min" else "average"
            ranks: Floats = rankdata(-verdict.preference, method=method).astype(np.float64)
            return -ranks
        if np.isnan(verdict.values).all():
            return np.zeros(verdict.values.size)
        losses = verdict.values - np.nanmax(verdict.values)
        return np.where(np.isnan(losses), np.nanmin(losses), losses)

    def _remember(self, keys: list[bytes], votes: Floats, adding: bool) -> Floats:
        """Add these votes to the record; return each candidate's mean vote so far."""
        record = self._record[adding]
        average = np.empty(votes.size)
        for i, (key, vote) in enumerate(zip(keys, votes.tolist(), strict=True)):
            total, number = record.get(key, (0.0, 0))
            record[key] = total + vote, number + 1
            average[i] = (total + vote) / (number + 1)
        return average
