"""Selections from and to files: CSV, TSV, JSON, Parquet.

Three layouts of a table of choices:

- "masks": one column a feature, one line a run, cells 0/1 or true/false; a column named ``run`` holds
  run names.
- "pairs": the columns ``run`` and ``feature``, one line a choice; a blank feature is a run that chose
  nothing.
- "lists": no header, one line a run, its features as cells.

A file is read whole or refused with the line at fault; there is never half a result.
"""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from holdfast.exceptions import FileFormatError, InputError, listed, refusal
from holdfast.selections import Selections

Layout = Literal["auto", "masks", "pairs", "lists"]
LAYOUTS = ("auto", "masks", "pairs", "lists")
SUFFIXES = (".csv", ".tsv", ".json", ".parquet")

_TRUTH = {"0": False, "1": True, "false": False, "true": True}
_FORMAT = "holdfast selections"


def read_selections(
    path: str | Path,
    *,
    layout: Layout = "auto",
    n_features: int | None = None,
    feature_names: Iterable[str] | None = None,
) -> Selections:
    """Read selections from a CSV, TSV, JSON or Parquet file.

    Parameters
    ----------
    path : str or pathlib.Path
        The file; its suffix tells the format.
    layout : {"auto", "masks", "pairs", "lists"}, default="auto"
        How a CSV, TSV or Parquet file holds the choices. "auto" takes pairs where the columns are
        ``run`` and ``feature``, else masks.
    n_features : int, optional
        How many features there were to choose from, where the file does not tell.
    feature_names : iterable of str, optional
        All features in order, where the file does not tell.

    Raises
    ------
    FileFormatError
        With the line at fault.
    """
    path = Path(path)
    if layout not in LAYOUTS:
        raise refusal("layout", "read_selections", f"one of {LAYOUTS}", repr(layout))
    if path.suffix.lower() not in SUFFIXES:
        raise refusal(
            "path", "read_selections", f"a file that ends in {', '.join(SUFFIXES)}", repr(str(path))
        )
    if not path.is_file():
        raise FileFormatError(path, "there is no such file")
    names = None if feature_names is None else tuple(feature_names)
    if path.suffix.lower() == ".json":
        return _read_json(path, n_features, names)
    if path.suffix.lower() == ".parquet":
        lines: Iterator[tuple[int, list[str]]] = _parquet_lines(path)
    else:
        lines = _text_lines(path)
    try:
        return _read_lines(path, lines, layout, n_features, names)
    except FileFormatError:
        raise
    except InputError as error:
        raise FileFormatError(path, str(error)) from error


def _text_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Cells of each record, with the line it begins on."""
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    with path.open("rb") as file:
        reader = csv.reader(_decoded(path, file), delimiter=delimiter, strict=True)
        begins = 1
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise FileFormatError(path, f"broken record ({error})", begins) from error
            yield begins, cells
            begins = reader.line_num + 1


def _decoded(path: Path, lines: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise FileFormatError(
                path, f"not UTF-8 text (byte {error.start} of the line)", number
            ) from error


def _parquet_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Render the table as the text reader would see it: column names, then rows."""
    import polars as pl

    try:
        table = pl.read_parquet(path)
    except Exception as error:
        raise FileFormatError(path, f"not a readable Parquet file ({error})") from error
    yield 1, table.columns
    for number, row in enumerate(table.iter_rows(), 2):
        yield number, ["" if cell is None else str(cell) for cell in row]


def _read_lines(
    path: Path,
    lines: Iterator[tuple[int, list[str]]],
    layout: Layout,
    n_features: int | None,
    names: tuple[str, ...] | None,
) -> Selections:
    if layout == "lists":
        return _read_lists(path, lines, n_features, names)
    header = next(lines, (1, []))[1]
    if not header:
        raise FileFormatError(path, "the file is empty, or its first line is", 1)
    _refuse_repeated_columns(path, header)
    if layout == "pairs" or (layout == "auto" and set(header) == {"run", "feature"}):
        return _read_pairs(path, lines, header, n_features, names)
    return _read_masks(path, lines, header, layout, n_features, names)


