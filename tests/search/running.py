"""Run a search over a criterion without the scikit-learn face."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from holdfast.contracts import Criterion, Problem
from holdfast.search.budget import SearchBudget
from holdfast.search.moves import Moves
from holdfast.search.observer import Observer
from holdfast.search.preference import Choice, fewer


def moves_of(
    criterion: Criterion,
    n_features: int,
    *,
    fixed: Sequence[int] = (),
    c: int = 1,
    choices: Sequence[Choice] | None = None,
    sizes: tuple[int, int] = (1, 10**9),
    second: Callable[[tuple[int, ...]], float] = fewer,
    budget: SearchBudget | None = None,
    on_step: Callable[..., object] | None = None,
) -> Moves:
    budget = budget or SearchBudget()
    y = np.zeros(4)
    judge = criterion.prepare(Problem(np.zeros((4, n_features)), y, n_features, budget=budget))
    observer = Observer(choices or [Choice(0.0, second)], sizes, on_step)
    free = [f for f in range(n_features) if f not in set(fixed)]
    units = list(np.arange(n_features, dtype=np.intp)[:, None])
    return Moves(
        judge,
        units,
        fixed,
        free,
        c,
        observer,
        lambda: budget.spent_reason,
        uniform=second is fewer,
    )
