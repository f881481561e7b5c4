"""Levels that tell about the class, by the shortest description."""

from __future__ import annotations

from typing import Any, Literal

from holdfast._kernels import cuts as kernel
from holdfast.discretisers.base import Discretiser, Floats
from holdfast.discretisers.sorting import in_order
from holdfast.exceptions import refusal
from holdfast.statistics.information import Logarithms
from holdfast.statistics.labels import labels_of


class MDL(Discretiser):
    """Cut each feature where that tells about the class, as long as it is worth its description.

    The multi-interval discretisation of Fayyad and Irani (IJCAI 1993): cut the examples in two
    where the least class entropy is left, the first such place of several; keep the cut if its
    gain exceeds (log2(n - 1) + log2(3**k - 2) - k H + k1 H1 + k2 H2) / n; do the same on either
    side. A cut lies halfway between the neighbouring values. A feature that tells too little is
    left with one level, which is a selection of its own: no measure of dependence can choose it.

    Parameters
    ----------
    places : {"examples", "values"}, default="examples"
        Of how many places that of a cut is one: the n - 1 between neighbouring examples, as
        published, or only those between different values. The latter makes a description shorter
        where values repeat, so it cuts more; Weka's ``CfsSubsetEval`` does so, its ``Discretize``
        does not unless told.

    Examples
    --------
    >>> from holdfast.discretisers import MDL
    >>> x = [[value] for value in range(20)]
    >>> MDL().fit(x, [0] * 12 + [1] * 8).cuts_
    [array([11.5])]
    """

    needs_target = True

    def __init__(self, places: Literal["examples", "values"] = "examples") -> None:
        self.places = places

    def _cuts(self, table: Any, y: Any) -> list[Floats]:
        owner = type(self).__name__
        if self.places not in ("examples", "values"):
            raise refusal("places", owner, "'examples' or 'values'", repr(self.places))
        classes, labels = labels_of(y, owner)
        logarithms = Logarithms(labels.size)
        return [
            kernel.least_description(
                *one, self.places == "values", logarithms.terms, logarithms.scale
            )
            for one in in_order(table, labels, classes.size)
        ]
