"""Small discrete problems of every kind: random, redundant, contradictory, interacting."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from scipy import sparse


def random_problem(rng, n, n_features, n_levels=3, n_classes=2, noise=0.3):
    """Classes follow a few features but for some noise; columns repeat, rows too."""
    X = rng.integers(0, n_levels, (n, n_features))
    if n_features > 2:
        X[:, rng.integers(n_features)] = X[:, rng.integers(n_features)]
    rows = rng.integers(0, n, n) if rng.random() < 0.5 else np.arange(n)
    X = X[rows]
    y = X[:, : max(1, n_features // 2)].sum(axis=1) % n_classes
    flipped = rng.random(n) < noise * rng.random()
    y = np.where(flipped, rng.integers(0, n_classes, n), y)
    y[:n_classes] = np.arange(n_classes)
    return X, y


@st.composite
def problems(draw, most_rows=40, most_features=9):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_classes = draw(st.integers(2, 4))
    n = draw(st.integers(n_classes + 1, most_rows))
    n_features = draw(st.integers(1, most_features))
    n_levels = draw(st.sampled_from([1, 2, 2, 3, 5, 300]))
    return random_problem(rng, n, n_features, n_levels, n_classes)


def in_form(X, form):
    return {"dense": np.asarray, "csr": sparse.csr_matrix, "csc": sparse.csc_array}[form](X)
