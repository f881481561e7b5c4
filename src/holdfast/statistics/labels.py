"""Class labels as small whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

from holdfast.exceptions import refusal

SPAN = 1 << 10  # so many neighbouring whole numbers are coded by looking them up


def labels_of(y: Any, owner: str, least: int = 2) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Sorted distinct classes, and the code of each example's class.

    Raises
    ------
    InputError
        For numbers that are not whole, and for fewer than `least` classes.
    """
    if y is None:
        cure = f"{owner} requires y to be passed, but the target y is None."
        raise refusal("y", owner, "one class an example", None, cure)
    # Whole numbers, booleans and text in a row are classes; the look at others takes as long as
    # the rest.
    plain = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuUS"
    labels: NDArray[Any] = y if plain else column_or_1d(y, warn=True)
    surely = labels.dtype.kind in "biuUS"
    kind = "" if surely else type_of_target(labels, input_name="y", raise_unknown=True)
    if kind.startswith("continuous"):
        cure = "Unknown label type: for regression bin the target first."
        raise refusal("y", owner, "class labels", "continuous numbers", cure)
    classes, codes = _distinct(labels)
    if classes.size < least:
        got = f"{classes.size} class{'es' * (classes.size != 1)}, {classes.tolist()},"
        raise refusal("y", owner, f"of at least {least} classes", got)
    return classes, codes


def _distinct(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Sort what occurs, and find where each is in it; neighbouring whole numbers need no sort."""
    if labels.size and np.can_cast(labels.dtype, np.int64):
        whole = labels.astype(np.int64, copy=False)
        low = whole.min()
        if int(whole.max()) - int(low) < SPAN:
            steps = whole - low
            occurs = np.bincount(steps) > 0
            places = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
            return (np.flatnonzero(occurs) + low).astype(labels.dtype), places[steps]
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int32)
