"""CFS: correlation-based feature selection (Hall 2000), by best-first search."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np

from holdfast.consistency.uncertainty import Floats, Ints, Uncertainties, UncertaintySelector
from holdfast.exceptions import refusal

IMPROVEMENT = 1e-5  # what the best merit has to rise by, as in Weka


class CFS(UncertaintySelector):
    """Choose features that go with the class and not with each other.

    The merit of k features is the sum of their symmetrical uncertainties with the class over
    sqrt(k + the sum of those of all ordered pairs of them). The search begins with no feature,
    always expands the best subset not yet expanded by each further feature, and ends after
    `max_stale` expansions in a row that did not raise the best merit. Then come the locally
    predictive features.

    Parameters
    ----------
    max_stale : int, default=5
        Expansions in a row without improvement after which the search ends.
    locally_predictive : bool, default=True
        Whether to add, in the order of their uncertainty with the class, those features that no
        feature chosen until then goes with more than the class does.
    discretiser : None, str or transformer, default=None
        "equal_width", "equal_frequency", "mdl" or a transformer, for continuous features. Hall and
        Weka use "mdl".

    Attributes
    ----------
    support_ : array of bool
        The chosen features.
    merit_ : float
        Merit of the best subset, before locally predictive features were added.
    added_ : array of int
        The locally predictive features, in the order in which they were added.
    n_expansions_ : int
        How many subsets were expanded.
    scores_ : array
        Symmetrical uncertainty of each feature with the class.
    classes_ : array
        The classes.
    discretiser_ : transformer or None
        The fitted discretiser.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    Uncertainties between features are counted when a subset that holds one of them is expanded, one
    feature against all in a pass of O(cells), and kept. A further expansion is O(features).

    This is Weka's ``CfsSubsetEval`` with ``BestFirst -D 1 -N 5``, which discretises as
    ``MDL(places="values")``. It chooses the same, but where two features are independent: below
    1e-6, Weka takes their uncertainty for 1 and not for 0, so as not to choose features of one
    level. Here features that tell nothing of the class are never added, and independent ones count
    as independent. Two further differences have not been seen to matter: a subset is never expanded
    twice; and among improvements, the best one is taken and not the first that is enough. Missing
    values are a level of their own, where Weka spreads them over the levels.

    References
    ----------
    M. A. Hall, "Correlation-based feature selection for discrete and numeric class machine
    learning", ICML 2000.

    Examples
    --------
    >>> from holdfast.consistency.cfs import CFS
    >>> X = [[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 1, 1], [0, 0, 1]]
    >>> CFS().fit(X, [0, 0, 0, 1, 1, 1]).get_support()
    array([ True, False,  True])
    """

    def __init__(
        self, max_stale: int = 5, locally_predictive: bool = True, discretiser: Any = None
    ) -> None:
        self.max_stale = max_stale
        self.locally_predictive = locally_predictive
        self.discretiser = discretiser

    def _check_parameters(self, owner: str) -> None:
        whole = isinstance(self.max_stale, (int, np.integer))
        if not whole or isinstance(self.max_stale, bool) or self.max_stale < 1:
            raise refusal("max_stale", owner, "a whole number >= 1", repr(self.max_stale))
        if not isinstance(self.locally_predictive, (bool, np.bool_)):
            raise refusal(
                "locally_predictive", owner, "True or False", repr(self.locally_predictive)
            )

    def _choose(self, uncertainties: Uncertainties) -> Any:
        merits = Merits(uncertainties)
        best, self.merit_, self.n_expansions_ = best_first(merits, self.max_stale)
        added = locally_predictive(merits, best) if self.locally_predictive else []
        self.added_ = np.array(added, np.intp)
        return [*best, *added]


class Merits:
    """Merits of subsets with one more feature, for all features at once."""

    def __init__(self, uncertainties: Uncertainties) -> None:
        self._uncertainties = uncertainties
        self._rows: dict[int, Floats] = {}
        self.of_class = uncertainties.of_class

    def row(self, feature: int) -> Floats:
        """Uncertainties of one feature with all."""
        if feature not in self._rows:
            self._rows[feature] = self._uncertainties.beside(feature)
        return self._rows[feature]

    def of_children(self, subset: tuple[int, ...]) -> Floats:
        """Merit of the subset with each feature added; minus infinity for those inside.

        The subset is ascending, so that its merit does not depend on how one came to it.
        """
        members = list(subset)
        beside = np.zeros(self.of_class.size)
        for feature in members:
            beside += self.row(feature)
        inside = beside[members].sum()  # the pairs twice, and each feature with itself
        size = len(members)
        own = sum(float(self.row(feature)[feature]) for feature in members)
        pairs = inside - own + 2 * beside
        merits: Floats = (self.of_class[members].sum() + self.of_class) / np.sqrt(size + 1 + pairs)
        merits[members] = -np.inf
        return merits


class Node(NamedTuple):
    """An expanded subset whose children wait, the best first."""

    subset: tuple[int, ...]
    children: Ints
    merits: Floats


def best_first(merits: Merits, max_stale: int) -> tuple[tuple[int, ...], float, int]:
    """Search forward; return the best subset, its merit, and how many were expanded."""
    best: tuple[int, ...] = ()
    best_merit, stale = 0.0, 0
    nodes: list[Node] = []
    seen: set[tuple[int, ...]] = {()}
    # Of each node only its best waiting child is in the heap: (-merit, node, place of the child).
    heap: list[tuple[float, int, int]] = []
    subset: tuple[int, ...] | None = ()
    while stale < max_stale and subset is not None:
        of_children = merits.of_children(subset)
        order = np.argsort(-of_children, kind="stable")[: of_children.size - len(subset)]
        nodes.append(Node(subset, order, of_children[order]))
        _push(heap, nodes, len(nodes) - 1, 0)
        stale += 1
        if order.size and of_children[order[0]] > best_merit + IMPROVEMENT:
            best, best_merit = _child(nodes[-1], 0), float(of_children[order[0]])
            stale = 0
        subset = _next(heap, nodes, seen)
    return best, best_merit, len(nodes)


def _push(heap: list[tuple[float, int, int]], nodes: list[Node], node: int, place: int) -> None:
    if place < nodes[node].children.size:
        heapq.heappush(heap, (-float(nodes[node].merits[place]), node, place))


def _next(
    heap: list[tuple[float, int, int]], nodes: list[Node], seen: set[tuple[int, ...]]
) -> tuple[int, ...] | None:
    """Take the best waiting subset that was not expanded yet."""
    while heap:
        _, node, place = heapq.heappop(heap)
        _push(heap, nodes, node, place + 1)
        subset = _child(nodes[node], place)
        if subset not in seen:
            seen.add(subset)
            return subset
    return None


def _child(node: Node, place: int) -> tuple[int, ...]:
    return tuple(sorted((*node.subset, int(node.children[place]))))


def locally_predictive(merits: Merits, subset: tuple[int, ...]) -> list[int]:
    """Features, best first, that go with no chosen feature more than with the class."""
    most = np.zeros(merits.of_class.size)
    for feature in subset:
        np.maximum(most, merits.row(feature), out=most)
    added: list[int] = []
    for feature in np.argsort(-merits.of_class, kind="stable").tolist():
        own = merits.of_class[feature]
        if own <= 0:
            break
        if feature not in subset and most[feature] <= own:
            added.append(feature)
            np.maximum(most, merits.row(feature), out=most)
    return added
