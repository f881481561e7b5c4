"""Data out of npz files: dense, or the parts of a sparse matrix."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.exceptions import InputError, listed

CSR_PARTS = {"data", "indices", "indptr", "shape"}


def read_npz(path: Path) -> tuple[Any, np.ndarray, tuple[str, ...] | None]:
    """Read examples, the target and, where they are there, the names of the features."""
    with np.load(path, allow_pickle=False) as file:
        content = {name: file[name] for name in file.files}
    if "y" not in content:
        raise InputError(f"{path}: no array 'y' among {listed(sorted(content))}.")
    X, y = _examples(path, content), content["y"]
    if y.ndim != 1 or y.size != X.shape[0]:
        raise InputError(f"{path}: y has the shape {y.shape}; X has {X.shape[0]} examples.")
    if y.dtype.kind == "f" and np.isnan(y).any():
        raise InputError(f"{path}: the target is missing in example {int(np.isnan(y).argmax())}.")
    if "classes" in content and y.dtype.kind in "iu":
        y = _named(path, y, content["classes"])
    names = content.get("feature_names")
    if names is None:
        return X, y, None
    if names.size != X.shape[1]:
        raise InputError(f"{path}: {names.size} feature_names for {X.shape[1]} features.")
    named = tuple(names.ravel().astype(str).tolist())
    if len(set(named)) < len(named):
        repeated = sorted({name for name in named if named.count(name) > 1})
        raise InputError(f"{path}: feature {listed([repr(name) for name in repeated])} twice.")
    return X, y, named


def _examples(path: Path, content: Mapping[str, np.ndarray]) -> Any:
    from scipy.sparse import csr_array

    if "X" in content:
        X: Any = content["X"]
    elif content.keys() >= CSR_PARTS:
        parts = content["data"], content["indices"], content["indptr"]
        X = csr_array(parts, shape=tuple(content["shape"].tolist()))
    else:
        raise InputError(
            f"{path}: no array 'X' (nor data, indices, indptr and shape of a sparse one) among "
            f"{listed(sorted(content))}."
        )
    if X.ndim != 2:
        raise InputError(f"{path}: X must be examples x features, got the shape {X.shape}.")
    return X


def _named(path: Path, codes: np.ndarray, classes: np.ndarray) -> np.ndarray:
    if codes.size and not 0 <= int(codes.min()) <= int(codes.max()) < classes.size:
        raise InputError(f"{path}: y must be made of 0 to {classes.size - 1}, as classes has it.")
    return np.asarray(classes[codes])
