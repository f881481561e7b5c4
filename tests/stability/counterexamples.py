"""Counter-examples kept by hand: small systems that show what a measure lacks.

For a measure that lacks a property, the first entry under that property which it violates is the
one to show. `where` names the source; the toy examples are those of Nogueira & Brown (2016).
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.stability.systems import System, system

LARGE, SMALL = range(8), range(2)
# Features 0, 1, 2 are all alike, feature 3 is like none.
THREE_ALIKE = ((0, 1, 0.95), (0, 2, 0.95), (1, 2, 0.95))


@dataclass(frozen=True)
class Kept:
    """One or two systems that make a case, and where they come from."""

    systems: tuple[System, ...]
    where: str = ""


LIMITS = (
    Kept((system(10, range(7), range(7)),), "toy example 1"),
    Kept((system(10, LARGE, {8, 9}),), "the odd pair of toy example 4"),
    Kept((system(10, {8, 9}, LARGE),), "the odd pair of toy example 4, the other way round"),
    Kept((system(4, {3}, {0}, similar=THREE_ALIKE),)),
)

# Before and after: run 1 replaces a feature by one that run 0 has too, and so a similar feature
# loses the partner it had.
CROSSED = ((0, 1, 0.95), (0, 3, 0.95), (1, 2, 0.95))
STAR = ((0, 1, 1.0), (1, 2, 1.0))
CHAIN = ((0, 1, 0.95), (1, 2, 0.95))
MONOTONE = (
    Kept(
        (
            system(6, {0, 1}, {2, 3}, similar=CROSSED),
            system(6, {0, 1}, {0, 3}, similar=CROSSED),
        )
    ),
    Kept(
        (
            system(4, {0, 1, 2}, {0, 2}, similar=STAR),
            system(4, {0, 1, 2}, {1, 2}, similar=STAR),
        )
    ),
    Kept(
        (
            system(4, {1, 3}, {0, 2}, similar=CHAIN),
            system(4, {1, 3}, {1, 2}, similar=CHAIN),
        )
    ),
)

# All systems of these sizes: two runs that choose one of two features each.
CHANCE = (Kept((system(2, {0}, {0}),)),)

UNCONSTRAINED = (Kept((system(3, {0}, {0, 1}),)),)

SYMMETRIC = (
    Kept(
        (system(10, LARGE, SMALL, LARGE, SMALL), system(10, SMALL, LARGE, SMALL, LARGE)),
        "toy examples 2 and 3",
    ),
)

# Run 1 replaces feature 0 by the similar feature 2, or by the unrelated feature 3.
ONE_PAIR = ((0, 2, 0.95),)
REDUNDANCY = (
    Kept(
        (
            system(5, {0, 1}, {1, 2}, similar=ONE_PAIR),
            system(5, {0, 1}, {1, 3}, similar=ONE_PAIR),
        )
    ),
)

KEPT = {
    "limits": LIMITS,
    "monotone": MONOTONE,
    "chance": CHANCE,
    "unconstrained": UNCONSTRAINED,
    "symmetric": SYMMETRIC,
    "redundancy": REDUNDANCY,
}
