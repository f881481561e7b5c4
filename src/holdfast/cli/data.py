"""The data of a command: a file or a set by name, its columns by name, nothing but numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.exceptions import InputError, listed

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from holdfast.io.tables import Table


@dataclass(frozen=True)
class Numbers:
    """Examples x features as numbers, the target, and a name for every feature."""

    X: NDArray[np.float64]
    y: NDArray[Any]
    names: tuple[str, ...]

    def index(self, name: str) -> int:
        """The column of a feature."""
        return _index(self.names, name)


def load(source: str, target: str | None) -> Table:
    """Read a file, or load the data set of that name where there is no such file."""
    from holdfast import datasets
    from holdfast.io.tables import read_table

    path = Path(source)
    if path.suffix or path.exists():
        return read_table(path, target)
    if source not in datasets.names():
        raise InputError(
            f"{source}: there is no such file, and no data set of that name. "
            f"`holdfast datasets` lists those: {listed(datasets.names())}."
        )
    return datasets.load(source, target)


def numbers_of(table: Table, exclude: Sequence[str]) -> Numbers:
    """Leave columns out, so that text can be passed by; the others must hold finite numbers."""
    names = table.feature_names or tuple(f"x{f}" for f in range(table.X.shape[1]))
    dropped = {_index(names, name) for name in exclude}
    kept = [f for f in range(len(names)) if f not in dropped]
    if not kept:
        raise InputError("No feature is left: --exclude names all of them.")
    X = table.X[:, kept]
    kept_names = tuple(names[f] for f in kept)
    return Numbers(_finite(_dense(X, kept_names), kept_names), table.y, kept_names)


def _index(names: tuple[str, ...], name: str) -> int:
    if name not in names:
        raise InputError(f"No feature {name!r}. The features are {listed(list(names))}.")
    return names.index(name)


def _dense(X: Any, names: tuple[str, ...]) -> NDArray[np.float64]:
    import numpy as np

    if hasattr(X, "schema"):
        return _from_frame(X)
    if hasattr(X, "toarray"):
        X = X.toarray()
    if np.asarray(X).dtype.kind not in "biuf":
        raise InputError(f"The data do not hold numbers but {np.asarray(X).dtype}.")
    return np.asarray(X, dtype=np.float64)


def _from_frame(X: pl.DataFrame) -> NDArray[np.float64]:
    import numpy as np
    import polars as pl

    for column in X:
        if column.dtype.is_numeric() or column.dtype == pl.Boolean:
            continue
        raise InputError(
            f"Column {column.name!r} does not hold numbers{_example_of_text(column)}. Encode it, "
            "or leave it out with --exclude."
        )
    return X.cast(pl.Float64).to_numpy().astype(np.float64)


def _example_of_text(column: pl.Series) -> str:
    """The first value that is no number, and where."""
    import polars as pl

    text = column.cast(pl.String)
    odd = (text.is_not_null() & text.cast(pl.Float64, strict=False).is_null()).arg_true()
    return f", such as {text[int(odd[0])]!r} in row {odd[0] + 1}" if len(odd) else ""


def _finite(X: NDArray[np.float64], names: tuple[str, ...]) -> NDArray[np.float64]:
    import numpy as np

    bad = np.argwhere(~np.isfinite(X))
    if bad.size == 0:
        return X
    columns = sorted({int(f) for f in bad[:, 1]})
    row, feature = bad[0].tolist()
    found = "a missing value" if np.isnan(X[row, feature]) else f"the value {X[row, feature]}"
    which = f"{'s' if len(columns) > 1 else ''} {listed([repr(names[f]) for f in columns])}"
    raise InputError(
        f"Column{which} must hold finite numbers. Row {row + 1} has {found}. Fill missing values "
        "in, drop such rows, or leave columns out with --exclude."
    )
