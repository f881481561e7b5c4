"""Selections: which features each run chose."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import refusal
from holdfast.selections import estimators
from holdfast.selections.checks import at_least_one_run, checked_names, names_of_columns
from holdfast.selections.masks import pattern_of_masks
from holdfast.selections.pairs import PairTable, count_pairs, overlap_matrix
from holdfast.selections.pattern import Pattern
from holdfast.selections.scores import checked_scores, pattern_of_best
from holdfast.selections.subsets import pattern_of_subsets

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

    Notes
    -----
    Two are equal if they hold the same choices, names and scores. Pickles and copies hold these and
    leave out what is computed from them.

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

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    n_runs: int
    n_features: int
    scores: NDArray[np.float64] | None
    score_kind: Literal["weights", "ranks"] | None
    importance: Literal["magnitude", "value"]
    _feature_names: tuple[str, ...] | None
    _run_names: tuple[str, ...] | None

    def __init__(
        self,
        pattern: Pattern,
        n_features: int,
        *,
        feature_names: tuple[str, ...] | None = None,
        run_names: tuple[str, ...] | None = None,
        scores: NDArray[np.float64] | None = None,
        score_kind: Literal["weights", "ranks"] | None = None,
        importance: Literal["magnitude", "value"] = "value",
    ) -> None:
        indptr, indices = pattern
        n_runs = indptr.size - 1
        at_least_one_run(n_runs, "pattern", "Selections")
        if feature_names is not None and len(feature_names) != n_features:
            raise refusal(
                "feature_names",
                "Selections",
                f"of length n_features={n_features}",
                f"{len(feature_names)} names",
            )
        if run_names is not None and len(run_names) != n_runs:
            raise refusal(
                "run_names", "Selections", f"of length {n_runs}", f"{len(run_names)} names"
            )
        self.__setstate__(
            {
                "indptr": indptr,
                "indices": indices,
                "n_runs": n_runs,
                "n_features": n_features,
                "scores": scores,
                "score_kind": score_kind,
                "importance": importance,
                "_feature_names": feature_names,
                "_run_names": run_names,
            }
        )

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
            names = checked_names(feature_names, "feature_names", owner)
        pattern, n_features, names = pattern_of_subsets(subsets, n_features, names, owner)
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
        names = names_of_columns(masks, feature_names, "masks", owner)
        pattern, n_features = pattern_of_masks(masks, names, owner)
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
            The rank of each feature, smaller is better, as scikit-learn's ``ranking_``. For lists
            of features, best first, use :meth:`from_subsets` on the first few of each.
        top : int
            How many features a run selects. Ties go to the feature that comes first.
        feature_names, run_names : iterable of str, optional
            Names; a dataframe brings its column names along.
        """
        owner = "Selections.from_rankings"
        names = names_of_columns(rankings, feature_names, "rankings", owner)
        ranks = checked_scores(rankings, names, "rankings", owner)
        return cls(
            pattern_of_best(ranks, top, owner),
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
        names = names_of_columns(weights, feature_names, "weights", owner)
        values = checked_scores(weights, names, "weights", owner)
        if top is None:
            pattern = pattern_of_masks(values != 0, names, owner)[0]
        else:
            order_by = -np.abs(values) if importance == "magnitude" else -values
            pattern = pattern_of_best(order_by, top, owner)
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
            Fitted scikit-learn selectors, pipelines that hold one or more, searches over either,
            or anything with a boolean ``support_``. In a pipeline the columns are followed through
            the steps before; a step that makes new columns (a projection, an encoder) is refused.
        getter : callable, optional
            For other objects: takes one, returns its mask over the features.
        feature_names : iterable of str, optional
            Names to use instead of those the selectors saw.
        run_names : iterable of str, optional
            A name for each run.
        """
        owner = "Selections.from_selectors"
        if isinstance(selectors, (str, bytes)) or not hasattr(selectors, "__iter__"):
            got = f"a {type(selectors).__name__}"
            raise refusal("selectors", owner, "a list of fitted selectors, one a run", got)
        fitted = list(selectors)
        at_least_one_run(len(fitted), "selectors", owner)
        masks = estimators.masks_of(fitted, getter, owner)
        seen = estimators.common_names(fitted, masks[0].size, owner)
        names = seen if feature_names is None else feature_names
        parameter = "selectors" if getter is None else "getter"
        pattern, n_features = pattern_of_masks(masks, seen, owner, parameter)
        return cls(
            pattern,
            n_features,
            feature_names=None if names is None else checked_names(names, "feature_names", owner),
            run_names=_run_names(run_names, owner),
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
        if not isinstance(results, Mapping) or "estimator" not in results:
            held = f" with {sorted(results)}" if isinstance(results, Mapping) else ""
            raise refusal(
                "results",
                "Selections.from_cross_validate",
                "the output of cross_validate(..., return_estimator=True)",
                f"a {type(results).__name__}{held}",
            )
        return cls.from_selectors(results["estimator"], getter=getter, feature_names=feature_names)

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features; x0, x1, ... where none were given."""
        if self._feature_names is not None:
            return self._feature_names
        return tuple(f"x{f}" for f in range(self.n_features))

    @cached_property
    def run_names(self) -> tuple[str, ...]:
        """Names of the runs; 0, 1, ... where none were given."""
        return (
            self._run_names if self._run_names is not None else tuple(map(str, range(self.n_runs)))
        )

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

        Examples
        --------
        >>> runs = Selections.from_subsets([[0, 3], [0, 2], [0]], n_features=5)
        >>> runs.consensus("top", size=2)
        array([0, 2])
        """
        owner = "Selections.consensus"
        if rule not in ("majority", "threshold", "top"):
            raise refusal("rule", owner, "'majority', 'threshold' or 'top'", repr(rule))
        if (at_least is not None) != (rule == "threshold"):
            raise refusal(
                "at_least", owner, "given with rule='threshold', and only then", repr(at_least)
            )
        if (size is not None) != (rule == "top"):
            raise refusal("size", owner, "given with rule='top', and only then", repr(size))
        if rule == "majority":
            return np.flatnonzero(2 * self.frequencies > self.n_runs)
        if at_least is not None:
            if not isinstance(at_least, (int, float, np.number)) or not 0 < at_least <= 1:
                raise refusal("at_least", owner, "above 0 and at most 1", repr(at_least))
            # A share such as 0.7 of 10 runs must mean 7, whatever 0.7 is in binary.
            return np.flatnonzero(self.frequencies >= at_least * self.n_runs - 1e-9)
        order_by = -self.frequencies.astype(np.float64)[None, :]
        return pattern_of_best(order_by, size, owner, "size")[1].astype(np.intp)

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
        row = operator.index(run)
        if not -self.n_runs <= row < self.n_runs:
            raise IndexError(f"run {row} of {self.n_runs}")
        row %= self.n_runs
        return self.indices[self.indptr[row] : self.indptr[row + 1]]

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
            and (self.score_kind, self.importance) == (other.score_kind, other.importance)
            # None, where neither has scores, equals None.
            and np.array_equal(self.scores, other.scores)  # type: ignore[arg-type]
        )

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Selections never change: make others instead of setting {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Selections never change: {name!r} stays")

    def __getstate__(self) -> dict[str, Any]:
        # What is computed once is computed once again elsewhere: overlaps may be large.
        return {name: self.__dict__[name] for name in Selections.__annotations__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for value in state.values():
            if isinstance(value, np.ndarray):
                _frozen(value)
        self.__dict__.update(state)

    def __repr__(self) -> str:
        low, high = int(self.sizes.min()), int(self.sizes.max())
        chosen = f"{low}" if low == high else f"{low} to {high}"
        return f"Selections({self.n_runs} runs, {self.n_features} features, {chosen} chosen)"


def _run_names(names: Iterable[str] | None, owner: str) -> tuple[str, ...] | None:
    return None if names is None else checked_names(names, "run_names", owner)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
