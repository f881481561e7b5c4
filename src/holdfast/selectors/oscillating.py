"""OS and DOS as scikit-learn selectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.exceptions import refusal
from holdfast.search import oscillating, sequential
from holdfast.search.exhaustive import individual
from holdfast.search.moves import Moves
from holdfast.selectors.base import SubsetSelector, started
from holdfast.selectors.sequential import initial_units
from holdfast.selectors.space import Names, Sizes, Space
from holdfast.trace import Working

STARTS = ("individual", "random", "forward")


class _SwingingSelector(SubsetSelector):
    """What the two oscillating searches share."""

    def _check_parameters(self, space: Space, names: Names, owner: str) -> None:
        super()._check_parameters(space, names, owner)
        whole = isinstance(self.swing, (int, np.integer)) and not isinstance(self.swing, bool)
        if not whole or self.swing < 1:
            raise refusal("swing", owner, "a whole number >= 1", repr(self.swing))
        if isinstance(self.init, str) and self.init not in STARTS:
            raise refusal("init", owner, f"one of {STARTS} or a list of features", repr(self.init))

    def _started(self, moves: Moves, size: int, names: Names) -> Working:
        """Begin with a subset of the given size, as `init` says."""
        if not isinstance(self.init, str):
            return started(moves, initial_units(self.init, moves, names, empty=True))
        if self.init == "individual":
            return individual(moves, size)
        if self.init == "random":
            n_more = size - len(moves.fixed)
            drawn = self._random().choice(len(moves.free), n_more, replace=False)
            return started(moves, tuple(moves.free[i] for i in drawn))
        start = started(moves, ())
        if (size - start.size) % moves.tuple_size:
            raise refusal(
                "tuple_size",
                type(self).__name__,
                f"a divisor of the {size - start.size} features to add with init='forward'",
                self.tuple_size,
            )
        return sequential.forward(moves, start, size)


class OscillatingSelector(_SwingingSelector):
    """Improve a subset of a given size by swings: remove and add again, add and remove again.

    OS of Somol, Grim, Novovičová & Pudil (2011): a swing of depth 1, and ever deeper ones while
    none improves the subset. Never ends below its start.

    Parameters
    ----------
    criterion : Criterion or scikit-learn estimator
        How good a subset is.
    n_features_to_select : int or float
        Size of the subset, or share of the features. A block counts as one.
    swing : int, default=10
        Greatest depth of a swing, in features (Delta).
    init : {"individual", "random", "forward"} or list, default="individual"
        Where to begin: the features best on their own (BIF), a random subset, the result of a
        forward search, or the given features.
    tuple_size, tolerance, prefer, prefer_margin, include, exclude, feature_groups
        As for :class:`SequentialSelector`.
    max_evaluations, max_seconds, callback, n_jobs, max_bytes, verbose
        As for :class:`SequentialSelector`.
    random_state : int or RandomState, optional
        For ``init="random"``.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from holdfast.criteria import KNN
    >>> X, y = load_wine(return_X_y=True)
    >>> selector = OscillatingSelector(KNN(3, scale="range"), 4, swing=4).fit(X, y)
    >>> selector.get_support(indices=True)
    array([ 0,  6,  9, 12])
    """

    def __init__(
        self,
        criterion: Any,
        n_features_to_select: Any = 0.5,
        *,
        swing: int = 10,
        init: Any = "individual",
        tuple_size: int = 1,
        tolerance: Any = 0.0,
        prefer: Any = "smaller",
        prefer_margin: float = 0.0,
        include: Any = None,
        exclude: Any = None,
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
        self.n_features_to_select = n_features_to_select
        self.swing = swing
        self.init = init
        self.tuple_size = tuple_size
        self.tolerance = tolerance
        self.prefer = prefer
        self.prefer_margin = prefer_margin
        self.include = include
        self.exclude = exclude
        self.feature_groups = feature_groups
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.max_bytes = max_bytes
        self.random_state = random_state
        self.verbose = verbose

    def _sizes(self, space: Space, owner: str) -> tuple[Sizes, str]:
        sizes, rule = super()._sizes(space, owner)
        if rule != "best" or sizes[0] != sizes[1]:
            raise refusal(
                "n_features_to_select",
                owner,
                "one size",
                repr(self.n_features_to_select),
                "DynamicOscillatingSelector finds the size as well.",
            )
        return sizes, rule

    def _search(self, moves: Moves, sizes: Sizes, names: Names) -> None:
        start = self._started(moves, sizes[0], names)
        if start.size != sizes[0]:
            raise refusal(
                "init",
                names.owner,
                f"a subset of the size asked for, {sizes[0]}",
                f"one of {start.size}",
            )
        oscillating.oscillating(moves, start, int(self.swing))


class DynamicOscillatingSelector(_SwingingSelector):
    """Find a subset and its size by swings: any better subset met on the way is the next start.

    DOS of Somol, Grim, Novovičová & Pudil (2011), one of the strongest searches there is, and so
    the readiest to overfit: look at `tolerance`. Never ends below its start.

    Parameters
    ----------
    criterion : Criterion or scikit-learn estimator
        How good a subset is.
    n_features_to_select : int, float, (low, high), "best", "one_standard_error" or "knee"
        Which of the sizes visited may be chosen; see :class:`SequentialSelector`. The
        course of the search does not depend on it.
    swing : int, default=10
        Greatest depth of a swing, in features (Delta).
    init : None, {"individual", "random", "forward"} or list, default=None
        Where to begin: three steps of forward search by default; otherwise as for
        :class:`OscillatingSelector`, with three tuples' worth of features.
    tuple_size, tolerance, prefer, prefer_margin, include, exclude, feature_groups
        As for :class:`SequentialSelector`.
    max_evaluations, max_seconds, callback, n_jobs, max_bytes, verbose
        As for :class:`SequentialSelector`.
    random_state : int or RandomState, optional
        For ``init="random"``.

    Examples
    --------
    Three tolerances in one search; the first decides, the table has all.

    >>> from sklearn.datasets import load_wine
    >>> from holdfast.criteria import KNN
    >>> X, y = load_wine(return_X_y=True)
    >>> criterion = KNN(3, scale="range")
    >>> selector = DynamicOscillatingSelector(criterion, swing=5, tolerance=[0, 0.02, 0.05])
    >>> selector.fit(X, y).choices_["size"].to_list()
    [5, 4, 3]
    """

    def __init__(
        self,
        criterion: Any,
        *,
        n_features_to_select: Any = "best",
        swing: int = 10,
        init: Any = None,
        tuple_size: int = 1,
        tolerance: Any = 0.0,
        prefer: Any = "smaller",
        prefer_margin: float = 0.0,
        include: Any = None,
        exclude: Any = None,
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
        self.n_features_to_select = n_features_to_select
        self.swing = swing
        self.init = init
        self.tuple_size = tuple_size
        self.tolerance = tolerance
        self.prefer = prefer
        self.prefer_margin = prefer_margin
        self.include = include
        self.exclude = exclude
        self.feature_groups = feature_groups
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.max_bytes = max_bytes
        self.random_state = random_state
        self.verbose = verbose

    def _search(self, moves: Moves, sizes: Sizes, names: Names) -> None:
        room = (moves.largest - len(moves.fixed)) // moves.tuple_size
        size = len(moves.fixed) + min(3, room) * moves.tuple_size
        if self.init is None:
            start = sequential.forward(moves, started(moves, ()), size)
        else:
            start = self._started(moves, size, names)
        oscillating.dynamic_oscillating(moves, start, int(self.swing))
