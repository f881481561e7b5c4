"""What features cost: from a file, and from the command line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from holdfast.exceptions import InputError, listed

HEADER = ["feature", "cost"]


def costs_of(
    names: Sequence[str], excluded: Sequence[str], file: Path | None, pairs: Sequence[str]
) -> list[float] | None:
    """One cost a feature; None where nothing is said of costs.

    Parameters
    ----------
    names : sequence of str
        The features.
    excluded : sequence of str
        Features left out, which a file may name all the same.
    file : pathlib.Path, optional
        CSV or TSV with the columns feature and cost, and a line for each feature.
    pairs : sequence of str
        NAME=COST; without a file, features not named cost 1.
    """
    if file is None and not pairs:
        return None
    costs = dict.fromkeys(names, 1.0) if file is None else _read(file, names, excluded)
    for pair in pairs:
        name, sign, cost = pair.rpartition("=")
        if not sign:
            raise InputError(f"--cost must be NAME=COST, such as age=2.5. Got {pair!r} instead.")
        if name not in costs:
            raise InputError(f"--cost {pair!r}: no feature {name!r} among {listed(list(names))}.")
        costs[name] = _cost(cost, f"--cost {pair!r}")
    return [costs[name] for name in names]


def _read(path: Path, names: Sequence[str], excluded: Sequence[str]) -> dict[str, float]:
    from holdfast.io.source import Source
    from holdfast.io.text import text_lines

    source = Source(path, None, None)
    costs: dict[str, float] = {}
    try:
        lines = text_lines(source)
        if next(lines, (1, []))[1] != HEADER:
            raise source.error("the header of costs must be feature,cost", 1)
        for line, cells in lines:
            if not cells:
                continue
            if len(cells) != len(HEADER):
                raise source.error(f"{len(cells)} cells where the header has {len(HEADER)}", line)
            if cells[0] in costs:
                raise source.error(f"feature {cells[0]!r} twice", line)
            costs[cells[0]] = _cost(cells[1], f"{path}, line {line}")
    except OSError as error:
        raise source.error(f"cannot be read ({error.strerror or error})") from error
    missing = [name for name in names if name not in costs]
    if missing:
        raise source.error(f"no cost for {listed([repr(name) for name in missing])}")
    unknown = [name for name in costs if name not in {*names, *excluded}]
    if unknown:
        raise source.error(f"no feature {listed([repr(name) for name in unknown])} in the data")
    return costs


def _cost(text: str, where: str) -> float:
    try:
        cost = float(text)
    except ValueError:
        cost = math.nan
    if not (math.isfinite(cost) and cost >= 0):
        raise InputError(f"{where}: a cost must be a finite number >= 0, got {text!r}.")
    return cost
