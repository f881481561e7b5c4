"""What criteria made of other criteria share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils import Tags, get_tags

from holdfast.contracts import Candidates, Ints


def pick(candidates: Candidates, positions: Ints) -> Candidates:
    """Some of the candidates."""
    if isinstance(candidates, np.ndarray):
        return candidates[positions]
    return [candidates[p] for p in positions]


def summed(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Counts by name, added up."""
    total: dict[str, int] = {}
    for part in parts:
        for name, count in part.items():
            total[name] = total.get(name, 0) + count
    return total


def tags_of_all(tags: Tags, parts: Sequence[Any]) -> Tags:
    """Say that input is taken which every part takes."""
    inner = [get_tags(part).input_tags for part in parts if hasattr(part, "__sklearn_tags__")]
    tags.input_tags.sparse = bool(inner) and all(one.sparse for one in inner)
    tags.input_tags.allow_nan = bool(inner) and all(one.allow_nan for one in inner)
    return tags
