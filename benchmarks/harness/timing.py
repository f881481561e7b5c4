"""Timing two functions in turns, so that what else the machine does meets both."""

from __future__ import annotations

from collections.abc import Callable
from timeit import Timer
from typing import Any

SHORTEST = 0.3  # seconds; shorter calls are repeated within one turn


def in_turns(
    ours: Callable[[], Any], peer: Callable[[], Any], turns: int
) -> list[tuple[float, float]]:
    """Seconds a call of each, one pair a turn."""
    calls = [(Timer(function), _calls_a_turn(function)) for function in (ours, peer)]
    times = []
    for _ in range(turns):
        mine, theirs = (timer.timeit(number) / number for timer, number in calls)
        times.append((mine, theirs))
    return times


def _calls_a_turn(function: Callable[[], Any]) -> int:
    once = Timer(function).timeit(1)
    return max(1, round(SHORTEST / once))
