"""The same choice from the same seed, whatever a selector draws its random numbers from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


def seeded(estimator: Any, seed: int) -> Any:
    """Give every random_state left open inside an estimator this seed."""
    parameters = estimator.get_params(deep=True)
    open_ones = {
        name: seed
        for name, value in parameters.items()
        if value is None and name.rpartition("__")[2] == "random_state"
    }
    return estimator.set_params(**open_ones) if open_ones else estimator


@contextmanager
def common_generators(seed: int) -> Iterator[None]:
    """Seed the generators that everybody shares; score functions may draw from them."""
    before = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before[0])  # noqa: NPY002
        random.setstate(before[1])
