"""Denoising as published: three rules that remove examples until equal ones have one class."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.statistics.codes import Codes
from holdfast.statistics.groups import Grouper, Groups
from holdfast.statistics.inconsistency import mixed
from holdfast.statistics.row_hashes import RowComparer

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Denoise = Literal["moderate", "aggressive"]


class NoiseFound(NamedTuple):
    """The examples that each rule removed.

    Attributes
    ----------
    minor : array of bool
        Rule 1: not of the majority class among the examples equal to them.
    tied : array of bool
        Rule 2: in groups of equal examples that have no majority class.
    single : array of bool
        Rule 3: equal to no other example.
    """

    minor: Bools
    tied: Bools
    single: Bools

    @property
    def all(self) -> Bools:
        """Removed by any rule."""
        return self.minor | self.tied | self.single


def denoise(
    codes: Codes, classes: Ints, how: Denoise, comparer: RowComparer, words: NDArray[np.uint64]
) -> NoiseFound:
    """Say which examples are presumable noise; `words` are their hashes under all features.

    O(n x (features + classes)), less where few examples are equal.
    """
    aggressive = how == "aggressive"
    groups = _exact_groups(codes, classes, comparer, words, every=aggressive)
    return noise_in(groups, classes, aggressive)


def noise_in(groups: Groups, classes: Ints, aggressive: bool) -> NoiseFound:
    """Apply the rules to groups of equal examples."""
    counts = groups.counts(classes, int(classes.max()) + 1)
    highest = counts.max(axis=1)
    tie = ((counts == highest[:, None]).sum(axis=1) > 1)[groups.ids]
    minor = ~tie & (counts.argmax(axis=1)[groups.ids] != classes)
    # After the first two rules a group has its majority class left; of ties nothing is left.
    single = ~tie & ~minor & (highest[groups.ids] == 1)
    return NoiseFound(minor, tie, single if aggressive else np.zeros_like(single))


def nothing(n_examples: int) -> NoiseFound:
    """No noise."""
    nobody = np.zeros(n_examples, bool)
    return NoiseFound(nobody, nobody, nobody)


def _exact_groups(
    codes: Codes, classes: Ints, comparer: RowComparer, words: NDArray[np.uint64], every: bool
) -> Groups:
    """Group equal examples by all features; compare those of mixed groups, or of every group."""
    features = np.arange(codes.n_features)
    grouper = Grouper(codes.n_examples)
    groups = grouper.by_words(words)
    counts = groups.counts(classes, int(classes.max()) + 1)
    doubtful = np.ones(groups.number, bool) if every else mixed(counts)
    heads = groups.heads[groups.ids].astype(np.int64)
    rows = np.flatnonzero(doubtful[groups.ids] & (heads != np.arange(heads.size)))
    if comparer.differing(features, rows, heads[rows]) < 0:
        return groups
    return grouper.by_features(codes, features)