def _refuse_repeated_columns(path: Path, header: list[str]) -> None:
    repeated = [name for name in dict.fromkeys(header) if header.count(name) > 1]
    if len(set(header)) < len(header):
        raise FileFormatError(path, f"column {listed([repr(n) for n in repeated])} twice", 1)


def _checked_width(path: Path, line: int, cells: list[str], header: list[str], hint: str) -> None:
    if len(cells) != len(header):
        raise FileFormatError(
            path, f"{len(cells)} cells where the header has {len(header)}. {hint}".rstrip(), line
        )


def _read_masks(
    path: Path,
    lines: Iterator[tuple[int, list[str]]],
    header: list[str],
    layout: Layout,
    n_features: int | None,
    names: tuple[str, ...] | None,
) -> Selections:
    run_column = header.index("run") if "run" in header else None
    features = [name for name in header if name != "run"]
    hint = (
        "If each line lists the features of one run, use layout='lists' (--layout lists)."
        if layout == "auto"
        else ""
    )
    if not features:
        raise FileFormatError(path, "no feature columns beside 'run'", 1)
    _refuse_other_universe(path, features, n_features, names)
    subsets: list[list[int]] = []
    run_names: list[str] = []
    for line, cells in lines:
        if not cells:
            continue
        _checked_width(path, line, cells, header, hint)
        if run_column is not None:
            run_names.append(cells.pop(run_column))
        subsets.append(_chosen(path, line, cells, features, hint))
    return _made(path, subsets, len(features), tuple(features), run_names)


def _refuse_other_universe(
    path: Path, features: list[str], n_features: int | None, names: tuple[str, ...] | None
) -> None:
    if n_features is not None and n_features != len(features):
        raise FileFormatError(
            path, f"{len(features)} feature columns where n_features says {n_features}", 1
        )
    if names is not None and list(names) != features:
        raise FileFormatError(path, "the feature columns are not the given feature_names", 1)


def _chosen(path: Path, line: int, cells: list[str], features: list[str], hint: str) -> list[int]:
    # Clean 0/1 lines are the rule, and a line may have 100 000 cells.
    if cells.count("0") + cells.count("1") == len(cells):
        return [f for f, cell in enumerate(cells) if cell == "1"]
    chosen = []
    for f, cell in enumerate(cells):
        truth = _TRUTH.get(cell.strip().lower().removesuffix(".0"))
        if truth is None:
            problem = f"column {features[f]!r} must be 0 or 1 (or false or true), got {cell!r}"
            raise FileFormatError(path, f"{problem}. {hint}".rstrip(), line)
        if truth:
            chosen.append(f)
    return chosen


def _read_pairs(
    path: Path,
    lines: Iterator[tuple[int, list[str]]],
    header: list[str],
    n_features: int | None,
    names: tuple[str, ...] | None,
) -> Selections:
    if set(header) != {"run", "feature"}:
        raise FileFormatError(
            path, f"the columns must be 'run' and 'feature', got {listed(header)}", 1
        )
    run_at, feature_at = header.index("run"), header.index("feature")
    known = None if names is None else set(names)
    seen: dict[str, dict[str, int]] = {}
    for line, cells in lines:
        if not cells:
            continue
        _checked_width(path, line, cells, header, "")
        run, feature = cells[run_at], cells[feature_at]
        if not run:
            raise FileFormatError(path, "the run is blank", line)
        choices = seen.setdefault(run, {})
        if not feature:
            continue
        if feature in choices:
            raise FileFormatError(
                path,
                f"feature {feature!r} of run {run!r} again, first on line {choices[feature]}",
                line,
            )
        if known is not None and feature not in known:
            raise FileFormatError(path, f"feature {feature!r} is not in feature_names", line)
        choices[feature] = line
    return _made(path, [list(choices) for choices in seen.values()], n_features, names, list(seen))


