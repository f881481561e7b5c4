"""The compressed pattern of choices: all runs' features in one array, each run's ascending."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Pattern = tuple[NDArray[np.int64], NDArray[np.int32]]


class RepeatedChoiceError(Exception):
    """One run chose one feature twice: at these two positions of the choices."""

    def __init__(self, first: int, again: int) -> None:
        super().__init__(f"choice {again} repeats choice {first}")
        self.first = first
        self.again = again


def pattern_of_choices(
    run: NDArray[np.signedinteger],
    feature: NDArray[np.signedinteger],
    n_runs: int,
    n_features: int,
) -> Pattern:
    """Order choices, given as pairs of run and feature in any order, by run and feature.

    Time: one sort of the choices where they are not in order yet. Memory: 16 bytes a choice.

    Raises
    ------
    RepeatedChoiceError
        At the first repetition in the order given.
    """
    keys = _keys(run, feature, n_features)
    if not np.all(keys[1:] > keys[:-1]):
        keys.sort()
        if np.any(keys[1:] == keys[:-1]):
            raise RepeatedChoiceError(*_first_repetition(_keys(run, feature, n_features)))
        feature = (keys % n_features).astype(np.int32)
    sizes = np.bincount(run, minlength=n_runs)
    indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    return indptr, feature.astype(np.int32)


def _keys(
    run: NDArray[np.signedinteger], feature: NDArray[np.signedinteger], n_features: int
) -> NDArray[np.int64]:
    # One sort of run * D + feature orders every run at once.
    keys = run.astype(np.int64)
    keys *= n_features
    keys += feature
    return keys


def _first_repetition(keys: NDArray[np.int64]) -> tuple[int, int]:
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    nearest = same[np.argmin(order[same + 1])]
    return int(order[nearest]), int(order[nearest + 1])
