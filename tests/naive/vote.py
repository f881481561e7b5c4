"""Voting as section 3.1 of Somol et al. (2011) writes it down, with exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.naive.preference import Subset


class Vote:
    """Members vote about each step; a member that left a candidate out ranks it behind all others.

    Parameters
    ----------
    members : judges, see `tests.naive.search`
    by : "order" or "weight"
    ties : "min" or "median"
    value : "mean" or the index of a member
    """

    comparable = False

    def __init__(self, members, by="order", ties="min", value="mean") -> None:
        self.members, self.by, self.ties, self.worth_of = members, by, ties, value
        self.past: dict[tuple[bool, tuple[int, ...]], list[Fraction]] = {}

    def value(self, subset: Subset) -> float:
        return self.worth([member.value(subset) for member in self.members])

    def worth(self, values: list[float]) -> float:
        if self.worth_of == "mean":
            return sum(values) / len(values)
        return values[self.worth_of]

    def judge(self, base, tuples, adding):
        answers = [member.judge(base, tuples, adding) for member in self.members]
        ballots = [self.ballot(member_answers) for member_answers in answers]
        keys = []
        for i, moved in enumerate(tuples):
            vote = -Fraction(sum(ballot[i] for ballot in ballots)) / len(self.members)
            votes = self.past.setdefault((adding, moved), [])
            votes.append(vote)
            heard = sum(member_answers[i] is not None for member_answers in answers)
            keys.append((heard, vote, sum(votes) / len(votes), -i))
        by_all = [i for i in range(len(tuples)) if keys[i][0] == len(self.members)]
        if by_all:
            return [
                (keys[i], self.worth([a[i][1] for a in answers])) if i in by_all else None
                for i in range(len(tuples))
            ]
        result = [None] * len(tuples)
        for i in sorted(range(len(tuples)), key=lambda i: keys[i], reverse=True):
            value = self.value(base | set(tuples[i]) if adding else base - set(tuples[i]))
            if keys[i][0] > 0 and not math.isnan(value):
                result[i] = keys[i], value
                break
        return result

    def ballot(self, answers) -> list[Fraction]:
        """What each candidate loses with one member: its alpha (eq. 16) or its beta (eq. 18)."""
        return self.betas(answers) if self.by == "weight" else self.alphas(answers)

    def alphas(self, answers) -> list[Fraction]:
        # One that was left out is worse than any that was judged.
        scores = [(0,) if answer is None else (1, answer[0]) for answer in answers]
        if self.ties == "min":
            return [Fraction(1 + len({b for b in scores if b > a})) for a in scores]
        return [
            1 + sum(b > a for b in scores) + Fraction(sum(b == a for b in scores) - 1, 2)
            for a in scores
        ]

    def betas(self, answers) -> list[Fraction]:
        values = [answer[1] for answer in answers if answer is not None]
        if not values:
            return [Fraction(0)] * len(answers)
        best, worst = Fraction(max(values)), Fraction(min(values))
        return [best - (worst if answer is None else Fraction(answer[1])) for answer in answers]
