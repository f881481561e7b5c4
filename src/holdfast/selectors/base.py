"""What all subset searches share as scikit-learn selectors: the door, the run, the results."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from holdfast.contracts import Criterion, Problem
from holdfast.criteria.estimator import Estimator
from holdfast.exceptions import SearchFailedError, SearchStoppedWarning, refusal
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
        "complete", "max_evaluations", "max_seconds", "callback", "interrupted" or "failed". A
        search that stops early keeps the best found; if it reached no subset of a size asked for,
        the best of the nearest size, and says so.
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
        X = self._checked(X, y, criterion)
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
            _whole(self.max_bytes, "max_bytes", owner),
            budget,
        )
        judge = criterion.prepare(problem)
        with ExitStack() as stack:
            observer = Observer(
                [Choice(tolerance, second, margin) for tolerance in tolerances],
                sizes,
                self._listener(stack, needs_folds=rule == "one_standard_error"),
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
        trace = observer.trace
        if not trace.best or (trace.stopped == "complete" and observer.best is None):
            raise failure or self._nothing_found(observer, sizes, owner)
        chosen = results.chosen(observer, moves, rule)
        results.store(self, observer, moves, chosen)
        if failure is not None and not isinstance(failure, (KeyboardInterrupt, SearchFailedError)):
            raise failure
        if trace.stopped != "complete":
            self._warn_of_early_end(trace.stopped, chosen, sizes, failure)
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
            return interrupt
        except Exception as failure:
            trace.stopped = "failed"
            return failure
        return None

    def _warn_of_early_end(
        self, reason: str, chosen: Working, sizes: Sizes, failure: BaseException | None
    ) -> None:
        """Say that the search is not complete, why, and what the result lacks."""
        wanted = ""
        if not sizes[0] <= chosen.size <= sizes[1]:
            wanted = f" Its size is {chosen.size}: none of the size asked for was reached."
        why = f" {failure}" if isinstance(failure, SearchFailedError) else ""
        warnings.warn(
            f"{type(self).__name__} stopped early ({reason}); "
            f"it keeps the best found.{wanted}{why}",
            SearchStoppedWarning,
            stacklevel=3,
        )

    @abstractmethod
    def _search(self, moves: Moves, sizes: Sizes, names: Names) -> None:
        """Run the search itself."""

    def _sizes(self, space: Space, owner: str) -> tuple[Sizes, str]:
        return sizes_of(self.n_features_to_select, space, owner)

    def _check_parameters(self, space: Space, names: Names, owner: str) -> None:
        """Check what only this search has."""
        if space.free and self._tuple_size() > len(space.free):
            raise refusal(
                "tuple_size", owner, f"at most {len(space.free)}, the free units", self.tuple_size
            )

    def _tuple_size(self) -> int:
        return _whole(getattr(self, "tuple_size", 1), "tuple_size", type(self).__name__)

    def _criterion(self, owner: str) -> Criterion:
        if isinstance(self.criterion, Criterion):
            return self.criterion
        if is_estimator(self.criterion):
            return Estimator(self.criterion)
        raise refusal(
            "criterion",
            owner,
            "a criterion or a scikit-learn estimator",
            repr(self.criterion),
            "Try criteria.KNN(), or criteria.Estimator(LogisticRegression()).",
        )

    def _checked(self, X: Any, y: Any, criterion: Criterion) -> Any:
        """Learn the columns, and refuse what scikit-learn's estimators refuse.

        Dataframes stay as they are, so that the model inside finds its columns and their types.
        """
        tags = self.__sklearn_tags__().input_tags
        checked = validate_data(
            self,
            X,
            y="no_validation" if y is not None else None,
            accept_sparse=["csr", "csc"] if tags.sparse else False,
            dtype="numeric" if criterion.needs_numbers else None,
            ensure_all_finite=not tags.allow_nan,
            ensure_min_samples=2,
        )
        if y is not None:
            check_consistent_length(X, y)
        return X if hasattr(X, "columns") else checked

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
        if evaluations is not None:
            evaluations = _whole(evaluations, "max_evaluations", owner)
        if seconds is not None and not (
            isinstance(seconds, (int, float, np.number)) and seconds > 0
        ):
            raise refusal("max_seconds", owner, "a number > 0", repr(seconds))
        return SearchBudget(evaluations, None if seconds is None else float(seconds))

    def _listener(self, stack: ExitStack, needs_folds: bool) -> Callable[[Step], object] | None:
        listeners = [] if self.callback is None else [self.callback]
        if needs_folds:
            listeners.append(partial(_refuse_without_folds, owner=type(self).__name__))
        if self.verbose:
            listeners.append(stack.enter_context(Progress(type(self).__name__)))
        if not listeners:
            return None
        # Every listener hears of every step, whoever stops the search.
        return lambda step: max(bool(listener(step)) for listener in listeners)

    def _nothing_found(self, observer: Observer, sizes: Sizes, owner: str) -> Exception:
        if not observer.trace.best:
            return SearchFailedError(
                f"{owner} could not score a single subset (stopped: {observer.trace.stopped})."
            )
        return refusal(
            "n_features_to_select",
            owner,
            f"a size that this search reaches: it saw {sorted(observer.trace.best)}",
            sizes[0] if sizes[0] == sizes[1] else f"{sizes[0]} to {sizes[1]}",
            "Steps of tuple_size features from the start reach only some sizes.",
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
        if isinstance(self.criterion, Criterion) or is_estimator(self.criterion):
            inner = get_tags(self._criterion(type(self).__name__)).input_tags
            tags.input_tags.sparse = inner.sparse
            tags.input_tags.allow_nan = inner.allow_nan
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


def is_estimator(candidate: Any) -> bool:
    """Whether it is an object that can be fitted, not a class of such."""
    return hasattr(candidate, "fit") and not isinstance(candidate, type)


def _whole(value: Any, parameter: str, owner: str) -> int:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < 1:
        raise refusal(parameter, owner, "a whole number >= 1", repr(value))
    return int(value)


def _refuse_without_folds(step: Step, owner: str) -> bool:
    """One standard error needs scores of several folds; say so before the search is long."""
    if step.folds.size < 2:
        raise refusal(
            "n_features_to_select",
            owner,
            "'best' or a size with a criterion that has no folds",
            "'one_standard_error'",
        )
    return False


def started(moves: Moves, units: tuple[int, ...]) -> Working:
    """Begin from the given units and the forced ones."""
    return moves.start(tuple({*units, *moves.fixed}))
