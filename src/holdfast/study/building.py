"""Selectors, criteria and models out of tables such as ``{type = "KNN", n_neighbors = 3}``."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple

# Where short names are looked for, in this order.
HOMES = (
    "holdfast.selectors",
    "holdfast.consistency",
    "holdfast.stabilisers",
    "holdfast.criteria",
    "holdfast.rankers",
    "holdfast.discretisers",
    "sklearn.feature_selection",
    "sklearn.pipeline",
    "sklearn.preprocessing",
    "sklearn.linear_model",
    "sklearn.svm",
    "sklearn.ensemble",
    "sklearn.tree",
    "sklearn.naive_bayes",
    "sklearn.neighbors",
    "sklearn.discriminant_analysis",
    "sklearn.model_selection",
)
Path = tuple[str, ...]


class Mistake(NamedTuple):
    """What is wrong, and where."""

    path: Path
    what: str


def built(table: Any, path: Path, mistakes: list[Mistake]) -> Any:
    """The object a table describes; plain values are themselves. Mistakes are added to the list."""
    if isinstance(table, list):
        return [built(one, (*path, str(i)), mistakes) for i, one in enumerate(table)]
    if not isinstance(table, Mapping):
        return table
    if "type" not in table:
        return {name: built(one, (*path, name), mistakes) for name, one in table.items()}
    kind = _found(table["type"], path, mistakes)
    given = {
        name: built(one, (*path, name), mistakes) for name, one in table.items() if name != "type"
    }
    if kind is None:
        return None
    if inspect.isfunction(kind):
        # A score function, say: named, not called.
        if given:
            mistakes.append(Mistake(path, f"{table['type']} is a function and takes no fields"))
        return kind
    before = len(mistakes)
    known = _parameters(kind)
    for name in given:
        if name not in known:
            hint = nearest(name, known)
            mistakes.append(Mistake((*path, name), f"{kind.__name__} has no field {name!r}{hint}"))
    missing = [
        name
        for name, parameter in known.items()
        if parameter.default is inspect.Parameter.empty and name not in given
    ]
    if missing:
        mistakes.append(Mistake(path, f"{kind.__name__} needs {', '.join(map(repr, missing))}"))
    if len(mistakes) > before:
        return None
    try:
        return _made(kind, given)
    except Exception as error:
        mistakes.append(Mistake(path, f"{kind.__name__} cannot be made: {error}"))
        return None


def _made(kind: Any, given: Mapping[str, Any]) -> Any:
    if kind.__name__ == "Pipeline" and "steps" in given:
        # Steps as pairs, or just objects, which get the names scikit-learn would give them.
        steps = given["steps"]
        if steps and not isinstance(steps[0], (list, tuple)):
            return import_module("sklearn.pipeline").make_pipeline(*steps)
        given = {**given, "steps": [tuple(step) for step in steps]}
    return kind(**given)


def _found(name: Any, path: Path, mistakes: list[Mistake]) -> Any:
    if not isinstance(name, str) or not name:
        mistakes.append(Mistake((*path, "type"), f"the type must be a name. Got {name!r} instead"))
        return None
    module, _, last = name.rpartition(".")
    if module:
        try:
            return getattr(import_module(module), last)
        except (ImportError, AttributeError):
            mistakes.append(Mistake((*path, "type"), f"there is no {name!r} to import"))
            return None
    for home in _homes():
        if hasattr(home, name):
            return getattr(home, name)
    known = [one for home in _homes() for one in getattr(home, "__all__", ())]
    hint = nearest(name, known) or "; give the full path of one of your own, as in 'module.Name'"
    mistakes.append(Mistake((*path, "type"), f"there is no type {name!r}{hint}"))
    return None


def _homes() -> Iterator[Any]:
    for home in HOMES:
        try:
            yield import_module(home)
        except ModuleNotFoundError as error:
            if error.name != home:
                raise


def _parameters(kind: Any) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(kind).parameters
    fixed = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {name: one for name, one in parameters.items() if one.kind not in fixed}


def nearest(name: str, known: Any) -> str:
    """A hint at the known name that is most like it, or nothing."""
    close = get_close_matches(name, list(known), 1, 0.6) or get_close_matches(
        name.lower(), [one.lower() for one in known], 1, 0.75
    )
    if not close:
        return ""
    right = next(one for one in known if one == close[0] or one.lower() == close[0])
    return f"; did you mean {right!r}?"
