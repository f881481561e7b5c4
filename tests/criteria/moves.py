"""Walks over subsets that every fast scorer is put through."""

from __future__ import annotations

import numpy as np


def random_subsets(n_features, number, seed=0):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, n_features + 1, number)
    return [np.sort(rng.choice(n_features, size, replace=False)) for size in sizes]


def assert_moves_agree(scorer, base, n_features, same=np.testing.assert_array_equal):
    """Additions and removals, by one feature and by two, are the scores of the subsets."""
    outside = np.setdiff1d(np.arange(n_features), base)
    for step in (1, 2):
        added = windows(outside, step)
        if len(added):
            expected = [scorer.score(np.union1d(base, t)) for t in added]
            same(scorer.additions(base, added), expected)
        removed = windows(base, step)
        if base.size > step:
            expected = [scorer.score(np.setdiff1d(base, t)) for t in removed]
            same(scorer.removals(base, removed), expected)


def windows(features, step):
    """Tuples of neighbouring features; the first feature is in all pairs of a second set."""
    near = [features[i : i + step] for i in range(features.size - step + 1)]
    shared = [features[[0, i]] for i in range(2, features.size)] if step == 2 else []
    return np.array([*near, *shared], dtype=np.intp).reshape(-1, step)
