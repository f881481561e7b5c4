"""Systems of subsets for hypothesis: random, degenerate and adversarial."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import holdfast as hf


@st.composite
def subsets(draw, *, one_size=False, most_features=8, most_runs=6):
    """Number of features and subsets; often identical, disjoint, empty, full or nested ones."""
    d = draw(st.integers(1, most_features))
    n = draw(st.integers(2, most_runs))
    if one_size:
        k = draw(st.integers(0, d))
        order = st.permutations(range(d))
        return d, [frozenset(draw(order)[:k]) for _ in range(n)]
    anything = st.frozensets(st.integers(0, d - 1))
    core = draw(anything)
    everything = frozenset(range(d))
    adversarial = st.sampled_from([core, everything - core, frozenset(), everything])
    return d, draw(st.lists(st.one_of(anything, adversarial), min_size=n, max_size=n))


@st.composite
def similarities(draw, d):
    """A similarity matrix with values on, just below and far from the usual threshold."""
    values = st.sampled_from([0.0, 0.3, 0.89, 0.9, 0.95, 1.0])
    matrix = np.eye(d)
    for x in range(d):
        for y in range(x):
            matrix[x, y] = matrix[y, x] = draw(values)
    return matrix


@st.composite
def subsets_and_similarities(draw, most_features=6, most_runs=5):
    d, chosen = draw(subsets(most_features=most_features, most_runs=most_runs))
    return d, chosen, draw(similarities(d))


def runs_of(d, chosen):
    return hf.Selections.from_subsets([sorted(s) for s in chosen], n_features=d)
