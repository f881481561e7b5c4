"""What ReliefF reads a table into: numbers and codes, with NaN where a value is missing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from holdfast.contracts import Ints
from holdfast.criteria.slices import columns_of
from holdfast.exceptions import listed, refusal


class Table(NamedTuple):
    """Columns by kind.

    Attributes
    ----------
    numeric, nominal : array or CSC matrix of float64
        Numbers, and codes; NaN where a value is missing.
    numeric_at, nominal_at : array
        Which columns of the input they are.
    """

    numeric: Any
    nominal: Any
    numeric_at: Ints
    nominal_at: Ints

    @property
    def n_features(self) -> int:
        """Number of columns of both kinds."""
        return self.numeric_at.size + self.nominal_at.size


def is_sparse(X: Any) -> bool:
    """Whether it is one of scipy's sparse matrices or arrays."""
    return bool(sparse.issparse(X))


def table_of(X: Any, discrete_features: Any, owner: str) -> Table:
    """Read the input; refuses what is neither a number nor declared nominal, and empty columns."""
    if not (hasattr(X, "dtypes") or is_sparse(X)):
        X = np.asarray(X)
    if len(np.shape(X)) != 2:
        raise refusal("X", owner, "a table, examples x features", f"shape {np.shape(X)}")
    nominal = _nominal_mask(X, discrete_features, owner)
    numeric_at, nominal_at = np.flatnonzero(~nominal), np.flatnonzero(nominal)
    if is_sparse(X):
        # A copy: the caller's values are not ours to scale.
        whole = _numbers(X.tocsc(copy=True), owner)
        nominal_part = whole[:, nominal_at]
        _number_stored(nominal_part.data)
        table = Table(whole[:, numeric_at], nominal_part, numeric_at, nominal_at)
    else:
        numeric = np.empty((X.shape[0], 0))
        if numeric_at.size:
            part = X if nominal_at.size == 0 else columns_of(X, numeric_at)
            numeric = _numbers(part, owner)
        codes = [_codes(_column(X, f)) for f in nominal_at.tolist()]
        table = Table(numeric, np.array(codes).T, numeric_at, nominal_at)
        if not codes:
            table = table._replace(nominal=np.empty((X.shape[0], 0)))
    _refuse_empty(table, _names_of(X), owner)
    return table


def _numbers(X: Any, owner: str) -> Any:
    try:
        return check_array(
            X,
            accept_sparse="csc",
            dtype=np.float64,
            ensure_all_finite="allow-nan",
            input_name="X",
            estimator=owner,
        )
    except (TypeError, ValueError) as error:
        if "could not convert" not in str(error):
            raise
        raise refusal(
            "X",
            owner,
            "made of numbers but for the columns that discrete_features names",
            f"values that are not ({error})",
        ) from error


def _nominal_mask(X: Any, wanted: Any, owner: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    n_features = X.shape[1]
    mask = np.zeros(n_features, dtype=bool)
    if isinstance(wanted, str) and wanted == "auto":
        if hasattr(X, "dtypes"):
            mask[:] = [not _is_numeric(dtype) for dtype in X.dtypes]
        return mask
    if wanted is None or isinstance(wanted, str) or not hasattr(wanted, "__iter__"):
        raise _refused(wanted, n_features, owner)
    array = np.asarray(wanted)
    if array.size == 0:
        return mask
    if array.dtype == bool and array.shape == mask.shape:
        return array.copy()
    if array.dtype.kind in "OU" and hasattr(X, "columns"):
        position = {name: f for f, name in enumerate(X.columns)}
        if set(array.tolist()) <= set(position):
            mask[[position[name] for name in array.tolist()]] = True
            return mask
    inside = array.dtype.kind in "iu" and ((array >= -n_features) & (array < n_features)).all()
    if not inside or array.ndim != 1:
        raise _refused(wanted, n_features, owner)
    mask[array] = True
    return mask


def _refused(wanted: Any, n_features: int, owner: str) -> Exception:
    expected = f"'auto', a mask of {n_features}, or a list of column indices or names"
    return refusal("discrete_features", owner, expected, repr(wanted))


def _is_numeric(dtype: Any) -> bool:
    """Whether a column type of pandas or polars holds numbers (truth values are nominal)."""
    if hasattr(dtype, "kind"):
        return dtype.kind in "iuf"
    return bool(dtype.is_numeric())


def _column(X: Any, feature: int) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[:, feature]
    return X[X.columns[feature]] if hasattr(X, "columns") else X[:, feature]


def _codes(column: Any) -> Any:
    """Number the values in order of appearance; NaN where one is missing."""
    seen: dict[Any, int] = {}
    values = np.asarray(column)
    if values.dtype.kind in "iufb":
        found, codes = np.unique(values, return_inverse=True)
        missing = np.isnan(found[codes]) if values.dtype.kind == "f" else False
        return np.where(missing, np.nan, codes)
    return np.array(
        [
            np.nan if _is_missing(value) else seen.setdefault(value, len(seen))
            for value in values.tolist()
        ]
    )


def _number_stored(values: Any) -> None:
    """Replace stored values by whole numbers, equal ones by equal ones, and 0 by itself."""
    known = ~np.isnan(values)
    found, codes = np.unique(np.append(values[known], 0.0), return_inverse=True)
    values[known] = codes[:-1] - np.searchsorted(found, 0.0)


def _is_missing(value: Any) -> bool:
    # pandas' own NA is equal to nothing and will not even say so.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _names_of(X: Any) -> Any:
    return list(X.columns) if hasattr(X, "columns") else None


def _refuse_empty(table: Table, names: Any, owner: str) -> None:
    empty = sorted(
        int(at[f])
        for part, at in ((table.numeric, table.numeric_at), (table.nominal, table.nominal_at))
        for f in _without_values(part)
    )
    if empty:
        shown = [repr(names[f]) if names else str(f) for f in empty]
        raise refusal(
            "X",
            owner,
            "such that each column has a value",
            f"nothing but missing values in {listed(shown)}",
            "Leave such columns out.",
        )


def _without_values(part: Any) -> Any:
    if is_sparse(part):
        gaps = np.add.reduceat(np.append(np.isnan(part.data), False), part.indptr[:-1])
        gaps[np.diff(part.indptr) == 0] = 0
        return np.flatnonzero(gaps == part.shape[0]) if part.shape[1] else []
    return np.flatnonzero(np.isnan(part).all(axis=0))
