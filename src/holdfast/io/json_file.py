"""JSON: a list of subsets, or an object with the subsets and what is known beside them."""

from __future__ import annotations

import json
from typing import Any

from holdfast.exceptions import InputError, listed
from holdfast.io.source import UNIVERSE_UNKNOWN, Source
from holdfast.selections import Selections

FORMAT = "holdfast selections"
_KEYS = {
    "format": (str, "text"),
    "n_features": (int, "a whole number"),
    "feature_names": (list, "a list"),
    "run_names": (list, "a list"),
    "subsets": (list, "a list of subsets"),
}


def read_json(source: Source, layout: str) -> Selections:
    """Read a list of subsets, or an object that holds one."""
    if layout != "auto":
        raise source.error(f"layout {layout!r} is for tables; JSON holds subsets. Leave it out.")
    content = _parsed(source)
    told: dict[str, Any] = {"subsets": content} if isinstance(content, list) else content
    if not isinstance(told, dict):
        raise source.error("must hold a list of subsets, or an object with 'subsets'")
    _check_keys(source, told)
    n_features = _agreed(source, "n_features", source.n_features, told.get("n_features"))
    names = told.get("feature_names")
    names = _agreed(source, "feature_names", source.names, None if names is None else tuple(names))
    if n_features is None and names is None:
        raise source.error(UNIVERSE_UNKNOWN)
    return Selections.from_subsets(
        told["subsets"], n_features, feature_names=names, run_names=told.get("run_names")
    )


def _parsed(source: Source) -> Any:
    try:
        text = source.path.read_text(encoding="utf-8-sig")
        return json.loads(text, object_pairs_hook=_without_repetition)
    except json.JSONDecodeError as error:
        problem = f"not JSON ({error.msg}, column {error.colno})"
        raise source.error(problem, error.lineno) from error
    except UnicodeDecodeError as error:
        raise source.error("not UTF-8 text. Save the file as UTF-8.") from error
    except RecursionError as error:
        raise source.error("must hold a list of subsets, got lists in lists without end") from error


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise InputError(f"key {key!r} twice in one object")
        content[key] = value
    return content


def _check_keys(source: Source, told: dict[str, Any]) -> None:
    unknown = [repr(key) for key in told if key not in _KEYS]
    if unknown:
        raise source.error(f"unknown key {listed(unknown)}. Known: {', '.join(_KEYS)}.")
    if "subsets" not in told:
        raise source.error(f"no 'subsets' among its keys ({listed(list(told)) or 'none'})")
    for key, value in told.items():
        kind, words = _KEYS[key]
        missing_allowed = value is None and key != "subsets"
        if not missing_allowed and (not isinstance(value, kind) or isinstance(value, bool)):
            raise source.error(f"{key!r} must be {words}, got {json.dumps(value)[:60]}")
    for key in ("feature_names", "run_names"):
        for name in told.get(key) or ():
            if not isinstance(name, str):
                raise source.error(f"{key!r} must be a list of text, got {json.dumps(name)[:60]}")
    if told.get("format") not in (None, FORMAT):
        raise source.error(f"'format' must be {FORMAT!r}, got {told['format']!r}")


def _agreed(source: Source, key: str, given: Any, told: Any) -> Any:
    """Take what the caller or the file says; refuse where they differ."""
    if given is not None and told is not None and given != told:
        raise source.error(f"its {key!r} is not the one given. Leave one of them out.")
    return told if given is None else given
