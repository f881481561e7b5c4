"""Rankers that take one feature after another, by what it adds to those taken: mRMR and JMI."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import contingency as kernel
from holdfast.contracts import Floats, OrderingRanker
from holdfast.exceptions import refusal
from holdfast.rankers.univariate import DiscreteRanker, counted
from holdfast.statistics.codes import Codes
from holdfast.statistics.information import Target

Ints = NDArray[np.intp]


class GreedyRanker(DiscreteRanker, OrderingRanker):
    """Base of the rankers that take the best feature, then the best beside it, and so on."""

    depth: int | None

    def order(self, X: Any, y: Any, **weights: Any) -> Ints:
        """Order the features, best first, ties by index.

        Parameters
        ----------
        X : array, sparse matrix or dataframe, examples x features
            Discrete data, or what the discretiser takes. Sparse data never become dense; a missing
            value is a level of its own.
        y : array
            Classes, at least two.

        Returns
        -------
        array of int
            Indices of all features.
        """
        return self._ordered(X, y, None, weights)

    def leading(self, X: Any, y: Any, number: int, **weights: Any) -> Ints:
        """Order the features as with a depth of `number`, where there is no other depth."""
        return self._ordered(X, y, number, weights)

    def _ordered(self, X: Any, y: Any, number: int | None, weights: Mapping[str, Any]) -> Ints:
        owner = type(self).__name__
        if weights:
            raise refusal(next(iter(weights)), owner, "left out: it counts examples", "it")
        codes, target = counted(self.discretiser, X, y, owner)
        usual = codes.n_features if number is None else number
        return self._take(codes, target, self._depth(usual, owner))

    def _take(self, codes: Codes, target: Target, depth: int) -> Ints:
        relevance = target.information(codes).gain
        left = np.argsort(-relevance, kind="stable")
        taken = [int(left[0])]
        left = np.sort(left[1:])
        sums = np.zeros(codes.n_features)
        while left.size:
            sums[left] += self._beside(codes, target, taken[-1], left)
            values = self._value(relevance[left], sums[left], len(taken))
            if len(taken) >= depth:
                return np.concatenate((taken, left[np.lexsort((left, *-values[::-1]))]))
            # The first of the best; where all is infinite, by the next key.
            best = np.lexsort((left, *-values[::-1]))[0] if len(values) > 1 else values[0].argmax()
            taken.append(int(left[best]))
            left = np.delete(left, best)
        return np.array(taken, np.intp)

    @abstractmethod
    def _beside(self, codes: Codes, target: Target, feature: int, others: Ints) -> Floats:
        """What the other features get for the feature taken last."""

    @abstractmethod
    def _value(self, relevance: Floats, sums: Floats, n_taken: int) -> Floats:
        """Rows of sort keys, the first decides; higher is better."""

    def _depth(self, usual: int, owner: str) -> int:
        if self.depth is None:
            return usual
        whole = isinstance(self.depth, (int, np.integer)) and not isinstance(self.depth, bool)
        if not whole or self.depth < 1:
            raise refusal("depth", owner, "None or a whole number >= 1", repr(self.depth))
        return int(self.depth)


class MRMR(GreedyRanker):
    """Minimal redundancy, maximal relevance (Peng, Long & Ding 2005).

    Takes the feature of most information with the class, and then each time the one of which the
    information with the class is most above the mean information it shares with those taken.

    Parameters
    ----------
    scheme : {"difference", "quotient"}, default="difference"
        Relevance less redundancy (MID), or over it (MIQ). A feature that shares nothing with those
        taken has an infinite quotient; of several such the most relevant is taken, and one that is
        not relevant either has the quotient 0.
    depth : int, optional
        How many features are taken one by one; the rest follows by its value beside those. To have
        the first k, a depth of k is enough, and much faster. ``RankedSelector`` sees to that
        itself where it knows k.
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features. It is
        fitted to the data that are ordered.

    Notes
    -----
    O(depth x cells), or O(depth x entries) of sparse data.

    Examples
    --------
    The second feature repeats the first; the third tells less, but something new.

    >>> from holdfast.rankers import MRMR
    >>> X = [[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 1, 1], [0, 0, 1]]
    >>> MRMR().order(X, [0, 0, 0, 1, 1, 1])
    array([0, 2, 1])
    """

    def __init__(
        self,
        scheme: Literal["difference", "quotient"] = "difference",
        depth: int | None = None,
        discretiser: Any = None,
    ) -> None:
        self.scheme = scheme
        self.depth = depth
        self.discretiser = discretiser

    def _take(self, codes: Codes, target: Target, depth: int) -> Ints:
        if self.scheme not in ("difference", "quotient"):
            raise refusal(
                "scheme", type(self).__name__, "'difference' or 'quotient'", repr(self.scheme)
            )
        return super()._take(codes, target, depth)

    def _beside(self, codes: Codes, target: Target, feature: int, others: Ints) -> Floats:
        taken = Target(codes.feature(feature), int(codes.n_levels[feature]), target.logarithms)
        return taken.information(codes, others).gain

    def _value(self, relevance: Floats, sums: Floats, n_taken: int) -> Floats:
        redundancy = sums / n_taken
        if self.scheme == "difference":
            return (relevance - redundancy)[None]
        alone = redundancy == 0
        quotient = relevance / np.where(alone, 1.0, redundancy)
        return np.stack((np.where(alone & (relevance > 0), np.inf, quotient), relevance))


class JMI(GreedyRanker):
    """Joint mutual information (Yang & Moody 1999).

    Takes the feature of most information with the class, and then each time the one that has most
    information with the class together with each of those taken, summed over them. Unlike mRMR it
    sees features that tell something only together.

    Parameters
    ----------
    depth : int, optional
        How many features are taken one by one; the rest follows by its value beside those. To have
        the first k, a depth of k is enough, and much faster. ``RankedSelector`` sees to that
        itself where it knows k.
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features. It is
        fitted to the data that are ordered.

    Examples
    --------
    >>> from holdfast.rankers import JMI
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [1, 1, 1]]
    >>> JMI().order(X, [0, 1, 1, 0, 0])
    array([0, 2, 1])
    """

    def __init__(self, depth: int | None = None, discretiser: Any = None) -> None:
        self.depth = depth
        self.discretiser = discretiser

    def _beside(self, codes: Codes, target: Target, feature: int, others: Ints) -> Floats:
        n_classes = target.counts.size
        pairs = codes.feature(feature).astype(np.int32) * n_classes + target.codes
        given = Target(pairs, int(codes.n_levels[feature]) * n_classes, target.logarithms)
        shared = np.empty(others.size)
        logarithms = target.logarithms
        for part in given.parts(codes, others):
            table, starts = given.table(codes, others[part])
            kernel.mutual_of_pairs(
                *(table, starts, given.counts, n_classes),
                *(logarithms.terms, logarithms.scale, shared[part]),
            )
        return shared

    def _value(self, relevance: Floats, sums: Floats, n_taken: int) -> Floats:
        return sums[None]
