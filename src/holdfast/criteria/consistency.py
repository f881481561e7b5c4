"""Consistency of a subset with the class, and what it tells about the class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from holdfast.contracts import Criterion, Floats, Ints, Judge, Problem, Scorer
from holdfast.criteria.groups import Discrete, GroupScorer
from holdfast.criteria.memory import Remembering
from holdfast.discretisers.parameter import discrete_codes, takes
from holdfast.exceptions import refusal
from holdfast.statistics.inconsistency import OF_COUNTS, checked_options, mutual_information
from holdfast.statistics.interclass import interclass_distances, numbers_of
from holdfast.statistics.labels import labels_of


class OfDiscreteData(Criterion):
    """Base of the criteria that count values."""

    needs_numbers = False
    discretiser: Any

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = takes(self.discretiser, "sparse")
        tags.input_tags.allow_nan = takes(self.discretiser, "allow_nan")
        return tags


class Consistency(OfDiscreteData):
    """Minus a measure of inconsistency, so that higher is better and 0 the best.

    Parameters
    ----------
    measure : str, default="icr"
        Which one; see :func:`holdfast.consistency.catalogue`. Measures that are not monotone may
        call a subset worse for a further feature.
    options : dict, optional
        Options of the measure: ``{"s": 0.3}`` for the Chernoff divergences.
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features; it is
        fitted to all data that the search was given.

    Notes
    -----
    One feature more or less costs O(n + groups x classes). Weights count as repetitions.

    Examples
    --------
    >>> from holdfast import SequentialSelector
    >>> X = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> search = SequentialSelector(Consistency("icr"), direction="backward")
    >>> search.fit(X, [0, 1, 1, 0]).get_support()
    array([ True,  True, False])
    """

    def __init__(
        self,
        measure: str = "icr",
        options: Mapping[str, float] | None = None,
        discretiser: Any = None,
    ) -> None:
        self.measure = measure
        self.options = options
        self.discretiser = discretiser

    def prepare(self, problem: Problem) -> Judge:
        """Bind the data."""
        owner = type(self).__name__
        known = (*OF_COUNTS, "interclass")
        if not isinstance(self.measure, str) or self.measure not in known:
            raise refusal("measure", owner, f"one of: {', '.join(known)}", repr(self.measure))
        options = checked_options(self.measure, self.options or {})
        scorer = (
            self._by_distance(problem, owner)
            if self.measure == "interclass"
            else self._by_counts(problem, options, owner)
        )
        name = f"{owner}({self.measure})"
        return Remembering(scorer, name, problem.n_features, problem.budget)

    def _by_counts(self, problem: Problem, options: dict[str, float], owner: str) -> Scorer:
        measure = OF_COUNTS[self.measure]

        def better(counts: NDArray[Any]) -> float:
            return 0.0 - measure(counts, **options)

        return GroupScorer(Discrete(problem, self.discretiser, owner), better, problem.n_jobs)

    def _by_distance(self, problem: Problem, owner: str) -> Scorer:
        if problem.sample_weight is not None:
            cure = "Repeat the examples instead, or take another measure."
            raise refusal("sample_weight", owner, "None for 'interclass'", "weights", cure)
        classes = labels_of(problem.y, owner)[1].astype(np.int64)
        X = problem.X
        if self.discretiser is not None:
            X = discrete_codes(self.discretiser, X, classes, owner)[0].transform(X)
        return DistanceSum(interclass_distances(numbers_of(X, owner), classes))


class MutualInformation(OfDiscreteData):
    """Mutual information of a subset, taken as one variable, with the class, in bits.

    It is H(C) - H(C | X): from 0 to the entropy of the class, where a subset is consistent.

    Parameters
    ----------
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features; it is
        fitted to all data that the search was given.

    Notes
    -----
    One feature more or less costs O(n + groups x classes). Weights count as repetitions.
    """

    def __init__(self, discretiser: Any = None) -> None:
        self.discretiser = discretiser

    def prepare(self, problem: Problem) -> Judge:
        """Bind the data."""
        owner = type(self).__name__
        data = Discrete(problem, self.discretiser, owner)
        scorer = GroupScorer(data, mutual_information, problem.n_jobs)
        return Remembering(scorer, owner, problem.n_features, problem.budget)


class DistanceSum(Scorer):
    """Minus 1 / (1 + the sum of the features' interclass distances)."""

    def __init__(self, distances: Floats) -> None:
        self._distances = distances

    def score(self, subset: Ints) -> Floats:
        return np.array([-1 / (1 + self._distances[subset].sum())])
