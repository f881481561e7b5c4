"""Criteria that look their values up in a random table, for tests of everything above criteria."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from holdfast.contracts import Criterion, Floats, Ints, Judge, Problem, Scorer
from holdfast.criteria.memory import Remembering

KINDS = ("normal", "levels", "constant", "negative", "sum")


def random_table(kind: str, n_features: int, n_folds: int, seed: int) -> Floats:
    """Fold scores of every subset, at the row whose bits are its features."""
    rng = np.random.default_rng(seed)
    shape = (2**n_features, n_folds)
    if kind == "normal":
        return rng.normal(size=shape)
    if kind == "levels":
        return rng.integers(0, 4, size=shape) / 8
    if kind == "negative":
        return -rng.integers(1, 5, size=shape) / 8
    if kind == "sum":
        bits = np.arange(2**n_features)[:, None] >> np.arange(n_features) & 1
        return np.tile((bits @ rng.integers(-2, 3, size=(n_features, 1))) / 4.0, n_folds)
    return np.full(shape, 0.5)


def row_of(subset: Ints) -> int:
    return int(sum(1 << int(f) for f in subset))


class TableScorer(Scorer):
    def __init__(self, table: Floats, log: list[int]) -> None:
        self.table = table
        self.log = log

    def score(self, subset: Ints) -> Floats:
        assert (np.diff(subset) > 0).all()
        self.log.append(row_of(subset))
        return self.table[self.log[-1]].copy()


class Table(Criterion):
    """Scores from a table; `log` collects every subset that was scored."""

    needs_numbers = False

    def __init__(self, table: Floats, log: list[int] | None = None, name: str = "table") -> None:
        self.table = table
        self.log = log
        self.name = name

    def prepare(self, problem: Problem) -> Judge:
        scorer = TableScorer(self.table, [] if self.log is None else self.log)
        return Remembering(scorer, self.name, problem.n_features, problem.budget)

    def function(self, subset: frozenset[int]) -> float:
        """J, for the naive twins: means count to 13 digits, so that equal ones are ties."""
        folds = self.table[row_of(np.array(sorted(subset), dtype=np.intp))]
        return float(folds[0]) if folds.size == 1 else float(f"{np.mean(folds):.13g}")


@dataclass(frozen=True)
class Spec:
    """What a random table is made from; prints short when a test fails."""

    kind: str
    n_features: int
    n_folds: int
    seed: int

    def table(self, offset: int = 0) -> Floats:
        return random_table(self.kind, self.n_features, self.n_folds, self.seed + offset)


def specs(
    min_features: int = 1, max_features: int = 6, kinds: tuple[str, ...] = KINDS
) -> st.SearchStrategy[Spec]:
    return st.builds(
        Spec,
        st.sampled_from(kinds),
        st.integers(min_features, max_features),
        st.sampled_from((1, 3)),
        st.integers(0, 10**6),
    )
