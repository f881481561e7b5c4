"""A study described in a TOML file, with all its mistakes told at once."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from holdfast import datasets
from holdfast.exceptions import HoldfastError, InputError, listed
from holdfast.io.tables import Table, read_table
from holdfast.stability.registry import MEASURES
from holdfast.study.building import Mistake, built, nearest
from holdfast.study.places import line_of
from holdfast.study.protocols import PROTOCOLS
from holdfast.study.study import Study

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Data(_Strict):
    file: str | None = None
    name: str | None = None
    target: str | None = None
    groups: str | None = None
    exclude: list[str] = []


class _Protocol(_Strict):
    name: str = "subsampling"
    repetitions: Count | None = None


class _Study(_Strict):
    title: str = ""
    store: str | None = None
    seed: Annotated[int, Field(ge=0)] = 0
    time_limit: Positive | None = None
    sizes: list[Count] | str | None = None
    measures: list[str] = ["nogueira2018"]


class _File(_Strict):
    study: _Study = _Study()
    data: _Data
    protocol: _Protocol = _Protocol()
    selectors: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    models: dict[str, dict[str, Any]] | None = None


class Configured:
    """A study as its file describes it.

    Attributes
    ----------
    study : Study
    measures : tuple of str
        To show in the report.
    """

    def __init__(self, study: Study, measures: tuple[str, ...]) -> None:
        self.study = study
        self.measures = measures


def read_study(path: str | Path) -> Configured:
    """Read a study file; paths in it are seen from its folder.

    Parameters
    ----------
    path : str or pathlib.Path
        Of a TOML file with the tables ``data``, ``selectors`` and, optionally, ``study``,
        ``protocol`` and ``models``.
    """
    path = Path(path)
    text, content = _parsed(path)
    mistakes: list[Mistake] = []
    described = _described(content, mistakes)
    selectors = _all_built(content, "selectors", mistakes)
    models = _all_built(content, "models", mistakes)
    table = None
    if described is not None:
        _check_names(described, mistakes)
        table = _data(described.data, path.parent, mistakes)
    if mistakes or described is None or table is None:
        raise InputError(_told(path, text, mistakes))
    X, y, groups, names = table
    own = described.study
    try:
        study = Study(
            X,
            y,
            selectors,
            protocol=described.protocol.name,
            repetitions=described.protocol.repetitions,
            models=models if described.models is not None else None,
            sizes=own.sizes,
            groups=groups,
            feature_names=names,
            store=_store(path, described),
            time_limit=own.time_limit,
            random_state=own.seed,
            title=own.title or path.stem,
        )
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return Configured(study, tuple(own.measures))


def store_of(path: str | Path) -> Path:
    """Where a study file says its store is, without looking at its data."""
    path = Path(path)
    text, content = _parsed(path)
    mistakes: list[Mistake] = []
    described = _described(content, mistakes)
    if described is None:
        raise InputError(_told(path, text, mistakes))
    return _store(path, described)


def measures_of(path: str | Path) -> tuple[str, ...] | None:
    """The measures that a study file names for its report; None where it names none."""
    _, content = _parsed(Path(path))
    named = content.get("study", {}).get("measures")
    return None if named is None else tuple(named)


def _store(path: Path, described: _File) -> Path:
    named = described.study.store
    return path.parent / named if named else path.with_suffix(".sqlite")


def _parsed(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        if "overwrite" in said or "twice" in said:
            said = f"a name is given twice; rename or remove one ({said})"
        raise InputError(f"{path} is not TOML: {said}.") from error


def _described(content: dict[str, Any], mistakes: list[Mistake]) -> _File | None:
    try:
        return _File.model_validate(content)
    except ValidationError as errors:
        for error in errors.errors():
            mistakes.append(_explained(error["loc"], error))
        return None


def _explained(loc: tuple[int | str, ...], error: Mapping[str, Any]) -> Mistake:
    path = tuple(str(part) for part in loc)
    if error["type"] == "extra_forbidden":
        tables: dict[str, type[_Strict]] = {"study": _Study, "data": _Data, "protocol": _Protocol}
        known = (tables[path[0]] if len(path) > 1 else _File).model_fields
        place = f"[{path[0]}]" if len(path) > 1 else "a study file"
        return Mistake(path, f"{place} has no field {path[-1]!r}{nearest(path[-1], known)}")
    if error["type"] == "missing":
        return Mistake(path, f"there is no {'.'.join(path)}")
    return Mistake(
        path, f"{'.'.join(path)}: {error['msg'].lower()}. Got {error['input']!r} instead"
    )


def _check_names(described: _File, mistakes: list[Mistake]) -> None:
    name = described.protocol.name
    if name not in PROTOCOLS:
        hint = nearest(name, PROTOCOLS) or f"; there are {listed(sorted(PROTOCOLS), 20)}"
        mistakes.append(Mistake(("protocol", "name"), f"there is no protocol {name!r}{hint}"))
    for key in described.study.measures:
        if key not in MEASURES:
            what = f"there is no measure {key!r}{nearest(key, MEASURES)}"
            mistakes.append(Mistake(("study", "measures"), what))
    if isinstance(described.study.sizes, str) and described.study.sizes != "profile":
        what = f"sizes must be a list of numbers or 'profile'. Got {described.study.sizes!r}"
        mistakes.append(Mistake(("study", "sizes"), what))


def _all_built(content: Mapping[str, Any], section: str, mistakes: list[Mistake]) -> dict[str, Any]:
    tables = content.get(section, {})
    if not isinstance(tables, Mapping):
        return {}
    objects = {}
    for name, table in tables.items():
        if isinstance(table, Mapping) and "type" not in table:
            mistakes.append(Mistake((section, name), f"{section}.{name} has no type"))
        elif isinstance(table, Mapping):
            objects[name] = built(table, (section, name), mistakes)
    return objects


def _data(data: _Data, folder: Path, mistakes: list[Mistake]) -> Any:
    """X, y, groups and names; None where they cannot be had."""
    if (data.file is None) == (data.name is None):
        mistakes.append(Mistake(("data",), "[data] needs one of file and name"))
        return None
    try:
        if data.name is not None:
            table = datasets.load(data.name, data.target)
        else:
            table = read_table(folder / str(data.file), data.target)
        return _without(table, data, mistakes)
    except HoldfastError as error:
        mistakes.append(Mistake(("data", "file" if data.file else "name"), str(error)))
        return None


def _without(table: Table, data: _Data, mistakes: list[Mistake]) -> Any:
    """Take the groups and what is excluded out of the columns."""
    names = list(table.feature_names or (f"x{f}" for f in range(table.X.shape[1])))
    for field, wanted in (("groups", [data.groups]), ("exclude", data.exclude)):
        for name in wanted:
            if name is not None and name not in names:
                what = f"there is no column {name!r}{nearest(name, names)}"
                mistakes.append(Mistake(("data", field), what))
    if mistakes:
        return None
    gone = {*data.exclude, data.groups}
    kept = [f for f, name in enumerate(names) if name not in gone]
    groups: Any = None if data.groups is None else table.X[:, names.index(data.groups)]
    if hasattr(groups, "to_numpy"):
        groups = groups.to_numpy()
    return table.X[:, kept], table.y, groups, [names[f] for f in kept]


def _told(path: Path, text: str, mistakes: list[Mistake]) -> str:
    """All mistakes, a line each, with the lines they stand on."""
    told = []
    for mistake in mistakes:
        line = line_of(text, mistake.path)
        place = f"{path}, line {line}" if line is not None else str(path)
        end = "" if mistake.what.endswith(("?", ".")) else "."
        told.append((line or 0, f"{place}: {mistake.what}{end}"))
    return "\n".join(message for _, message in sorted(told, key=lambda one: one[0]))
