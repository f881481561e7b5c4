"""Floating search as mlxtend 0.25 has it, which is not the textbook's; see `docs/guide/peers.md`.

Two things differ: a backward step counts only if it beats the *larger* subset too, and the search
never returns to a better subset known of a size it has reached again. And of features that are
equally good to remove it takes the last (`first_goes`: the first, as holdfast does).
"""

from __future__ import annotations

from collections.abc import Callable

Subset = frozenset[int]


def restricted_floating(
    value: Callable[[Subset], float], n_features: int, first_goes: bool = False
) -> dict[int, tuple[Subset, float]]:
    """Best subset and value of each size."""
    known: dict[int, tuple[Subset, float]] = {}
    here: Subset = frozenset()
    while len(here) < n_features:
        added = max(sorted(set(range(n_features)) - here), key=lambda f: value(here | {f}))
        here = here | {added}
        here_value = value(here)
        if len(here) not in known or here_value > known[len(here)][1]:
            known[len(here)] = here, here_value
        while len(here) > 2:
            # The feature that has just come may not go.
            removable = sorted(here - {added}, reverse=not first_goes)
            removed = max(removable, key=lambda f: value(here - {f}))
            below = value(here - {removed})
            if below <= here_value or below <= known[len(here) - 1][1]:
                break
            here, here_value = here - {removed}, below
            known[len(here)] = here, here_value
    return known
