"""What a study keeps of each task: plain numbers, and a checksum of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Status = Literal["done", "failed"]
OWN_SIZE = -1  # the subset a selector chose by itself, not one cut from its scores


class Task(NamedTuple):
    """One selector on one sample.

    Attributes
    ----------
    key : str
        Fingerprint of all that the result depends on.
    selector : str
    draw : int
        Position of the sample in the protocol's order.
    seed : int
        For every random_state that the selector and the models leave open.
    """

    key: str
    selector: str
    draw: int
    seed: int


@dataclass(frozen=True)
class Outcome:
    """One subset, and what models made of it.

    Attributes
    ----------
    size : int
        At which the selector's scores were cut; `OWN_SIZE` for its own choice.
    subset : array
        Features, ascending.
    scores : mapping
        Model to metric to value, on the examples kept out.
    correct : mapping
        Model to one truth value for each of them; empty for regression.
    """

    size: int
    subset: NDArray[np.int32]
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    correct: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)


@dataclass(frozen=True)
class Record:
    """What came of one task.

    Attributes
    ----------
    key : str
    selector : str
    repetition, inner : int
        As in the draw.
    status : {"done", "failed"}
    reason : str
        Why it failed; empty otherwise.
    outcomes : tuple of Outcome
        By ascending size.
    score_kind : {"weights", "ranks", ""}
        What `scores` holds.
    scores : array
        The selector's scores of all features, where it has some.
    seconds : float
        How long it took; the only part that another run does not repeat.
    """

    key: str
    selector: str
    repetition: int
    inner: int
    status: Status
    reason: str = ""
    outcomes: tuple[Outcome, ...] = ()
    score_kind: str = ""
    scores: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    seconds: float = 0.0

    def packed(self) -> tuple[object, ...]:
        """As a row of the store: text, whole numbers and bytes."""
        return (
            self.key,
            self.selector,
            self.repetition,
            self.inner,
            self.status,
            self.reason,
            _packed_outcomes(self.outcomes),
            self.score_kind,
            np.asarray(self.scores, dtype="<f8").tobytes(),
        )

    @classmethod
    def unpacked(cls, row: tuple[object, ...], seconds: float) -> Record:
        """From a row of the store."""
        key, selector, repetition, inner, status, reason, outcomes, kind, scores = row
        return cls(
            key,  # type: ignore[arg-type]
            selector,  # type: ignore[arg-type]
            repetition,  # type: ignore[arg-type]
            inner,  # type: ignore[arg-type]
            status,  # type: ignore[arg-type]
            reason,  # type: ignore[arg-type]
            _unpacked_outcomes(outcomes),  # type: ignore[arg-type]
            kind,  # type: ignore[arg-type]
            np.frombuffer(scores, dtype="<f8"),  # type: ignore[call-overload]
            seconds,
        )


def checksum(packed: tuple[object, ...]) -> int:
    """64 bits over a packed row; sums of them tell whether rows are lost, changed or doubled."""
    found = hashlib.blake2b(digest_size=8)
    for part in packed:
        raw = part if isinstance(part, bytes) else str(part).encode()
        found.update(len(raw).to_bytes(8, "little"))
        found.update(raw)
    return int.from_bytes(found.digest(), "little")


def _packed_outcomes(outcomes: tuple[Outcome, ...]) -> bytes:
    """One JSON line of sizes, lengths and scores; then the subsets, then the truth values."""
    head = [
        {
            "size": outcome.size,
            "chosen": int(outcome.subset.size),
            # As hexadecimal text: the same digits back, and JSON has no NaN.
            "scores": {
                model: {metric: float(value).hex() for metric, value in sorted(metrics.items())}
                for model, metrics in sorted(outcome.scores.items())
            },
            "tested": {model: int(bits.size) for model, bits in sorted(outcome.correct.items())},
        }
        for outcome in outcomes
    ]
    parts = [json.dumps(head, separators=(",", ":")).encode() + b"\n"]
    for outcome in outcomes:
        parts.append(np.asarray(outcome.subset, dtype="<i4").tobytes())
        parts += [np.packbits(bits).tobytes() for _, bits in sorted(outcome.correct.items())]
    return b"".join(parts)


def _unpacked_outcomes(raw: bytes) -> tuple[Outcome, ...]:
    line, _, rest = raw.partition(b"\n")
    place = 0

    def taken(n_bytes: int) -> bytes:
        nonlocal place
        place += n_bytes
        return rest[place - n_bytes : place]

    outcomes = []
    for entry in json.loads(line):
        subset = np.frombuffer(taken(4 * entry["chosen"]), dtype="<i4").astype(np.int32)
        correct = {}
        for model, n in entry["tested"].items():
            bits = np.frombuffer(taken((n + 7) // 8), dtype=np.uint8)
            correct[model] = np.unpackbits(bits, count=n).astype(bool)
        scores = {
            model: {metric: float.fromhex(value) for metric, value in metrics.items()}
            for model, metrics in entry["scores"].items()
        }
        outcomes.append(Outcome(entry["size"], subset, scores, correct))
    return tuple(outcomes)
