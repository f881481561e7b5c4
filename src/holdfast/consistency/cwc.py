"""CWC: combination of weakest components (Shin, Fernandes & Miyazaki 2011)."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from holdfast.consistency.door import EliminatingSelector, Task
from holdfast.consistency.elimination import Outcome, Rule, eliminate
from holdfast.consistency.in_passes import consistent_in_passes
from holdfast.consistency.noise import NoiseFound, denoise
from holdfast.consistency.passes import Passes
from holdfast.consistency.states import BITS, Binary
from holdfast.exceptions import InconsistentDataWarning, refusal

Ints = NDArray[np.int64]


class CWC(EliminatingSelector):
    """Keep a minimal consistent subset: all classes told apart, and no feature to spare.

    A subset is consistent where equal examples have equal classes. Features are looked at one after
    another, and each is removed if the rest is still consistent. The result is exact: each feature
    kept has two examples that show why.

    Where all features together are inconsistent, presumable noise is removed first, and a warning
    says how much.

    Parameters
    ----------
    denoise : {"moderate", "aggressive", None}, default="moderate"
        What to do with inconsistent data. Rule 1 removes, among equal examples, those outside the
        majority class; rule 2, those of groups that are still mixed, where no class has a majority;
        rule 3, examples equal to no other. Moderate denoising is rules 1 and 2, aggressive all
        three. With None nothing is removed, so that nothing is selected away from inconsistent
        data.
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
    consistent_ : bool
        Whether the features kept are consistent, on the examples that denoising left.
    witnesses_ : array of int, features kept x 2
        For each feature kept, in the order of their indices, two examples of different classes that
        differ in none of the other features kept. Empty where the data are not consistent.
    noise_ : array of bool
        Examples that denoising removed.
    n_removed_ : dict
        How many of them each rule removed: "minor", "tied" and "single".
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
    With n examples and D features, each feature is added to the hashes of the rows and removed a
    few times at most, O(n) or one step for each entry of sparse data; for each feature kept there
    are O(log D) tests of O(n).

    References
    ----------
    K. Shin, D. Fernandes, S. Miyazaki, "Consistency measures for feature selection: a formal
    definition, relative sensitivity comparison and a fast algorithm", IJCAI 2011.

    Examples
    --------
    Two features decide the class together, and say nothing of it alone:

    >>> X = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> y = [0, 1, 1, 0]
    >>> CWC().fit(X, y).get_support()
    array([ True,  True, False])
    """

    def __init__(
        self,
        denoise: Literal["moderate", "aggressive"] | None = "moderate",
        order: Any = None,
        discretiser: Any = None,
    ) -> None:
        self.denoise = denoise
        self.order = order
        self.discretiser = discretiser

    def _check_parameters(self, owner: str) -> None:
        if self.denoise not in ("moderate", "aggressive", None):
            raise refusal("denoise", owner, "'moderate', 'aggressive' or None", repr(self.denoise))

    def _eliminate(self, task: Task, owner: str) -> None:
        chosen = consistent_subset(task, self.denoise)
        self._set_support(chosen.kept)
        self.consistent_ = chosen.consistent
        self.witnesses_ = chosen.witnesses
        self.n_tests_ = chosen.n_tests
        noise = chosen.noise
        self.noise_ = noise.all
        self.n_removed_ = {name: int(rows.sum()) for name, rows in noise._asdict().items()}
        if chosen.was_inconsistent:
            self._warn(owner)

    def _eliminate_in_passes(self, passes: Passes, order: Ints, owner: str) -> None:
        chosen = consistent_in_passes(passes, order, self.denoise)
        self._set_support(chosen.kept.tolist())
        self.consistent_ = chosen.consistent
        self.witnesses_ = (
            chosen.pairs[np.argsort(chosen.kept)] if chosen.pairs.size else chosen.pairs
        )
        self.n_tests_ = chosen.n_tests
        self.noise_ = chosen.noise.all
        self.n_removed_ = {n: int(rows.sum()) for n, rows in chosen.noise._asdict().items()}
        if chosen.was_inconsistent:
            self._warn(owner)

    def _warn(self, owner: str) -> None:
        by_rule = ", ".join(f"{number} {name}" for name, number in self.n_removed_.items())
        done = (
            "Nothing was denoised, so all features are kept."
            if self.denoise is None
            else f"The {self.denoise} denoising removed {self.noise_.sum()} of "
            f"{self.noise_.size} examples ({by_rule})."
        )
        if not self.support_.any():
            done += " What is left is of one class at most, so no feature is kept."
        warnings.warn(
            f"{owner}: some examples with equal features have different classes. {done}",
            InconsistentDataWarning,
            stacklevel=4,
        )


class Chosen:
    """What CWC chose and what it did to the data for it."""

    def __init__(self, task: Task, bits: int) -> None:
        self.task = task
        self.classes = task.classes
        nobody = np.zeros(task.classes.size, bool)
        self.noise = NoiseFound(nobody, nobody, nobody)
        self.kept: list[int] = []
        self.consistent = True
        self.was_inconsistent = False
        self.n_tests = 0
        self._bits = bits
        self._state: Binary
        self._attempt = 0
        self._words: NDArray[np.uint64] | None = None
        self._pairs: list[tuple[int, int] | None] = []

    @property
    def witnesses(self) -> Ints:
        """Pairs in the order of the features' indices."""
        pairs = np.array(self._pairs, np.int64).reshape(-1, 2)
        return pairs[np.argsort(self.kept)] if self._pairs else pairs

    def eliminate(self) -> Outcome:
        """Go through the order with the examples that are left."""
        rule = Rule(0.0, yields=False)
        denoised = self._words is not None
        outcome = eliminate(self._begin, self.task.order, rule, self._note_witness, denoised)
        self.kept = outcome.kept
        self.n_tests += outcome.n_tests
        self.consistent = outcome.value == 0
        return outcome

    def remove_noise(self, how: Literal["moderate", "aggressive"]) -> None:
        """Leave out presumable noise from here on; what was looked at last has all features."""
        task = self.task
        self._words = self._state.hashes.words
        self.noise = denoise(task.codes, task.classes, how, task.comparer, self._words)
        self.classes = np.where(self.noise.all, -1, task.classes)

    def _begin(self, attempt: int) -> Binary:
        self._pairs = []
        task = self.task
        # The hashes under all features are at hand, and the random words that made them.
        again = self._attempt + attempt if self._words is not None else attempt
        self._state = Binary(task.codes, self.classes, task.comparer, self._bits, again)
        if self._words is None:
            self._attempt = attempt
        elif attempt == 0:
            self._state.restore(self._words.copy())
        else:
            self._state.add(task.order)
        return self._state

    def _note_witness(self, feature: int) -> None:
        self._pairs.append(self._state.pair)


def consistent_subset(
    task: Task, how: Literal["moderate", "aggressive"] | None, bits: int = BITS
) -> Chosen:
    """Run CWC; `bits` is the width of the random words."""
    chosen = Chosen(task, bits)
    chosen.was_inconsistent = chosen.eliminate().whole is not None
    if chosen.was_inconsistent and how is not None:
        chosen.remove_noise(how)
        chosen.eliminate()
    return chosen
