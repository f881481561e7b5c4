"""LCC: linear consistency-constrained elimination (Shin & Xu 2009)."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

from holdfast.consistency.door import EliminatingSelector, Ints, Task
from holdfast.consistency.elimination import Outcome, Rule, eliminate
from holdfast.consistency.in_passes import constrained_in_passes
from holdfast.consistency.measures import MEASURES, measure
from holdfast.consistency.passes import Passes
from holdfast.consistency.states import BITS, Counted, Distances, State
from holdfast.exceptions import InconsistentDataWarning, refusal
from holdfast.statistics.inconsistency import OF_COUNTS
from holdfast.statistics.interclass import interclass_distances, numbers_of


class LCC(EliminatingSelector):
    """Remove features as long as the inconsistency of the rest stays within a threshold.

    The result is minimal: without any one of its features it would be above the threshold.

    Parameters
    ----------
    threshold : float, default=0.01
        The highest inconsistency allowed. Where all features together are above it, their value
        takes its place, with a warning.
    measure : str, default="icr"
        Any monotone measure; see :data:`holdfast.consistency.MEASURES`.
    order : array, optional
        Features by index or by name, the first to be removed first. By default in ascending order
        of symmetrical uncertainty with the class, ties by index.
    discretiser : transformer or str, optional
        Makes continuous features discrete: "equal_width", "equal_frequency", "mdl", or any
        transformer. Without one, continuous features are refused.

    Attributes
    ----------
    support_ : array of bool
        The features kept.
    order_ : array of int
        The order in which the features were looked at.
    inconsistency_ : float
        The measure for the features kept.
    threshold_ : float
        The threshold used.
    n_tests_ : int
        How many subsets were looked at.
    classes_ : array
        The classes.
    discretiser_ : transformer or None
        The fitted discretiser.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    Values that differ by less than 1e-12 count as equal. The cost is that of :class:`CWC`, and
    O(n + groups x classes) a test. As there, collisions of hashes cannot change the result.

    References
    ----------
    K. Shin, X. M. Xu, "Consistency-based feature selection", KES 2009.

    Examples
    --------
    >>> X = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> LCC(threshold=0.25).fit(X, [0, 1, 1, 0]).get_support()
    array([False, False,  True])
    """

    def __init__(
        self,
        threshold: float = 0.01,
        measure: str = "icr",
        order: Any = None,
        discretiser: Any = None,
    ) -> None:
        self.threshold = threshold
        self.measure = measure
        self.order = order
        self.discretiser = discretiser

    def _check_parameters(self, owner: str) -> None:
        check_threshold(self.threshold, owner)
        if not measure(self.measure).monotone:
            monotone = ", ".join(key for key, one in MEASURES.items() if one.monotone)
            raise refusal(
                "measure",
                owner,
                f"a monotone measure ({monotone})",
                repr(self.measure),
                "It may fall when a feature goes, so no order of removals means anything.",
            )

    def _eliminate(self, task: Task, owner: str) -> None:
        self._note(constrained(task, Rule(float(self.threshold)), self.measure, owner), owner)

    def _eliminate_in_passes(self, passes: Passes, order: Ints, owner: str) -> None:
        if self.measure not in OF_COUNTS:
            raise refusal("measure", owner, "one of counts where X is Chunks", repr(self.measure))
        of_counts = OF_COUNTS[self.measure]
        outcome = constrained_in_passes(passes, order, float(self.threshold), of_counts)
        self._note(outcome, owner)

    def _note(self, outcome: Outcome, owner: str) -> None:
        self._set_support(outcome.kept)
        self.inconsistency_ = outcome.value
        self.threshold_ = outcome.threshold
        self.n_tests_ = outcome.n_tests
        if outcome.whole is not None:
            warnings.warn(
                f"{owner}: all features together have an inconsistency ({self.measure}) of "
                f"{outcome.whole:.6g}, which is above the threshold {self.threshold:g}; it was "
                "used as the threshold instead.",
                InconsistentDataWarning,
                stacklevel=4,
            )


def check_threshold(threshold: Any, owner: str) -> None:
    """Refuse what is no number from 0."""
    number = isinstance(threshold, (int, float)) and not isinstance(threshold, bool)
    if not number or not 0 <= threshold < float("inf"):
        raise refusal("threshold", owner, "a number >= 0", repr(threshold))


def constrained(task: Task, rule: Rule, key: str, owner: str, bits: int = BITS) -> Outcome:
    """Eliminate under a measure; `bits` is the width of the random words."""
    make: Any
    if key == "interclass":
        distances = interclass_distances(numbers_of(task.discrete(), owner), task.classes)
        make = partial(_same_distances, Distances(distances))
    else:
        of_counts = OF_COUNTS[key]
        make = partial(Counted, task.codes, task.classes, task.comparer, bits, measure=of_counts)
    return eliminate(make, task.order, rule)


def _same_distances(state: State, attempt: int) -> State:
    assert attempt == 0, "there are no hashes to collide"
    return state
