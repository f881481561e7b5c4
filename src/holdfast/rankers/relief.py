"""ReliefF: does a feature differ between near examples of other classes, not of the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from holdfast._kernels.relief import (
    FINE,
    add_gaps,
    add_tile,
    find_neighbours,
    mirror,
    sum_gaps,
    sum_nominal,
    sum_numeric,
)
from holdfast._kernels.relief_sparse import add_sparse
from holdfast.contracts import Floats, Ints, Problem, Ranker
from holdfast.criteria.table import classes_of
from holdfast.criteria.threads import map_chunks
from holdfast.exceptions import refusal
from holdfast.rankers.relief_columns import Prepared, prepare, rough_unit
from holdfast.rankers.relief_input import is_sparse, table_of

OWNER = "rankers.ReliefF"
# Distances held at once; more examples than this allows are taken in blocks.
MOST_BYTES = 256 << 20
# Examples a side of a tile of distances: the rows of one side stay in the cache.
TALL, WIDE = 64, 256
# Columns summed at once, and made dense at once where they are sparse.
SPAN = 1024


class ReliefF(Ranker):
    """ReliefF (Kononenko 1994; Robnik-Šikonja and Kononenko 2003).

    For each example the `n_neighbors` nearest of its own class (hits) and of each other class
    (misses) are found. A feature gains by the mean difference to the misses, weighed by the share
    of their class among all other classes, and loses by the mean difference to the hits. Scores lie
    between -1 and 1; a constant feature has exactly 0.

    The difference of two examples in a numeric feature is that of their values over the range of
    the feature; in a nominal one it is 0 or 1. A missing value stands for all known values of its
    class, as often as those occur: the difference is what is to be expected, which for nominal
    features is 1 - P(value | class). The distance of two examples is the sum of their differences.
    Of examples at equal distances the first is nearer.

    Parameters
    ----------
    n_neighbors : int, default=10
        Hits, and misses of each class. Of a class with fewer examples all are taken.
    n_examples : int, optional
        How many examples look for neighbours, drawn at random; all by default.
    discrete_features : "auto", mask, or list of indices or names, default="auto"
        Which columns are nominal. "auto" means those of a dataframe that do not hold numbers (text,
        categories, truth values), and none of an array or a sparse matrix: a few distinct numbers
        do not make a nominal feature.
    n_jobs : int, optional
        Threads. The scores do not depend on it.
    random_state : int, RandomState or None, default=None
        Draws the examples where `n_examples` asks for some.

    Notes
    -----
    O(m n d) for m of n examples and d features, and O(m c k d) for c classes and k neighbours. For
    a sparse matrix a column of v stored values costs O(v^2) instead of O(m n) for the distances;
    columns become dense a block at a time. Distances are compared by whole numbers in a unit of
    2.3e-12 of a range, so that neither the order of the columns nor rounding decides a tie. Beside
    the data it holds a scaled copy, half of one more, and at most 256 MiB of distances.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> ReliefF(n_neighbors=10).order(X, y)[:5]
    array([11,  6, 12,  0,  9])
    """

    takes_sparse = True
    takes_missing = True
    takes_nominal = True

    def __init__(
        self,
        n_neighbors: int = 10,
        n_examples: int | None = None,
        discrete_features: Any = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_examples = n_examples
        self.discrete_features = discrete_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def score(self, X: Any, y: Any) -> Floats:
        """Score the features."""
        _check_whole(self.n_neighbors, "n_neighbors")
        table = table_of(X, self.discrete_features, OWNER)
        _, codes = classes_of(Problem(X, y, table.n_features), OWNER)
        n = table.numeric.shape[0]
        if codes.size != n:
            raise refusal("y", OWNER, f"one label for each of {n} examples", f"{codes.size}")
        prepared = prepare(table, codes)
        rows = self._rows(prepared.order)
        n_jobs = effective_n_jobs(self.n_jobs)
        neighbours, counts = _neighbours(prepared, rows, int(self.n_neighbors), n_jobs)
        shares = _shares(prepared.columns.codes[rows], counts, np.diff(prepared.starts))
        shares = np.where(np.arange(neighbours.shape[2]) < counts[:, :, None], shares, 0.0)
        scores = np.empty(table.n_features)
        for at, part in zip(
            prepared.at, _sums(prepared, rows, neighbours, shares, n_jobs), strict=True
        ):
            scores[at] = part
        return scores

    def _rows(self, order: Ints) -> NDArray[np.int64]:
        """Places, among the ordered examples, of those that look for neighbours."""
        n = order.size
        if self.n_examples is None:
            return np.arange(n)
        _check_whole(self.n_examples, "n_examples")
        if self.n_examples > n:
            raise refusal("n_examples", OWNER, f"at most {n}, the examples there are", n)
        drawn = check_random_state(self.random_state).permutation(n)[: self.n_examples]
        return np.sort(np.argsort(order)[drawn])


def _check_whole(value: Any, parameter: str) -> None:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < 1:
        raise refusal(parameter, OWNER, "a whole number >= 1", repr(value))


def _neighbours(
    prepared: Prepared, rows: NDArray[np.int64], k: int, n_jobs: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Nearest examples of each class for each row, and how many there are."""
    n, n_classes = prepared.order.size, prepared.starts.size - 1
    k = min(k, int(np.diff(prepared.starts).max()))
    neighbours = np.zeros((rows.size, n_classes, k), np.int64)
    counts = np.zeros((rows.size, n_classes), np.int64)
    distances = _sparse_block if is_sparse(prepared.numeric) else _dense_blocks(prepared)
    width = 8 if is_sparse(prepared.numeric) else 4
    at_once = max(1, MOST_BYTES // (width * n))
    for first in range(0, rows.size, at_once):
        block = rows[first : first + at_once]
        found, held = neighbours[first : first + at_once], counts[first : first + at_once]
        matrix, slack = distances(prepared, block, n_jobs)

        def search(low: int, high: int) -> None:
            find_neighbours(
                prepared.columns,
                matrix[low:high],  # noqa: B023
                block[low:high],  # noqa: B023
                prepared.starts,
                slack,  # noqa: B023
                found[low:high],  # noqa: B023
                held[low:high],  # noqa: B023
            )

        map_chunks(search, block.size, n_jobs)
    return neighbours, counts


Distances = Callable[[Prepared, NDArray[np.int64], int], tuple[NDArray[Any], int]]


def _dense_blocks(prepared: Prepared) -> Distances:
    """Distances in the rough unit, from a copy of the table in it."""
    unit, slack = rough_unit(prepared)
    rough = np.empty(prepared.numeric.shape, np.int32)
    for first in range(0, rough.shape[0], WIDE):
        part = prepared.numeric[first : first + WIDE]
        rough[first : first + WIDE] = np.rint(part * unit)

    def block_of(
        prepared: Prepared, block: NDArray[np.int64], n_jobs: int
    ) -> tuple[NDArray[Any], int]:
        n = rough.shape[0]
        symmetric = block.size == n
        tiles = [
            (top, left)
            for top in range(0, block.size, TALL)
            for left in range(top if symmetric else 0, n, WIDE)
        ]
        out = np.zeros((block.size, n), np.int32)

        def fill(first: int, last: int) -> None:
            for top, left in tiles[first:last]:
                bottom, right = min(top + TALL, block.size), min(left + WIDE, n)
                part = out[top:bottom]
                add_tile(prepared.columns, rough, block[top:bottom], left, right, unit, part)
                if symmetric:
                    mirror(out, top, bottom, max(left, bottom), right)

        map_chunks(fill, len(tiles), n_jobs)
        return out, slack

    return block_of


def _sparse_block(
    prepared: Prepared, block: NDArray[np.int64], n_jobs: int
) -> tuple[NDArray[Any], int]:
    """Distances in the fine unit, of the examples that are in the block."""
    out = np.zeros((block.size, prepared.order.size), np.int64)

    def fill(first: int, last: int) -> None:
        part, rows = out[first:last], block[first:last]
        for kind, nominal in ((prepared.numeric, False), (prepared.nominal, True)):
            add_sparse(kind.indptr, kind.indices, kind.data, nominal, rows, part)
        add_gaps(prepared.columns, rows, 0, part.shape[1], FINE, part)

    map_chunks(fill, block.size, n_jobs)
    return out, 0


def _shares(codes: NDArray[np.int64], counts: NDArray[np.int64], sizes: NDArray[Any]) -> Floats:
    """What a neighbour of each class counts for each row: rows x classes x 1."""
    prior = sizes / sizes.sum()
    of_class = prior[None, :] / (1.0 - prior[:, None])
    np.fill_diagonal(of_class, -1.0)
    shares: Floats = of_class[codes] / np.maximum(counts, 1) / codes.size
    return shares[:, :, None]


def _sums(
    prepared: Prepared,
    rows: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    shares: Floats,
    n_jobs: int,
) -> list[Floats]:
    """Weighted differences to the neighbours for the columns of each kind.

    Threads share out columns, so no sum depends on their number.
    """

    def sums(kernel: Any, table: Any, n_columns: int, dtype: Any) -> Floats:
        totals = np.zeros(n_columns)

        def run(first: int, last: int) -> None:
            for low in range(first, last, SPAN):
                high = min(low + SPAN, last)
                if is_sparse(table):
                    part = np.ascontiguousarray(table[:, low:high].toarray(), dtype)
                    kernel(part, rows, neighbours, shares, 0, high - low, totals[low:high])
                else:
                    kernel(table, rows, neighbours, shares, low, high, totals)

        map_chunks(run, n_columns, n_jobs, at_least=64)
        return totals

    columns = prepared.columns
    return [
        sums(sum_numeric, prepared.numeric, prepared.numeric.shape[1], np.float64),
        sums(sum_nominal, prepared.nominal, prepared.nominal.shape[1], np.int32),
        sums(sum_gaps, columns, columns.gaps.shape[0], None),
    ]
