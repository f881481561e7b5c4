"""SFS, SBS, SFFS and SFBS as a scikit-learn selector."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from holdfast.exceptions import refusal
from holdfast.search import sequential
from holdfast.search.moves import Moves
from holdfast.selectors.base import SubsetSelector, started
from holdfast.selectors.space import Names, Sizes, Space


class SequentialSelector(SubsetSelector):
    """Add or remove the best feature step by step, floating back and forth where that helps.

    SFS (forward), SBS (backward), and with ``floating=True`` SFFS and SFBS, after Somol, Grim,
    Novovičová & Pudil (2011). A step of a search over D features evaluates at most D subsets.

    Parameters
    ----------
    criterion : Criterion or scikit-learn estimator
        How good a subset is; an estimator is taken as ``criteria.Estimator(estimator)``.
    direction : {"forward", "backward"}, default="forward"
        Whether to begin with nothing and add, or with everything and remove.
    floating : bool, default=False
        After each step, undo steps as long as that improves the best known subset of the size.
    n_features_to_select : int, float, (low, high), "best", "one_standard_error" or "knee"
        A size, a share of the features, a range, or a rule for choosing among all sizes: "best"
        takes the best (of equal ones the smaller), "one_standard_error" the smallest whose score is
        within one standard error of the best, "knee" the one whose best score lies farthest above
        the straight line from the smallest to the best size (the best where none lies above it).
        A block counts as one. The two last rules look past `tolerance`, which is a rule by itself:
        a small subset within a share of the best score.
    tuple_size : int, default=1
        How many features come or go at once (c); a step then evaluates all c-tuples.
    overshoot : int, optional
        How many features a floating search goes beyond the size asked for (Delta); to the end by
        default.
    tolerance : float or list of float, default=0.0
        Subsets within this share of the best score are treated as equal (tau), and the preferred
        one of them is chosen. Of several the first decides; `choices_` has all, at no further
        evaluation. As in the paper the choice is made on the way: a subset passed over for a
        preferred one does not come back where a new best rules that one out.
    prefer : "smaller", costs or callable, default="smaller"
        What is preferred among them: fewer features (a block counts as one), lower summed
        costs (one a feature, in order or by name), or a higher value of a function of the feature
        indices (J2).
    prefer_margin : float, default=0.0
        Share within which values of `prefer` are equal too, so that the score decides (sigma).
    include, exclude : list of names or indices, or mask, optional
        Features that are always in, or never.
    init : list of names or indices, or mask, optional
        Where to begin, instead of nothing or everything.
    feature_groups : list of lists, optional
        Blocks of features that go in and out together, such as one-hot columns.
    max_evaluations, max_seconds : int, float, optional
        When to stop with the best so far.
    callback : callable, optional
        Called with each step (a ``holdfast.trace.Step``); a true answer stops the search.
    n_jobs : int, optional
        Threads (fast criteria) or processes (``criteria.Estimator``); the result is the same.
    max_bytes : int, default=2 GiB
        Memory the criterion may use beyond the data.
    random_state : int, optional
        Not used by this search; there so that all searches take it.
    verbose : bool or int, default=0
        Show progress.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from holdfast.criteria import KNN
    >>> X, y = load_wine(return_X_y=True)
    >>> selector = SequentialSelector(KNN(3, scale="range"), floating=True).fit(X, y)
    >>> selector.get_support(indices=True)
    array([ 0,  4,  6, 10, 12])

    A smaller subset within 2 % of the best score:

    >>> selector.set_params(tolerance=0.02).fit(X, y).get_support(indices=True)
    array([ 0,  6,  9, 12])
    """

    def __init__(
        self,
        criterion: Any,
        *,
        direction: Literal["forward", "backward"] = "forward",
        floating: bool = False,
        n_features_to_select: Any = "best",
        tuple_size: int = 1,
        overshoot: int | None = None,
        tolerance: Any = 0.0,
        prefer: Any = "smaller",
        prefer_margin: float = 0.0,
        include: Any = None,
        exclude: Any = None,
        init: Any = None,
        feature_groups: Any = None,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        callback: Any = None,
        n_jobs: int | None = None,
        max_bytes: int = 2 << 30,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.direction = direction
        self.floating = floating
        self.n_features_to_select = n_features_to_select
        self.tuple_size = tuple_size
        self.overshoot = overshoot
        self.tolerance = tolerance
        self.prefer = prefer
        self.prefer_margin = prefer_margin
        self.include = include
        self.exclude = exclude
        self.init = init
        self.feature_groups = feature_groups
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.max_bytes = max_bytes
        self.random_state = random_state
        self.verbose = verbose

    def _check_parameters(self, space: Space, names: Names, owner: str) -> None:
        super()._check_parameters(space, names, owner)
        if self.direction not in ("forward", "backward"):
            raise refusal("direction", owner, "'forward' or 'backward'", repr(self.direction))
        whole = isinstance(self.overshoot, (int, np.integer))
        if self.overshoot is not None and not (whole and self.overshoot >= 0):
            raise refusal("overshoot", owner, "a whole number >= 0", repr(self.overshoot))
        if self.overshoot and not self.floating:
            raise refusal("overshoot", owner, "None unless floating=True", repr(self.overshoot))

    def _search(self, moves: Moves, sizes: Sizes, names: Names) -> None:
        forward = self.direction == "forward"
        start = started(moves, initial_units(self.init, moves, names, empty=forward))
        # A floating search returns better subsets of a size for having gone beyond it.
        beyond = 0
        if self.floating:
            beyond = moves.largest if self.overshoot is None else int(self.overshoot)
        if forward:
            last = min(sizes[1] + beyond, moves.largest)
            (sequential.floating_forward if self.floating else sequential.forward)(
                moves, start, last
            )
        else:
            last = max(sizes[0] - beyond, moves.smallest)
            (sequential.floating_backward if self.floating else sequential.backward)(
                moves, start, last
            )


def initial_units(init: Any, moves: Moves, names: Names, empty: bool) -> tuple[int, ...]:
    """Units that hold the features to begin with; by default none, or all."""
    if init is None:
        return () if empty else (*moves.fixed, *moves.free)
    wanted = names.indices(init, "init")
    unit_of = {int(f): u for u in (*moves.fixed, *moves.free) for f in moves.features((u,))}
    barred = [f for f in wanted if f not in unit_of]
    if barred:
        raise refusal("init", names.owner, "free of excluded features", f"feature {barred[0]}")
    return tuple(sorted({unit_of[f] for f in wanted}))
