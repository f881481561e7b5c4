"""Selections: which features each run chose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError, refusal
from holdfast.selections import estimators, intake
from holdfast.selections.pairs import PairTable, count_pairs, overlap_matrix

if TYPE_CHECKING:
    import polars as pl

Rule = Literal["majority", "threshold", "top"]


class Selections:
    """The choices of many runs over one set of features; never changed once made.

    Make one with :meth:`from_subsets`, :meth:`from_masks`, :meth:`from_rankings`,
    :meth:`from_weights`, :meth:`from_selectors`, :meth:`from_cross_validate`, or read a file with
    :func:`holdfast.read_selections`. Every stability measure is a function of it.

    Attributes
    ----------
    n_runs, n_features : int
        How many runs there are, and how many features each could choose from.
    indptr, indices : numpy.ndarray
        The choices as a compressed pattern: run i chose ``indices[indptr[i]:indptr[i + 1]]``,
        ascending. Read-only, as are all arrays here.
    scores : numpy.ndarray or None
        The weights or ranks that the subsets were made from, runs x features.
    score_kind : {"weights", "ranks"} or None
        What `scores` holds.
    importance : {"magnitude", "value"}
        Whether weights count by their size or their value when they are ranked.

    Examples
    --------
    >>> runs = Selections.from_subsets([[0, 3], [0, 2], [0]], n_features=5)
    >>> runs
    Selections(3 runs, 5 features, 1 to 2 chosen)
    >>> runs.frequencies
    array([3, 0, 1, 1, 0])
    >>> runs.consensus()
    array([0])
    """

    def __init__(
        self,
        pattern: intake.Pattern,
        n_features: int,
        *,
        feature_names: tuple[str, ...] | None = None,
        run_names: tuple[str, ...] | None = None,
        scores: NDArray[np.float64] | None = None,
        score_kind: Literal["weights", "ranks"] | None = None,
        importance: Literal["magnitude", "value"] = "value",
    ) -> None:
        self.indptr, self.indices = pattern
        self.n_runs = self.indptr.size - 1
        self.n_features = n_features
        intake.at_least_one_run(self.n_runs, "Selections")
        if feature_names is not None and len(feature_names) != n_features:
            raise refusal(
                "feature_names",
                "Selections",
                f"of length n_features={n_features}",
                f"{len(feature_names)} names",
            )
        if run_names is not None and len(run_names) != self.n_runs:
            raise refusal(
                "run_names", "Selections", f"of length {self.n_runs}", f"{len(run_names)} names"
            )
        self._feature_names = feature_names
        self._run_names = run_names
        self.scores = scores
        self.score_kind = score_kind
        self.importance = importance
        for array in (self.indptr, self.indices, scores):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def from_subsets(
        cls,
        subsets: Iterable[Iterable[Any]],
        n_features: int | None = None,
        *,
        feature_names: Iterable[str] | None = None,
        run_names: Iterable[str] | None = None,
    ) -> Selections:
        """Make selections from lists of feature indices or of feature names.

        Parameters
        ----------
        subsets : iterable of iterables
            For each run the indices (from 0) or the names of its features, in any order.
        n_features : int, optional
            How many features there were to choose from. May be left out with `feature_names`.
        feature_names : iterable of str, optional
            All features in order. With subsets of names and only `n_features` given, the features
            that nobody chose get placeholder names.
        run_names : iterable of str, optional
            A name for each run.
        """
        owner = "Selections.from_subsets"
        names = None
        if feature_names is not None:
            names = intake.checked_names(feature_names, "feature_names", owner)
        pattern, n_features, names = intake.pattern_of_subsets(subsets, n_features, names, owner)
        intake.at_least_one_run(pattern[0].size - 1, owner)
        return cls(pattern, n_features, feature_names=names, run_names=_run_names(run_names, owner))

    @classmethod
    def from_masks(
        cls,
        masks: Any,
        *,
        feature_names: Iterable[str] | None = None,
        run_names: Iterable[str] | None = None,
    ) -> Selections:
        """Make selections from a runs x features table of booleans or 0/1.

        Parameters
        ----------
        masks : array, scipy.sparse matrix, dataframe, or iterable of masks
            A dataframe brings its column names along.
        feature_names, run_names : iterable of str, optional
            Names to use instead.
        """
        owner = "Selections.from_masks"
        pattern, n_features, names = intake.pattern_of_masks(masks, owner)
        intake.at_least_one_run(pattern[0].size - 1, owner)
        if feature_names is not None:
            names = intake.checked_names(feature_names, "feature_names", owner)
        return cls(pattern, n_features, feature_names=names, run_names=_run_names(run_names, owner))

    @classmethod
    def from_rankings(
        cls,
        rankings: Any,
        top: int,
        *,
        feature_names: Iterable[str] | None = None,
        run_names: Iterable[str] | None = None,
    ) -> Selections:
        """Make selections from the `top` best ranked features of each run.

        Parameters
        ----------
        rankings : array or dataframe, runs x features
            The rank of each feature, smaller is better, as scikit-learn's ``ranking_``.
        top : int
            How many features a run selects. Ties go to the feature that comes first.
        feature_names, run_names : iterable of str, optional
            Names; a dataframe brings its column names along.
        """
        owner = "Selections.from_rankings"
        ranks, names = intake.checked_scores(rankings, "rankings", owner)
        intake.at_least_one_run(ranks.shape[0], owner)
        if feature_names is not None:
            names = intake.checked_names(feature_names, "feature_names", owner)
        return cls(
            intake.pattern_of_best(ranks, top, owner),
            ranks.shape[1],
            feature_names=names,
            run_names=_run_names(run_names, owner),
            scores=ranks,
            score_kind="ranks",
        )

    @classmethod
    def from_weights(
        cls,
        weights: Any,
        top: int | None = None,
        *,
        importance: Literal["magnitude", "value"] = "magnitude",
        feature_names: Iterable[str] | None = None,
        run_names: Iterable[str] | None = None,
    ) -> Selections:
        """Make selections from feature weights, such as coefficients or importances.

        Parameters
        ----------
        weights : array or dataframe, runs x features
            The weight of each feature in each run.
        top : int, optional
            Select this many features of each run, the most important first, ties to the feature
            that comes first. Without it a run selects the features whose weight is not zero.
        importance : {"magnitude", "value"}, default="magnitude"
            Whether a feature matters by the size of its weight (coefficients) or by its value
            (scores such as ReliefF's, where a negative one is bad).
        feature_names, run_names : iterable of str, optional
            Names; a dataframe brings its column names along.
        """
        owner = "Selections.from_weights"
        if importance not in ("magnitude", "value"):
            raise refusal("importance", owner, "'magnitude' or 'value'", repr(importance))
        values, names = intake.checked_scores(weights, "weights", owner)
        intake.at_least_one_run(values.shape[0], owner)
        if feature_names is not None:
            names = intake.checked_names(feature_names, "feature_names", owner)
        if top is None:
            pattern = intake.pattern_of_masks(values != 0, owner)[0]
        else:
            order_by = -np.abs(values) if importance == "magnitude" else -values
            pattern = intake.pattern_of_best(order_by, top, owner)
        return cls(
            pattern,
            values.shape[1],
            feature_names=names,
            run_names=_run_names(run_names, owner),
            scores=values,
            score_kind="weights",
            importance=importance,
        )

    @classmethod
    def from_selectors(
        cls,
        selectors: Iterable[Any],
        *,
        getter: estimators.Getter | None = None,
        feature_names: Iterable[str] | None = None,
        run_names: Iterable[str] | None = None,
    ) -> Selections:
        """Make selections from fitted selectors, one a run.

        Parameters
        ----------
        selectors : iterable
            Fitted scikit-learn selectors, pipelines that hold one, searches over either, or
            anything with a boolean ``support_``.
        getter : callable, optional
            For other objects: takes one, returns its mask over the features.
        feature_names : iterable of str, optional
            Names to use instead of those the selectors saw.
        run_names : iterable of str, optional
            A name for each run.
        """
        owner = "Selections.from_selectors"
        fitted = list(selectors)
        intake.at_least_one_run(len(fitted), owner)
        masks = [
            np.asarray(getter(s)) if getter else estimators.support_of(s, owner) for s in fitted
        ]
        seen = {estimators.names_of(s) for s in fitted}
        if len(seen) > 1:
            raise InputError(f"{owner} needs selectors fitted on the same columns in one order.")
        return cls.from_masks(
            masks,
            feature_names=feature_names if feature_names is not None else seen.pop(),
            run_names=run_names,
        )

    @classmethod
    def from_cross_validate(
        cls,
        results: Mapping[str, Any],
        *,
        getter: estimators.Getter | None = None,
        feature_names: Iterable[str] | None = None,
    ) -> Selections:
        """Make selections from scikit-learn's ``cross_validate(..., return_estimator=True)``.

        Parameters
        ----------
        results : dict
            What ``cross_validate`` returned.
        getter, feature_names
            As in :meth:`from_selectors`.
        """
        if "estimator" not in results:
            raise refusal(
                "results",
                "Selections.from_cross_validate",
                "the output of cross_validate(..., return_estimator=True)",
                f"a mapping with {sorted(results)}",
            )
        return cls.from_selectors(results["estimator"], getter=getter, feature_names=feature_names)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features; x0, x1, ... where none were given."""
        if self._feature_names is None:
            self._feature_names = tuple(f"x{f}" for f in range(self.n_features))
        return self._feature_names

    @property
    def run_names(self) -> tuple[str, ...]:
        """Names of the runs; 0, 1, ... where none were given."""
        if self._run_names is None:
            self._run_names = tuple(map(str, range(self.n_runs)))
        return self._run_names

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many features each run chose."""
        return _frozen(np.diff(self.indptr))

    @cached_property
    def frequencies(self) -> NDArray[np.int64]:
        """How many runs chose each feature."""
        return _frozen(np.bincount(self.indices, minlength=self.n_features))

    @cached_property
    def pairs(self) -> PairTable:
        """The pairs of runs, counted by their sizes and their overlap."""
        return count_pairs(self.indptr, self.indices, self.frequencies)

    @cached_property
    def overlaps(self) -> NDArray[np.int32]:
        """How many features every two runs share, runs x runs; takes 4 * n_runs**2 bytes."""
        return _frozen(overlap_matrix(self.indptr, self.indices, self.frequencies))

    def masks(self) -> NDArray[np.bool_]:
        """Return the runs x features table of booleans, dense."""
        out = np.zeros((self.n_runs, self.n_features), dtype=bool)
        out[np.repeat(np.arange(self.n_runs), self.sizes), self.indices] = True
        return out

    def consensus(
        self, rule: Rule = "majority", *, at_least: float | None = None, size: int | None = None
    ) -> NDArray[np.intp]:
        """Choose one subset from all runs; return its feature indices, ascending.

        Parameters
        ----------
        rule : {"majority", "threshold", "top"}
            "majority": features chosen by more than half of the runs. "threshold": by at least the
            share `at_least` of the runs. "top": the `size` most often chosen, ties to the feature
            that comes first.
        at_least : float
            For "threshold", in (0, 1].
        size : int
            For "top", from 1 to n_features.
        """
        owner = "Selections.consensus"
        if (at_least is not None) != (rule == "threshold"):
            raise refusal("at_least", owner, "given with rule='threshold' only", repr(at_least))
        if (size is not None) != (rule == "top"):
            raise refusal("size", owner, "given with rule='top' only", repr(size))
        if rule == "majority":
            return np.flatnonzero(2 * self.frequencies > self.n_runs)
        if at_least is not None:
            if not 0 < at_least <= 1:
                raise refusal("at_least", owner, "above 0 and at most 1", at_least)
            # A share such as 0.7 of 10 runs must mean 7, whatever 0.7 is in binary.
            return np.flatnonzero(self.frequencies >= at_least * self.n_runs - 1e-9)
        if size is not None:
            order_by = -self.frequencies.astype(np.float64)[None, :]
            return intake.pattern_of_best(order_by, size, owner)[1].astype(np.intp)
        raise refusal("rule", owner, "'majority', 'threshold' or 'top'", repr(rule))

    def to_frame(self) -> pl.DataFrame:
        """Return the features as a table: name, number and share of runs that chose each."""
        import polars as pl

        return pl.DataFrame(
            {
                "feature": self.feature_names,
                "runs": self.frequencies,
                "share": self.frequencies / self.n_runs,
            }
        )

    def __len__(self) -> int:
        return self.n_runs

    def __getitem__(self, run: int) -> NDArray[np.int32]:
        """Return the feature indices that one run chose."""
        if not -self.n_runs <= run < self.n_runs:
            raise IndexError(f"run {run} of {self.n_runs}")
        run %= self.n_runs
        return self.indices[self.indptr[run] : self.indptr[run + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[run] for run in range(self.n_runs))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Selections):
            return NotImplemented
        return (
            self.n_features == other.n_features
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
            and self.feature_names == other.feature_names
            and self.run_names == other.run_names
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        low, high = int(self.sizes.min()), int(self.sizes.max())
        chosen = f"{low}" if low == high else f"{low} to {high}"
        return f"Selections({self.n_runs} runs, {self.n_features} features, {chosen} chosen)"


def _run_names(names: Iterable[str] | None, owner: str) -> tuple[str, ...] | None:
    return None if names is None else intake.checked_names(names, "run_names", owner)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
