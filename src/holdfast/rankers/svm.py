"""Linear support vector machines as rankers: weights of one, and recursive elimination."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from holdfast.contracts import Floats, Ints, OrderingRanker, Problem, Ranker
from holdfast.criteria.table import Scale, classes_of, numbers_of, scaled
from holdfast.exceptions import refusal
from holdfast.rankers.machines import LinearMachines

# Products of centred values beyond this would not fit.
WIDEST = 1e100


class LinearSVM(Ranker):
    """Size of each feature's weight in a linear support vector machine.

    With more than two classes there is a machine for each pair of them, as in scikit-learn's SVC,
    and the score is the root of the sum of the squared weights.

    Parameters
    ----------
    C : float, default=1.0
        Price of an error: the upper bound of each multiplier.
    scale : {None, "range", "standard"}, default=None
        Scale each feature to [0, 1], or to mean 0 and variance 1. A weight is worth what the unit
        of its feature is; None takes the data as they are.
    tol : float, default=1e-8
        How far an example may be from its condition; the margin is 1.

    Notes
    -----
    O(n^2 d) for n examples and d features, and 16 n^2 bytes for each machine. Beyond 5000 examples
    a machine is left to scikit-learn's SVC with the same `tol`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> LinearSVM(scale="range").order(X, y)[:3]
    array([12,  6,  0])
    """

    def __init__(self, C: float = 1.0, scale: Scale = None, tol: float = 1e-8) -> None:
        self.C = C
        self.scale = scale
        self.tol = tol

    def score(self, X: Any, y: Any) -> Floats:
        """Score the features."""
        machines = _machines_of(self, X, y)
        everything = np.arange(machines.n_features)
        machines.solve(everything)
        scores: Floats = np.sqrt(machines.squares(everything))
        _warn_if_unsolved(machines, type(self).__name__)
        return scores


class SVMRFE(OrderingRanker):
    """Recursive feature elimination by the weights of a linear support vector machine.

    A machine is trained, the features of least squared weight are removed, and so on (Guyon et al.
    2002). The order is that of scikit-learn's ``RFE(SVC(kernel="linear", C=C), step=step)`` where
    its SVC is solved to the last digits; at its usual tolerance it chooses among near-ties by what
    is left unsolved. Of features with equal weights the last goes first.

    Parameters
    ----------
    step : int or float, default=1
        Features removed at once: a number, or a share of all features at the start (at least one).
    C : float, default=1.0
        Price of an error: the upper bound of each multiplier.
    n_features_to_select : int, default=1
        Where elimination ends; those left are ordered by their weights in the last machine.
    scale : {None, "range", "standard"}, default=None
        Scale each feature to [0, 1], or to mean 0 and variance 1; None takes the data as they are.
    tol : float, default=1e-8
        How far an example may be from its condition; the margin is 1.

    Notes
    -----
    With more than two classes a weight is the sum of squares over the machines of all pairs. The
    machines are solved in the n x n matrix of products, from where they were before: with step 1 a
    removal takes O(n^2) and little more, against O(n^2 d) for training anew. 16 n^2 bytes for each
    machine; beyond 5000 examples they are left to scikit-learn's SVC, and start anew each time.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> SVMRFE(scale="range").order(X, y)[:3]
    array([11, 12,  6])
    """

    def __init__(
        self,
        step: float = 1,
        C: float = 1.0,
        n_features_to_select: int = 1,
        scale: Scale = None,
        tol: float = 1e-8,
    ) -> None:
        self.step = step
        self.C = C
        self.n_features_to_select = n_features_to_select
        self.scale = scale
        self.tol = tol

    def order(self, X: Any, y: Any) -> Ints:  # type: ignore[override]
        """Order the features, the last one left first."""
        machines = _machines_of(self, X, y)
        step, last = self._step(machines.n_features), self._last(machines.n_features)
        alive, removed = np.arange(machines.n_features), [np.empty(0, np.intp)]
        while alive.size > last:
            machines.solve(alive)
            if step == 1 and machines.follows_removals:
                gone = machines.remove_singly(alive, last)
            else:
                # Of equal squares the last goes first.
                worst_first = np.lexsort((-alive, machines.squares(alive)))
                gone = alive[worst_first[: min(step, alive.size - last)]]
            removed.append(gone)
            alive = np.setdiff1d(alive, gone)
        machines.solve(alive)
        best_first = alive[np.argsort(-machines.squares(alive), kind="stable")]
        _warn_if_unsolved(machines, type(self).__name__)
        return np.concatenate((best_first, np.concatenate(removed)[::-1]))

    def _step(self, n_features: int) -> int:
        if isinstance(self.step, (float, np.floating)) and 0 < self.step < 1:
            return max(1, int(self.step * n_features))
        return _whole(self.step, "step", "a whole number >= 1 or a share between 0 and 1")

    def _last(self, n_features: int) -> int:
        expected = f"a whole number from 1 to {n_features}"
        last = _whole(self.n_features_to_select, "n_features_to_select", expected)
        if last > n_features:
            raise refusal("n_features_to_select", "rankers.SVMRFE", expected, last)
        return last


def _machines_of(ranker: Any, X: Any, y: Any) -> LinearMachines:
    """Check the parameters and the data, and set the machines up."""
    owner = f"rankers.{type(ranker).__name__}"
    for name in ("C", "tol"):
        value = getattr(ranker, name)
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not number or not 0 < float(value) < np.inf:
            raise refusal(name, owner, "a finite number > 0", repr(value))
    problem = Problem(X, y, 0)
    table = numbers_of(problem, owner)
    if table.ndim != 2:
        raise refusal("X", owner, "a table, examples x features", f"shape {table.shape}")
    _, codes = classes_of(problem, owner)
    if codes.size != table.shape[0]:
        raise refusal("y", owner, f"one label for each of {len(table)} examples", f"{codes.size}")
    table = scaled(table, ranker.scale, None, owner)
    with np.errstate(over="ignore", invalid="ignore"):
        # No weight depends on where zero is; sums keep their digits if it is amid the values.
        centred = table - table.mean(axis=0)
        centred[:, np.ptp(table, axis=0) == 0] = 0.0
        wide = np.flatnonzero(~(np.abs(centred).max(axis=0) < WIDEST))
    if wide.size:
        cure = "Scale the data, for example by scale='range'."
        raise refusal("X", owner, f"within {WIDEST:g}", f"more in column {wide[0]}", cure)
    return LinearMachines(centred, codes, float(ranker.C), float(ranker.tol))


def _warn_if_unsolved(machines: LinearMachines, owner: str) -> None:
    if not machines.solved:
        warnings.warn(
            f"{owner}: a support vector machine was not solved to tol and is used as it is. Scale "
            "the data, for example by scale='range', or raise tol.",
            ConvergenceWarning,
            stacklevel=3,
        )


def _whole(value: Any, parameter: str, expected: str) -> int:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < 1:
        raise refusal(parameter, "rankers.SVMRFE", expected, repr(value))
    return int(value)
