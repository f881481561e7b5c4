"""Ways to draw samples that scikit-learn lacks, as splitters like its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from holdfast.exceptions import refusal

Ints = NDArray[np.intp]
Split = tuple[Ints, Ints]


class Bootstrap:
    """As many examples as there are, drawn with replacement; tested on those not drawn.

    Parameters
    ----------
    n_splits : int, default=100
        How many samples.
    stratify : bool, default=True
        Draw within each class, so that classes keep their sizes.
    random_state : int, default=0
        The first samples are the same however many are drawn.
    """

    def __init__(self, n_splits: int = 100, stratify: bool = True, random_state: int = 0) -> None:
        self.n_splits = n_splits
        self.stratify = stratify
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many samples."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Draw: pairs of training examples, some of them repeated, and the others."""
        random = check_random_state(self.random_state)
        n = X.shape[0]
        parts = _parts(y if self.stratify else None, n)
        if max(part.size for part in parts) < 2:
            raise refusal("X", "Bootstrap", "two examples or more of some class", n)
        for _ in range(self.n_splits):
            train = np.sort(np.concatenate([random.choice(part, part.size) for part in parts]))
            test = np.setdiff1d(np.arange(n), train)
            # Few examples may all be drawn; then nothing is left to test on, so draw once more.
            while test.size == 0:
                train = np.sort(np.concatenate([random.choice(part, part.size) for part in parts]))
                test = np.setdiff1d(np.arange(n), train)
            yield train, test


class ComplementaryPairs:
    """Disjoint halves in pairs: each half is drawn on, and tested on the other.

    Shah & Samworth (2013) bound the errors of stability selection for such samples.

    Parameters
    ----------
    n_pairs : int, default=50
        How many pairs; there are twice as many samples.
    stratify : bool, default=True
        Halve each class.
    random_state : int, default=0
        The first pairs are the same however many are drawn.
    """

    def __init__(self, n_pairs: int = 50, stratify: bool = True, random_state: int = 0) -> None:
        self.n_pairs = n_pairs
        self.stratify = stratify
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many samples: two a pair."""
        return 2 * self.n_pairs

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Draw: each pair of halves twice, once in each order."""
        random = check_random_state(self.random_state)
        n = X.shape[0]
        if n < 4:
            raise refusal("X", "ComplementaryPairs", "at least 4 examples", n)
        for _ in range(self.n_pairs):
            first: list[Ints] = []
            second: list[Ints] = []
            for number, part in enumerate(_parts(y if self.stratify else None, n)):
                mixed = random.permutation(part)
                # The odd example goes to one half for one class and to the other for the next.
                middle = (part.size + number % 2) // 2
                first.append(mixed[:middle])
                second.append(mixed[middle:])
            halves = np.sort(np.concatenate(first)), np.sort(np.concatenate(second))
            yield halves
            yield halves[::-1]


def _parts(y: Any, n: int) -> list[Ints]:
    if y is None:
        return [np.arange(n)]
    codes = np.unique(np.asarray(y), return_inverse=True)[1]
    return [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