def _read_lists(
    path: Path,
    lines: Iterator[tuple[int, list[str]]],
    n_features: int | None,
    names: tuple[str, ...] | None,
) -> Selections:
    known = None if names is None else set(names)
    subsets: list[list[Any]] = []
    for line, cells in lines:
        features = [cell.strip() for cell in cells if cell.strip()]
        repeated = [name for name in dict.fromkeys(features) if features.count(name) > 1]
        if repeated:
            raise FileFormatError(path, f"feature {repeated[0]!r} twice", line)
        strange = [name for name in features if known is not None and name not in known]
        if strange:
            raise FileFormatError(path, f"feature {strange[0]!r} is not in feature_names", line)
        subsets.append(features)
    if known is None and all(name.isdecimal() for subset in subsets for name in subset):
        subsets = [[int(name) for name in subset] for subset in subsets]
    return _made(path, subsets, n_features, names, [])


def _read_json(path: Path, n_features: int | None, names: tuple[str, ...] | None) -> Selections:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        raise FileFormatError(path, f"not JSON ({error.msg})", error.lineno) from error
    except UnicodeDecodeError as error:
        raise FileFormatError(path, "not UTF-8 text") from error
    run_names: list[str] = []
    if isinstance(content, dict):
        if "subsets" not in content:
            raise FileFormatError(path, f"no 'subsets' among its keys {listed(sorted(content))}")
        n_features = n_features if n_features is not None else content.get("n_features")
        if names is None and content.get("feature_names") is not None:
            names = tuple(content["feature_names"])
        run_names = content.get("run_names") or []
        content = content["subsets"]
    if not isinstance(content, list):
        raise FileFormatError(path, "must hold a list of subsets, or an object with 'subsets'")
    return _made(path, content, n_features, names, run_names)


def _made(
    path: Path,
    subsets: list[list[Any]],
    n_features: int | None,
    names: tuple[str, ...] | None,
    run_names: list[str],
) -> Selections:
    if not subsets:
        raise FileFormatError(path, "no runs in it")
    try:
        return Selections.from_subsets(
            subsets, n_features, feature_names=names, run_names=run_names or None
        )
    except InputError as error:
        raise FileFormatError(path, str(error)) from error


def write_selections(runs: Selections, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write selections to a CSV, TSV, JSON or Parquet file that :func:`read_selections` reads.

    CSV, TSV and Parquet hold masks with a ``run`` column, JSON the lists of indices with all names.
    The file appears whole or not at all.

    Parameters
    ----------
    runs : Selections
        What to write.
    path : str or pathlib.Path
        Where to; the suffix tells the format.
    overwrite : bool, default=False
        Whether to replace a file that is there.

    Returns
    -------
    pathlib.Path
        The file.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise refusal(
            "path",
            "write_selections",
            f"a file that ends in {', '.join(SUFFIXES)}",
            repr(str(path)),
        )
    if path.exists() and not overwrite:
        raise InputError(f"{path} is there already. Pass overwrite=True to replace it.")
    if suffix != ".json" and "run" in runs.feature_names:
        raise InputError("A feature named 'run' would be taken for the run names. Write JSON.")
    handle, spare = tempfile.mkstemp(dir=path.parent, suffix=suffix)
    os.close(handle)
    try:
        _write(runs, Path(spare), suffix)
        Path(spare).replace(path)
    finally:
        Path(spare).unlink(missing_ok=True)
    return path


def _write(runs: Selections, path: Path, suffix: str) -> None:
    if suffix == ".json":
        content = {
            "format": _FORMAT,
            "n_features": runs.n_features,
            "feature_names": list(runs.feature_names),
            "run_names": list(runs.run_names),
            "subsets": [run.tolist() for run in runs],
        }
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    elif suffix == ".parquet":
        import polars as pl

        columns = dict(zip(runs.feature_names, runs.masks().T, strict=True))
        pl.DataFrame({"run": runs.run_names, **columns}).write_parquet(path)
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter="\t" if suffix == ".tsv" else ",")
            writer.writerow(["run", *runs.feature_names])
            for name, chosen in zip(runs.run_names, runs, strict=True):
                cells = ["0"] * runs.n_features
                for f in chosen:
                    cells[f] = "1"
                writer.writerow([name, *cells])
