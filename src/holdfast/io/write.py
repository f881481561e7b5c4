"""Write selections so that they read the same."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from holdfast.exceptions import InputError, refusal
from holdfast.io.json_file import FORMAT
from holdfast.io.source import SUFFIXES
from holdfast.io.whole import refuse_to_replace, written_whole
from holdfast.selections import Selections


def write_selections(runs: Selections, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write selections to a CSV, TSV, JSON or Parquet file that :func:`read_selections` reads.

    CSV, TSV and Parquet hold masks with a ``run`` column, JSON the lists of indices with all names.
    The choices are written, not the weights or ranks that they may come from. The file appears
    whole or not at all.

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
    owner = "write_selections"
    if not isinstance(runs, Selections):
        raise refusal("runs", owner, "a Selections", f"a {type(runs).__name__}")
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise refusal("path", owner, f"a file that ends in {', '.join(SUFFIXES)}", repr(str(path)))
    refuse_to_replace(path, overwrite, "Pass overwrite=True to replace it.")
    _refuse_unreadable_names(runs, suffix)
    with written_whole(path) as spare:
        {".json": _write_json, ".parquet": _write_parquet}.get(suffix, _write_text)(runs, spare)
    return path


def _refuse_unreadable_names(runs: Selections, suffix: str) -> None:
    names = (*runs.feature_names, *runs.run_names)
    try:
        "".join(names).encode()
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.end]
        raise InputError(f"A name holds {bad!r}, which is no text. Rename it.") from error
    if suffix == ".json":
        return
    if "run" in runs.feature_names or runs.feature_names == ("feature",):
        raise InputError(
            "Features named 'run', or 'feature' alone, would be taken for the columns of a table "
            "of choices. Write JSON."
        )
    if suffix != ".parquet" and any("\0" in name for name in names):
        raise InputError("A name holds a null character, which tables of text cannot. Write JSON.")


def _write_json(runs: Selections, path: Path) -> None:
    content = {
        "format": FORMAT,
        "n_features": runs.n_features,
        "feature_names": list(runs.feature_names),
        "run_names": list(runs.run_names),
        "subsets": [run.tolist() for run in runs],
    }
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def _write_parquet(runs: Selections, path: Path) -> None:
    import polars as pl

    columns = dict(zip(runs.feature_names, runs.masks().T, strict=True))
    pl.DataFrame({"run": runs.run_names, **columns}).write_parquet(path)


def _write_text(runs: Selections, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        # The default line ends make the writer quote both of their characters.
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["run", *runs.feature_names])
        for name, chosen in zip(runs.run_names, runs, strict=True):
            cells = ["0"] * runs.n_features
            for f in chosen:
                cells[f] = "1"
            writer.writerow([name, *cells])
