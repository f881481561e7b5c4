"""Train and test examples of each fold, made once and the same for every candidate."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from holdfast.contracts import Problem
from holdfast.criteria.table import refuse_missing
from holdfast.exceptions import InputError, refusal

Ints = NDArray[np.intp]
Splits = list[tuple[Ints, Ints]]


def splits_of(
    cv: Any,
    problem: Problem,
    classifier: bool,
    owner: str,
    params: Mapping[str, Any] | None = None,
    ascending: bool = True,
) -> Splits:
    """Materialise a splitter, a number of folds or an iterable of (train, test) pairs.

    `params` go to the splitter, by default the groups of the problem. Examples come in ascending
    order, or in that of the splitter, which some models depend on.
    """
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        _check_fold_count(int(cv), problem, classifier, owner)
    refuse_missing(np.asarray(problem.y), owner)
    try:
        # A copy: a splitter with a random state of its own must give the same splits next time.
        own = deepcopy(cv) if hasattr(cv, "split") else cv
        splitter = check_cv(own, problem.y, classifier=classifier)
    except (TypeError, ValueError) as error:
        raise refusal(
            "cv", owner, "a number of folds >= 2, a splitter or (train, test) pairs", repr(cv)
        ) from error
    if params is None:
        params = {} if problem.groups is None else {"groups": problem.groups}
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            pairs = [_pair(pair) for pair in splitter.split(problem.X, problem.y, **params)]
    except (TypeError, ValueError) as error:
        raise InputError(
            f"The 'cv' parameter of {owner} cannot split these data: {error}"
        ) from error
    if not pairs:
        raise refusal(
            "cv",
            owner,
            "at least one (train, test) pair",
            "none",
            "A generator is used up by the first fit; pass a list.",
        )
    n = len(problem.y)
    splits = [
        (_examples(train, n, number, owner), _examples(test, n, number, owner))
        for number, (train, test) in enumerate(pairs)
    ]
    return [(np.sort(train), np.sort(test)) for train, test in splits] if ascending else splits


def _pair(parts: Any) -> tuple[Any, Any]:
    train, test = parts
    return train, test


def _examples(part: Any, n_examples: int, fold: int, owner: str) -> Ints:
    """Indices of one part of a fold, given as indices or as a mask."""
    given = np.asarray(part)
    if given.dtype == bool and given.shape == (n_examples,):
        given = np.flatnonzero(given)
    if given.size == 0:
        raise refusal("cv", owner, "made of non-empty parts", f"an empty one in fold {fold}")
    inside = given.dtype.kind in "iu" and given.min() >= 0 and given.max() < n_examples
    if given.ndim != 1 or not inside:
        raise refusal(
            "cv", owner, f"made of indices of the {n_examples} examples", f"others in fold {fold}"
        )
    return given.astype(np.intp)


def _check_fold_count(n_folds: int, problem: Problem, classifier: bool, owner: str) -> None:
    n = len(problem.y)
    if not 2 <= n_folds <= n:
        raise refusal("cv", owner, f"from 2 to the {n} examples", n_folds)
    y = np.asarray(problem.y)
    if not classifier or y.ndim > 1:
        return
    classes, counts = np.unique(y, return_counts=True)
    if counts.min() < n_folds:
        rare = classes[np.argmin(counts)]
        raise refusal(
            "cv",
            owner,
            f"at most {int(counts.min())}, the number of examples of class {rare.item()!r}",
            n_folds,
            "Use fewer folds, or pass a splitter that need not have every class in every fold.",
        )
