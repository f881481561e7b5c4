"""Data to select from, out of CSV, TSV, Parquet, ARFF, LIBSVM and npz files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from holdfast.exceptions import InputError, listed
from holdfast.io.arff import read_arff
from holdfast.io.data_text import read_data_text
from holdfast.io.npz import read_npz

SUFFIXES = (".csv", ".tsv", ".parquet", ".arff", ".libsvm", ".svmlight", ".npz")
# They know their target.
WITH_TARGET = (".libsvm", ".svmlight", ".npz")


@dataclass(frozen=True)
class Table:
    """Examples, their target and the names of the features.

    Attributes
    ----------
    X : polars.DataFrame, numpy.ndarray or scipy.sparse matrix
        Examples x features.
    y : numpy.ndarray
        One target an example.
    feature_names : tuple of str or None
        Names, where the file has them.
    """

    X: Any
    y: np.ndarray
    feature_names: tuple[str, ...] | None


def read_table(path: str | Path, target: str | None = None) -> Table:
    """Read examples, features and target from a file; its suffix tells the format.

    Parameters
    ----------
    path : str or pathlib.Path
        A .csv, .tsv, .parquet or .arff table with a target column; .libsvm or .svmlight, whose X is
        sparse; or .npz with arrays ``X`` (or ``data``, ``indices``, ``indptr``, ``shape`` of a CSR
        matrix), ``y`` and, optionally, ``feature_names`` and ``classes``.
    target : str, optional
        Name of the target column. LIBSVM and npz files know their target, and take none.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: not one of the formats {', '.join(SUFFIXES)}, by its suffix.")
    if not path.is_file():
        raise InputError(f"{path}: there is no such file.")
    if target is not None and suffix in WITH_TARGET:
        raise InputError(f"{path}: a {suffix} file has its own target; name none (--target).")
    try:
        if suffix in (".libsvm", ".svmlight"):
            return _read_libsvm(path)
        if suffix == ".npz":
            return Table(*read_npz(path))
        return _with_target(path, _frame_of(path, suffix), target)
    except InputError:
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path}: cannot be read as {suffix[1:]} ({reason}).") from error


def _frame_of(path: Path, suffix: str) -> pl.DataFrame:
    if suffix == ".parquet":
        return pl.read_parquet(path)
    return read_arff(path) if suffix == ".arff" else read_data_text(path)


def _with_target(path: Path, frame: pl.DataFrame, target: str | None) -> Table:
    if target is None:
        raise InputError(
            f"{path}: which column is the target? Name it (--target). Its columns are "
            f"{listed(frame.columns)}."
        )
    if target not in frame.columns:
        raise InputError(f"{path}: no column {target!r}. Its columns are {listed(frame.columns)}.")
    if frame.height == 0:
        raise InputError(f"{path}: no examples, only a header.")
    y = _as_numbers(frame[target])
    missing = y.is_null() | y.is_nan() if y.dtype.is_float() else y.is_null()
    if missing.any():
        row = int(missing.arg_true()[0])
        raise InputError(f"{path}: the target {target!r} is missing in row {row + 1}.")
    X = frame.drop(target)
    if X.width == 0:
        raise InputError(f"{path}: no column beside the target {target!r}.")
    if y.dtype in (pl.Categorical, pl.Enum):
        y = y.cast(pl.String)
    return Table(
        X.with_columns(_as_numbers(column) for column in X), y.to_numpy(), tuple(X.columns)
    )


def _as_numbers(column: pl.Series) -> pl.Series:
    """Read text as numbers where every cell is one, such as " 2" or "nan"."""
    if column.dtype != pl.String:
        return column
    numbers = column.str.strip_chars().cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == column.null_count() else column


def _read_libsvm(path: Path) -> Table:
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(str(path))
    if X.shape[0] == 0:
        raise InputError(f"{path}: no examples.")
    return Table(X, y, None)
