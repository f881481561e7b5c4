"""The `discretiser` parameter of what works on discrete data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from holdfast.discretisers.base import Discretiser
from holdfast.discretisers.frequency import EqualFrequency
from holdfast.discretisers.mdl import MDL
from holdfast.discretisers.width import EqualWidth
from holdfast.exceptions import refusal
from holdfast.statistics.codes import Codes, codes_of

BY_NAME = {"equal_width": EqualWidth, "equal_frequency": EqualFrequency, "mdl": MDL}


def transformer_of(discretiser: Any, owner: str) -> Any:
    """Look a discretiser up by its name; a transformer is what it is, and None is None."""
    if discretiser is None:
        return None
    if isinstance(discretiser, str) and discretiser in BY_NAME:
        return BY_NAME[discretiser]()
    if hasattr(discretiser, "fit_transform") and not isinstance(discretiser, type):
        return discretiser
    expected = f"None, one of {sorted(BY_NAME)}, or a transformer"
    raise refusal("discretiser", owner, expected, repr(discretiser))


def takes(discretiser: Any, what: str) -> bool:
    """Whether the discretiser takes "sparse" data, or "allow_nan"; without one, both are taken."""
    if discretiser is None:
        return True
    if isinstance(discretiser, str):
        return discretiser in BY_NAME
    if not hasattr(discretiser, "__sklearn_tags__"):
        return False  # refused in its turn, when fitted
    return bool(getattr(get_tags(discretiser).input_tags, what, False))


def discrete_codes(discretiser: Any, X: Any, y: Any, owner: str) -> tuple[Any, Codes]:
    """Fit a copy of the discretiser, if there is one; return it and the codes of the data.

    Parameters
    ----------
    discretiser : None, str or transformer
        Without one, continuous data are refused.
    X : array, sparse matrix or dataframe
        The data.
    y : array
        Classes, for supervised discretisers.
    owner : str
        Who asks, for refusals.
    """
    transformer = transformer_of(discretiser, owner)
    if transformer is None:
        return None, codes_of(X, owner)
    fitted = clone(transformer)
    if isinstance(fitted, Discretiser):
        return fitted, fitted.fit_codes(X, y)
    levels = fitted.fit_transform(X, y)
    wanted, got = np.shape(X)[1], np.shape(levels)[1]
    if got != wanted:
        cure = "With KBinsDiscretizer use encode='ordinal'."
        raise refusal(
            "discretiser", owner, "a transformer that keeps the columns", f"{got} of {wanted}", cure
        )
    return fitted, codes_of(levels, owner)


def refuse_discretiser(discretiser: Any, owner: str) -> None:
    """Data in parts are not there as a whole, to learn cuts from."""
    if discretiser is not None:
        cure = "Fit it to a sample, and give chunks.transformed(discretiser.transform)."
        raise refusal("discretiser", owner, "None where X is Chunks", repr(discretiser), cure)
