"""What searches, criteria, rankers and their data owe each other, on one page.

A criterion is bound to the data once and becomes a judge. A search asks judges about subsets and
never sees the data. Subsets are ascending arrays of feature indices; higher values are better.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
# One row of features a candidate; a list of arrays where blocks of different widths move.
Candidates = Ints | list[Ints]


@dataclass(frozen=True)
class Problem:
    """The data of one fit and how they may be used.

    Attributes
    ----------
    X, y : as given by the caller
        Dataframes stay dataframes: wrappers slice the caller's own container.
    n_features : int
        Number of columns of `X`.
    sample_weight : array or None
        One weight an example, for fitting and scoring.
    groups : array or None
        For splitters that keep groups together.
    params : mapping
        Further metadata given to ``fit``, for criteria that route it.
    n_jobs : int
        Threads or processes that a scorer may use at once; results do not depend on it.
    max_bytes : int
        What a scorer may hold in memory beyond the data.
    budget : Budget
        When to stop.
    """

    X: Any
    y: Any
    n_features: int
    sample_weight: NDArray[Any] | None = None
    groups: NDArray[Any] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    n_jobs: int = 1
    max_bytes: int = 2 << 30
    budget: Budget = field(default_factory=lambda: Budget())


class Budget:
    """How many evaluations, seconds and interruptions a search may take; asked before each batch.

    Attributes
    ----------
    spent_reason : str or None
        Why no more is granted; None while there is something left.
    """

    spent_reason: str | None = None

    def grant(self, wanted: int) -> int:
        """Say how many of the wanted evaluations may be done now, at least 0."""
        return wanted

    def time_only(self) -> Budget:
        """The same limit for parts whose evaluations are not counted."""
        return self


class Scorer(ABC):
    """One criterion bound to the data: numbers and nothing else.

    Every answer has a column a fold (filters have one); the value of a subset is the mean of its
    row. A fast scorer overrides `additions` and `removals`, reusing what it knows of the base. The
    answer for a subset must not depend on how one came to it, not even in the last digit, as far
    as that can be had; whoever cannot have it says so.
    """

    @abstractmethod
    def score(self, subset: Ints) -> Floats:
        """Score a subset, one number a fold."""

    def additions(self, base: Ints, tuples: Ints) -> Floats:
        """Score the base with each row of `tuples` added: candidates x folds."""
        return np.stack([self.score(np.sort(np.concatenate((base, t)))) for t in tuples])

    def removals(self, base: Ints, tuples: Ints) -> Floats:
        """Score the base with each row of `tuples` removed: candidates x folds."""
        return np.stack([self.score(np.setdiff1d(base, t)) for t in tuples])

    def others(self, subset: Ints) -> Mapping[str, Floats]:
        """Further metrics of a subset that was scored, one number a fold each."""
        return {}


class Verdict(NamedTuple):
    """What a judge says about the candidates of one step.

    Attributes
    ----------
    values : array
        The criterion; NaN where a candidate was not evaluated (hybrids, budgets, failures).
    preference : array
        What the best candidate is chosen by; minus infinity where it was not evaluated. Equal to
        the values but for votes, whose preferences compare candidates of this step only.
    """

    values: Floats
    preference: Floats


class Judge(ABC):
    """What a search sees: it remembers, counts and combines scorers.

    Attributes
    ----------
    comparable : bool
        Whether the candidate with the best preference is the one with the best value. A vote may
        prefer another; then only its winners are compared with subsets of other steps.
    """

    comparable: bool = True

    @property
    @abstractmethod
    def evaluations(self) -> int:
        """How many different subsets the driving criterion has scored."""

    @property
    @abstractmethod
    def counts(self) -> Mapping[str, int]:
        """The same for each criterion inside, by its name."""

    @abstractmethod
    def value(self, subset: Ints) -> float:
        """Value of one subset; NaN where the budget is spent."""

    @abstractmethod
    def judge(self, base: Ints, candidates: Candidates, adding: bool) -> Verdict:
        """Judge the base with each candidate added (or removed)."""

    @abstractmethod
    def folds(self, subset: Ints) -> Floats:
        """Fold scores of a subset that was judged."""

    def others(self, subset: Ints) -> Mapping[str, Floats]:
        """Further metrics of a subset that was judged, by name."""
        return {}


class Criterion(BaseEstimator, ABC):  # type: ignore[misc]
    """How good is a subset. Parameters only, as any scikit-learn estimator; data come later.

    Attributes
    ----------
    needs_numbers : bool
        Whether it computes on the table itself, which then must hold finite numbers.
    """

    needs_numbers: bool = True

    @abstractmethod
    def prepare(self, problem: Problem) -> Judge:
        """Bind the data; check them at this door."""


class Ranker(BaseEstimator, ABC):  # type: ignore[misc]
    """One number a feature. Parameters only, as any scikit-learn estimator; data come later.

    It is also a function of `X` and `y`, so it serves wherever scikit-learn takes a `score_func`.
    Where it can weigh examples, its `score` has a `sample_weight`; else it has none.

    Attributes
    ----------
    discrete : bool
        Whether it counts values, so that continuous columns need a discretiser first.
    takes_sparse : bool
        Whether it takes sparse matrices, without making them dense.
    takes_missing : bool
        Whether it takes NaN.
    takes_nominal : bool
        Whether it takes text and categories, of dataframes or arrays of objects.
    """

    discrete: bool = False
    takes_sparse: bool = False
    takes_missing: bool = False
    takes_nominal: bool = False

    @abstractmethod
    def score(self, X: Any, y: Any) -> Floats:
        """Score the features; higher is better, and never NaN."""

    def order(self, X: Any, y: Any, **weights: Any) -> Ints:
        """Order the features, best first, ties by index."""
        return np.argsort(-self.score(X, y, **weights), kind="stable")

    def __call__(self, X: Any, y: Any) -> Floats:
        """Score the features; the face of a `score_func`."""
        return self.score(X, y)


class OrderingRanker(Ranker):
    """A ranker that orders the features without measuring each; a score is minus the position."""

    @abstractmethod
    def order(self, X: Any, y: Any, **weights: Any) -> Ints:
        """Order the features, best first, ties by index."""

    def leading(self, X: Any, y: Any, number: int, **weights: Any) -> Ints:
        """Order all features such that the first so many are right; override it where that is less.

        The others may follow in any order.
        """
        return self.order(X, y, **weights)

    def score(self, X: Any, y: Any) -> Floats:
        """Give the best feature 0, the next -1, and so on."""
        order = self.order(X, y)
        scores = np.empty(order.size)
        scores[order] = -np.arange(order.size)
        return scores
