"""Tables that name what was chosen: pairs of run and feature, or the list of each run."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import listed
from holdfast.io.source import UNIVERSE_UNKNOWN, Lines, Source, counted
from holdfast.selections import Selections
from holdfast.selections.checks import with_placeholders
from holdfast.selections.pattern import RepeatedChoiceError, pattern_of_choices

_INDEX = re.compile(r"0|[1-9][0-9]*")


@dataclass
class _Choices:
    """Each choice: of which run, of which spelling, on which line."""

    run: array[int] = field(default_factory=lambda: array("i"))
    spelling: array[int] = field(default_factory=lambda: array("i"))
    line: array[int] = field(default_factory=lambda: array("i"))

    def first_line_of(self, spelling: int) -> int:
        return self.line[self.spelling.index(spelling)]


class _Meaning(NamedTuple):
    """The feature that each spelling means, out of how many, and their names."""

    feature: NDArray[np.int32]
    n_features: int
    names: tuple[str, ...] | None


def read_pairs(source: Source, lines: Lines, header: list[str]) -> Selections:
    """Read a line a choice, below a header."""
    if set(header) != {"run", "feature"}:
        raise source.error(f"the columns must be 'run' and 'feature', got {listed(header)}", 1)
    run_at, feature_at = header.index("run"), header.index("feature")
    runs: dict[str, int] = {}
    spellings: dict[str, int] = {}
    choices = _Choices()
    for line, cells in lines:
        if not cells:
            continue
        if len(cells) != 2:
            raise source.error(f"{counted(len(cells))} where the header has 2", line)
        run, feature = cells[run_at], cells[feature_at]
        if not run:
            raise source.error("the run is blank. Name each run.", line)
        number = runs.setdefault(run, len(runs))
        if feature:
            choices.run.append(number)
            choices.spelling.append(spellings.setdefault(feature, len(spellings)))
            choices.line.append(line)
    return _selections(source, choices, tuple(spellings), len(runs), tuple(runs))


def read_lists(source: Source, lines: Lines) -> Selections:
    """Read a line a run; blank cells and spaces around names do not count."""
    spellings: dict[str, int] = {}
    choices = _Choices()
    n_runs = 0
    for line, cells in lines:
        chosen = [
            spellings.setdefault(cell, len(spellings))
            for cell in cells
            if cell and not cell.isspace()
        ]
        choices.spelling.extend(chosen)
        choices.run.extend([n_runs] * len(chosen))
        choices.line.extend([line] * len(chosen))
        n_runs += 1
    known = frozenset(source.names or ())
    words = tuple(cell if cell in known else cell.strip() for cell in spellings)
    return _selections(source, choices, words, n_runs, None)


def _selections(
    source: Source,
    choices: _Choices,
    words: tuple[str, ...],
    n_runs: int,
    run_names: tuple[str, ...] | None,
) -> Selections:
    if n_runs == 0:
        raise source.error("no runs in it")
    meaning = _meaning(source, choices, words)
    run = np.asarray(choices.run)
    feature = meaning.feature[np.asarray(choices.spelling)]
    try:
        pattern = pattern_of_choices(run, feature, n_runs, meaning.n_features)
    except RepeatedChoiceError as twice:
        word = words[choices.spelling[twice.again]]
        of_run = f"of run {run_names[run[twice.again]]!r} " if run_names else ""
        raise source.error(
            f"feature {word!r} {of_run}again, first on {source.unit} {choices.line[twice.first]}",
            choices.line[twice.again],
        ) from None
    return Selections(pattern, meaning.n_features, feature_names=meaning.names, run_names=run_names)


def _meaning(source: Source, choices: _Choices, words: tuple[str, ...]) -> _Meaning:
    names = source.names
    if _are_indices(words) and not any(_INDEX.fullmatch(name) for name in names or ()):
        return _as_indices(source, choices, words)
    if names is None:
        if source.n_features is None:
            raise source.error(UNIVERSE_UNKNOWN)
        seen = dict.fromkeys(words)
        if len(seen) > source.n_features:
            raise source.error(
                f"{len(seen)} different features where n_features says {source.n_features}"
            )
        names = with_placeholders(seen, source.n_features)
    position = {name: f for f, name in enumerate(names)}
    for spelling, word in enumerate(words):
        if word not in position:
            raise source.error(
                f"feature {word!r} is not in feature_names", choices.first_line_of(spelling)
            )
    feature = np.array([position[word] for word in words], dtype=np.int32)
    return _Meaning(feature, len(names), names)


def _are_indices(words: Sequence[str]) -> bool:
    return all(map(_INDEX.fullmatch, words))


def _as_indices(source: Source, choices: _Choices, words: tuple[str, ...]) -> _Meaning:
    n_features = source.n_features if source.names is None else len(source.names)
    if n_features is None:
        raise source.error(UNIVERSE_UNKNOWN)
    for spelling, word in enumerate(words):
        if len(word) > 10 or int(word) >= n_features:
            raise source.error(
                f"feature {word} is not an index from 0 to {n_features - 1}. If these numbers are "
                "names, pass feature_names= (--feature-names).",
                choices.first_line_of(spelling),
            )
    return _Meaning(np.array(list(map(int, words)), np.int32), n_features, source.names)
