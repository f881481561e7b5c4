"""From masks to one pattern: dense, sparse, dataframes, or one mask a run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError, refusal
from holdfast.selections.checks import (
    as_table,
    at_least_one_feature,
    at_least_one_run,
    cell_name,
)
from holdfast.selections.pattern import Pattern


def pattern_of_masks(
    masks: Any, names: tuple[str, ...] | None, owner: str, parameter: str = "masks"
) -> tuple[Pattern, int]:
    """Read a runs x features table of booleans or 0/1; return the pattern and the feature count."""
    if hasattr(masks, "tocsr"):
        return _pattern_of_sparse(masks, names, owner, parameter)
    array = as_table(masks, parameter, owner)
    chosen = array if array.dtype.kind == "b" else _as_booleans(array, names, owner, parameter)
    sizes = np.count_nonzero(chosen, axis=1)
    indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    feature = np.nonzero(chosen)[1]
    return (indptr, feature.astype(np.int32)), array.shape[1]


def _as_booleans(
    array: NDArray[Any], names: tuple[str, ...] | None, owner: str, parameter: str
) -> NDArray[np.bool_]:
    if array.dtype.kind == "O":
        array = np.frompyfunc(_number_or_itself, 1, 1)(array)
    elif array.dtype.kind not in "iuf":
        cure = "Convert them; Selections.from_subsets takes lists of indices or names."
        raise refusal(parameter, owner, "of booleans or 0/1", f"dtype {array.dtype}", cure)
    ones = np.asarray(array == 1, dtype=bool)
    fits = ones | np.asarray(array == 0, dtype=bool)
    if not fits.all():
        i, f = (int(x) for x in np.argwhere(~fits)[0])
        raise _not_a_mask(array[i, f], cell_name(i, f, names), owner, parameter)
    return ones


def _number_or_itself(cell: Any) -> Any:
    # pandas.NA compares to NA, which is neither true nor false; text shows what it was.
    return cell if isinstance(cell, (bool, int, float, np.bool_, np.number)) else repr(cell)


def _not_a_mask(cell: Any, where: str, owner: str, parameter: str) -> InputError:
    if isinstance(cell, str) or cell != cell:
        cure = "Fill or drop what is missing; leave out columns that are not features."
    else:
        cure = "Use Selections.from_subsets for lists of indices or names."
    return refusal(parameter, owner, "of booleans or 0/1", f"{cell} for {where}", cure)


def _pattern_of_sparse(
    masks: Any, names: tuple[str, ...] | None, owner: str, parameter: str
) -> tuple[Pattern, int]:
    if masks.ndim != 2:
        raise refusal(parameter, owner, "two-dimensional (runs x features)", f"shape {masks.shape}")
    at_least_one_run(masks.shape[0], parameter, owner)
    at_least_one_feature(masks.shape, parameter, owner)
    matrix = masks.tocsr().copy()
    matrix.sum_duplicates()
    fits = (matrix.data == 1) | (matrix.data == 0)
    if not np.all(fits):
        p = int(np.argmin(fits))
        run = int(np.searchsorted(matrix.indptr, p, side="right")) - 1
        where = cell_name(run, int(matrix.indices[p]), names)
        raise _not_a_mask(matrix.data[p], where, owner, parameter)
    matrix.eliminate_zeros()
    pattern = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
    return pattern, int(matrix.shape[1])
