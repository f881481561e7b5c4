"""What all subset searches share as scikit-learn selectors: the door, the run, the results."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
import polars as pl
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from holdfast.contracts import Criterion, Problem
from holdfast.criteria.estimator import Estimator
from holdfast.exceptions import SearchStoppedWarning, refusal
from holdfast.search.budget import SearchBudget, SearchStopped
from holdfast.search.moves import Moves
from holdfast.search.observer import Observer
from holdfast.search.preference import Choice
from holdfast.selectors import results
from holdfast.selectors.preferring import second_criterion
from holdfast.selectors.progress import Progress
from holdfast.selectors.space import Names, Sizes, Space, sizes_of, space_of
from holdfast.trace import Step, Working


class SubsetSelector(SelectorMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the selectors that search for a subset.

    Attributes
    ----------
    support_ : array of bool
        The chosen features.
    score_ : float
        Value of the chosen subset. It was chosen for being high, so it is optimistic: estimate the
        accuracy of what you build on it by cross-validating the whole procedure.
    history_ : polars.DataFrame
        A row a step: what was done, what was moved, the subset, its score and fold scores, whether
        the search went on from there, and the evaluations and seconds so far.
    scores_by_size_, subsets_by_size_ : dict
        The best score and the best subset known of each size that was visited.
    ranking_ : array of int
        For each feature the smallest size of which the best known subset holds it; one more than
        the largest size for a feature in none.
    choices_ : polars.DataFrame
        The subset chosen for each tolerance.
    n_evaluations_ : int
        Different subsets scored by the driving criterion.
    evaluations_ : dict
        The same for each criterion inside.
    stop_reason_ : str
        "complete", "max_evaluations", "max_seconds", "callback", "interrupted" or "failed".
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    """

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        groups: Any = None,
        **params: Any,
    ) -> SubsetSelector:
        """Search.

        Parameters
        ----------
        X : array, sparse matrix or dataframe, examples x features
            What the criterion takes.
        y : array
            Targets.
        sample_weight : array, optional
            Weights of the examples, for fitting and for scoring.
        groups : array, optional
            Groups of the examples, for splitters that keep them together.
        **params
            Further metadata, where scikit-learn's metadata routing is enabled.
        """
        owner = type(self).__name__
        criterion = self._criterion(owner)
        self._check_data(X, y, criterion)
        names = Names(self.n_features_in_, getattr(self, "feature_names_in_", None), owner)
        space = space_of(names, self.feature_groups, self.include, self.exclude)
        sizes, rule = self._sizes(space, owner)
        self._check_parameters(space, names, owner)
        second, uniform = second_criterion(self.prefer, space, names)
        tolerances = self._tolerances(owner)
        margin = self._share(self.prefer_margin, "prefer_margin", owner)
        budget = self._budget(owner)
        problem = Problem(
            X,
            y,
            self.n_features_in_,
            _one_each(sample_weight, y, "sample_weight", owner),
            _one_each(groups, y, "groups", owner),
            params,
            effective_n_jobs(self.n_jobs),
            int(self.max_bytes),
            budget,
        )
        judge = criterion.prepare(problem)
        with ExitStack() as stack:
            observer = Observer(
                [Choice(tolerance, second, margin) for tolerance in tolerances],
                sizes,
                self._listener(stack),
            )
            moves = Moves(
                judge,
                space.units,
                space.fixed,
                space.free,
                self._tuple_size(),
                observer,
                lambda: budget.spent_reason,
                uniform,
            )
            failure = self._run(moves, sizes, names)
        if not any(sizes[0] <= size <= sizes[1] for size in observer.trace.best):
            raise failure or self._nothing_found(observer, sizes, owner)
        chosen = results.chosen(observer, moves, rule, owner)
        results.store(self, observer, moves, chosen)
        if failure is not None:
            raise failure
        return self

    def _run(self, moves: Moves, sizes: Sizes, names: Names) -> BaseException | None:
        """Search until the end or until something ends it; what was found is in the observer."""
        trace = moves.observer.trace
        try:
            self._search(moves, sizes, names)
        except SearchStopped as stop:
            trace.stopped = str(stop)
        except KeyboardInterrupt as interrupt:
            trace.stopped = "interrupted"
            if not trace.best:
                return interrupt
        except Exception as failure:
            trace.stopped = "failed"
            return failure
        if trace.stopped != "complete":
            warnings.warn(
                f"{type(self).__name__} stopped early ({trace.stopped}); it keeps the best found.",
                SearchStoppedWarning,
                stacklevel=3,
            )
        return None

    @abstractmethod
    def _search(self, moves: Moves, sizes: Sizes, names: Names) -> None:
        """Run the search itself."""

    def _sizes(self, space: Space, owner: str) -> tuple[Sizes, str]:
        return sizes_of(self.n_features_to_select, space, owner)

    def _check_parameters(self, space: Space, names: Names, owner: str) -> None:
        """Check what only this search has."""
        if self._tuple_size() > len(space.free):
            raise refusal(
                "tuple_size", owner, f"at most {len(space.free)}, the free units", self.tuple_size
            )

    def _tuple_size(self) -> int:
        size = getattr(self, "tuple_size", 1)
        whole = isinstance(size, (int, np.integer)) and not isinstance(size, bool)
        if not whole or size < 1:
            raise refusal("tuple_size", type(self).__name__, "a whole number >= 1", repr(size))
        return int(size)

    def _criterion(self, owner: str) -> Criterion:
        if isinstance(self.criterion, Criterion):
            return self.criterion
        if hasattr(self.criterion, "fit") and not isinstance(self.criterion, type):
            return Estimator(self.criterion)
        raise refusal(
            "criterion",
            owner,
            "a criterion or a scikit-learn estimator",
            repr(self.criterion),
            "Try criteria.KNN(), or criteria.Estimator(LogisticRegression()).",
        )

    def _check_data(self, X: Any, y: Any, criterion: Criterion) -> None:
        """Learn the columns, and refuse what scikit-learn's estimators refuse."""
        tags = self.__sklearn_tags__().input_tags
        validate_data(
            self,
            X,
            y="no_validation" if y is not None else None,
            accept_sparse=bool(tags.sparse),
            dtype="numeric" if criterion.needs_numbers else None,
            ensure_all_finite=criterion.needs_numbers and not tags.allow_nan,
            ensure_min_features=1,
        )
        if y is not None:
            check_consistent_length(X, y)

    def _tolerances(self, owner: str) -> list[float]:
        listed = np.ndim(self.tolerance) > 0
        tolerances = list(self.tolerance) if listed else [self.tolerance]
        if not tolerances:
            raise refusal("tolerance", owner, "a number or a list of some", repr(self.tolerance))
        return [self._share(one, "tolerance", owner) for one in tolerances]

    def _share(self, value: Any, parameter: str, owner: str) -> float:
        if not isinstance(value, (int, float, np.number)) or not 0 <= value <= 1:
            raise refusal(parameter, owner, "from 0 to 1", repr(value))
        return float(value)

    def _budget(self, owner: str) -> SearchBudget:
        evaluations, seconds = self.max_evaluations, self.max_seconds
        if evaluations is not None and not (
            isinstance(evaluations, (int, np.integer)) and evaluations >= 1
        ):
            raise refusal("max_evaluations", owner, "a whole number >= 1", repr(evaluations))
        if seconds is not None and not (
            isinstance(seconds, (int, float, np.number)) and seconds > 0
        ):
            raise refusal("max_seconds", owner, "a number > 0", repr(seconds))
        return SearchBudget(
            None if evaluations is None else int(evaluations),
            None if seconds is None else float(seconds),
        )

    def _listener(self, stack: ExitStack) -> Callable[[Step], object] | None:
        listeners = [] if self.callback is None else [self.callback]
        if self.verbose:
            listeners.append(stack.enter_context(Progress(type(self).__name__)))
        if not listeners:
            return None
        # Every listener hears of every step, whoever stops the search.
        return lambda step: max(bool(listener(step)) for listener in listeners)

    def _nothing_found(self, observer: Observer, sizes: Sizes, owner: str) -> Exception:
        return refusal(
            "n_features_to_select",
            owner,
            "a size that the search reaches before its budget is spent",
            f"{sizes[0]} to {sizes[1]}; it saw sizes {sorted(observer.trace.best)} and stopped: "
            f"{observer.trace.stopped}",
        )

    def _random(self) -> np.random.RandomState:
        state: np.random.RandomState = check_random_state(self.random_state)
        return state

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_  # type: ignore[no-any-return]

    def to_frame(self) -> pl.DataFrame:
        """The history of the search as a table."""
        check_is_fitted(self, "support_")
        frame: pl.DataFrame = self.history_
        return frame

    def to_json(self) -> str:
        """The result with parameters, versions, history and times, as JSON."""
        check_is_fitted(self, "support_")
        return results.as_json(self)

    def get_metadata_routing(self) -> MetadataRouter:
        """Who may get which metadata of ``fit``."""
        to_criterion = MethodMapping().add(caller="fit", callee="fit")
        criterion = self._criterion(type(self).__name__)
        return MetadataRouter(owner=self).add(criterion=criterion, method_mapping=to_criterion)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if hasattr(self.criterion, "__sklearn_tags__"):
            inner = self.criterion.__sklearn_tags__()
            tags.input_tags.sparse = inner.input_tags.sparse
            tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags


def _one_each(values: Any, y: Any, parameter: str, owner: str) -> NDArray[Any] | None:
    if values is None:
        return None
    array = np.asarray(values)
    if array.ndim != 1 or array.size != len(y):
        raise refusal(
            parameter, owner, f"one for each of {len(y)} examples", f"shape {array.shape}"
        )
    return array


def started(moves: Moves, units: tuple[int, ...]) -> Working:
    """Begin from the given units and the forced ones."""
    return moves.start(tuple({*units, *moves.fixed}))
