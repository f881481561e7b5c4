"""Records and results made by hand, and selectors that misbehave in known ways."""

import os
import signal
import sys
import time

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin

from holdfast.study.records import OWN_SIZE, Outcome, Record
from holdfast.study.results import Results


def outcome(subset, size=OWN_SIZE, accuracy=None, correct=None, model="m"):
    if correct is not None:
        correct = np.asarray(correct, dtype=bool)
        accuracy = float(correct.mean())
    return Outcome(
        size,
        np.asarray(subset, dtype=np.int32),
        {} if accuracy is None else {model: {"accuracy": accuracy}},
        {} if correct is None else {model: correct},
    )


def record(key="k", selector="A", repetition=0, inner=-1, outcomes=(), **more):
    status = more.pop("status", "done")
    return Record(key, selector, repetition, inner, status, outcomes=tuple(outcomes), **more)


def results(chosen, n_features=6, nested=False, disjoint=True, test_per_train=0.25, names=None):
    """Results out of {selector: list over repetitions of outcomes, or (outcomes, inner ones)}."""
    records = []
    for selector, repetitions in chosen.items():
        for repetition, found in enumerate(repetitions):
            outer, inner = found if nested else (found, [])
            outer = outer if isinstance(outer, (list, tuple)) else [outer]
            key = f"{selector}-{repetition}"
            records.append(record(key, selector, repetition, -1, outer))
            records += [
                record(
                    f"{key}-{i}", selector, repetition, i, one if isinstance(one, list) else [one]
                )
                for i, one in enumerate(inner)
            ]
    plan = {
        "selectors": dict.fromkeys(chosen, ""),
        "models": {"m": ""},
        "nested": nested,
        "keys": [one.key for one in records],
        "disjoint_tests": disjoint,
        "test_per_train": test_per_train,
        "random_state": 0,
    }
    return Results(plan, names or [f"x{f}" for f in range(n_features)], records)


def same(one, other):
    """Whether two lists of records are the same but for the seconds."""
    return [r.packed() for r in one] == [r.packed() for r in other]


class First(SelectorMixin, BaseEstimator):
    """Chooses the first features: costs nothing, and can misbehave on the sample of one seed."""

    def __init__(self, size=2, how="", at=None, pause=0.0, random_state=None):
        self.size = size
        self.how = how
        self.at = at
        self.pause = pause
        self.random_state = random_state

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        if self.pause:
            time.sleep(self.pause)
        self.mask_ = np.arange(X.shape[1]) < self.size
        if self.how and self.at in (None, self.random_state):
            getattr(self, f"_{self.how}")()
        return self

    def _raise(self):
        raise ValueError("not today")

    def _leave(self):
        sys.exit(3)

    def _no_memory(self):
        np.ones(1 << 50)

    def _sleep(self):
        time.sleep(3600)

    def _spin(self):
        while True:
            pass

    def _short(self):
        self.mask_ = self.mask_[:-1]

    def _unscored(self):
        self.scores_ = np.full(self.n_features_in_, np.nan)

    def _infinite(self):
        self.scores_ = np.full(self.n_features_in_, np.inf)

    def _interrupt(self):
        raise KeyboardInterrupt

    def _exit(self):
        os._exit(9)

    def _killed(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def _get_support_mask(self):
        return self.mask_
