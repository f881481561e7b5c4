"""Directives that write the measure catalogue from the registry and from what the tests find."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import wording
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from holdfast.stability import ALIASES, MEASURES, PROPERTIES, Measure
from tests.stability.degenerate import DEGENERATE, value_or_error
from tests.stability.paper_table import PUBLISHED
from tests.stability.properties import Finding, Witness, all_findings

HEADINGS = {
    "limits": "Limits",
    "monotone": "Monotone",
    "chance": "Chance",
    "unconstrained": "Any sizes",
    "symmetric": "Symmetric",
    "redundancy": "Redundancy",
}
LACKS = {
    "limits": "Without limits",
    "monotone": "Not monotone",
    "chance": "Not corrected for chance",
    "unconstrained": "For one size only",
    "symmetric": "Not symmetric",
    "redundancy": "Blind to redundancy",
}
YES, NO, NOT_ASKED = "✓", "✗", "–"


@cache
def findings() -> dict[tuple[str, str], Finding]:
    """What the search for counter-examples finds, once a build."""
    return all_findings()


def in_table(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def link(key: str) -> str:
    return f"[`{key}`](#measure-{key})"


def property_table() -> Iterator[str]:
    # A soft hyphen lets the longest heading break where the page is narrow.
    yield in_table("Measure", *(h.replace("Redun", "Redun\u00ad") for h in HEADINGS.values()))
    yield in_table("---", *[":---:"] * len(HEADINGS))
    for key, measure in MEASURES.items():
        if measure.asked:
            yield in_table(link(key), *(_mark(key, name) for name in PROPERTIES))


def _mark(key: str, name: str) -> str:
    finding = findings().get((key, name))
    if finding is None:
        return NOT_ASKED
    return YES if finding.holds else f"[{NO}](#lacks-{name})"


def definitions() -> Iterator[str]:
    for name, meaning in PROPERTIES.items():
        yield f"**{HEADINGS[name]}**"
        yield f": {meaning[0].upper()}{meaning[1:]}."
        yield ""


def counter_examples() -> Iterator[str]:
    for name, heading in LACKS.items():
        examples: dict[str, dict[str, list[str]]] = {}
        for (key, asked), finding in findings().items():
            if asked == name and finding.witness:
                values = examples.setdefault(_example(name, finding.witness), {})
                values.setdefault(_values(name, finding.witness), []).append(key)
        if not examples:
            continue
        yield f"(lacks-{name})="
        yield f"### {heading}"
        yield ""
        for example, values in examples.items():
            yield example
            yield ""
            yield in_table("Value", "Measures")
            yield in_table("---:", "---")
            for value, keys in values.items():
                yield in_table(value, ", ".join(map(link, keys)))
            yield ""


def _example(name: str, witness: Witness) -> str:
    """The system or systems in words, and what is wrong with the values."""
    first, last = witness.systems[0], witness.systems[-1]
    if name == "chance":
        sizes = " and ".join(map(str, first.sizes))
        example = f"Runs that choose {sizes}"
    elif first is last:
        example = f"**{wording.subsets(first)}**"
    else:
        between = "against" if name == "redundancy" else "and then"
        example = f"**{wording.subsets(first)}** {between} **{wording.subsets(last)}**"
    source = f", {witness.where}" if witness.where else ""
    reason = "refused" if name == "unconstrained" else witness.reason.replace("-", "−", 1)
    return f"{example} of {wording.setting(first)}{source}: {reason}."


def _values(name: str, witness: Witness) -> str:
    if name == "unconstrained":
        return "error"
    between = " and " if name == "redundancy" else " → "
    return between.join(map(wording.number, witness.values))


def catalogue() -> Iterator[str]:
    for key, measure in MEASURES.items():
        yield f"(measure-{key})="
        yield f"### `{key}`: {measure.title}"
        yield ""
        yield f"{measure.paper}."
        yield ""
        yield "```{math}"
        yield measure.formula
        yield "```"
        yield ""
        # A backslash at the end of a line breaks it: one compact paragraph for each measure.
        yield "\\\n".join(f"**{name}:** {text}" for name, text in _fields(key, measure))
        yield ""


def _fields(key: str, measure: Measure) -> Iterator[tuple[str, str]]:
    better = f", {measure.better} is better" if measure.asked else ""
    yield "Range", wording.interval(measure) + better
    if measure.needs:
        yield "Needs", wording.needs(measure)
    if set(measure.options) - {"similarity", "X"}:
        yield "Options", wording.options(measure)
    names = [f"`{alias}`" for alias, meant in ALIASES.items() if meant == key]
    if names:
        yield "Also", ", ".join(names)
    if measure.asked:
        yield "Has", ", ".join(_has(measure))
    if measure.note:
        yield "Note", wording.note(measure)


def _has(measure: Measure) -> Iterator[str]:
    for name in PROPERTIES:
        finding = findings().get((measure.key, name))
        if finding and finding.holds:
            yield HEADINGS[name].lower()


def degenerate() -> Iterator[str]:
    for position, (name, system) in enumerate(DEGENERATE.items(), 1):
        yield f"{position}. {name}: {wording.subsets(system)} of {wording.setting(system)}"
    yield ""
    yield in_table("Measure", *map(str, range(1, len(DEGENERATE) + 1)))
    yield in_table("---", *["---:"] * len(DEGENERATE))
    for key, measure in MEASURES.items():
        if measure.needs & {"weights", "weights or ranks"}:
            continue
        values = (value_or_error(measure, system) for system in DEGENERATE.values())
        yield in_table(link(key), *("error" if v is None else wording.number(v) for v in values))


def differences_from_paper() -> Iterator[str]:
    """Compare with the published table, row by row."""
    differences = []
    for key, published in PUBLISHED.items():
        found = {name for name in PROPERTIES if findings()[key, name].holds}
        for name in PROPERTIES:
            if (name in found) != (name in published):
                here = "holds" if name in found else "does not hold"
                differences.append(f"- {link(key)}: {HEADINGS[name].lower()} {here} here.")
    if differences:
        yield "The findings differ from the published table:"
        yield ""
        yield from differences
    else:
        rows = len(PUBLISHED)
        yield f"All {rows} rows of the published table come out, {rows * len(PROPERTIES)} marks."


class Generated(SphinxDirective):
    """Text that is computed while the page is read."""

    lines: Callable[[], Iterator[str]]

    def run(self) -> list[nodes.Node]:
        text = "\n".join(type(self).lines())
        return self.parse_text_to_nodes(text, allow_section_headings=True)


DIRECTIVES = {
    "measure-properties": property_table,
    "property-definitions": definitions,
    "counter-examples": counter_examples,
    "measure-catalogue": catalogue,
    "degenerate-values": degenerate,
    "differences-from-the-paper": differences_from_paper,
}


def setup(app: Sphinx) -> dict[str, bool]:
    for name, lines in DIRECTIVES.items():
        app.add_directive(name, type(name, (Generated,), {"lines": staticmethod(lines)}))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
