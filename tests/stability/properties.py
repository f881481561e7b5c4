"""Which of the six properties each measure has: found out by trying to refute it.

`find` looks for a counter-example among the kept ones and then at random (seeded). Where there is
none the property is taken to hold. The documentation builds its table from these findings, so
only numpy, scipy and holdfast are used here.
"""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.stability import MEASURES, PROPERTIES, Measure
from tests.stability.cases import cases
from tests.stability.counterexamples import KEPT, Kept
from tests.stability.judges import JUDGES
from tests.stability.systems import System
from tests.stability.weight_judges import N_WEIGHT_CASES, WEIGHT_JUDGES


@dataclass(frozen=True)
class Witness:
    """A case that refutes a property, and what the measure said of it."""

    systems: tuple[System, ...]
    values: tuple[float, ...]
    reason: str
    where: str = ""


@dataclass(frozen=True)
class Finding:
    """Whether a measure has a property, after how many cases."""

    holds: bool
    n_cases: int
    witness: Witness | None = None


def search(measure: Measure, name: str) -> Finding:
    """Look for a counter-example at random only."""
    judge = JUDGES[name]
    kinds = (False, True) if "similarity" in measure.needs else (False,)
    n_cases = 0
    for case in (case for similar in kinds for case in cases(name, similar)):
        n_cases += 1
        refuted = judge(measure, case)
        if refuted:
            return Finding(False, n_cases, Witness(case, *refuted))
    return Finding(True, n_cases)


def kept(measure: Measure, name: str) -> Witness | None:
    """The first kept counter-example that refutes the property."""
    examples: tuple[Kept, ...] = KEPT[name]
    for example in examples:
        refuted = JUDGES[name](measure, example.systems)
        if refuted:
            return Witness(example.systems, *refuted, where=example.where)
    return None


def find(measure: Measure, name: str) -> Finding:
    """Find out whether a measure has a property; prefer a kept counter-example as the witness."""
    if measure.needs & {"weights", "weights or ranks"}:
        return Finding(WEIGHT_JUDGES[name](measure), N_WEIGHT_CASES)
    shown = kept(measure, name)
    return Finding(False, 1, shown) if shown else search(measure, name)


def all_findings() -> dict[tuple[str, str], Finding]:
    """Every measure and every property that makes sense for it."""
    return {
        (key, name): find(measure, name)
        for key, measure in MEASURES.items()
        for name in PROPERTIES
        if name in measure.asked
    }
