"""Linear support vector machines for all pairs of classes, in some of the features."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import SVC

from holdfast._kernels.elimination import Machines, eliminate, solve_all, weigh_all
from holdfast.contracts import Floats, Ints

# Examples up to which products of all with all are held.
MOST_EXAMPLES = 5000
# How often an example may move in or out of the free ones before a machine counts as unsolved.
MOST_MOVES = 100_000


class LinearMachines:
    """The machines of one data set.

    Parameters
    ----------
    centred : array, examples x features
        With mean 0.
    codes : array
        Class of each example.
    price : float
        Upper bound of the multipliers.
    tol : float
        How far an example may be from its condition.

    Attributes
    ----------
    solved : bool
        Whether all that was solved so far came to an end.
    follows_removals : bool
        Whether `remove_singly` can be used; there are too many examples else.
    """

    def __init__(self, centred: Floats, codes: NDArray[np.int64], price: float, tol: float) -> None:
        self._table = np.ascontiguousarray(centred.T)
        self._codes, self._price, self._tol = codes, price, tol
        self.solved = True
        self.follows_removals = codes.size <= MOST_EXAMPLES
        if self.follows_removals:
            self._machines = machines_of(codes, price)
            self._norms = np.sqrt(np.einsum("fk,fk->f", self._table, self._table))

    @property
    def n_features(self) -> int:
        """Number of features of the data."""
        return int(self._table.shape[0])

    def solve(self, alive: Ints) -> None:
        """Train on these features, from where the machines are."""
        if self.follows_removals:
            fill_kernels(self._machines, self._table, alive)
            self.solved &= solve_all(self._machines, self._tol, MOST_MOVES, True)
            return
        model = SVC(kernel="linear", C=self._price, tol=self._tol)
        self._weights = model.fit(self._table[alive].T, self._codes).coef_.T

    def squares(self, alive: Ints) -> Floats:
        """Sum of squared weights of the features that were trained on."""
        if self.follows_removals:
            self._weights = np.empty((alive.size, self._machines.sizes.size))
            weigh_all(self._table, alive.astype(np.int64), self._machines, self._weights)
        total: Floats = (self._weights**2).sum(axis=1)
        return total

    def remove_singly(self, alive: Ints, last: int) -> Ints:
        """Remove the feature of least weight and train again, repeatedly; return those removed.

        May end before `last` features are left; train anew then.
        """
        removed = np.empty(alive.size, np.int64)
        left = alive.astype(np.int64)
        done, solved = eliminate(
            self._table, self._norms, left, last, self._machines, self._tol, MOST_MOVES, removed
        )
        self.solved &= solved
        return removed[:done]


def machines_of(codes: NDArray[np.int64], price: float) -> Machines:
    """One machine for each pair of classes, at zero; kernels are to be filled."""
    groups = [np.flatnonzero(codes == c) for c in range(int(codes.max()) + 1)]
    pairs = list(combinations(range(len(groups)), 2))
    sizes = np.array([groups[a].size + groups[b].size for a, b in pairs], np.int64)
    shape = len(pairs), int(sizes.max())
    labels, examples = np.zeros(shape), np.zeros(shape, np.int64)
    for p, (a, b) in enumerate(pairs):
        examples[p, : sizes[p]] = np.concatenate((groups[a], groups[b]))
        labels[p, : sizes[p]] = np.repeat((1.0, -1.0), (groups[a].size, groups[b].size))
    return Machines(
        examples=examples,
        sizes=sizes,
        kernels=np.zeros((*shape, shape[1])),
        inverses=np.zeros((shape[0], shape[1] + 1, shape[1] + 1)),
        labels=labels,
        low=np.where(labels > 0, 0.0, -price),
        high=np.where(labels > 0, price, 0.0),
        betas=np.zeros(shape),
        fields=np.zeros(shape),
        free=np.zeros(shape, np.int64),
        counts=np.zeros(shape[0], np.int64),
    )


def fill_kernels(machines: Machines, table: Floats, alive: Ints) -> None:
    """Compute all kernels from the features that are left."""
    part = table[alive]
    kernel = part.T @ part
    for p, n in enumerate(machines.sizes):
        examples = machines.examples[p, :n]
        machines.kernels[p, :n, :n] = kernel[np.ix_(examples, examples)]
