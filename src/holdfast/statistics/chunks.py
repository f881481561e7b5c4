"""Data that come in parts: files larger than memory, and the partitions of a Dask collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdfast.exceptions import InputError, refusal
from holdfast.statistics.columns import Names
from holdfast.statistics.counts import Counts
from holdfast.statistics.labels import labels_of

Ints = NDArray[np.intp]
Result = TypeVar("Result")
# One part: its features, only those asked for where there are such, and its classes.
Part = tuple[Any, Any]
Source = Callable[[Ints | None], Iterable[Callable[[], Part]]]

CELLS = 1 << 22  # of one part of a file, unless its rows are said
AT_ONCE = 4  # partitions of a Dask collection that are worked on together


class Chunks:
    """Data in parts, which can be gone through as often as needed.

    What takes chunks in place of `X` and `y` reads them part by part, and gives the same result as
    on the whole: the rankers by information, and ``CWC`` and ``LCC``.

    Made by `from_csv`, `from_parquet`, `from_dask` or `from_parts`.

    Attributes
    ----------
    names : list
        Names of the features.
    named : bool
        Whether they come from the data, and are not just numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast.rankers import InformationGain
    >>> from holdfast.statistics.chunks import Chunks
    >>> X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> chunks = Chunks.from_parts([(X[:2], y[:2]), (X[2:], y[2:])])
    >>> InformationGain().score(chunks)
    array([1., 0.])
    """

    def __init__(
        self, source: Source, names: Sequence[Any], named: bool = True, at_once: int = 1
    ) -> None:
        self._source = source
        self.names = list(names)
        self.named = named
        self._at_once = at_once
        self._counted: tuple[Counts, NDArray[np.int32]] | None = None

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.names)

    @property
    def no_rows(self) -> Any:
        """The columns alone, for whoever learns their names."""
        if self.named and all(isinstance(name, str) for name in self.names):
            return pl.DataFrame(schema=self.names)
        return np.empty((0, self.n_features))

    @classmethod
    def from_parts(cls, parts: Sequence[Part] | Callable[[], Iterable[Part]]) -> Chunks:
        """Take parts as they are.

        Parameters
        ----------
        parts : sequence of (X, y), or callable
            Arrays or dataframes with the same columns; or what returns an iterable of such, anew at
            each call.
        """
        again = parts if callable(parts) else lambda: parts
        first = next(iter(again()), None)
        if first is None:
            raise refusal("parts", "Chunks.from_parts", "at least one part", "none")
        columns = getattr(first[0], "columns", None)
        names = range(np.shape(first[0])[1]) if columns is None else columns

        def source(features: Ints | None) -> Iterator[Callable[[], Part]]:
            for X, y in again():
                yield partial(_columns, X, y, features)

        return cls(source, list(names), columns is not None)

    @classmethod
    def from_parquet(
        cls, path: str | Path, target: str, *, chunk_rows: int | None = None
    ) -> Chunks:
        """Read a Parquet file by rows, and of it only the columns needed.

        Parameters
        ----------
        path : path
            The file, or a pattern with stars for several.
        target : str
            The column with the classes; all others are features.
        chunk_rows : int, optional
            Rows of one part; by default about four million cells.
        """
        lazy = pl.scan_parquet(path)
        names = _features(lazy, target, str(path))
        height = _rows(chunk_rows, len(names), "Chunks.from_parquet")
        n_rows = int(lazy.select(pl.len()).collect().item())

        def source(features: Ints | None) -> Iterator[Callable[[], Part]]:
            wanted = names if features is None else [names[f] for f in features]
            for start in range(0, n_rows, height):
                part = lazy.select([*wanted, target]).slice(start, height)
                yield partial(_collected, part, target)

        return cls(source, names)

    @classmethod
    def from_csv(cls, path: str | Path, target: str, *, chunk_rows: int | None = None) -> Chunks:
        """Read a CSV file with a header by rows.

        Types of columns are those of the first 10 000 rows.

        Parameters
        ----------
        path : path
            The file.
        target : str
            The column with the classes; all others are features.
        chunk_rows : int, optional
            Rows of one part, about; by default about four million cells.
        """
        schema = pl.scan_csv(path, infer_schema_length=10_000).collect_schema()
        names = _features(schema, target, str(path))
        height = _rows(chunk_rows, len(names), "Chunks.from_csv")

        def source(features: Ints | None) -> Iterator[Callable[[], Part]]:
            wanted = names if features is None else [names[f] for f in features]
            for block in _blocks_of_lines(Path(path), height):
                yield partial(_parsed, block, schema, [*wanted, target], target, str(path))

        return cls(source, names)

    @classmethod
    def from_dask(cls, X: Any, y: Any) -> Chunks:
        """Take the partitions of a Dask collection; work is done where they are.

        Parameters
        ----------
        X : dask.dataframe.DataFrame or dask.array.Array
            Features; or, with the name of the target for `y`, all columns.
        y : str, dask Series or Array
            The target, in partitions of the same lengths.
        """
        if isinstance(y, str):
            X, y = X.drop(columns=y), X[y]
        rows = getattr(X, "to_delayed", None)
        if rows is None or not hasattr(y, "to_delayed"):
            raise refusal("X", "Chunks.from_dask", "a Dask collection", type(X).__name__)
        named = hasattr(X, "columns")
        if not named and X.numblocks[1] > 1:
            X = X.rechunk({1: -1})
        parts, labels = np.ravel(X.to_delayed()), np.ravel(y.to_delayed())
        if parts.size != labels.size:
            cure = "Rechunk one to match the other."
            got = f"{parts.size} and {labels.size}"
            raise refusal("y", "Chunks.from_dask", "in as many partitions as X", got, cure)

        def source(features: Ints | None) -> Iterator[Callable[[], Part]]:
            delayed = _dask().delayed
            for X_part, y_part in zip(parts, labels, strict=True):
                yield delayed(_columns)(X_part, y_part, features)

        names = list(X.columns) if named else range(X.shape[1])
        return cls(source, names, named, AT_ONCE)

    def transformed(self, transform: Callable[[Any], Any]) -> Chunks:
        """Each part through a function of its features that keeps the columns.

        With ``EqualWidth().fit(sample).transform``, for one, continuous data become discrete.
        """

        def source(features: Ints | None) -> Iterator[Callable[[], Part]]:
            for part in self._source(None):
                yield _also(part, transform, features)

        return Chunks(source, self.names, self.named, self._at_once)

    def map(
        self, function: Callable[[Any, Any], Result], features: Ints | None = None
    ) -> Iterator[Result]:
        """Call a function with the features and classes of each part, in order.

        Parameters
        ----------
        function : callable
            What it returns has to be small: it is all that is kept of a part.
        features : array of int, optional
            The features wanted.
        """
        parts = iter(self._source(features))
        while some := list(islice(parts, self._at_once)):
            if hasattr(some[0], "compute"):
                dask = _dask()
                yield from dask.compute(*(dask.delayed(_applied)(part, function) for part in some))
            else:
                for part in some:
                    yield _applied(part(), function)

    def counts(self, owner: str) -> Counts:
        """Counts of all features with the class; one pass, the first time."""
        return self._count(owner)[0]

    def labels(self, owner: str) -> NDArray[np.int32]:
        """Code of each example's class; one pass, the first time, with that of the counts."""
        return self._count(owner)[1]

    def _count(self, owner: str) -> tuple[Counts, NDArray[np.int32]]:
        if self._counted is None:
            names = Names(self.names if self.named else None)
            total: Counts | None = None
            labels = []
            for counts, codes in self.map(partial(_counted, names=names, owner=owner)):
                total = counts if total is None else total.merge(counts)
                labels.append((counts.classes, codes))
            if total is None or total.classes.size < 2:
                n_classes = 0 if total is None else total.classes.size
                raise refusal("y", owner, "of at least 2 classes", f"{n_classes}")
            places = [np.searchsorted(total.classes, own)[codes] for own, codes in labels]
            self._counted = total, np.concatenate(places).astype(np.int32)
        return self._counted


