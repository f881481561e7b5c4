"""Systems, options and numbers in words for the measure catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable

from holdfast.stability import Measure
from tests.stability.systems import Similar, System


def number(value: float) -> str:
    """At most three digits after the point, with a proper minus."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return ("0" if text == "-0" else text).replace("-", "−")


def subset(features: Iterable[int]) -> str:
    """{0, 1, 4} or, for long runs of features, {0–7}."""
    listed = sorted(features)
    if not listed:
        return "{}"
    in_a_row = listed == list(range(listed[0], listed[-1] + 1))
    inside = (
        f"{listed[0]}–{listed[-1]}" if in_a_row and len(listed) > 2 else ", ".join(map(str, listed))
    )
    return "{" + inside + "}"


def subsets(system: System) -> str:
    return " ".join(map(subset, system.subsets))


def alike(similar: Similar) -> str:
    """Which features are similar, and how much."""
    return "; ".join(f"{x} ~ {y}: {number(s)}" for x, y, s in similar if s)


def setting(system: System) -> str:
    """How many features there are and which are alike, in brackets."""
    plural = "s" if system.n_features > 1 else ""
    words = f"{system.n_features} feature{plural}"
    return f"{words}; {alike(system.similar)}" if system.similar else words


def interval(measure: Measure) -> str:
    """From the lowest to the highest value."""
    low, high = measure.low.replace("-", "−"), measure.high
    if low == "unbounded":
        return "unbounded" if high == "unbounded" else f"up to {high}"
    return f"{low} to {high}"


def needs(measure: Measure) -> str:
    words = {
        "equal sizes": "subsets of one size",
        "similarity": "`similarity=` or `X=`",
        "weights": "runs made from weights",
        "weights or ranks": "runs made from weights or rankings",
    }
    return ", ".join(words[need] for need in sorted(measure.needs))


def options(measure: Measure) -> str:
    """Options and their defaults; `similarity` and `X` count as needs."""
    shown = {k: v for k, v in measure.options.items() if k not in ("similarity", "X")}
    return ", ".join(
        f'`{name}="{default}"`' if isinstance(default, str) else f"`{name}={default:g}`"
        for name, default in shown.items()
    )


def note(measure: Measure) -> str:
    """The note, with options such as chance='exact' as code."""
    return re.sub(r"\b\w+='\w+'", lambda found: f"`{found[0]}`".replace("'", '"'), measure.note)
