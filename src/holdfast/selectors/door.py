"""What comes in by a selector's door: numbers, shares, limits, and one value an example."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

from holdfast.contracts import Criterion
from holdfast.criteria.estimator import Estimator
from holdfast.exceptions import refusal
from holdfast.search.budget import SearchBudget


def criterion_of(given: Any, owner: str) -> Criterion:
    """A criterion as it is; a scikit-learn estimator as the criterion that cross-validates it."""
    if isinstance(given, Criterion):
        return given
    if is_estimator(given):
        return Estimator(given)
    raise refusal(
        "criterion",
        owner,
        "a criterion or a scikit-learn estimator",
        repr(given),
        "Try criteria.KNN(), or criteria.Estimator(LogisticRegression()).",
    )


def is_estimator(candidate: Any) -> bool:
    """Whether it is an object that can be fitted, not a class of such."""
    return hasattr(candidate, "fit") and not isinstance(candidate, type)


def whole(value: Any, parameter: str, owner: str) -> int:
    """A whole number of at least 1."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or value < 1:
        raise refusal(parameter, owner, "a whole number >= 1", repr(value))
    return int(value)


def share(value: Any, parameter: str, owner: str) -> float:
    """A number from 0 to 1."""
    number = isinstance(value, (int, float, np.integer, np.floating))
    if not number or isinstance(value, bool) or not 0 <= value <= 1:
        raise refusal(parameter, owner, "from 0 to 1", repr(value))
    return float(value)


def shares(value: Any, parameter: str, owner: str) -> list[float]:
    """One number from 0 to 1, or several; the order is kept."""
    several = list(value) if np.ndim(value) > 0 else [value]
    if not several:
        raise refusal(parameter, owner, "a number or a list of some", repr(value))
    return [share(one, parameter, owner) for one in several]


def budget_of(max_evaluations: Any, max_seconds: Any, owner: str) -> SearchBudget:
    """Limits of a search; its clock starts here."""
    if max_evaluations is not None:
        max_evaluations = whole(max_evaluations, "max_evaluations", owner)
    if max_seconds is not None:
        number = isinstance(max_seconds, (int, float, np.integer, np.floating))
        if not number or isinstance(max_seconds, bool) or not max_seconds > 0:
            raise refusal("max_seconds", owner, "a number > 0", repr(max_seconds))
        max_seconds = float(max_seconds)
    return SearchBudget(max_evaluations, max_seconds)


def one_each(values: Any, y: Any, parameter: str, owner: str) -> NDArray[Any] | None:
    """A value for each example."""
    if values is None:
        return None
    array = np.asarray(values)
    if array.ndim != 1 or array.size != len(y):
        raise refusal(
            parameter, owner, f"one for each of {len(y)} examples", f"shape {array.shape}"
        )
    return array


def refuse_missing_targets(y: Any, owner: str) -> None:
    """Refuse NaN and infinities; what else targets are is for the criterion to judge."""
    targets = np.asarray(y)
    if targets.dtype.kind not in "fO":
        return
    try:
        assert_all_finite(targets)
    except ValueError as error:
        found = "NaN" if "NaN" in str(error) else "infinity"
        raise refusal(
            "y", owner, "free of missing and infinite values", found, "Leave such examples out."
        ) from error


def weights_of(values: Any, y: Any, owner: str) -> NDArray[Any] | None:
    """Weights of the examples; what else they must be depends on the criterion."""
    weights = one_each(values, y, "sample_weight", owner)
    if weights is not None and not weights.any():
        raise refusal("sample_weight", owner, "other than zero for some example", "zeros")
    return weights
