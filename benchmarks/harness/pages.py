"""Figures to JSON for programs and to a Markdown page for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness.growth import Grown
from benchmarks.harness.rows import Outcome, Section, Whole, significant

Measured = list[tuple[Section, list[Outcome]]]
HEAD = "| work | against | ours | theirs | ratio (lowest to highest) | required |\n"
RULE = "|---|---|--:|--:|--:|--:|\n"


def write_json(path: Path, measured: Measured, environment: dict[str, str]) -> None:
    content: dict[str, Any] = {
        "environment": environment,
        "sections": [
            {"title": section.title, "rows": [outcome.to_dict() for outcome in outcomes]}
            for section, outcomes in measured
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def write_markdown(path: Path, text: str, measured: Measured, environment: dict[str, str]) -> None:
    title, _, rest = text.partition("\n")
    parts = [f"# {title.rstrip('.')}\n", f"{rest.strip()}\n"]
    for section, outcomes in measured:
        parts.append(f"## {section.title}\n")
        parts.append(f"{section.text}\n")
        if outcomes:
            parts.append(_table(outcomes))
    stated = ", ".join(f"{key} {value}" for key, value in environment.items())
    parts.append(
        f"Measured with {stated}. This page is written by `python -m benchmarks {path.stem}`.\n"
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts), encoding="utf-8")


def _table(outcomes: Sequence[Any]) -> str:
    grown = [outcome for outcome in outcomes if isinstance(outcome, Grown)]
    if not grown:
        return HEAD + RULE + "".join(map(_line, outcomes))
    at = grown[0].at
    head = ["criterion", *(f"{value:,}" for value in at), "exponent"]
    rule = ["---", *("--:" for _ in at), "--:"]
    lines = [
        [one.work, *(_quantity(value, "s") for value in one.seconds), f"{one.exponent:.2f}"]
        for one in grown
    ]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, rule, *lines))


def _line(outcome: Outcome) -> str:
    ours, peer = _quantity(outcome.ours, outcome.unit), _quantity(outcome.peer, outcome.unit)
    if outcome.seconds is not None:
        ours += f" in {_quantity(outcome.seconds, 's')}"
    ours, peer = ours + _behind(outcome.ours_whole), peer + _behind(outcome.peer_whole)
    ratio = significant(outcome.figure)
    if outcome.lowest < outcome.highest:
        ratio += f" ({significant(outcome.lowest)} to {significant(outcome.highest)})"
    required = "" if outcome.required is None else f"{outcome.required:,g}"
    if outcome.reached is False:
        required += ", **not reached**"
    return f"| {outcome.work} | {outcome.against} | {ours} | {peer} | {ratio} | {required} |\n"


def _behind(whole: Whole | None) -> str:
    if whole is None:
        return ""
    first = "" if whole.complete else "first "
    return f" ({first}{whole.evaluations:,} in {_quantity(whole.seconds, 's')})"


def _quantity(value: float, unit: str) -> str:
    scales = {
        "s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")),
        "B": ((2.0**30, "GiB"), (2.0**20, "MiB")),
    }[unit]
    scale, name = next((s for s in scales if value >= s[0]), scales[-1])
    return f"{significant(value / scale)} {name}"
