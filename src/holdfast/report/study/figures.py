"""Charts for the page: as wide as there is room, in colours that the style sheet decides."""

from __future__ import annotations

from typing import Any

from holdfast.report.charts.style import DARK, GREY, INK, PALE, PAPER

# Colours by use, for what is not a chart.
ROLES = {"ink": INK, "paper": PAPER, "soft": GREY, "line": PALE}
_KEPT = ("datasets", "values", "domain", "description")


def for_page(chart: Any, height: int | None = None, square: int = 0) -> dict[str, Any]:
    """A chart's specification without heading, with variables for colours.

    As wide as its place is, unless it has to be square.
    """
    spec: dict[str, Any] = _with_variables(chart.to_dict())
    spec.pop("title", None)
    spec.pop("$schema", None)
    spec.pop("config", None)
    if square:
        return {**spec, "width": square, "height": square}
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    if height is not None:
        spec["height"] = height
    return spec


def _with_variables(part: Any) -> Any:
    """Colours as variables of the style sheet; data are left alone."""
    if isinstance(part, dict):
        return {k: v if k in _KEPT else _with_variables(v) for k, v in part.items()}
    if isinstance(part, list):
        return [_with_variables(one) for one in part]
    return f"var({_variable(part)})" if isinstance(part, str) and part in DARK else part


def _variable(color: str) -> str:
    return f"--c{color[1:]}"


def light_variables() -> str:
    """The style sheet's colours by day."""
    return _declared({color: color for color in DARK})


def dark_variables() -> str:
    """The same by night."""
    return _declared(DARK)


def _declared(colors: dict[str, str]) -> str:
    named = [f"{_variable(color)}:{shown}" for color, shown in colors.items()]
    named += [f"--{role}:{colors[color]}" for role, color in ROLES.items()]
    return ";".join(named)
