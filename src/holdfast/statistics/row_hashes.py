"""Rows under a subset of features, as one hash each, and what the hashes alone cannot promise.

Equal rows always have equal hashes; different rows have them by a rare accident. So a partition by
hashes is never too fine, and `RowComparer` tells whether it is too coarse.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from holdfast._kernels import row_hashes as kernel
from holdfast._kernels import row_pairs
from holdfast.statistics.codes import Codes

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

# By wrapping round, as all sums of words do, the second is -1.
ADD, REMOVE = np.uint64(1), np.uint64(2**64 - 1)


class RowHashes:
    """Sums of one random word for each feature of a subset and its code.

    Adding or removing a feature costs O(n); for sparse data, one step for each of its entries.

    Parameters
    ----------
    codes : Codes
        Discrete data.
    bits : int, default=64
        Width of the random words; few bits are for tests of what happens when hashes collide.
    seed : int, default=0
        Another seed gives other words.

    Attributes
    ----------
    words : array of uint64
        The hashes, one a row; 0 for the empty subset.
    """

    def __init__(self, codes: Codes, bits: int = 64, seed: int = 0) -> None:
        self.codes = codes
        self.words: Words = np.zeros(codes.n_examples, np.uint64)
        self._mask = np.uint64((1 << bits) - 1)
        self._seed = np.random.default_rng([0x5EED, seed]).integers(2**64, dtype=np.uint64)

    def add(self, features: Ints) -> None:
        """Make the subset larger by features outside it."""
        self._move(features, ADD)

    def remove(self, features: Ints) -> None:
        """Make the subset smaller by features inside it."""
        self._move(features, REMOVE)

    def _move(self, features: Ints, factor: np.uint64) -> None:
        codes = self.codes
        features = np.ascontiguousarray(features, np.int64)
        seed, mask = self._seed, self._mask
        # Words wrap round on purpose; where kernels are not compiled, numpy would warn of it.
        with np.errstate(over="ignore"):
            if codes.dense is not None:
                levels = codes.n_levels
                kernel.add_dense(self.words, codes.dense, levels, features, seed, mask, factor)
            else:
                kernel.add_sparse(self.words, *codes.entries, features, seed, mask, factor)


class RowComparer:
    """Compares rows value by value.

    Sparse data are turned to rows once, when they are first compared.
    """

    def __init__(self, codes: Codes) -> None:
        self.codes = codes
        self._by_rows: sparse.csr_array | None = None

    def prepare(self) -> None:
        """Turn sparse data to rows now; after that, threads may compare at once."""
        if self.codes.dense is None and self._by_rows is None:
            self._by_rows = self._turned()

    def differing(self, features: Ints, left: Ints, right: Ints) -> int:
        """Position of a pair of rows that differ in one of the features; -1 where none do."""
        if self.codes.dense is not None:
            ordered = np.ascontiguousarray(features, np.int64)
            return int(row_pairs.differing_dense(self.codes.dense, ordered, left, right))
        self.prepare()
        assert self._by_rows is not None
        inside = np.zeros(self.codes.n_features, bool)
        inside[features] = True
        rows = self._by_rows
        return int(
            row_pairs.differing_sparse(
                rows.indptr.astype(np.int64), rows.indices, rows.data, inside, left, right
            )
        )

    def _turned(self) -> sparse.csr_array:
        codes = self.codes
        shape = codes.n_examples, codes.n_features
        indptr, rows_of, values = codes.entries
        columns = sparse.csc_array((values, rows_of, indptr), shape)
        rows = columns.tocsr()
        rows.indices = rows.indices.astype(np.int32, copy=False)
        return rows
