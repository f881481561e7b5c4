"""What the report says in sentences."""

from __future__ import annotations

from html import escape

import holdfast
from holdfast.report.charts.style import visible
from holdfast.report.study.findings import Findings
from holdfast.study.analysis import frequency_table

# The share of runs from which on a feature is named beside the recommendation.
TRUSTED = 0.9
MOST_NAMED = 30

SCOPE = (
    "All samples are drawn from one data set. Intervals and tests answer for other such samples of "
    "it, not for data from elsewhere. Accuracy is that of the whole procedure, selection included, "
    "on examples kept out of it; it is not that of a model on the features agreed on."
)


def safe(text: str) -> str:
    """Any text as HTML."""
    return escape(visible(text))


def lead(findings: Findings) -> str:
    """What was studied, in a sentence."""
    results = findings.results
    ended = len(results.records) + len(results.failures)
    said = (
        f"{_number(len(results.selectors), 'selector')} on {results.n_features:,} features; "
        f"{ended:,} of {results.n_planned:,} runs ended"
    )
    if results.failures:
        said += f", {len(results.failures):,} of them in failure"
    return said + "."


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}" + ("" if n == 1 else "s")


def recommendation(findings: Findings) -> str:
    """Which selector to take, and why; as HTML."""
    found = findings.recommendation
    if found is None:
        return f"<p>Nothing can be recommended: {safe(findings.why_none)}</p>"
    paragraphs = [f'<p class="verdict"><strong>{safe(str(found.variant))}</strong></p>']
    paragraphs.append(f"<p>{safe(found.why)}</p>")
    paragraphs.append(f"<p>{safe(_trusted(findings))}</p>")
    if findings.results.n_planned > len(findings.results.records):
        paragraphs.append(
            "<p>Not all runs have ended well; the comparison is of those that have.</p>"
        )
    return "\n".join(paragraphs)


def _trusted(findings: Findings) -> str:
    assert findings.recommendation is not None
    table = frequency_table(findings.results, findings.recommendation.variant)
    kept = table.filter(table["share"] >= TRUSTED)["feature"].to_list()
    percent = f"{TRUSTED:.0%}".replace("%", " %")
    if not kept:
        return f"No feature was chosen by {percent} of its runs or more."
    named = ", ".join(kept[:MOST_NAMED]) + (", …" if len(kept) > MOST_NAMED else ".")
    return f"{_number(len(kept), 'feature')} that at least {percent} of its runs chose: {named}"


def done(findings: Findings) -> str:
    """What was done, as a list of terms; as HTML."""
    results, plan = findings.results, findings.results.plan
    stability = (
        "of inner samples, averaged over the outer ones" if results.nested else "of all samples"
    )
    rows = [
        ("Features", f"{results.n_features:,}"),
        ("Protocol", f"{plan['protocol']}: {plan['splitter']}"),
        ("Stability", f"{stability}; Φ is that of Nogueira, Sechidis & Brown (2018)"),
        ("Seed", str(plan["random_state"])),
    ]
    if plan["sizes"]:
        rows.append(("Sizes", ", ".join(str(size) for size in plan["sizes"][:60])))
    rows += [(f"Selector: {name}", said) for name, said in plan["selectors"].items()]
    rows += [(f"Model: {name}", said) for name, said in plan["models"].items()]
    rows.append(("Written by", f"holdfast {holdfast.__version__}"))
    items = "".join(f"<dt>{safe(term)}</dt><dd>{safe(said)}</dd>" for term, said in rows)
    return f"<dl>{items}</dl>"
