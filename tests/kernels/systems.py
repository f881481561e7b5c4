"""Systems of runs for the kernels: random, degenerate and made to be awkward."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from holdfast.stability.similarity import Links, links_above


class System(NamedTuple):
    """Subsets of range(n_features), and the same as a CSR pattern."""

    n_features: int
    subsets: list[frozenset[int]]

    @property
    def indptr(self) -> NDArray[np.int64]:
        return np.concatenate(([0], np.cumsum([len(s) for s in self.subsets]))).astype(np.int64)

    @property
    def indices(self) -> NDArray[np.int32]:
        return np.array([f for s in self.subsets for f in sorted(s)], np.int32)

    @property
    def frequencies(self) -> NDArray[np.int64]:
        return np.bincount(self.indices, minlength=self.n_features)


@st.composite
def systems(draw: st.DrawFn, most_runs: int = 8, most_features: int = 12) -> System:
    """Any runs: empty, full and repeated subsets come up often, since they are few."""
    d = draw(st.integers(1, most_features))
    subset = st.one_of(
        st.frozensets(st.integers(0, d - 1)),
        st.sampled_from([frozenset(), frozenset(range(d)), frozenset(range(d // 2))]),
    )
    return System(d, draw(st.lists(subset, min_size=2, max_size=most_runs)))


@st.composite
def similarities(draw: st.DrawFn, d: int) -> NDArray[np.float64]:
    """Symmetric with a diagonal of ones, on a coarse grid so that ties are common."""
    upper = draw(st.lists(st.integers(0, 4), min_size=d * d, max_size=d * d))
    grid = np.triu(np.array(upper, np.float64).reshape(d, d) / 4, 1)
    return grid + grid.T + np.eye(d)


def links(matrix: NDArray[np.float64], threshold: float) -> Links:
    return links_above(matrix, threshold, "test")


def random_system(seed: int, n_runs: int, n_features: int, size: tuple[int, int]) -> System:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(size[0], size[1] + 1, n_runs)
    drawn = [rng.choice(n_features, k, replace=False).tolist() for k in sizes]
    return System(n_features, [frozenset(s) for s in drawn])
