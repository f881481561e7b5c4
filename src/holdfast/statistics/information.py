"""Entropies and mutual information of discrete features with a target, in bits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import contingency as kernel
from holdfast.statistics.codes import Codes

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Wide = NDArray[np.int64]

CELLS = 1 << 20  # of counts held at once
LOOKED_UP = 1 << 16  # counts up to here have their c log c in a table


@dataclass(frozen=True)
class Information:
    """What features and a target tell about each other, in bits.

    Attributes
    ----------
    gain : array
        Mutual information of each feature with the target. Exactly 0 for a constant and for an
        independent feature; never above either entropy.
    entropy : array
        Entropy of each feature.
    target_entropy : float
        Entropy of the target.
    """

    gain: Floats
    entropy: Floats
    target_entropy: float

    @property
    def symmetrical_uncertainty(self) -> Floats:
        """Twice the information over the sum of both entropies, from 0 to 1; 0 where both are 0."""
        both = self.entropy + self.target_entropy
        return 2 * self.gain / np.where(both > 0, both, 1.0)


class Logarithms:
    """c log2 c of counts that sum to n, as whole numbers of a unit that just fits 64 bits."""

    def __init__(self, n_examples: int) -> None:
        largest = max(1.0, n_examples * log2(max(2, n_examples)))
        self.scale = 2.0 ** (kernel.LARGEST - ceil(log2(largest)))
        self.terms: Wide = kernel.terms_up_to(min(n_examples, LOOKED_UP), self.scale)


def mutual(
    table: Wide, starts: Wide, counts: Wide, logarithms: Logarithms, shared: Floats, own: Floats
) -> float:
    """Write the information and entropy of each feature; return the entropy of the target."""
    terms, scale = logarithms.terms, logarithms.scale
    return kernel.mutual(table, starts, counts, terms, scale, shared, own)


class Target:
    """A discrete target that features are counted against: the class, or another feature.

    Parameters
    ----------
    codes : array
        Whole numbers from 0, one an example.
    n_levels : int
        Above all of them.
    logarithms : Logarithms, optional
        Of the number of examples, where they are at hand.
    """

    def __init__(
        self, codes: NDArray[Any], n_levels: int, logarithms: Logarithms | None = None
    ) -> None:
        self.codes = np.ascontiguousarray(codes, np.int32)
        self.counts: Wide = np.bincount(self.codes, minlength=n_levels)
        self.logarithms = Logarithms(self.codes.size) if logarithms is None else logarithms

    def table(self, codes: Codes, features: Ints) -> tuple[Wide, Wide]:
        """Counts of some features with the target, and where those of each start."""
        lengths = codes.n_levels[features].astype(np.int64) * self.counts.size
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        table = np.zeros(int(starts[-1]), np.int64)
        classes = self.counts
        if codes.dense is not None:
            kernel.count_dense(codes.dense, features, self.codes, classes.size, starts, table)
        else:
            indptr, rows, values = codes.entries
            kernel.count_sparse(indptr, rows, values, features, self.codes, classes, starts, table)
        return table, starts

    def information(self, codes: Codes, features: Ints | None = None) -> Information:
        """Information of some features, or all, with the target.

        O(examples x features) for dense codes, O(entries) for sparse ones, and O(levels x classes)
        a feature.
        """
        if features is None:
            features = np.arange(codes.n_features)
        shared, own = np.empty((2, features.size))
        entropy = 0.0
        for part in self.parts(codes, features):
            table, starts = self.table(codes, features[part])
            entropy = mutual(table, starts, self.counts, self.logarithms, shared[part], own[part])
        return Information(shared, own, entropy)

    def parts(self, codes: Codes, features: Ints) -> list[slice]:
        """Runs of the features whose counts fit in memory; at least one run, even of none."""
        cells = np.cumsum(codes.n_levels[features].astype(np.int64) * self.counts.size)
        if not cells.size or cells[-1] <= CELLS:
            return [slice(0, features.size)]
        ends = np.flatnonzero(np.diff(cells // CELLS)) + 1
        edges = [0, *ends.tolist(), features.size]
        return [slice(a, b) for a, b in pairwise(edges)]


def order_by_uncertainty(codes: Codes, target: Target) -> Ints:
    """All features by ascending symmetrical uncertainty, ties by index."""
    uncertainty = target.information(codes).symmetrical_uncertainty
    return np.argsort(uncertainty, kind="stable")
