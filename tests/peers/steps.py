"""Follow a peer's search step by step, and know where a tie lets both be right.

A step is tied where the judge finds its two best candidates within `SAME` of each other: different
mean accuracies over ten folds are further apart than that, and sums of floats err by less. Peers
break such ties by the last bit of a float, holdfast by feature order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from holdfast.contracts import Criterion, Problem
from holdfast.selectors.sequential import SequentialSelector

SAME = 1e-10


def best_candidates(criterion: Criterion, X, y, base: Sequence[int], forward: bool) -> list[int]:
    """Features that are equally good to add (or to remove): more than one where there is a tie."""
    judge = criterion.prepare(Problem(X, y, X.shape[1]))
    base = np.sort(np.asarray(base, dtype=np.intp))
    movable = np.setdiff1d(np.arange(X.shape[1]), base) if forward else base
    values = judge.judge(base, movable[:, None], forward).values
    return movable[values >= np.nanmax(values) - SAME].tolist()


def follow(criterion: Criterion, X, y, way: Sequence[Sequence[int]], forward: bool = True) -> int:
    """Check that from each subset of a peer's way the next one is ours too; count untied steps."""
    untied = 0
    for here, there in pairwise(way):
        moved = set(here) ^ set(there)
        best = best_candidates(criterion, X, y, here, forward)
        assert moved <= set(best)
        if len(best) == 1:
            untied += 1
            ours = SequentialSelector(
                criterion,
                direction="forward" if forward else "backward",
                init=list(here) if len(here) else None,
                n_features_to_select=len(there),
            ).fit(X, y)
            assert ours.get_support(indices=True).tolist() == sorted(there)
    return untied
