"""The `discretiser` parameter: what makes continuous features discrete before anything else."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone
from sklearn.utils import get_tags

from holdfast.exceptions import refusal


def discretised(discretiser: Any, X: Any, classes: Any, owner: str) -> tuple[Any, Any]:
    """Fit a copy of the discretiser, if there is one; return it and the discrete data."""
    if discretiser is None:
        return None, X
    fitted = clone(transformer_of(discretiser, owner))
    return fitted, fitted.fit_transform(X, classes)


def takes(discretiser: Any, what: str) -> bool:
    """Whether the discretiser takes "sparse" data, or "allow_nan"; without one, both are taken."""
    if discretiser is None:
        return True
    try:
        transformer = transformer_of(discretiser, "")
    except ValueError:
        return False  # refused in its turn, when fitted
    return bool(getattr(get_tags(transformer).input_tags, what))


def transformer_of(discretiser: Any, owner: str) -> Any:
    """Look a discretiser up by its name; a transformer is what it is."""
    from holdfast import statistics

    if isinstance(discretiser, str):
        raise refusal("discretiser", owner, "a transformer", repr(discretiser))
    if hasattr(discretiser, "fit_transform") and not isinstance(discretiser, type):
        return discretiser
    raise refusal("discretiser", owner, "a transformer", repr(discretiser))
