"""Systems at the edges, for which every measure has a documented value."""

from __future__ import annotations

from holdfast.exceptions import InputError
from holdfast.stability import Measure
from tests.stability.judges import value
from tests.stability.systems import System, system

DEGENERATE: dict[str, System] = {
    "identical": system(5, {0, 1}, {0, 1}, {0, 1}),
    "disjoint": system(6, {0, 1}, {2, 3}, {4, 5}),
    "all empty": system(5, (), (), ()),
    "all full": system(5, range(5), range(5), range(5)),
    "one empty": system(5, (), {0, 1}, {0, 1}),
    "one full": system(5, range(5), {0, 1}, {0, 1}),
    "empty and full": system(5, (), range(5)),
    "one feature, chosen": system(1, {0}, {0}),
    "one feature, now and then": system(1, {0}, ()),
    "two features": system(2, {0}, {1}),
}


def value_or_error(measure: Measure, one: System) -> float | None:
    """The measure's value, or None where it refuses."""
    try:
        return value(measure, one)
    except InputError:
        return None
