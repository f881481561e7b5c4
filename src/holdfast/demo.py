"""The main job on real data: four selectors on breast cancer, and how far to trust each.

Run with ``python -m holdfast.demo [folder]``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import polars as pl
from rich.console import Console
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectFromModel, SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from holdfast import stability
from holdfast.criteria import NaiveBayes
from holdfast.report import charts
from holdfast.report.page import Part, render
from holdfast.selections import Selections
from holdfast.selectors import SequentialSelector

N_RUNS = 60
TRUSTED = 0.9
ALIKE = 0.9
TOP = 12

PERCENT = f"{100 * TRUSTED:g} %"

SCOPE = (
    "The runs are random 80 % samples of one data set. Intervals and p-values answer for other "
    "such samples of it, not for patients of another hospital. The accuracy is that of the "
    f"{N_RUNS} pipelines on the 20 % each had left out, selection included; not of a model that "
    "uses the features agreed on."
)


@dataclass(frozen=True)
class Outcome:
    """What came of one selector."""

    runs: Selections
    accuracy: float
    interval: stability.Interval
    with_twins: float

    @property
    def trusted(self) -> list[str]:
        """The features that nearly all runs chose."""
        kept = self.runs.consensus("threshold", at_least=TRUSTED)
        return [self.runs.feature_names[f] for f in kept]

    @property
    def stability(self) -> str:
        """The stability with its interval, in words."""
        found = self.interval
        return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


def selectors() -> dict[str, Any]:
    """Four ways to choose: each feature alone, a sparse linear model, a greedy tree, a search."""
    sparse = LinearSVC(penalty="l1", dual=False, C=0.02, random_state=0)
    tree = DecisionTreeClassifier(random_state=0)
    floating = SequentialSelector(
        NaiveBayes(cv=5), floating=True, n_features_to_select=8, overshoot=2
    )
    return {
        "8 best by F test": SelectKBest(f_classif, k=8),
        "L1 linear SVM": SelectFromModel(sparse),
        "8 best of a decision tree": SelectFromModel(tree, threshold=-np.inf, max_features=8),
        "8 best by SFFS, naive Bayes": floating,
    }


def outcome(selector: Any, X: Any, y: Any, seed: int) -> Outcome:
    """Select and classify on 80 % of the data, again and again."""
    pipeline = make_pipeline(StandardScaler(), selector, LogisticRegression(max_iter=1000))
    splits = StratifiedShuffleSplit(N_RUNS, test_size=0.2, random_state=seed)
    results = cross_validate(pipeline, X, y, cv=splits, return_estimator=True)
    runs = Selections.from_cross_validate(results)
    return Outcome(
        runs,
        float(results["test_score"].mean()),
        stability.interval(runs),
        stability.score(runs, "intersection_mbm", X=X, threshold=ALIKE),
    )


def outcomes() -> Iterator[tuple[str, Outcome]]:
    """Try one selector after the other, each on samples of its own.

    The test of two selectors takes their runs to be independent.
    """
    data = load_breast_cancer(as_frame=True)
    for seed, (name, selector) in enumerate(selectors().items()):
        yield name, outcome(selector, data.data, data.target, seed)


def picture(outcomes: Mapping[str, Outcome]) -> alt.VConcatChart:
    """Draw the choices of all selectors, one below the other."""
    rasters = [
        charts.raster(
            each.runs,
            top=TOP,
            title=name,
            subtitle=f"accuracy {each.accuracy:.3f}, stability {each.stability}; "
            + _shown(each.runs),
        )
        for name, each in outcomes.items()
    ]
    return alt.vconcat(*rasters, spacing=24)


def _shown(runs: Selections) -> str:
    ever = _n_chosen(runs)
    return f"all {ever} features ever chosen" if ever <= TOP else f"{TOP} of {ever} ever chosen"


def _n_chosen(runs: Selections) -> int:
    return int((runs.frequencies > 0).sum())


def numbers(outcomes: Mapping[str, Outcome]) -> pl.DataFrame:
    """List what the page says of each selector."""
    return pl.DataFrame(
        {
            "selector": list(outcomes),
            "accuracy": [f"{each.accuracy:.3f}" for each in outcomes.values()],
            "stability (95 % interval)": [each.stability for each in outcomes.values()],
            "counting twins": [f"{each.with_twins:.2f}" for each in outcomes.values()],
            "features ever chosen": [_n_chosen(each.runs) for each in outcomes.values()],
            f"in ≥ {PERCENT} of runs": [len(each.trusted) for each in outcomes.values()],
        }
    )


def comparison(outcomes: Mapping[str, Outcome], first: str, second: str) -> str:
    """Put the test of two selectors into a sentence."""
    test = stability.compare(outcomes[first].runs, outcomes[second].runs)
    p_value = f"{test.p_value:.2g}" if test.p_value >= 1e-4 else "below 0.0001"
    return (
        f"{first} against {second}: a difference of {test.difference:+.2f}. Were the two equally "
        f"stable, one at least this large would come up with probability {p_value}."
    )


def write_page(outcomes: Mapping[str, Outcome], data: Any, path: Path) -> None:
    """Write what was found as one HTML file."""
    names = list(outcomes)
    sparse = outcomes[names[1]]
    parts = [
        Part(
            "Numbers",
            "Stability is 1 where all runs choose the same features and 0 where they agree no "
            "more than random choices do (Nogueira, Sechidis & Brown, 2018). The column 'counting "
            f"twins' lets a feature stand for one whose correlation with it is at least {ALIKE} "
            "(intersection_mbm).",
            table=numbers(outcomes),
        ),
        Part(
            "Which run chose which feature",
            "A stable selector draws whole lines, an unstable one rain.",
            chart=picture(outcomes),
            described="For each selector, features by runs: dark where the run chose the feature.",
        ),
        Part("Is the difference chance?", comparison(outcomes, names[1], names[2])),
        Part(
            "Which features to use",
            f"Those that at least {PERCENT} of the runs chose. For {names[1]}: "
            f"{', '.join(sparse.trusted)}.",
            chart=charts.frequencies(sparse.runs, at_least=TRUSTED, title=names[1]),
            described=f"Share of runs that chose each feature, for {names[1]}.",
        ),
        Part("What the numbers cover", SCOPE),
    ]
    lead = (
        f"Breast cancer (Wisconsin): {data.data.shape[0]} patients, {data.data.shape[1]} features. "
        f"Each of four selectors chose features on {N_RUNS} random samples of 80 % of them."
    )
    title = "Which features would you still choose if the data shifted a little?"
    path.write_text(render(title, lead, parts), encoding="utf-8")


def main(folder: Path) -> Path:
    """Compare the selectors, print the numbers and draw the choices; return the page."""
    console = Console(highlight=False)
    data = load_breast_cancer(as_frame=True)
    console.print(
        f"Breast cancer: {data.data.shape[0]} patients, {data.data.shape[1]} features; "
        f"{N_RUNS} random samples of 80 %.\n"
    )
    found: dict[str, Outcome] = {}
    for name, each in outcomes():
        found[name] = each
        console.print(f"[bold]{name}[/bold]: accuracy {each.accuracy:.3f}")
        console.print(f"  stability {each.stability}; counting twins {each.with_twins:.2f}")
        console.print(
            f"  {len(each.trusted)} features in at least {PERCENT} of the runs, "
            f"{_n_chosen(each.runs)} ever chosen\n"
        )
    names = list(found)
    console.print(comparison(found, names[1], names[2]) + "\n")
    folder.mkdir(parents=True, exist_ok=True)
    picture(found).save(folder / "stability.png", scale_factor=2)
    page = folder / "stability.html"
    write_page(found, data, page)
    console.print(f"Picture: {folder / 'stability.png'}", soft_wrap=True)
    console.print(f"Page:    {page}", soft_wrap=True)
    return page


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("holdfast-demo"))
