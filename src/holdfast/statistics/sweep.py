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
        self._order = np.empty(design.diagonal.shape[1], np.intp)
        self._n_parts, self._n_features = design.diagonal.shape
        none = np.zeros(0, np.intp)
        self.swept = self._unswept(none, np.zeros(self._n_parts), room=8)
        self._inflate()

    def move_to(self, base: Ints) -> Swept:
        """Sweep a base in, ascending; return the state, valid until the next move."""
        differing = self.swept.inside.copy()
        differing[base] ^= True
        moves = np.flatnonzero(differing)
        self._covariances.fetch(base)
        if moves.size > base.size:
            self._sweep_anew(base)
            return self.swept
        leaving = self.swept.inside[moves]
        for feature in (*moves[leaving].tolist(), *moves[~leaving].tolist()):
            self._move(feature)
        return self.swept

    def fork(self) -> Sweep:
        """Another sweep with the same base, to be moved by itself."""
        other = Sweep.__new__(Sweep)
        other.__dict__.update(self.__dict__)
        other._order = self._order.copy()
        copies = Swept._make(array.copy() for array in self.swept)
        other.swept = copies._replace(order=other._order[: copies.order.size])
        return other

    def _move(self, feature: int) -> None:
        """Sweep one feature in or out, or all anew where a ridge changes or rounding adds up."""
        swept = self.swept
        removed = bool(swept.inside[feature])
        inflation = float(swept.inflations[:, feature].max())
        if not removed and self._covariances.slots[feature] < 0:
            self._covariances.fetch(np.append(swept.base, feature))
        if (inflation < np.inf and not removed) or not self._needs_mending(feature):
            variances, pivots = swept.variances[:, feature], swept.pivots[:, feature]
            self._drift += float((variances * pivots if removed else variances / pivots).max())
            if self._drift < max(LARGEST_DRIFT, USUAL_DRIFT * inflation):
                self._sweep(feature)
                self._inflate()
                return
        inside = swept.inside.copy()
        inside[feature] = not removed
        self._sweep_anew(np.flatnonzero(inside))

    def _needs_mending(self, feature: int) -> bool:
        models, anew = _no_models(self.design), np.empty(self._n_parts, bool)
        return kernel.mend(self.design, self.swept, feature, anew, models)

    def _sweep(self, feature: int) -> None:
        removed = bool(self.swept.inside[feature])
        if removed:
            factors = kernel.sweep_out(self.swept, feature)
        else:
            self._make_room(self.swept.order.size + 1)
            swept = self.swept
            factors = kernel.sweep_in(
                self.design.rows,
                self.design.slots,
                swept.order,
                swept.inside,
                swept.table,
                swept.pivots,
                swept.log_determinants,
                feature,
            )
        swept, own = self.swept, self.swept.points[feature].copy()
        change = -swept.pivots[:, feature] if removed else swept.pivots[:, feature].copy()
        self._pieces(
            lambda low, high: kernel.update_points(
                self.design.segments,
                swept.points,
                swept.distances,
                factors,
                own,
                change,
                feature,
                low,
                high,
            ),
            self._n_features,
        )
        swept.inside[feature] = not removed
        size = swept.order.size + (-1 if removed else 1)
        if not removed:
            self._order[size - 1] = feature
        self.swept = swept._replace(base=np.flatnonzero(swept.inside), order=self._order[:size])

    def _inflate(self) -> None:
        swept = self.swept
        kernel.inflate(
            swept.order,
            swept.inside,
            swept.table,
            swept.variances,
            swept.pivots,
            swept.inflations,
        )

    def _sweep_anew(self, base: Ints) -> None:
        self._drift = 0.0
        none = np.zeros(0, np.intp)
        ridges = np.zeros(self._n_parts)
        scratch.find_ridges(self.design, base, np.ones(self._n_parts, bool), ridges)
        self.swept = self._unswept(none, ridges, room=base.size + 8)
        for feature in base.tolist():
            self._sweep(feature)
        self._inflate()

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
            inflations=np.empty((self._n_parts, self._n_features)),
        )

    def _make_room(self, n_rows: int) -> None:
        table = self.swept.table
        if n_rows <= table.shape[1]:
            return
        grown = np.empty((self._n_parts, min(2 * n_rows, self._n_features), self._n_features))
        grown[:, : table.shape[1]] = table
        self.swept = self.swept._replace(table=grown)
