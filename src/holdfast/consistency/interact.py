"""INTERACT (Zhao & Liu 2007)."""

from __future__ import annotations

from typing import Any

from holdfast.consistency.door import EliminatingSelector, Task
from holdfast.consistency.elimination import Rule
from holdfast.consistency.lcc import check_threshold, constrained


class INTERACT(EliminatingSelector):
    """Remove features that contribute little to consistency, one after another.

    The contribution of a feature is the rise of the inconsistency rate when it goes. It is taken
    among the features not yet removed; the small rises of many features may add up, which
    :class:`LCC` does not allow.

    Parameters
    ----------
    threshold : float, default=0.01
        The highest contribution at which a feature is removed.
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
        Inconsistency rate of the features kept.
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
    Contributions that exceed the threshold by less than 1e-12 count as equal to it. A block of
    features that raises the rate by no more than the threshold goes at once, so the tests are few:
    O(log D) of O(n) for each feature kept and each threshold's worth of inconsistency.

    References
    ----------
    Z. Zhao, H. Liu, "Searching for interacting features", IJCAI 2007.

    Examples
    --------
    >>> X = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> INTERACT(threshold=0).fit(X, [0, 1, 1, 0]).get_support()
    array([ True,  True, False])
    """

    def __init__(self, threshold: float = 0.01, order: Any = None, discretiser: Any = None) -> None:
        self.threshold = threshold
        self.order = order
        self.discretiser = discretiser

    def _check_parameters(self, owner: str) -> None:
        check_threshold(self.threshold, owner)

    def _eliminate(self, task: Task, owner: str) -> None:
        rule = Rule(float(self.threshold), by_contribution=True)
        outcome = constrained(task, rule, "icr", owner)
        self._set_support(outcome.kept)
        self.inconsistency_ = outcome.value
        self.n_tests_ = outcome.n_tests
