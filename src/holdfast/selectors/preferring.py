"""The second criterion, from what users say: fewer features, acquisition costs, or a function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from holdfast.exceptions import refusal
from holdfast.search.preference import SecondCriterion, fewer
from holdfast.selectors.space import Names, Space


def second_criterion(prefer: Any, space: Space, names: Names) -> tuple[SecondCriterion, bool]:
    """J2 over units, and whether it depends on nothing but the number of units."""
    if isinstance(prefer, str) and prefer == "smaller":
        return fewer, True
    if callable(prefer):
        return lambda units: float(prefer(_features(space, units))), False
    costs = _costs(prefer, names)
    of_unit = np.array([costs[unit].sum() for unit in space.units])
    return lambda units: -float(of_unit[list(units)].sum()), False


def _features(space: Space, units: tuple[int, ...]) -> np.ndarray:
    return np.sort(np.concatenate([space.units[u] for u in units]))


def _costs(prefer: Any, names: Names) -> np.ndarray:
    expected = (
        f"'smaller', a function of feature indices, or the cost of each of {names.n_features} "
        "features"
    )
    if isinstance(prefer, str):
        raise refusal("prefer", names.owner, expected, repr(prefer))
    if isinstance(prefer, Mapping):
        costs = np.full(names.n_features, np.nan)
        for feature, cost in prefer.items():
            costs[names.index(feature, "prefer")] = cost
        missing = np.flatnonzero(np.isnan(costs))
        if missing.size:
            raise refusal(
                "prefer",
                names.owner,
                expected,
                f"no cost for {missing.size} features, such as feature {missing[0]}",
            )
    else:
        try:
            costs = np.asarray(prefer, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise refusal("prefer", names.owner, expected, repr(prefer)) from error
        if costs.shape != (names.n_features,):
            raise refusal("prefer", names.owner, expected, f"shape {costs.shape}")
    if not np.isfinite(costs).all() or (costs < 0).any():
        bad = costs[~(np.isfinite(costs) & (costs >= 0))][0]
        raise refusal("prefer", names.owner, "made of finite costs >= 0", bad)
    return costs
