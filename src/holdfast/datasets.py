"""Data sets by name: those that scikit-learn ships, and those in a folder of your own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.exceptions import InputError, listed
from holdfast.io.tables import SUFFIXES, Table, read_table

FOLDER = "HOLDFAST_DATA"
SHIPPED = {"digits": "load_digits", "iris": "load_iris", "wdbc": "load_breast_cancer",
           "wine": "load_wine"}  # fmt: skip


def names() -> list[str]:
    """Names that `load` knows here: those of scikit-learn, and the files of the folder."""
    return sorted({*SHIPPED, *_files()})


def load(name: str, target: str | None = None) -> Table:
    """Load a data set: examples and features, the target, and the names of features.

    Parameters
    ----------
    name : str
        "digits", "iris", "wdbc" or "wine", which scikit-learn ships; or the name of a file, without
        its suffix, in the folder that the environment variable HOLDFAST_DATA names.
    target : str, optional
        The target column, where the file is a table.

    Returns
    -------
    Table
        With ``X``, ``y`` and ``feature_names``.
    """
    if name in SHIPPED:
        if target is not None:
            raise InputError(f"The data set {name!r} has its own target; name none (--target).")
        return _from_scikit_learn(SHIPPED[name])
    files = _files()
    if name not in files:
        where = _folder()
        cure = (
            f"Set {FOLDER} to a folder with data files to have more."
            if where is None
            else f"{FOLDER} is {str(where)!r}."
        )
        raise InputError(f"No data set {name!r}. There are {listed(names(), 40)}. {cure}")
    return read_table(files[name], target)


def _from_scikit_learn(loader: str) -> Table:
    from sklearn import datasets

    found: Any = getattr(datasets, loader)()
    labels = np.asarray(found.target_names)[found.target]
    return Table(found.data, labels, tuple(str(name) for name in found.feature_names))


def _folder() -> Path | None:
    named = os.environ.get(FOLDER)
    return Path(named) if named else None


def _files() -> dict[str, Path]:
    folder = _folder()
    if folder is None:
        return {}
    if not folder.is_dir():
        raise InputError(f"{FOLDER} is {str(folder)!r}, which is not a folder.")
    return {path.stem: path for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES}
