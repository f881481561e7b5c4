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
from sklearn.utils import Tags, check_random_state, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast.contracts import Criterion, Problem
from holdfast.exceptions import SearchFailedError, SearchStoppedWarning, refusal
from holdfast.search.budget import SearchStopped
from holdfast.search.moves import Moves
from holdfast.search.observer import Observer
from holdfast.search.preference import Choice
from holdfast.selectors import door, results, size_rules
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
    seconds_ : float
        How long the search took.
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
        criterion = door.criterion_of(self.criterion, owner)
        X, y = self._checked(X, y, criterion)
        names = Names(self.n_features_in_, getattr(X, "columns", None), owner)
        space = space_of(names, self.feature_groups, self.include, self.exclude)
        sizes, rule = self._sizes(space, owner)
        self._check_parameters(space, names, owner)
        second, uniform = second_criterion(self.prefer, space, names)
        tolerances = door.shares(self.tolerance, "tolerance", owner)
        margin = door.share(self.prefer_margin, "prefer_margin", owner)
        budget = door.budget_of(self.max_evaluations, self.max_seconds, owner)
        problem = Problem(
            X,
            y,
            self.n_features_in_,
            door.weights_of(sample_weight, y, owner),
            door.one_each(groups, y, "groups", owner),
            params,
            effective_n_jobs(self.n_jobs),
            door.whole(self.max_bytes, "max_bytes", owner),
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
        chosen = size_rules.chosen(observer, moves, rule)
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
        return door.whole(getattr(self, "tuple_size", 1), "tuple_size", type(self).__name__)

    def _checked(self, X: Any, y: Any, criterion: Criterion) -> tuple[Any, Any]:
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
        # What can only be turned into an array becomes one; series and lists stay.
        _, y = indexable(checked, y)
        door.refuse_missing_targets(y, type(self).__name__)
        return (X if hasattr(X, "columns") else checked), y

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

    def transform(self, X: Any) -> Any:
        """Keep the chosen columns.

        Parameters
        ----------
        X : array, sparse matrix or dataframe, examples x features
            With the columns that ``fit`` saw.
        """
        kept = super().transform(X)
        if type(kept) is type(X) and type(X).__module__.startswith("polars"):
            # By way of an array, columns of different types would all become objects.
            return X[:, np.flatnonzero(self.support_).tolist()]
        return kept

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
        """Who may get which metadata of ``fit``.

        A pipeline that routes metadata passes on what the model, scorers and splitter inside
        ``criteria.Estimator`` request. For other criteria the selector requests it itself
        (``set_fit_request``).
        """
        to_criterion = MethodMapping().add(caller="fit", callee="fit")
        to_criterion.add(caller="fit_transform", callee="fit")
        criterion = door.criterion_of(self.criterion, type(self).__name__)
        router = MetadataRouter(owner=self)
        if not isinstance(criterion.get_metadata_routing(), MetadataRouter):
            router.add_self_request(self)
        return router.add(criterion=criterion, method_mapping=to_criterion)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if isinstance(self.criterion, Criterion) or door.is_estimator(self.criterion):
            inner = get_tags(door.criterion_of(self.criterion, "")).input_tags
            tags.input_tags.sparse = inner.sparse
            tags.input_tags.allow_nan = inner.allow_nan
        return tags


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
