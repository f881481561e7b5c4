"""Selection without a search: by rank, or by consistency and correlation of discrete data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import typer

from holdfast.cli.data import columns_left, index_of, numbers_of
from holdfast.cli.output import Format, note, wrapped_table
from holdfast.cli.searching import ONE_PASS, Search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.io.tables import Table


class Ranker(str, Enum):
    """What ranks the features."""

    information_gain = "information-gain"
    chi_square = "chi-square"
    uncertainty = "symmetrical-uncertainty"
    relieff = "relieff"
    svm = "svm"
    svm_rfe = "svm-rfe"
    forest = "forest"
    mrmr = "mrmr"
    jmi = "jmi"


class Discretiser(str, Enum):
    """How numbers are made levels."""

    equal_width = "equal-width"
    equal_frequency = "equal-frequency"
    mdl = "mdl"
    none = "none"


class Denoising(str, Enum):
    """Which examples cwc leaves out as noise."""

    moderate = "moderate"
    aggressive = "aggressive"
    none = "none"


COUNTING = {Ranker.information_gain, Ranker.chi_square, Ranker.uncertainty, Ranker.mrmr, Ranker.jmi}
WITH_THRESHOLD = {Search.lcc, Search.interact, Search.fcbf, Search.ranked}


@dataclass(frozen=True)
class Filtering:
    """What is selected by, as asked for.

    Attributes
    ----------
    search : Search
        One that goes in one pass.
    ranker : Ranker
        Of ``ranked``.
    size : int, float or str
        Number or share of the features that ``ranked`` takes; "best" leaves it to the threshold.
    threshold : float or None
        Of inconsistency, uncertainty or score; None is the algorithm's own.
    discretiser : Discretiser
    denoising : Denoising
        Of ``cwc``.
    include : list of str
        For ``ranked``.
    seed, jobs : int
        Of a forest's trees; threads.
    """

    search: Search
    ranker: Ranker
    size: Any
    threshold: float | None
    discretiser: Discretiser
    denoising: Denoising
    include: list[str]
    seed: int
    jobs: int

    @property
    def counts(self) -> bool:
        """Whether it goes by counts of levels, which numbers must be made into."""
        return self.search is not Search.ranked or self.ranker in COUNTING

    def idle(self) -> Mapping[str, str | bool]:
        """Options that would change nothing here, and what each needs."""
        one_pass, ranked = self.search in ONE_PASS, self.search is Search.ranked
        thresholds = self.search in WITH_THRESHOLD
        idle: dict[str, str | bool] = {
            "ranker": not ranked and "--search ranked",
            "threshold": not thresholds and "--search lcc, interact, fcbf or ranked",
            "discretise": not (one_pass and self.counts) and "what goes by counts of levels",
            "denoise": self.search is not Search.cwc and "--search cwc",
        }
        if one_pass and self.ranker is not Ranker.forest:
            idle["seed"] = "the ranker forest"
        if one_pass and not ranked:
            idle |= dict.fromkeys(("size", "include"), "--search ranked, or a search")
        return idle

    def selector(self, column: Callable[[str], int]) -> Any:
        """Make the selector; `column` knows where a feature is."""
        from holdfast import consistency, selectors

        levels: dict[str, Any] = {"discretiser": self._levels()}
        given: dict[str, Any] = {} if self.threshold is None else {"threshold": self.threshold}
        if self.search is Search.cwc:
            denoise: Any = None if self.denoising is Denoising.none else self.denoising.value
            return consistency.CWC(denoise, **levels)
        if self.search is Search.lcc:
            return consistency.LCC(**given, **levels)
        if self.search is Search.interact:
            return consistency.INTERACT(**given, **levels)
        if self.search is Search.fcbf:
            return consistency.FCBF(**given, **levels)
        if self.search is Search.cfs:
            return consistency.CFS(**levels)
        size = self._size()
        include = [column(name) for name in self.include]
        return selectors.RankedSelector(self._ranker(levels), size, include=include, **given)

    def _levels(self) -> str | None:
        if self.discretiser is Discretiser.none:
            return None
        return str(self.discretiser.value).replace("-", "_")

    def _size(self) -> int | float | None:
        if self.size == "best":
            return None
        if isinstance(self.size, (int, float)):
            return self.size
        raise typer.BadParameter(
            "must be a number or a share with --search ranked.", param_hint="'--size'"
        )

    def _ranker(self, levels: dict[str, Any]) -> Any:
        from holdfast import rankers

        if self.ranker is Ranker.relieff:
            return rankers.ReliefF(n_jobs=self.jobs)
        if self.ranker is Ranker.svm:
            return rankers.LinearSVM(scale="standard")
        if self.ranker is Ranker.svm_rfe:
            return rankers.SVMRFE(scale="standard")
        if self.ranker is Ranker.forest:
            return rankers.Forest(random_state=self.seed, n_jobs=self.jobs)
        counting = {
            Ranker.information_gain: rankers.InformationGain,
            Ranker.chi_square: rankers.ChiSquare,
            Ranker.uncertainty: rankers.SymmetricalUncertainty,
            Ranker.mrmr: rankers.MRMR,
            Ranker.jmi: rankers.JMI,
        }
        return counting[self.ranker](**levels)


def chosen_in_one_pass(
    filtering: Filtering, table: Table, exclude: Sequence[str], format: Format, said: dict[str, Any]
) -> str:
    """Select, say how much was chosen, and show what."""
    X, names = columns_left(table, exclude)
    if filtering.search is Search.ranked and not filtering.counts and not hasattr(X, "tocsr"):
        X = numbers_of(table, exclude).X
    selector = filtering.selector(lambda name: index_of(names, name))
    selector.fit(X, table.y)
    note(f"{said['data']}: {int(selector.support_.sum())} of {len(names)} features")
    return rendered(selector, names, format, {**said, "examples": int(X.shape[0])})


def rendered(selector: Any, names: tuple[str, ...], format: Format, said: dict[str, Any]) -> str:
    """Show the features chosen, best first where there is an order, with their scores.

    Parameters
    ----------
    selector : fitted selector
    names : tuple of str
    format : Format
    said : dict
        What JSON begins with.
    """
    import numpy as np
    import polars as pl

    chosen = np.flatnonzero(selector.support_)
    ranks = getattr(selector, "ranking_", None)
    scores = getattr(selector, "scores_", None)
    if ranks is not None and np.shape(ranks) == selector.support_.shape:
        chosen = chosen[np.argsort(ranks[chosen], kind="stable")]
    table = pl.DataFrame({"feature": [names[f] for f in chosen]})
    if scores is not None and np.shape(scores) == selector.support_.shape:
        table = table.with_columns(score=np.asarray(scores, dtype=float)[chosen])
    if format is Format.csv:
        return table.write_csv()
    if format is Format.json:
        content = {
            **said,
            "selector": type(selector).__name__,
            "parameters": selector.get_params(deep=False),
            "n_features": len(names),
            "selected": sorted(int(f) for f in chosen),
            "features": table.to_dicts(),
        }
        return json.dumps(content, indent=2, ensure_ascii=False, default=repr) + "\n"
    # The names last: there they may be long.
    rows = [tuple(_cell(value) for value in row) for row in table.rows()]
    return wrapped_table(
        tuple(reversed(table.columns)), [row[::-1] for row in rows], terminal=False
    )


def _cell(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