def _dask() -> Any:
    """Dask, which is there if one of its collections is."""
    return import_module("dask")


def _counted(X: Any, y: Any, names: Names, owner: str) -> tuple[Counts, NDArray[np.int32]]:
    """Count a part; its classes and the codes by them are returned with the counts."""
    classes, labels = labels_of(y, owner, least=0)
    return Counts.from_labels(X, classes, labels, names, owner), labels


def _applied(part: Part, function: Callable[[Any, Any], Result]) -> Result:
    return function(*part)


def _columns(X: Any, y: Any, features: Ints | None) -> Part:
    if features is None:
        return X, y
    return (X.iloc[:, features] if hasattr(X, "iloc") else X[:, features]), y


def _also(part: Any, transform: Callable[[Any], Any], features: Ints | None) -> Any:
    """A part that is transformed when it is asked for."""
    if hasattr(part, "compute"):
        return _dask().delayed(_transformed)(part, transform, features)
    return lambda: _transformed(part(), transform, features)


def _transformed(part: Part, transform: Callable[[Any], Any], features: Ints | None) -> Part:
    return _columns(transform(part[0]), part[1], features)


def _collected(part: pl.LazyFrame, target: str) -> Part:
    frame = part.collect()
    return frame.drop(target), frame[target].to_numpy()


def _parsed(block: bytes, schema: Any, wanted: list[str], target: str, path: str) -> Part:
    try:
        places = [schema.names().index(name) for name in wanted]
        frame = pl.read_csv(BytesIO(block), has_header=False, schema=schema, columns=places)
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"{path}: a column changes its type after the first 10 000 rows ({error}). "
            "Write the data as Parquet, where types are stored."
        ) from error
    frame = frame.select(wanted)
    return frame.drop(target), frame[target].to_numpy()


def _blocks_of_lines(path: Path, n_rows: int) -> Iterator[bytes]:
    """Whole rows of a CSV file without its header, about so many at a time."""
    with path.open("rb") as file:
        _whole_row(file, file.readline())
        first = file.tell()
        sample = file.read(1 << 16)
        length = max(1, len(sample) // max(1, sample.count(b"\n")))
        file.seek(first)
        while block := file.read(n_rows * length):
            yield _whole_row(file, block + file.readline())


def _whole_row(file: Any, block: bytes) -> bytes:
    """Read on until quotes are closed: a line break inside them ends no row."""
    while block.count(b'"') % 2 and (line := file.readline()):
        block += line
    return block


def _features(columns: Any, target: str, path: str) -> list[str]:
    schema = columns.collect_schema() if hasattr(columns, "collect_schema") else columns
    names = list(schema.names())
    if target not in names:
        raise refusal("target", "Chunks", f"a column of {path}", repr(target))
    return [name for name in names if name != target]


def _rows(chunk_rows: int | None, n_features: int, owner: str) -> int:
    if chunk_rows is None:
        return max(1, CELLS // max(1, n_features))
    if not isinstance(chunk_rows, (int, np.integer)) or chunk_rows < 1:
        raise refusal("chunk_rows", owner, "a whole number >= 1", repr(chunk_rows))
    return int(chunk_rows)
