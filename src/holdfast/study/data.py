"""The data of a study: what they were when it began, and how they differ now."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from holdfast.exceptions import InputError, listed
from holdfast.study.fingerprint import digest, digest_of_array

BLOCK = 256


@dataclass(frozen=True)
class DataCard:
    """Shape, names and fingerprints of the examples, column by column.

    Attributes
    ----------
    n_examples, n_features : int
    feature_names : tuple of str
    columns : tuple of str
        A fingerprint a column.
    target, groups : str
        Fingerprints of the target and the groups.
    """

    n_examples: int
    n_features: int
    feature_names: tuple[str, ...]
    columns: tuple[str, ...]
    target: str
    groups: str

    @classmethod
    def of(cls, X: Any, y: Any, groups: Any, feature_names: tuple[str, ...]) -> DataCard:
        """Look at the data once."""
        columns = tuple(digest_of_array(column)[:12] for column in _columns(X))
        return cls(
            X.shape[0],
            X.shape[1],
            feature_names,
            columns,
            digest_of_array(np.asarray(y)),
            "" if groups is None else digest_of_array(np.asarray(groups)),
        )

    @classmethod
    def noted(cls, note: dict[str, Any]) -> DataCard:
        """From what a store holds, where tuples have become lists."""
        content: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in note.items()
        }
        return cls(**content)

    @property
    def key(self) -> str:
        """All of it in one fingerprint."""
        return digest(asdict(self))

    def refuse_other(self, now: DataCard) -> None:
        """Say what differs, where the data are not those the study began with."""
        differences = list(self._differences(now))
        if differences:
            raise InputError(
                f"The data have changed since the study began: {'; '.join(differences)}. "
                "Restore them, or begin a new study in another file."
            )

    def _differences(self, now: DataCard) -> Any:
        if now.n_examples != self.n_examples:
            yield f"{now.n_examples} examples instead of {self.n_examples}"
        gone = [name for name in self.feature_names if name not in set(now.feature_names)]
        new = [name for name in now.feature_names if name not in set(self.feature_names)]
        if gone:
            yield f"without column {listed([repr(n) for n in gone])}"
        if new:
            yield f"with a new column {listed([repr(n) for n in new])}"
        if not gone and not new and now.feature_names != self.feature_names:
            yield "columns in another order"
        elif now.n_examples == self.n_examples:
            before = dict(zip(self.feature_names, self.columns, strict=True))
            changed = [
                repr(name)
                for name, column in zip(now.feature_names, now.columns, strict=True)
                if name in before and before[name] != column
            ]
            if changed:
                yield f"other values in column {listed(changed)}"
        if now.target != self.target:
            yield "another target"
        if now.groups != self.groups:
            yield "other groups"


def _columns(X: Any) -> Any:
    if hasattr(X, "tocsc"):
        columns = X.tocsc()
        columns.sort_indices()
        for f in range(X.shape[1]):
            part = slice(columns.indptr[f], columns.indptr[f + 1])
            values = np.asarray(columns.data[part], dtype=np.float64)
            yield np.concatenate((columns.indices[part].astype(np.float64), values))
    elif hasattr(X, "iloc"):
        yield from (X.iloc[:, f].to_numpy() for f in range(X.shape[1]))
    elif hasattr(X, "get_columns"):
        yield from (column.to_numpy() for column in X.get_columns())
    else:
        table = np.asarray(X)
        # Some columns at a time: a turned copy of all would double large data.
        for begin in range(0, table.shape[1], BLOCK):
            yield from np.ascontiguousarray(table[:, begin : begin + BLOCK].T)
