"""Tables of masks: a column a feature, a line a run."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import listed
from holdfast.io.source import Lines, Source, counted
from holdfast.selections import Selections
from holdfast.selections.checks import repeated

TRUTH = {"0": "0", "1": "1", "false": "0", "true": "1"}

# Cells are held as bytes until there are this many, then only the chosen ones.
BLOCK_CELLS = 1 << 24


def read_masks(
    source: Source, lines: Lines, header: list[str], hint: str, *, sure: bool
) -> Selections:
    """Read the lines below a header; `sure` where the caller asked for masks."""
    run_column = header.index("run") if "run" in header else None
    features = tuple(name for name in header if name != "run")
    _refuse_odd_header(source, header, features, hint, sure)
    refuse_other_features(source, features)
    width = len(features)
    chosen = _Chosen(width)
    run_names: list[str] = []
    line_of = array("q")
    for line, cells in lines:
        if not cells:
            continue
        if len(cells) != len(header):
            problem = f"{counted(len(cells))} where the header has {len(header)}. {hint}"
            raise source.error(problem.rstrip(), line)
        line_of.append(line)
        if run_column is not None:
            run_names.append(cells.pop(run_column))
        # Clean 0/1 lines are the rule, and a line may have 100 000 cells.
        if cells.count("0") + cells.count("1") != width:
            cells = _as_digits(source, line, cells, features, hint)
        chosen.add("".join(cells))
    if not line_of:
        raise source.error("no runs in it")
    _refuse_repeated_runs(source, run_names, line_of)
    pattern = chosen.pattern()
    return Selections(
        pattern, width, feature_names=features, run_names=tuple(run_names) if run_names else None
    )


class _Chosen:
    """Collects lines of the digits 0 and 1 and keeps where the ones are."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.block = bytearray()
        self.sizes: list[NDArray[np.int64]] = [np.zeros(1, np.int64)]
        self.features: list[NDArray[np.int32]] = []

    def add(self, digits: str) -> None:
        self.block += digits.encode()
        if len(self.block) >= BLOCK_CELLS:
            self._flush()

    def pattern(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        self._flush()
        return np.cumsum(np.concatenate(self.sizes)), np.concatenate(self.features)

    def _flush(self) -> None:
        ones = np.frombuffer(bytes(self.block), np.uint8).reshape(-1, self.width) == ord("1")
        self.sizes.append(np.count_nonzero(ones, axis=1))
        self.features.append(np.nonzero(ones)[1].astype(np.int32))
        self.block.clear()


def _refuse_odd_header(
    source: Source, header: list[str], features: tuple[str, ...], hint: str, sure: bool
) -> None:
    if not features:
        raise source.error("no feature columns beside 'run'", 1)
    if not header[0]:
        raise source.error(
            "the first column has no name. Call it 'run' if it names the runs, or write the table "
            "without its index.",
            1,
        )
    if not sure and all(name.lower() in TRUTH for name in header):
        raise source.error(
            f"the features must be named here, got a run: {listed(header)}. {hint} If these are "
            "names, use layout='masks' (--layout masks).",
            1,
        )


def refuse_other_features(source: Source, features: tuple[str, ...]) -> None:
    """Compare the feature columns with what the caller said."""
    if source.n_features not in (None, len(features)):
        raise source.error(
            f"{len(features)} feature columns where n_features says {source.n_features}", 1
        )
    if source.names is not None and source.names != features:
        raise source.error("the feature columns are not the given feature_names, in order", 1)


def _as_digits(
    source: Source, line: int, cells: list[str], features: tuple[str, ...], hint: str
) -> list[str]:
    digits = []
    for f, cell in enumerate(cells):
        digit = TRUTH.get(cell.strip().lower().removesuffix(".0"))
        if digit is None:
            problem = f"column {features[f]!r} must be 0 or 1 (or false or true), got {cell!r}"
            if hint and "feature" in features:
                hint = "For pairs keep only the columns 'run' and 'feature'."
            raise source.error(f"{problem}. {hint}".rstrip(), line)
        digits.append(digit)
    return digits


def _refuse_repeated_runs(source: Source, run_names: list[str], line_of: array[int]) -> None:
    if len(set(run_names)) == len(run_names):
        return
    again = repeated(run_names)[0]
    first = run_names.index(again)
    second = run_names.index(again, first + 1)
    raise source.error(f"run {again!r} again, first on line {line_of[first]}", line_of[second])
