"""The `discretiser` parameter: what makes continuous features discrete before anything else."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone
from sklearn.utils import get_tags

from holdfast.discretisers import MDL, Discretiser, EqualFrequency, EqualWidth
from holdfast.exceptions import refusal
from holdfast.statistics.codes import Codes, codes_of

BY_NAME = {"equal_width": EqualWidth, "equal_frequency": EqualFrequency, "mdl": MDL}


def coded(discretiser: Any, X: Any, y: Any, owner: str) -> tuple[Any, Codes]:
    """Fit a copy of the discretiser, if there is one; return it and the data as codes."""
    if discretiser is None:
        return None, codes_of(X, owner)
    fitted = clone(transformer_of(discretiser, owner))
    if isinstance(fitted, Discretiser):
        return fitted, fitted.fit_codes(X, y)
    return fitted, codes_of(fitted.fit_transform(X, y), owner)


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
    if isinstance(discretiser, str) and discretiser in BY_NAME:
        return BY_NAME[discretiser]()
    if hasattr(discretiser, "fit_transform") and not isinstance(discretiser, type):
        return discretiser
    names = ", ".join(map(repr, BY_NAME))
    raise refusal("discretiser", owner, f"None, a transformer or one of {names}", repr(discretiser))
