"""Data to select from, out of CSV, TSV, Parquet, ARFF, LIBSVM and npz files."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from holdfast.exceptions import InputError, listed

SUFFIXES = (".csv", ".tsv", ".parquet", ".arff", ".libsvm", ".svmlight", ".npz")


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
        A .csv, .tsv, .parquet or .arff table with a target column; .libsvm or .svmlight; or .npz
        with arrays ``X`` (or ``data``, ``indices``, ``indptr``, ``shape`` of a CSR matrix), ``y``
        and, optionally, ``feature_names`` and ``classes``.
    target : str, optional
        Name of the target column. LIBSVM and npz files know their target.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: not one of the formats {', '.join(SUFFIXES)}, by its suffix.")
    if not path.is_file():
        raise InputError(f"{path}: there is no such file.")
    try:
        if suffix in (".libsvm", ".svmlight"):
            return _read_libsvm(path)
        if suffix == ".npz":
            return _read_npz(path)
        return _with_target(path, _frame_of(path, suffix), target)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{path}: cannot be read as {suffix[1:]} ({error}).") from error


def _frame_of(path: Path, suffix: str) -> pl.DataFrame:
    if suffix == ".parquet":
        return pl.read_parquet(path)
    if suffix == ".arff":
        return _read_arff(path)
    return _read_csv(path, "\t" if suffix == ".tsv" else ",")


def _read_csv(path: Path, separator: str) -> pl.DataFrame:
    with path.open(newline="", encoding="utf-8-sig") as file:
        header = next(csv.reader(file, delimiter=separator), [])
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise InputError(f"{path}: column {listed([repr(name) for name in repeated])} twice.")
    frame = pl.read_csv(path, separator=separator, infer_schema_length=None)
    # polars leaves doubled quotes in a header doubled.
    return frame.rename(dict(zip(frame.columns, header, strict=True)))


def _read_arff(path: Path) -> pl.DataFrame:
    from scipy.io.arff import loadarff

    with path.open(encoding="utf-8") as file:
        records, meta = loadarff(file)
    columns = {}
    for name in meta.names():
        values = records[name]
        if values.dtype.kind == "S":
            text = np.char.decode(values, "utf-8")
            columns[name] = pl.Series([None if value == "?" else value for value in text.tolist()])
        else:
            columns[name] = pl.Series(values)
    return pl.DataFrame(columns)


def _with_target(path: Path, frame: pl.DataFrame, target: str | None) -> Table:
    if target is None:
        raise InputError(
            f"{path}: which column is the target? Name it (--target). Its columns are "
            f"{listed(frame.columns)}."
        )
    if target not in frame.columns:
        raise InputError(f"{path}: no column {target!r}. Its columns are {listed(frame.columns)}.")
    y = frame[target]
    if y.null_count():
        row = int(np.flatnonzero(y.is_null().to_numpy())[0])
        raise InputError(f"{path}: the target {target!r} is missing in row {row + 1}.")
    X = frame.drop(target)
    if X.width == 0:
        raise InputError(f"{path}: no column beside the target {target!r}.")
    if y.dtype == pl.String or y.dtype == pl.Categorical:
        y = y.cast(pl.String)
    return Table(X, y.to_numpy(), tuple(X.columns))


def _read_libsvm(path: Path) -> Table:
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(str(path))
    return Table(X, y, None)


def _read_npz(path: Path) -> Table:
    from scipy.sparse import csr_array

    with np.load(path, allow_pickle=False) as file:
        content = {name: file[name] for name in file.files}
    if "y" not in content:
        raise InputError(f"{path}: no array 'y' among {listed(sorted(content))}.")
    if "X" in content:
        X: Any = content["X"]
    elif {"data", "indices", "indptr", "shape"} <= content.keys():
        parts = content["data"], content["indices"], content["indptr"]
        X = csr_array(parts, shape=tuple(content["shape"].tolist()))
    else:
        raise InputError(
            f"{path}: no array 'X' (nor data, indices, indptr and shape of a sparse one) among "
            f"{listed(sorted(content))}."
        )
    y = content["y"]
    if "classes" in content and y.dtype.kind in "iu":
        y = content["classes"][y]
    names = content.get("feature_names")
    if names is not None and names.size != X.shape[1]:
        raise InputError(f"{path}: {names.size} feature_names for {X.shape[1]} features.")
    return Table(X, y, None if names is None else tuple(names.astype(str).tolist()))
