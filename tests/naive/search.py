"""Searches as section 1.2 of Somol et al. (2011) writes them down, over sets and a function J.

A judge answers ``judge(base, tuples, adding)`` with a pair (preference, value) for each tuple, or
None for one that it left out, and ``value(subset)``. What a search saw is in its `Course`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import combinations

from tests.naive.preference import NaiveChoice, Subset

Function = Callable[[Subset], float]
Reached = tuple[Subset, float]
NOWHERE = frozenset(), -math.inf


class Plain:
    """One criterion: the preference is the value; every subset is computed once."""

    comparable = True

    def __init__(self, function: Function) -> None:
        self.function = function
        self.known: dict[Subset, float] = {}

    def value(self, subset: Subset) -> float:
        if subset not in self.known:
            self.known[subset] = self.function(subset)
        return self.known[subset]

    def judge(self, base, tuples, adding):
        values = [self.value(base | set(t) if adding else base - set(t)) for t in tuples]
        return [None if math.isnan(value) else (value, value) for value in values]


class Hybrid:
    """Section 4: the filter names the tuples that the wrapper may see."""

    def __init__(self, first, second, share: float) -> None:
        self.first, self.second, self.share = first, second, share
        self.comparable = second.comparable

    def value(self, subset: Subset) -> float:
        return self.second.value(subset)

    def judge(self, base, tuples, adding):
        liked = self.first.judge(base, tuples, adding)
        n_passed = max(1, math.floor(self.share * len(tuples) + 0.5))
        there = [i for i in range(len(tuples)) if liked[i] is not None]
        # Python sorts stably: ties stay in feature order.
        there.sort(key=lambda i: liked[i][0], reverse=True)
        passed = sorted(there[:n_passed])
        answers = [None] * len(tuples)
        for i, answer in zip(
            passed, self.second.judge(base, [tuples[i] for i in passed], adding), strict=True
        ):
            answers[i] = answer
        return answers


class Course:
    """ADD_c and RMV_c, and what they saw."""

    def __init__(
        self,
        judge,
        free: Iterable[int],
        fixed: Iterable[int] = (),
        c: int = 1,
        choices: Iterable[NaiveChoice] = (),
        sizes: tuple[int, int] = (1, 10**9),
    ) -> None:
        self.judge = judge
        self.fixed = frozenset(fixed)
        self.everything = frozenset(free) | self.fixed
        self.c = c
        self.choices = list(choices)
        self.sizes = sizes
        self.best: dict[int, Reached] = {}

    def see(self, subset: Subset, value: float) -> None:
        if math.isnan(value):
            return
        if len(subset) not in self.best or value > self.best[len(subset)][1]:
            self.best[len(subset)] = subset, value
        if self.sizes[0] <= len(subset) <= self.sizes[1]:
            for choice in self.choices:
                choice.update(subset, value)

    def begin(self, subset: Iterable[int]) -> Reached:
        subset = frozenset(subset) | self.fixed
        if not subset:
            return NOWHERE
        value = self.judge.value(subset)
        self.see(subset, value)
        return subset, value

    def add(self, subset: Subset) -> Reached | None:
        return self.move(subset, sorted(self.everything - subset), True)

    def remove(self, subset: Subset) -> Reached | None:
        if len(subset) - self.c < max(1, len(self.fixed)):
            return None
        return self.move(subset, sorted(subset - self.fixed), False)

    def move(self, subset: Subset, movable: list[int], adding: bool) -> Reached | None:
        tuples = list(combinations(movable, self.c))
        if not tuples:
            return None
        led = [subset | set(t) if adding else subset - set(t) for t in tuples]
        answers = self.judge.judge(subset, tuples, adding)
        there = [i for i, answer in enumerate(answers) if answer is not None]
        winner = max(there, key=lambda i: answers[i][0])
        for i in there if self.judge.comparable else [winner]:
            self.see(led[i], answers[i][1])
        return led[winner], answers[winner][1]


def sfs(course: Course, start: Reached, t: int) -> Reached:
    x = start
    while len(x[0]) + course.c <= t:
        step = course.add(x[0])
        if step is None:
            break
        x = step
    return x


def sbs(course: Course, start: Reached, t: int) -> Reached:
    x = start
    while len(x[0]) - course.c >= t:
        step = course.remove(x[0])
        if step is None:
            break
        x = step
    return x


def sffs(course: Course, start: Reached, t: int, restore: bool = True) -> Reached:
    """With `restore` the search goes on from the best known subset of the size it has reached."""
    return floating(course, start, course.add, course.remove, lambda d: d + course.c <= t, restore)


def sfbs(course: Course, start: Reached, t: int, restore: bool = True) -> Reached:
    return floating(course, start, course.remove, course.add, lambda d: d - course.c >= t, restore)


def floating(course, start, on, back, may_go_on, restore: bool) -> Reached:
    x = start
    while may_go_on(len(x[0])):
        step = on(x[0])
        if step is None:
            break
        x = step
        if restore and course.best[len(x[0])][1] > x[1]:
            x = course.best[len(x[0])]
        while True:
            known = dict(course.best)
            step = back(x[0])
            if step is None:
                break
            size = len(step[0])
            if size in known and not step[1] > known[size][1]:
                break
            x = step
    return x


def oscillating(course: Course, start: Reached, delta_max: int) -> Reached:
    x, delta = start, 1
    while True:
        down = times(course.add, delta, times(course.remove, delta, x))
        if down is not None and down[1] > x[1]:
            x, delta = down, 1
            continue
        up = times(course.remove, delta, times(course.add, delta, x))
        if up is not None and up[1] > x[1]:
            x, delta = up, 1
            continue
        if delta * course.c < delta_max:
            delta += 1
            continue
        return x


def times(operation, delta: int, x: Reached | None) -> Reached | None:
    for _ in range(delta):
        if x is None:
            return None
        x = operation(x[0])
    return x


def dynamic_oscillating(course: Course, start: Reached, delta_max: int) -> Reached:
    x, delta = start, 1
    while True:
        better = first_better(x, course.remove, course.add, delta) or first_better(
            x, course.add, course.remove, delta
        )
        if better is not None:
            x, delta = better, 1
        elif delta * course.c < delta_max:
            delta += 1
        else:
            return x


def first_better(x: Reached, there, back, delta: int) -> Reached | None:
    """The first subset on the swing that is better; the swing turns where it can go no further."""
    here, gone = x, 0
    for _ in range(delta):
        step = there(here[0])
        if step is None:
            break
        here, gone = step, gone + 1
        if here[1] > x[1]:
            return here
    for _ in range(gone):
        step = back(here[0])
        if step is None:
            break
        here = step
        if here[1] > x[1]:
            return here
    return None


def best_individual(course: Course, k: int) -> Reached:
    movable = sorted(course.everything - course.fixed)
    answers = course.judge.judge(course.fixed, [(f,) for f in movable], True)
    there = [i for i, answer in enumerate(answers) if answer is not None]
    by_preference = sorted(there, key=lambda i: answers[i][0], reverse=True)
    for i in there if course.judge.comparable else by_preference[:1]:
        course.see(course.fixed | {movable[i]}, answers[i][1])
    return course.begin(movable[i] for i in by_preference[: k - len(course.fixed)])


def exhaustive(course: Course, low: int, high: int) -> None:
    """All subsets of the sizes by their value, each size in the order of its first members."""
    free = sorted(course.everything - course.fixed)
    for size in range(max(low, 1), high + 1):
        for chosen in combinations(free, size - len(course.fixed)):
            subset = course.fixed | set(chosen)
            course.see(subset, course.judge.value(subset))
