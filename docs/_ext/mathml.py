"""Render formulas as MathML while building: browsers show it without a script or a network."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

MATHML = "http://www.w3.org/1998/Math/MathML"
SPACED = "margin: 1.2rem 0; font-size: 1.2em"
ET.register_namespace("", MATHML)

logger = logging.getLogger(__name__)


def _rendered(node: nodes.Element, as_block: bool) -> str:
    source = node.astext().strip()
    try:
        return _with_bars(str(tex2mathml(source, as_block=as_block)))
    except MathError as error:
        logger.warning("cannot render the formula %r: %s", source, error, location=node)
        return source


def _with_bars(mathml: str) -> str:
    """Draw the bar of an \\overline as a border: few fonts have a bar that stretches."""
    root = ET.fromstring(mathml)
    for over in root.iter(f"{{{MATHML}}}mover"):
        _, mark = over
        if mark.text == "_":
            over.tag = f"{{{MATHML}}}mrow"
            over.attrib = {"style": "border-top: 1px solid; padding-top: 0.15em"}
            over.remove(mark)
    return ET.tostring(root, encoding="unicode")


def visit_inline(translator: Any, node: nodes.Element) -> None:
    translator.body.append(_rendered(node, as_block=False))
    raise nodes.SkipNode


def visit_block(translator: Any, node: nodes.Element) -> None:
    # Not class "math": themes style that for scripts, and push it to the right.
    translator.body.append(translator.starttag(node, "div", CLASS="formula", style=SPACED))
    translator.body.append(_rendered(node, as_block=True))
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
