"""The folds of a classification problem as arrays: who trains, who is tested, and what counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.ballot import Ballot
from holdfast.contracts import Problem
from holdfast.criteria.splits import Splits, splits_of
from holdfast.criteria.table import Codes, classes_of
from holdfast.exceptions import refusal

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Folds:
    """Training and test parts of a problem; test examples lie fold after fold.

    Attributes
    ----------
    classes, codes : array
        Distinct labels, ascending, and the position of each example's.
    splits : list of (train, test)
        Rows of the table.
    starts : array
        Where each fold's test examples begin, and where the last ends.
    tests : array
        Rows of all test examples.
    weights : array or None
        What was given, one for each example.
    """

    classes: NDArray[Any]
    codes: Codes
    splits: Splits
    starts: Ints
    tests: NDArray[np.intp]
    weights: Floats | None

    @classmethod
    def of(cls, problem: Problem, cv: Any, owner: str) -> Folds:
        """Make the folds of a problem, and check labels and weights."""
        classes, codes = classes_of(problem, owner)
        splits = splits_of(cv, problem, True, owner)
        weights = weights_of(problem, owner, splits)
        tests = [test for _, test in splits]
        starts = np.cumsum([0, *map(len, tests)], dtype=np.int64)
        return cls(classes, codes, splits, starts, np.concatenate(tests), weights)

    def ballot(self, sizes: Floats) -> Ballot:
        """What counts right and wrong needs, given the sizes of `training_classes`."""
        by_class = sizes.reshape(self.classes.size, -1)
        with np.errstate(divide="ignore"):
            log_priors = np.log(by_class / by_class.sum(axis=0))
        weights = np.empty(0) if self.weights is None else self.weights[self.tests]
        codes = self.codes[self.tests]
        return Ballot(self.starts, codes, weights, log_priors)

    def training_classes(self) -> list[NDArray[np.intp]]:
        """Rows of each class in each training part, by class, then fold; some may be empty."""
        return [
            train[self.codes[train] == code]
            for code in range(self.classes.size)
            for train, _ in self.splits
        ]


def weights_of(problem: Problem, owner: str, splits: Splits | None = None) -> Floats | None:
    """Weights of the examples: finite, not negative, and not all 0 in any test part."""
    if problem.sample_weight is None:
        return None
    weights = np.asarray(problem.sample_weight, dtype=np.float64)
    expected = f"one number for each of the {len(problem.y)} examples"
    if weights.shape != (len(problem.y),):
        raise refusal("sample_weight", owner, expected, f"shape {weights.shape}")
    if not np.isfinite(weights).all() or weights.min() < 0 or weights.max() == 0:
        worst = weights[~np.isfinite(weights)][:1] if np.isnan(weights).any() else weights.min()
        raise refusal("sample_weight", owner, "finite, not negative and not all 0", worst)
    for number, (_, test) in enumerate(splits or []):
        if not weights[test].sum() > 0:
            raise refusal(
                "sample_weight",
                owner,
                "positive for some example of every test part",
                f"none in fold {number}",
            )
    return weights
