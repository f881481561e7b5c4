"""The main job on real data: which of five selectors to take, for breast cancer and for wine.

Run with ``python -m holdfast.demo [folder]``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFromModel, SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from holdfast.criteria import NaiveBayes
from holdfast.report import charts
from holdfast.selectors import SequentialSelector
from holdfast.study import Study

N_RUNS = 60
TOP = 12


def selectors(size: int) -> dict[str, Any]:
    """Five ways to choose: each feature alone, a sparse linear model, trees, a search."""
    sparse = LinearSVC(penalty="l1", dual=False, C=0.02, random_state=0)
    floating = SequentialSelector(
        NaiveBayes(cv=5), floating=True, n_features_to_select=size, overshoot=2
    )
    return {
        f"{size} best by F test": SelectKBest(f_classif, k=size),
        "L1 linear SVM": make_pipeline(StandardScaler(), SelectFromModel(sparse)),
        f"{size} best of a forest": _most_important(RandomForestClassifier(50), size),
        f"{size} best of a decision tree": _most_important(DecisionTreeClassifier(), size),
        f"{size} best by SFFS, naive Bayes": floating,
    }


def _most_important(model: Any, size: int) -> Any:
    return SelectFromModel(model, threshold=-np.inf, max_features=size)


def study(data: Any, title: str, size: int, store: Path | None = None, runs: int = N_RUNS) -> Study:
    """Plan one: five selectors on random samples of 80 % of the data."""
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return Study(
        data.data,
        data.target,
        selectors(size),
        repetitions=runs,
        models={"logistic regression": model},
        store=store,
        title=title,
    )


def breast_cancer(store: Path | None = None, runs: int = N_RUNS) -> Study:
    """Plan the one with 569 patients and 30 features."""
    return study(load_breast_cancer(as_frame=True), "Breast cancer (Wisconsin)", 8, store, runs)


def wine(store: Path | None = None, runs: int = N_RUNS) -> Study:
    """Plan the one with 178 wines and 13 features."""
    return study(load_wine(as_frame=True), "Wine", 5, store, runs)


def picture(done: Study) -> alt.VConcatChart:
    """Draw the choices of all selectors, one below the other."""
    rasters = []
    for row in done.summary().iter_rows(named=True):
        runs = done.selections(row["selector"])
        ever = int((runs.frequencies > 0).sum())
        shown = f"all {ever}" if ever <= TOP else f"{TOP} of {ever}"
        said = (
            f"accuracy {row['accuracy']:.3f}, stability {row['stability']:.2f} "
            f"({row['low']:.2f} to {row['high']:.2f}); {shown} features ever chosen"
        )
        rasters.append(charts.raster(runs, top=TOP, title=row["selector"], subtitle=said))
    return alt.vconcat(*rasters, spacing=24)


def table(done: Study) -> Table:
    """List what the terminal shows of a study."""
    shown = Table(title=done.title, title_justify="left", title_style="bold")
    for heading in ("selector", "accuracy", "stability (95 % interval)", "features"):
        shown.add_column(heading, justify="left" if heading == "selector" else "right")
    for row in done.summary().iter_rows(named=True):
        shown.add_row(
            row["selector"],
            f"{row['accuracy']:.3f}",
            f"{row['stability']:.2f} ({row['low']:.2f} to {row['high']:.2f})",
            f"{row['n_features']:.1f}",
        )
    return shown


def main(folder: Path, runs: int = N_RUNS) -> list[Path]:
    """Run both studies, print what came of them and write their reports; return these."""
    console = Console(highlight=False)
    folder.mkdir(parents=True, exist_ok=True)
    engine = min(2, os.cpu_count() or 1)
    pages = []
    for name, make in (("wine", wine), ("breast-cancer", breast_cancer)):
        own = make(folder / f"{name}.sqlite", runs)
        console.print(f"{own.title}: {len(own.tasks)} runs of five selectors …")
        own.run(engine, progress=console.is_terminal)
        console.print(table(own))
        console.print(f"{own.recommend()}\n")
        pages.append(own.report(folder / f"{name}.html"))
    drawn = folder / "stability.png"
    picture(own).save(drawn, scale_factor=2)
    console.print(f"Picture: {drawn}", soft_wrap=True)
    for page in pages:
        console.print(f"Report:  {page}", soft_wrap=True)
    return pages


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("holdfast-demo"))
