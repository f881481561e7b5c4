"""The main job on real data: two selectors on breast cancer, and how far to trust each.

Run with ``python -m holdfast.demo [folder]``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from rich.console import Console
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectFromModel, SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from holdfast import stability
from holdfast.report import charts
from holdfast.selections import Selections

N_RUNS = 60


def selections_of(selector: object, X: object, y: np.ndarray) -> tuple[Selections, float]:
    """Select and classify on 80 % of the data, again and again; return choices and accuracy."""
    pipeline = make_pipeline(StandardScaler(), selector, LogisticRegression(max_iter=1000))
    splits = StratifiedShuffleSplit(N_RUNS, test_size=0.2, random_state=0)
    results = cross_validate(pipeline, X, y, cv=splits, return_estimator=True)
    return Selections.from_cross_validate(results), float(results["test_score"].mean())


def main(folder: Path) -> Path:
    """Compare two selectors and draw their choices; return the page."""
    console = Console(highlight=False)
    data = load_breast_cancer(as_frame=True)
    sparse = LinearSVC(penalty="l1", dual=False, C=0.02, random_state=0)
    selectors = {
        "8 best by F test": SelectKBest(f_classif, k=8),
        "L1 linear SVM": SelectFromModel(sparse),
    }
    console.print(f"Breast cancer, {data.data.shape[1]} features, {N_RUNS} samples of 80 %\n")
    runs = {}
    for name, selector in selectors.items():
        runs[name], accuracy = selections_of(selector, data.data, data.target)
        result = stability.interval(runs[name])
        kept = runs[name].consensus("threshold", at_least=0.9)
        console.print(f"[bold]{name}[/bold]: accuracy {accuracy:.3f}")
        console.print(f"  stability {result.value:.2f}, 95 % {result.low:.2f} to {result.high:.2f}")
        console.print(f"  {kept.size} features in at least 90 % of the runs\n")
    first, second = runs.values()
    test = stability.compare(first, second)
    console.print(f"Equally stable? difference {test.difference:+.2f}, p = {test.p_value:.2g}\n")
    picture = charts.raster(first, title=f"{next(iter(runs))}") | charts.raster(
        second, title=f"{list(runs)[1]}"
    )
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "stability.html"
    picture.save(page, inline=True)
    picture.save(folder / "stability.png", scale_factor=2)
    console.print(f"Picture: {folder / 'stability.png'}")
    console.print(f"Page:    {page}")
    return page


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("holdfast-demo"))
