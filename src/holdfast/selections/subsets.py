"""From lists of feature indices or names to one pattern."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import refusal
from holdfast.selections.checks import at_least_one_run, checked_feature_count, with_placeholders
from holdfast.selections.pattern import Pattern, RepeatedChoiceError, pattern_of_choices

Run = Sequence[Any] | NDArray[Any]


def pattern_of_subsets(
    subsets: Iterable[Iterable[Any]],
    n_features: int | None,
    names: tuple[str, ...] | None,
    owner: str,
) -> tuple[Pattern, int, tuple[str, ...] | None]:
    """Read lists of indices or names; return pattern, number of features and names."""
    runs = _as_runs(subsets, owner)
    at_least_one_run(len(runs), "subsets", owner)
    if n_features is not None:
        n_features = checked_feature_count(n_features, owner)
    if names is not None:
        n_features = _agreed_count(names, n_features, owner)
    if _made_of_names(runs):
        if names is None:
            names = _names_chosen(runs, n_features, owner)
        n_features = len(names)
        flat = _positions(runs, names, owner)
    else:
        flat = _indices(runs, owner)
        n_features = _known_count(n_features, owner)
    sizes = np.fromiter(map(len, runs), np.int64, len(runs))
    return _checked_pattern(sizes, flat, n_features, names, owner), n_features, names


def _as_runs(subsets: Iterable[Iterable[Any]], owner: str) -> list[Run]:
    if isinstance(subsets, Mapping):
        raise refusal(
            "subsets",
            owner,
            "a list of subsets",
            f"a {type(subsets).__name__}",
            "Pass its values(), and its keys as run_names.",
        )
    if isinstance(subsets, (str, bytes)) or not hasattr(subsets, "__iter__"):
        raise refusal("subsets", owner, "a list of subsets, each a list", repr(subsets))
    return [_as_run(subset, i, owner) for i, subset in enumerate(subsets)]


def _as_run(subset: Iterable[Any], i: int, owner: str) -> Run:
    if isinstance(subset, (list, tuple)):
        return subset
    if isinstance(subset, (str, bytes, Mapping)) or not hasattr(subset, "__iter__"):
        raise refusal("subsets", owner, "a list of subsets, each a list", f"{subset!r} as run {i}")
    if isinstance(subset, (set, frozenset)):
        return _in_fixed_order(subset)
    if not isinstance(subset, np.ndarray):
        return list(subset)
    if subset.ndim != 1 or subset.dtype.kind == "b":
        raise refusal(
            "subsets",
            owner,
            "a list of index or name lists",
            f"an array of shape {subset.shape} and dtype {subset.dtype} as run {i}",
            "Use Selections.from_masks for masks.",
        )
    return subset if subset.dtype.kind in "iu" else cast("list[Any]", subset.tolist())


def _in_fixed_order(subset: set[Any] | frozenset[Any]) -> list[Any]:
    # Sets of strings come in another order in each process, and first seen is first in order.
    try:
        return sorted(subset)
    except TypeError:
        return list(subset)


def _made_of_names(runs: list[Run]) -> bool:
    kinds = set(map(type, chain.from_iterable(run for run in runs if isinstance(run, Sequence))))
    return any(issubclass(kind, str) for kind in kinds)


def _agreed_count(names: tuple[str, ...], n_features: int | None, owner: str) -> int:
    if n_features is not None and n_features != len(names):
        raise refusal(
            "feature_names", owner, f"of length n_features={n_features}", f"{len(names)} names"
        )
    return checked_feature_count(len(names), owner)


def _known_count(n_features: int | None, owner: str) -> int:
    if n_features is None:
        raise refusal(
            "n_features",
            owner,
            "given where the subsets do not tell it",
            "None",
            "Pass how many features there were to choose from: stability beyond chance depends "
            "on it.",
        )
    return n_features


def _names_chosen(runs: list[Run], n_features: int | None, owner: str) -> tuple[str, ...]:
    """List the names seen, in order, then a placeholder for each feature nobody chose."""
    seen = tuple(dict.fromkeys(chain.from_iterable(runs)))
    _only_names(runs, owner)
    if n_features is None:
        raise refusal(
            "feature_names",
            owner,
            "given with subsets of names (or n_features, if only their number is known)",
            "None",
            "Pass all names there were to choose from: stability beyond chance depends on "
            "how many there are.",
        )
    if len(seen) > n_features:
        raise refusal(
            "n_features",
            owner,
            f"at least {len(seen)}, the number of different names chosen",
            n_features,
        )
    return with_placeholders(seen, n_features)


def _only_names(runs: list[Run], owner: str) -> None:
    for i, run in enumerate(runs):
        for name in run:
            if not isinstance(name, str):
                raise refusal(
                    "subsets",
                    owner,
                    "made of names only or of indices only",
                    f"{name!r} in run {i}",
                )


def _positions(runs: list[Run], names: tuple[str, ...], owner: str) -> NDArray[np.int64]:
    position = {name: f for f, name in enumerate(names)}
    try:
        return np.array([position[name] for run in runs for name in run], dtype=np.int64)
    except (KeyError, TypeError):
        _only_names(runs, owner)
        i, name = next((i, n) for i, run in enumerate(runs) for n in run if n not in position)
        raise refusal(
            "subsets",
            owner,
            "made of names in feature_names",
            f"{name!r} in run {i}",
            "Correct it, or add it to feature_names.",
        ) from None


def _indices(runs: list[Run], owner: str) -> NDArray[np.int64]:
    if all(isinstance(run, np.ndarray) for run in runs):
        flat = np.concatenate(runs)
    else:
        choices = list(chain.from_iterable(runs))
        whole = all(
            issubclass(k, (int, np.integer)) and k is not bool for k in set(map(type, choices))
        )
        flat = np.array(choices) if whole else np.array(choices, dtype=object)
    if flat.size == 0:
        return np.zeros(0, np.int64)
    limits = np.iinfo(np.int64)
    if flat.dtype.kind == "i" or (flat.dtype.kind == "u" and flat.max() <= limits.max):
        return flat.astype(np.int64)
    for i, run in enumerate(runs):
        for index in run:
            whole = isinstance(index, (int, np.integer)) and not isinstance(index, bool)
            if not whole or not limits.min <= int(index) <= limits.max:
                raise refusal(
                    "subsets",
                    owner,
                    "made of feature indices (whole numbers) or of names",
                    f"{index!r} in run {i}",
                    "Use Selections.from_masks for masks.",
                )
    raise AssertionError("every index is a whole number")


def _checked_pattern(
    sizes: NDArray[np.int64],
    flat: NDArray[np.int64],
    n_features: int,
    names: tuple[str, ...] | None,
    owner: str,
) -> Pattern:
    run = np.repeat(np.arange(sizes.size, dtype=np.int64), sizes)
    outside = np.flatnonzero((flat < 0) | (flat >= n_features))
    if outside.size:
        p = outside[0]
        raise refusal(
            "subsets",
            owner,
            f"made of indices from 0 to n_features - 1 = {n_features - 1}",
            f"{flat[p]} in run {run[p]}",
            "Count features from 0, and pass as n_features how many there were to choose from.",
        )
    try:
        return pattern_of_choices(run, flat, sizes.size, n_features)
    except RepeatedChoiceError as twice:
        feature = int(flat[twice.again])
        name = feature if names is None else repr(names[feature])
        raise refusal(
            "subsets",
            owner,
            "free of repetition",
            f"feature {name} twice in run {run[twice.again]}",
            "A subset holds a feature once: pass sets, or drop the repetition.",
        ) from None
