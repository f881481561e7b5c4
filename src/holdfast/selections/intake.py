"""From what people have (lists, masks, rankings, weights) to one CSR pattern, checked at the door."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError, listed, refusal

Pattern = tuple[NDArray[np.int64], NDArray[np.int32]]


def checked_feature_count(n_features: object, owner: str) -> int:
    """A whole number of features, at least one."""
    whole = isinstance(n_features, (int, np.integer)) and not isinstance(n_features, bool)
    if not whole or not 1 <= int(n_features) < 2**31:  # type: ignore[call-overload]
        raise refusal("n_features", owner, "a whole number from 1 to 2**31 - 1", repr(n_features))
    return int(n_features)  # type: ignore[call-overload]


def checked_names(names: Iterable[Any], parameter: str, owner: str) -> tuple[str, ...]:
    """Names as strings, none of them twice."""
    if isinstance(names, str):
        raise refusal(parameter, owner, "a list of names", repr(names))
    as_text = tuple(map(str, names))
    if len(set(as_text)) < len(as_text):
        seen: set[str] = set()
        twice = [name for name in as_text if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
        raise refusal(
            parameter,
            owner,
            "a list of names without repetition",
            f"{listed([repr(name) for name in dict.fromkeys(twice)])} more than once",
            "Rename or drop the duplicates.",
        )
    return as_text


def pattern_of_subsets(
    subsets: Iterable[Iterable[Any]],
    n_features: int | None,
    names: tuple[str, ...] | None,
    owner: str,
) -> tuple[Pattern, int, tuple[str, ...] | None]:
    """Read lists of indices or of names; return the pattern, the number of features and the names."""
    if isinstance(subsets, str):
        raise refusal("subsets", owner, "a list of subsets", repr(subsets))
    runs = [_as_run(subset, i, owner) for i, subset in enumerate(subsets)]
    sizes = np.fromiter(map(len, runs), np.int64, len(runs))
    named = any(isinstance(next(iter(run), None), str) for run in runs)
    if named:
        names, n_features = _universe_of_names(runs, names, n_features, owner)
        flat = _positions(runs, names, owner)
    else:
        if names is not None and n_features is None:
            n_features = len(names)
        if n_features is None:
            raise refusal(
                "n_features",
                owner,
                "given where the subsets do not tell it",
                "None",
                "Pass how many features there were to choose from: stability beyond chance "
                "depends on it.",
            )
        n_features = checked_feature_count(n_features, owner)
        flat = _flat_indices(runs, owner)
    if names is not None and len(names) != n_features:
        raise refusal(
            "feature_names", owner, f"of length n_features={n_features}", f"{len(names)} names"
        )
    return _checked_pattern(sizes, flat, n_features, owner), n_features, names


def _as_run(subset: Iterable[Any], i: int, owner: str) -> Sequence[Any]:
    if isinstance(subset, str) or not hasattr(subset, "__iter__"):
        raise refusal("subsets", owner, "a list of subsets, each a list", f"{subset!r} as run {i}")
    if isinstance(subset, np.ndarray):
        if subset.ndim != 1 or subset.dtype.kind == "b":
            raise refusal(
                "subsets",
                owner,
                "a list of index or name lists",
                f"an array of shape {subset.shape} and dtype {subset.dtype} as run {i}",
                "Use Selections.from_masks for masks.",
            )
        return subset.tolist()  # type: ignore[no-any-return]
    return subset if isinstance(subset, (list, tuple)) else list(subset)


def _universe_of_names(
    runs: list[Sequence[Any]], names: tuple[str, ...] | None, n_features: int | None, owner: str
) -> tuple[tuple[str, ...], int]:
    if names is not None:
        return names, len(names) if n_features is None else n_features
    seen = tuple(dict.fromkeys(chain.from_iterable(runs)))
    if n_features is None:
        raise refusal(
            "feature_names",
            owner,
            "given with subsets of names (or n_features, if only their number is known)",
            "None",
            "Pass all names there were to choose from: stability beyond chance depends on "
            "how many there are.",
        )
    n_features = checked_feature_count(n_features, owner)
    if len(seen) > n_features:
        raise refusal(
            "n_features",
            owner,
            f"at least {len(seen)}, the number of different names chosen",
            n_features,
        )
    # Features nobody chose have no name we could know.
    taken = set(seen)
    spare = (f"(never chosen {i})" for i in range(1, n_features + len(seen) + 1))
    unseen = [name for name in spare if name not in taken][: n_features - len(seen)]
    return (*map(str, seen), *unseen), n_features


def _positions(runs: list[Sequence[Any]], names: tuple[str, ...], owner: str) -> NDArray[np.int64]:
    position = {name: f for f, name in enumerate(names)}
    try:
        return np.array([position[name] for run in runs for name in run], dtype=np.int64)
    except (KeyError, TypeError):
        i, name = next(
            (i, name)
            for i, run in enumerate(runs)
            for name in run
            if not isinstance(name, str) or name not in position
        )
        raise refusal(
            "subsets", owner, "made of names in feature_names", f"{name!r} in run {i}"
        ) from None


def _flat_indices(runs: list[Sequence[Any]], owner: str) -> NDArray[np.int64]:
    flat = np.array(list(chain.from_iterable(runs)))
    if flat.size == 0:
        return np.zeros(0, np.int64)
    if flat.ndim == 1 and flat.dtype.kind in "iu":
        return flat.astype(np.int64)
    for i, run in enumerate(runs):
        for index in run:
            if isinstance(index, (bool, np.bool_)) or not isinstance(index, (int, np.integer)):
                raise refusal(
                    "subsets",
                    owner,
                    "made of feature indices (whole numbers) or of names",
                    f"{index!r} in run {i}",
                    "Use Selections.from_masks for masks.",
                )
    raise refusal("subsets", owner, "made of indices below 2**31", "larger ones")


def _checked_pattern(
    sizes: NDArray[np.int64], flat: NDArray[np.int64], n_features: int, owner: str
) -> Pattern:
    indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    outside = np.flatnonzero((flat < 0) | (flat >= n_features))
    if outside.size:
        p = int(outside[0])
        run = int(np.searchsorted(indptr, p, side="right")) - 1
        raise refusal(
            "subsets",
            owner,
            f"made of indices from 0 to n_features - 1 = {n_features - 1}",
            f"{int(flat[p])} in run {run}",
        )
    # One sort of run * D + feature orders every run at once.
    keys = np.repeat(np.arange(sizes.size, dtype=np.int64), sizes) * n_features + flat
    if not np.all(keys[1:] > keys[:-1]):
        keys = np.sort(keys)
        repeated = np.flatnonzero(keys[1:] == keys[:-1])
        if repeated.size:
            run, feature = divmod(int(keys[repeated[0]]), n_features)
            raise refusal(
                "subsets", owner, "free of repetition", f"feature {feature} twice in run {run}"
            )
        flat = keys % n_features
    return indptr, flat.astype(np.int32)


def pattern_of_masks(masks: Any, owner: str) -> tuple[Pattern, int, tuple[str, ...] | None]:
    """Read a runs x features table of booleans or 0/1: dense, sparse, a frame, or a list of masks."""
    columns = getattr(masks, "columns", None)
    names = None if columns is None else checked_names(columns, "masks", owner)
    if hasattr(masks, "tocsr"):
        return (*_pattern_of_sparse(masks.tocsr(), owner), names)
    if not hasattr(masks, "__array__"):
        masks = list(masks)
        lengths = [np.size(mask) for mask in masks]
        if len(set(lengths)) > 1:
            i = next(i for i, length in enumerate(lengths) if length != lengths[0])
            raise refusal(
                "masks",
                owner,
                "masks of one length",
                f"{lengths[0]} features in run 0 and {lengths[i]} in run {i}",
            )
    array = np.asarray(masks)
    if array.ndim != 2:
        raise refusal("masks", owner, "two-dimensional (runs x features)", f"shape {array.shape}")
    if array.shape[1] == 0:
        raise refusal("masks", owner, "of at least one feature", f"shape {array.shape}")
    chosen = array if array.dtype.kind == "b" else _as_booleans(array, owner)
    run, feature = np.nonzero(chosen)
    sizes = np.bincount(run, minlength=array.shape[0])
    indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    return (indptr, feature.astype(np.int32)), array.shape[1], names


def _as_booleans(array: NDArray[Any], owner: str) -> NDArray[np.bool_]:
    if array.dtype.kind not in "iufO":
        raise refusal("masks", owner, "of booleans or 0/1", f"dtype {array.dtype}")
    ones = np.asarray(array == 1, dtype=bool)
    fits = ones | np.asarray(array == 0, dtype=bool)
    if not fits.all():
        i, f = (int(x) for x in np.argwhere(~fits)[0])
        raise refusal(
            "masks", owner, "of booleans or 0/1", f"{array[i, f]!s} for feature {f} of run {i}"
        )
    return ones


def _pattern_of_sparse(matrix: Any, owner: str) -> tuple[Pattern, int]:
    if matrix.shape[1] == 0:
        raise refusal("masks", owner, "of at least one feature", f"shape {matrix.shape}")
    matrix = matrix.copy()
    matrix.sum_duplicates()
    fits = (matrix.data == 1) | (matrix.data == 0)
    if not np.all(fits):
        p = int(np.argmin(fits))
        run = int(np.searchsorted(matrix.indptr, p, side="right")) - 1
        raise refusal(
            "masks",
            owner,
            "of booleans or 0/1",
            f"{matrix.data[p]!s} for feature {matrix.indices[p]} of run {run}",
        )
    matrix.eliminate_zeros()
    pattern = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
    return pattern, int(matrix.shape[1])


def checked_scores(
    scores: Any, parameter: str, owner: str
) -> tuple[NDArray[np.float64], tuple[str, ...] | None]:
    """A runs x features table of finite numbers, and its column names if it has them."""
    columns = getattr(scores, "columns", None)
    names = None if columns is None else checked_names(columns, parameter, owner)
    try:
        array = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise refusal(
            parameter, owner, "a table of numbers, runs x features", type(scores).__name__
        ) from error
    if array.ndim != 2 or array.shape[1] == 0:
        raise refusal(parameter, owner, "two-dimensional (runs x features)", f"shape {array.shape}")
    finite = np.isfinite(array)
    if not finite.all():
        i, f = (int(x) for x in np.argwhere(~finite)[0])
        raise refusal(
            parameter,
            owner,
            "of finite numbers",
            f"{array[i, f]} for feature {f} of run {i}",
            "Give unscored features the worst score, or leave them out of every run.",
        )
    return array.copy(), names


def pattern_of_best(order_by: NDArray[np.float64], top: object, owner: str) -> Pattern:
    """The `top` features of each run with the smallest value, ties to the first in feature order."""
    n_runs, n_features = order_by.shape
    whole = isinstance(top, (int, np.integer)) and not isinstance(top, bool)
    if not whole or not 1 <= int(top) <= n_features:  # type: ignore[call-overload]
        raise refusal("top", owner, f"a whole number from 1 to n_features = {n_features}", top)
    best = np.argsort(order_by, axis=1, kind="stable")[:, : int(top)]  # type: ignore[call-overload]
    best.sort(axis=1)
    indptr = np.arange(n_runs + 1, dtype=np.int64) * best.shape[1]
    return indptr, best.ravel().astype(np.int32)


def at_least_one_run(n_runs: int, owner: str) -> None:
    """Refuse a system without any run."""
    if n_runs == 0:
        raise InputError(f"{owner} needs at least one run. Got none.")
