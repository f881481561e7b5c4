"""The same composition of criteria twice: ours and the naive one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from holdfast.contracts import Criterion
from holdfast.criteria.hybrid import Hybrid
from holdfast.criteria.vote import Vote
from tests.naive import search as naive
from tests.naive import vote as naive_vote
from tests.search.tables import Spec, Table

# ("table", i) | ("vote", by, ties, value, *recipes) | ("hybrid", share, filter, wrapper)
Recipe = tuple[Any, ...]


@dataclass
class Made:
    """One recipe, twice; the log of the table that drives; every table with what it scored."""

    ours: Criterion
    naive: Any
    driving: list[int]
    tables: list[tuple[list[int], naive.Plain]] = field(default_factory=list)


def make(recipe: Recipe, spec: Spec) -> Made:
    kind, *rest = recipe
    if kind == "table":
        log: list[int] = []
        table = Table(spec.table(rest[0]), log)
        plain = naive.Plain(table.function)
        return Made(table, plain, log, [(log, plain)])
    if kind == "vote":
        by, ties, value, *members = rest
        parts = [make(member, spec) for member in members]
        ours = Vote([part.ours for part in parts], by, ties, value)
        twin = naive_vote.Vote([part.naive for part in parts], by, ties, value)
        driving = parts[0].driving
    else:
        share, *both = rest
        parts = [make(one, spec) for one in both]
        ours = Hybrid(parts[0].ours, parts[1].ours, share)
        twin = naive.Hybrid(parts[0].naive, parts[1].naive, share)
        driving = parts[1].driving
    return Made(ours, twin, driving, [table for part in parts for table in part.tables])


PLAIN: Recipe = ("table", 0)
ORDER = ("vote", "order", "min", "mean", ("table", 0), ("table", 1), ("table", 2))
MEDIAN = ("vote", "order", "median", 1, ("table", 0), ("table", 1))
WEIGHT = ("vote", "weight", "min", "mean", ("table", 0), ("table", 1))
HYBRID = ("hybrid", 0.4, ("table", 1), ("table", 0))
COMPOSED = {
    "plain": PLAIN,
    "order": ORDER,
    "median": MEDIAN,
    "weight": WEIGHT,
    "hybrid": HYBRID,
    "hybrid of an ensemble": ("hybrid", 0.5, ("table", 5), ORDER),
    "hybrid by an ensemble": ("hybrid", 0.3, MEDIAN, ("table", 6)),
    "vote of hybrids": ("vote", "order", "min", "mean", HYBRID, ("hybrid", 0, *HYBRID[:1:-1])),
    "weighted vote of hybrids": ("vote", "weight", "min", 0, HYBRID, ("hybrid", 0.2, *ORDER[4:6])),
    "vote of votes": ("vote", "order", "median", "mean", ORDER, WEIGHT, ("table", 3)),
    "hybrid of hybrids": ("hybrid", 0.7, HYBRID, ("hybrid", 0.6, ("table", 2), ("table", 3))),
}


def recipes() -> st.SearchStrategy[Recipe]:
    return st.sampled_from(sorted(COMPOSED)).map(COMPOSED.__getitem__)
