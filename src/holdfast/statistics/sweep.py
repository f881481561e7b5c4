"""A base subset swept into the covariances of all parts, and moved to neighbouring bases."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels import gaussian_scratch as scratch
from holdfast._kernels import gaussian_sweep as kernel
from holdfast._kernels.gaussian_scratch import Design, Models
from holdfast._kernels.gaussian_sweep import Swept
from holdfast.statistics.moments import CovarianceRows

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
Pieces: TypeAlias = Callable[[Callable[[int, int], None], int], object]

# Rounding grows with the inflation of the features moved. All is swept anew, in ascending order,
# before their sum exceeds both of these: relative errors stay near 1e-11, or near what the
# inflation of the base itself brings.
LARGEST_DRIFT = 1e5
USUAL_DRIFT = 10.0


def models_of(design: Design, subset: Ints) -> Models:
    """Make the models of all parts from scratch; the subset's covariance rows must be there."""
    n_parts = design.sources.shape[0]
    models = _no_models(design)
    all_parts = np.ones(n_parts, bool)
    scratch.find_ridges(design, subset, all_parts, models.ridges)
    scratch.whiten(design, subset, all_parts, models)
    return models


def _no_models(design: Design) -> Models:
    n_parts, n_points = design.sources.shape[0], design.points.shape[1]
    return Models(np.zeros(n_parts), np.empty(n_points), *np.empty((3, n_parts)))


class Sweep:
    """The state behind fast additions and removals; one base at a time.

    Moving by one feature takes O(features x (points + parts x base)), about as long as scoring all
    neighbours of the base; anything further away is swept anew where that is shorter.

    Parameters
    ----------
    design : Design
        Covariances and points of all parts.
    covariances : CovarianceRows
        Where `design` has its rows from.
    pieces : callable
        ``pieces(function, n)`` calls ``function(first, last)`` until ``range(n)`` is covered.
    """

    def __init__(self, design: Design, covariances: CovarianceRows, pieces: Pieces) -> None:
        self.design = design
        self._covariances = covariances
        self._pieces = pieces
        self._drift = 0.0
        self._n_parts, self._n_features = design.diagonal.shape
        none = np.zeros(0, np.intp)
        self.swept = self._unswept(none, np.zeros(self._n_parts), room=8)

    def move_to(self, base: Ints) -> Swept:
        """Sweep a base in, ascending; return the state, valid until the next move."""
        self._covariances.fetch(base)
        if np.setxor1d(base, self.swept.base).size > base.size:
            self._sweep_anew(base)
        for feature in np.setdiff1d(self.swept.base, base):
            self._move(int(feature))
        for feature in np.setdiff1d(base, self.swept.base):
            self._move(int(feature))
        return self.swept

    def fork(self) -> Sweep:
        """Another sweep with the same base, to be moved by itself."""
        other = Sweep.__new__(Sweep)
        other.__dict__.update(self.__dict__)
        other.swept = Swept._make(array.copy() for array in self.swept)
        return other

    def _move(self, feature: int) -> None:
        """Sweep one feature in or out, or all anew where a ridge changes or rounding adds up."""
        base = np.setxor1d(self.swept.base, [feature])
        self._covariances.fetch(np.union1d(base, [feature]))
        models = _no_models(self.design)
        anew = np.empty(self._n_parts, bool)
        if kernel.mend(self.design, self.swept, feature, anew, models):
            self._sweep_anew(base)
            return
        ratio = self.swept.variances[:, feature] / self.swept.pivots[:, feature]
        if self.swept.inside[feature]:
            ratio = self.swept.variances[:, feature] * self.swept.pivots[:, feature]
        self._drift += float(ratio.max())
        if self._drift < max(LARGEST_DRIFT, USUAL_DRIFT * float(models.inflations.max())):
            self._sweep(feature, base)
        else:
            self._sweep_anew(base)

    def _sweep(self, feature: int, base: Ints) -> None:
        swept = self.swept
        pivots = swept.pivots[:, feature].copy()
        if swept.inside[feature]:
            position = int(np.flatnonzero(swept.order == feature)[0])
            factors = kernel.sweep_out(swept, position)
            order = np.delete(swept.order, position)
        else:
            self._make_room(swept.order.size + 1)
            factors = kernel.sweep_in(self.design, self.swept, feature)
            order = np.append(swept.order, feature)
        self._move_points(factors, feature, pivots, -1.0 if swept.inside[feature] else 1.0)
        swept.inside[feature] = not swept.inside[feature]
        self.swept = self.swept._replace(base=base, order=order)

    def _move_points(self, factors: Floats, feature: int, pivots: Floats, sign: float) -> None:
        points, segments = self.swept.points, self.design.segments
        self._pieces(
            lambda low, high: kernel.update_points(points, segments, factors, feature, low, high),
            self._n_features,
        )
        spread_out = np.repeat(pivots, np.diff(segments))
        scaled = points[feature] / spread_out
        self.swept.distances[:] += sign * points[feature] * scaled
        points[feature] = scaled

    def _sweep_anew(self, base: Ints) -> None:
        self._drift = 0.0
        none = np.zeros(0, np.intp)
        ridges = np.zeros(self._n_parts)
        scratch.find_ridges(self.design, base, np.ones(self._n_parts, bool), ridges)
        self.swept = self._unswept(none, ridges, room=base.size + 8)
        for size, feature in enumerate(base, start=1):
            self._sweep(int(feature), base[:size])

    def _unswept(self, none: Ints, ridges: Floats, room: int) -> Swept:
        design = self.design
        return Swept(
            base=none,
            order=none,
            inside=np.zeros(self._n_features, bool),
            table=np.empty((self._n_parts, min(room, self._n_features), self._n_features)),
            variances=design.diagonal + ridges[:, None],
            pivots=design.diagonal + ridges[:, None],
            points=design.points.copy(),
            distances=np.zeros(design.points.shape[1]),
            log_determinants=np.zeros(self._n_parts),
            ridges=ridges,
        )

    def _make_room(self, n_rows: int) -> None:
        table = self.swept.table
        if n_rows <= table.shape[1]:
            return
        grown = np.empty((self._n_parts, min(2 * n_rows, self._n_features), self._n_features))
        grown[:, : table.shape[1]] = table
        self.swept = self.swept._replace(table=grown)
