"""The page around the sections: one file, nothing fetched, no script but its own."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from holdfast.report.study import words
from holdfast.report.study.features import features_of
from holdfast.report.study.figures import dark_variables, light_variables
from holdfast.report.study.findings import Findings
from holdfast.report.study.sections import Section, sections

_SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="holdfast">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header>
<h1>{title}</h1>
<p class="lead">{lead}</p>
<button type="button" id="theme" hidden>Dark</button>
</header>
<nav aria-label="Sections"><ul>{links}</ul></nav>
<main id="main">
<noscript><p>The charts are drawn by the page's own script, which is switched off here. All numbers
are in the tables.</p></noscript>
{body}
</main>
<p id="said" role="status" aria-live="polite" class="unseen"></p>
<script type="application/json" id="study">{data}</script>
<script>{library}</script>
<script>{script}</script>
</body>
</html>
"""


def render(findings: Findings) -> str:
    """The page as HTML."""
    parts = list(sections(findings))
    content: dict[str, Any] = {"specs": {}, "names": [], "variants": []}
    for part in parts:
        content["specs"] |= part.specs
    if findings.looked_into:
        content |= features_of(findings.results, findings.looked_into)
    library, script = _library(), _asset("page.js")
    style = _asset("page.css").replace("/*light*/", light_variables())
    title = words.safe(findings.results.plan["title"] or "Study")
    return _SHELL.format(
        policy=_policy(library, script),
        title=title,
        lead=words.safe(words.lead(findings)),
        style=style.replace("/*dark*/", dark_variables()),
        links="".join(f'<li><a href="#{p.label}">{p.heading}</a></li>' for p in parts),
        body="\n".join(_laid_out(part) for part in parts),
        data=in_script(content),
        library=library,
        script=script,
    )


def _laid_out(part: Section) -> str:
    heading = f"{part.label}-heading"
    return (
        f'<section id="{part.label}" aria-labelledby="{heading}">\n'
        f'<h2 id="{heading}">{part.heading}</h2>\n{part.body}\n</section>'
    )


def in_script(content: Any) -> str:
    """JSON that can stand inside a script element: nothing in it ends the element."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(*scripts: str) -> str:
    """Nothing is fetched from anywhere, and no script runs but these, by their digests."""
    allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode("ascii")


def _asset(name: str) -> str:
    return files("holdfast.report.study").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _library() -> str:
    """Vega with its interpreter of expressions, which needs no evaluation of strings."""
    import altair as alt
    import vl_convert

    version = alt.SCHEMA_VERSION.lstrip("v").rpartition(".")[0]
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", version)
    # Should it ever hold the end of a script element in a string, that must not end this one.
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")
