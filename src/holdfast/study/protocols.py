"""How samples are drawn and what is estimated on them: the protocols of the papers, and others."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import (
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.multiclass import type_of_target

from holdfast.exceptions import InputError, listed, refusal
from holdfast.resampling import Bootstrap, ComplementaryPairs

Ints = NDArray[np.intp]


class Draw(NamedTuple):
    """One sample to select on.

    Attributes
    ----------
    repetition : int
        Which outer sample.
    inner : int
        Which sample within it, from 0; -1 for the outer sample itself.
    train, test : array
        Examples to select and learn on, and those kept for the estimate.
    """

    repetition: int
    inner: int
    train: Ints
    test: Ints


class Draws(Sequence[Draw]):
    """Many samples in two arrays, so that workers can share them."""

    def __init__(self, draws: Iterable[Draw]) -> None:
        labels: list[tuple[int, int]] = []
        parts: list[NDArray[np.int32]] = []
        for draw in draws:
            labels.append((draw.repetition, draw.inner))
            parts += [draw.train.astype(np.int32), draw.test.astype(np.int32)]
        self._labels = np.array(labels, dtype=np.int32).reshape(-1, 2)
        self._edges = np.cumsum([0, *(part.size for part in parts)])
        self._rows = np.concatenate(parts) if parts else np.empty(0, np.int32)

    def share_plainly(self) -> None:
        """Look at arrays that are mapped from a file as plain ones."""
        self._labels, self._edges = plain(self._labels), plain(self._edges)
        self._rows = plain(self._rows)

    def __len__(self) -> int:
        return len(self._labels)

    def disjoint_tests(self) -> bool:
        """Whether no example is tested in two outer samples, as in cross-validation."""
        tested = np.concatenate([d.test for d in self if d.inner < 0])
        return bool(np.unique(tested).size == tested.size)

    def test_per_train(self) -> float:
        """Tested examples for one that is learned from, in the mean over outer samples."""
        return float(np.mean([d.test.size / d.train.size for d in self if d.inner < 0]))

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return [self[i] for i in range(*position.indices(len(self)))]
        if not 0 <= position < len(self):
            raise IndexError(position)
        begin, middle, end = self._edges[2 * position : 2 * position + 3]
        repetition, inner = self._labels[position].tolist()
        train, test = self._rows[begin:middle], self._rows[middle:end]
        return Draw(repetition, inner, train.astype(np.intp), test.astype(np.intp))


def plain(array: Any) -> Any:
    """An array mapped from a file as a plain one over the same memory; others as they are."""
    return array.view(np.ndarray) if isinstance(array, np.memmap) else array


@dataclass(frozen=True)
class Protocol:
    """How a study draws and estimates.

    Attributes
    ----------
    name : str
    splitter : scikit-learn splitter
        The outer samples; with a whole number as random_state.
    inner : scikit-learn splitter or None
        Samples within each outer training part. Where given, stability is that of the inner
        samples, averaged over the outer ones, and accuracy that of the outer samples.
    models : mapping
        What is fitted on the chosen features to estimate accuracy, by name.
    sizes : "profile", tuple of int or None
        Sizes at which selectors that score features are cut; "profile" is 10, 15, ... to all.
    smallest_class : int
        How many examples of each class there must be.
    """

    name: str
    splitter: Any
    inner: Any = None
    models: Mapping[str, Any] = field(default_factory=dict)
    sizes: Any = None
    smallest_class: int = 1

    def draws(self, X: Any, y: Any, groups: Any) -> Iterator[Draw]:
        """All samples: each outer one, followed by its inner ones."""
        # Splitters look at the number of examples only; a view keeps wide data out of their way.
        rows = np.zeros((X.shape[0], 1))
        y = np.asarray(y)
        self._refuse_small_classes(y)
        for repetition, (train, test) in enumerate(self._split(self.splitter, rows, y, groups)):
            yield Draw(repetition, -1, train, test)
            if self.inner is not None:
                own = None if groups is None else np.asarray(groups)[train]
                parts = self._split(self.inner, rows[train], y[train], own)
                for inner, (inside, outside) in enumerate(parts):
                    yield Draw(repetition, inner, train[inside], train[outside])

    def _split(self, splitter: Any, X: Any, y: Any, groups: Any) -> list[tuple[Ints, Ints]]:
        try:
            with warnings.catch_warnings():
                # They may be for the selectors.
                warnings.filterwarnings("ignore", "The groups parameter is ignored", UserWarning)
                found = list(splitter.split(X, y, groups))
        except ValueError as error:
            raise InputError(
                f"The protocol {self.name!r} cannot split these data: {error}"
            ) from error
        return [(np.asarray(train), np.asarray(test)) for train, test in found]

    def _refuse_small_classes(self, y: NDArray[Any]) -> None:
        if self.smallest_class < 2 or type_of_target(y) not in ("binary", "multiclass"):
            return
        classes, counts = np.unique(y, return_counts=True)
        small = [
            f"{label} has {n}"
            for label, n in zip(classes.tolist(), counts.tolist(), strict=True)
            if n < self.smallest_class
        ]
        if small:
            raise InputError(
                f"The protocol {self.name!r} needs at least {self.smallest_class} examples of each "
                f"class: class {listed(small)}. Join small classes or leave them out, draw in fewer"
                " parts, or pass a scikit-learn splitter."
            )


def linear_svm() -> Any:
    """A linear SVM on scaled features."""
    return make_pipeline(StandardScaler(), SVC(kernel="linear"))


def knn() -> Any:
    """3-NN on features scaled to [0, 1]."""
    return make_pipeline(MinMaxScaler(), KNeighborsClassifier(3))


def _somol2008(repetitions: int = 1000, seed: int = 0) -> Protocol:
    splitter = StratifiedShuffleSplit(repetitions, train_size=0.8, random_state=seed)
    return Protocol("somol2008", splitter, models={"3-NN": knn()}, smallest_class=2)


def _kalousis2007(repetitions: int = 10, seed: int = 0) -> Protocol:
    return Protocol(
        "kalousis2007",
        StratifiedKFold(repetitions, shuffle=True, random_state=seed),
        StratifiedKFold(10, shuffle=True, random_state=seed),
        {"linear SVM": linear_svm()},
        "profile",
        # As many as leave ten in every outer training part.
        next(n for n in count(repetitions) if n - ceil(n / repetitions) >= 10),
    )


def _nogueira2016(repetitions: int = 100, seed: int = 0) -> Protocol:
    splitter = ShuffleSplit(repetitions, train_size=0.9, random_state=seed)
    forest = RandomForestClassifier(100, random_state=seed)
    return Protocol("nogueira2016", splitter, models={"random forest": forest})


def _shin2011(repetitions: int = 5, seed: int = 0) -> Protocol:
    models = {
        "naive Bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=seed),
        "SVM": make_pipeline(StandardScaler(), SVC()),
    }
    splitter = StratifiedKFold(repetitions, shuffle=True, random_state=seed)
    return Protocol("shin2011", splitter, models=models, smallest_class=repetitions)


def _half(name: str) -> Callable[..., Protocol]:
    def made(repetitions: int = 1, seed: int = 0) -> Protocol:
        splitter = StratifiedShuffleSplit(repetitions, train_size=0.5, random_state=seed)
        return Protocol(name, splitter, models={"3-NN": knn()}, smallest_class=2)

    return made


def _somol2011_3_2(repetitions: int = 10, seed: int = 0) -> Protocol:
    splitter = StratifiedKFold(repetitions, shuffle=True, random_state=seed)
    return Protocol("somol2011-3.2", splitter, models={"3-NN": knn()}, smallest_class=repetitions)


def _subsampling(repetitions: int = 100, seed: int = 0) -> Protocol:
    splitter = StratifiedShuffleSplit(repetitions, train_size=0.8, random_state=seed)
    return Protocol("subsampling", splitter, models={"3-NN": knn()}, smallest_class=2)


def _bootstrap(repetitions: int = 100, seed: int = 0) -> Protocol:
    splitter = Bootstrap(repetitions, random_state=seed)
    return Protocol("bootstrap", splitter, models={"3-NN": knn()}, smallest_class=2)


def _groups(repetitions: int = 100, seed: int = 0) -> Protocol:
    splitter = GroupShuffleSplit(repetitions, train_size=0.8, random_state=seed)
    return Protocol("groups", splitter, models={"3-NN": knn()})


def _complementary_pairs(repetitions: int = 50, seed: int = 0) -> Protocol:
    splitter = ComplementaryPairs(repetitions, random_state=seed)
    return Protocol("complementary-pairs", splitter, models={"3-NN": knn()}, smallest_class=2)


PROTOCOLS: dict[str, Callable[..., Protocol]] = {
    "bootstrap": _bootstrap,
    "complementary-pairs": _complementary_pairs,
    "groups": _groups,
    "kalousis2007": _kalousis2007,
    "nogueira2016": _nogueira2016,
    "shin2011": _shin2011,
    "somol2008": _somol2008,
    "somol2011-2.3": _half("somol2011-2.3"),
    "somol2011-3.2": _somol2011_3_2,
    "somol2011-4.1": _half("somol2011-4.1"),
    "subsampling": _subsampling,
}


def protocol_of(wanted: Any, repetitions: int | None, seed: int, owner: str) -> Protocol:
    """A protocol from its name, itself, or a scikit-learn splitter."""
    if isinstance(wanted, Protocol):
        found = wanted
    elif isinstance(wanted, str):
        if wanted not in PROTOCOLS:
            raise refusal("protocol", owner, f"one of {sorted(PROTOCOLS)}", repr(wanted))
        if repetitions is None:
            return PROTOCOLS[wanted](seed=seed)
        whole = isinstance(repetitions, (int, np.integer)) and not isinstance(repetitions, bool)
        if not whole or repetitions < 1:
            raise refusal("repetitions", owner, "a whole number >= 1", repr(repetitions))
        return PROTOCOLS[wanted](int(repetitions), seed)
    elif hasattr(wanted, "split"):
        found = Protocol(type(wanted).__name__, wanted, models={"3-NN": knn()})
    else:
        raise refusal(
            "protocol", owner, "a name, a Protocol or a scikit-learn splitter", repr(wanted)
        )
    if repetitions is not None:
        raise refusal(
            "repetitions", owner, "None with a protocol or splitter of your own", repetitions
        )
    return found
