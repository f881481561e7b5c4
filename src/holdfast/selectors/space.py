"""What a search moves over: units of features, which of them are forced or barred, and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import listed, refusal
from holdfast.selectors.size_rules import RULES

Ints = NDArray[np.intp]
Sizes = tuple[int, int]


@dataclass(frozen=True)
class Space:
    """Units in feature order, and which of them may move.

    Attributes
    ----------
    units : list of arrays
        The features of each unit.
    fixed, free : tuple of int
        Units in every subset, and units that come and go.
    """

    units: list[Ints]
    fixed: tuple[int, ...]
    free: tuple[int, ...]

    @property
    def largest(self) -> int:
        """Number of units a subset can have."""
        return len(self.fixed) + len(self.free)

    @property
    def smallest(self) -> int:
        """Number of units a subset must have."""
        return max(1, len(self.fixed))


class Names:
    """Reads features given by index or by name.

    Parameters
    ----------
    n_features : int
        Number of columns.
    names : sequence, optional
        Their names, where the data have names; those that are not text name nothing.
    owner : str
        For the messages.
    """

    def __init__(self, n_features: int, names: Iterable[str] | None, owner: str) -> None:
        self.n_features = n_features
        self.owner = owner
        given = enumerate(() if names is None else names)
        self._position = {name: f for f, name in given if isinstance(name, str)}

    def index(self, feature: Any, parameter: str) -> int:
        """The column of one feature."""
        if isinstance(feature, str):
            if feature in self._position:
                return self._position[feature]
            known = "the column names" if self._position else "indices: the data have no names"
            raise refusal(parameter, self.owner, f"made of {known}", repr(feature))
        whole = isinstance(feature, (int, np.integer)) and not isinstance(feature, (bool, np.bool_))
        if not whole or not -self.n_features <= feature < self.n_features:
            raise refusal(
                parameter,
                self.owner,
                f"made of names, or indices from 0 to {self.n_features - 1}",
                repr(feature),
            )
        return int(feature) % self.n_features

    def indices(self, features: Any, parameter: str) -> list[int]:
        """Columns of a list of features, or of a boolean mask; nothing twice."""
        if features is None:
            return []
        if isinstance(features, str) or not hasattr(features, "__iter__"):
            raise refusal(parameter, self.owner, "a list of names or indices", repr(features))
        array = np.asarray(features)
        if array.dtype == bool:
            if array.shape != (self.n_features,):
                raise refusal(
                    parameter, self.owner, f"a mask of {self.n_features}", f"shape {array.shape}"
                )
            return np.flatnonzero(array).tolist()
        found = [self.index(feature, parameter) for feature in features]
        if len(set(found)) < len(found):
            raise refusal(parameter, self.owner, "free of repetition", repr(list(features)))
        return found


def space_of(names: Names, feature_groups: Any, include: Any, exclude: Any) -> Space:
    """Make units of the blocks (all else stands alone) and see which are forced or barred."""
    units = _units_of(names, feature_groups)
    unit_of = {int(f): u for u, unit in enumerate(units) for f in unit}
    forced = {unit_of[f] for f in names.indices(include, "include")}
    barred = {unit_of[f] for f in names.indices(exclude, "exclude")}
    both = sorted(forced & barred)
    if both:
        features = [str(f) for u in both for f in units[u]]
        raise refusal(
            "exclude",
            names.owner,
            "free of features that include asks for",
            f"features {listed(features)} in both",
            "A block counts as a whole: naming one of its features names all."
            if feature_groups
            else "",
        )
    free = tuple(u for u in range(len(units)) if u not in forced | barred)
    if not forced and not free:
        raise refusal("exclude", names.owner, "such that a feature is left", "all features")
    return Space(units, tuple(sorted(forced)), free)


def _units_of(names: Names, feature_groups: Any) -> list[Ints]:
    if feature_groups is None:
        return list(np.arange(names.n_features, dtype=np.intp)[:, None])
    if isinstance(feature_groups, Mapping):
        feature_groups = feature_groups.values()
    blocks = [sorted(names.indices(block, "feature_groups")) for block in feature_groups]
    flat = [f for block in blocks for f in block]
    if len(set(flat)) < len(flat):
        twice = sorted({f for f in flat if flat.count(f) > 1})
        raise refusal(
            "feature_groups",
            names.owner,
            "blocks that share no feature",
            f"features {listed([str(f) for f in twice])} in several",
        )
    if not all(blocks):
        raise refusal("feature_groups", names.owner, "made of non-empty blocks", "an empty one")
    inside = set(flat)
    alone = [[f] for f in range(names.n_features) if f not in inside]
    return [np.array(unit, dtype=np.intp) for unit in sorted(blocks + alone)]


def sizes_of(wanted: Any, space: Space, owner: str) -> tuple[Sizes, str]:
    """Smallest and largest size that may be chosen, and the rule that chooses among them."""
    parameter = "n_features_to_select"
    whole_range = space.smallest, space.largest
    if isinstance(wanted, str):
        if wanted not in RULES:
            raise refusal(parameter, owner, _expected(space), repr(wanted))
        return whole_range, wanted
    if isinstance(wanted, tuple) and len(wanted) == 2:
        low, high = (_size(size, space, owner) for size in wanted)
        if low > high:
            raise refusal(parameter, owner, "a range (low, high) with low <= high", repr(wanted))
        return (low, high), "best"
    size = _size(wanted, space, owner)
    return (size, size), "best"


def _size(wanted: Any, space: Space, owner: str) -> int:
    parameter = "n_features_to_select"
    if isinstance(wanted, (float, np.floating)) and 0 < wanted < 1:
        wanted = max(1, int(wanted * space.largest))
    if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)):
        raise refusal(parameter, owner, _expected(space), repr(wanted))
    if not space.smallest <= wanted <= space.largest:
        raise refusal(
            parameter,
            owner,
            f"from {space.smallest} to {space.largest}, as include, exclude and feature_groups "
            "leave it",
            wanted,
        )
    return int(wanted)


def _expected(space: Space) -> str:
    return (
        f"a number from {space.smallest} to {space.largest}, a share between 0 and 1, a range "
        "(low, high), 'best', 'one_standard_error' or 'knee'"
    )
