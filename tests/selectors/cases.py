"""Every search as a selector with the same small parameters, and small data for them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl
import sklearn
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from holdfast import (
    DynamicOscillatingSelector,
    ExhaustiveSelector,
    IndividualSelector,
    OscillatingSelector,
    SequentialSelector,
)

# Up to 1.7 scikit-learn asks for an interchange protocol that polars 2 has no more.
NEW = tuple(map(int, sklearn.__version__.split(".")[:2])) > (1, 7)
POLARS_NAMES = NEW or hasattr(pl.DataFrame, "__dataframe__")
NO_POLARS_NAMES = "this scikit-learn cannot read the names of this polars"

SELECTORS: dict[str, Any] = {
    "forward": partial(SequentialSelector, n_features_to_select=2),
    "backward": partial(SequentialSelector, n_features_to_select=2, direction="backward"),
    "floating": partial(SequentialSelector, n_features_to_select=2, floating=True),
    "floating backward": partial(
        SequentialSelector, n_features_to_select=2, direction="backward", floating=True
    ),
    "oscillating": partial(OscillatingSelector, n_features_to_select=2, swing=2),
    "dynamic": partial(DynamicOscillatingSelector, n_features_to_select=2, swing=2),
    "individual": partial(IndividualSelector, n_features_to_select=2),
    "exhaustive": partial(ExhaustiveSelector, n_features_to_select=2),
}
# Those that choose a size by a rule.
SIZING = ["forward", "backward", "floating", "floating backward", "dynamic", "exhaustive"]


def wine(n_features: int = 6, step: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Every third example of wine, its first columns standardised."""
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X[::step, :n_features]), y[::step]


def chosen(selector: Any) -> list[int]:
    """Indices of the features a fitted selector chose."""
    return np.flatnonzero(selector.support_).tolist()
