"""What a study found so far: choices, estimates and failures, out of its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdfast.exceptions import InputError, listed, refusal
from holdfast.selections import Selections
from holdfast.study.records import OWN_SIZE, Outcome, Record
from holdfast.study.store import Store


@dataclass(frozen=True)
class Variant:
    """One way to choose that a study compares: a selector, at a size where it was cut.

    Attributes
    ----------
    selector : str
    size : int or None
        None for the selector's own choice.
    """

    selector: str
    size: int | None = None

    def __str__(self) -> str:
        if self.size is None:
            return self.selector
        return f"{self.selector}, {self.size} feature{'s' if self.size > 1 else ''}"


class Results:
    """The records of a study that belong to its plan, in the plan's order.

    Attributes
    ----------
    plan : mapping
        Title, protocol, selectors, models, sizes and what else was noted when the study ran.
    feature_names : tuple of str
    selectors, models : list of str
        Names, in the order given.
    nested : bool
        Whether stability is that of inner samples.
    records : list of Record
        Those that ended well.
    failures : list of Record
    """

    def __init__(self, plan: Mapping[str, Any], names: Sequence[str], records: Sequence[Record]):
        self.plan = plan
        self.feature_names = tuple(names)
        self.selectors: list[str] = list(plan["selectors"])
        self.models: list[str] = list(plan["models"])
        self.nested: bool = bool(plan["nested"])
        wanted = {key: place for place, key in enumerate(plan["keys"])}
        mine = sorted((r for r in records if r.key in wanted), key=lambda r: wanted[r.key])
        self.records = [record for record in mine if record.status == "done"]
        self.failures = [record for record in mine if record.status == "failed"]
        self.n_planned = len(wanted)
        # By selector, and whether of inner samples: tables ask for the same ones again and again.
        self._of: dict[tuple[str, bool], list[tuple[Record, dict[int, Outcome]]]] = {}
        for record in self.records:
            by_size = {outcome.size: outcome for outcome in record.outcomes}
            mine_of = self._of.setdefault((record.selector, record.inner >= 0), [])
            mine_of.append((record, by_size))

    @classmethod
    def read(cls, path: str | Path) -> Results:
        """Read the store of a study, which may be running."""
        with Store(path) as store:
            plan, data = store.about("plan"), store.about("data")
            if plan is None or data is None:
                raise InputError(f"{path} holds no study yet. Run one first.")
            return cls(plan, data["feature_names"], store.records())

    @property
    def n_features(self) -> int:
        """Number of features to choose from."""
        return len(self.feature_names)

    def variants(self) -> list[Variant]:
        """Every selector with every size that it has outcomes for."""
        found: dict[str, set[int]] = {name: set() for name in self.selectors}
        for record in self.records:
            found[record.selector] |= {outcome.size for outcome in record.outcomes}
        return [
            Variant(name, None if size == OWN_SIZE else size)
            for name in self.selectors
            for size in sorted(found[name])
        ]

    def outcomes(self, variant: Variant, inner: bool = False) -> list[tuple[Record, Outcome]]:
        """Records of a variant with their outcome: of outer samples, or of inner ones."""
        size = OWN_SIZE if variant.size is None else variant.size
        found = [
            (record, by_size[size])
            for record, by_size in self._of.get((variant.selector, inner), ())
            if size in by_size
        ]
        if not found and variant.selector not in self.selectors:
            raise refusal(
                "selector", "Study", f"one of {listed(self.selectors, 20)}", repr(variant.selector)
            )
        return found

    def selections(
        self, selector: str, size: int | None = None, repetition: int | None = None
    ) -> Selections:
        """The choices of one selector: of all outer samples, or the inner ones of one of them.

        Parameters
        ----------
        selector : str
        size : int, optional
            Where its scores were cut; its own choice by default.
        repetition : int, optional
            The outer sample whose inner samples are asked for.
        """
        found = self.outcomes(Variant(selector, size), inner=repetition is not None)
        chosen = [
            (record, outcome)
            for record, outcome in found
            if repetition is None or record.repetition == repetition
        ]
        if not chosen:
            raise InputError(
                f"There are no finished runs of {Variant(selector, size)}"
                + ("." if repetition is None else f" in repetition {repetition}.")
            )
        return self.together([outcome.subset for _, outcome in chosen])

    def systems(self, variant: Variant) -> list[Selections]:
        """The runs whose agreement is a variant's stability: one system, or one a repetition."""
        if not self.nested:
            return [self.together([one.subset for _, one in self.outcomes(variant)])]
        by_repetition: dict[int, list[NDArray[np.int32]]] = {}
        for record, outcome in self.outcomes(variant, inner=True):
            by_repetition.setdefault(record.repetition, []).append(outcome.subset)
        return [self.together(subsets) for _, subsets in sorted(by_repetition.items())]

    def scores(self, selector: str) -> list[Selections]:
        """Weights or ranks of all features, in the same systems; empty where there are none."""
        systems: dict[int, list[Record]] = {}
        for record in self.records:
            if record.selector == selector and record.score_kind:
                if self.nested and record.inner >= 0:
                    systems.setdefault(record.repetition, []).append(record)
                elif not self.nested:
                    systems.setdefault(0, []).append(record)
        return [self._scored(records) for _, records in sorted(systems.items())]

    def _scored(self, records: Sequence[Record]) -> Selections:
        table = np.stack([record.scores for record in records])
        top, names = min(10, self.n_features), self.feature_names
        if records[0].score_kind == "ranks":
            return Selections.from_rankings(table, top, feature_names=names)
        return Selections.from_weights(table, top, feature_names=names)

    def together(self, subsets: Sequence[NDArray[np.int32]]) -> Selections:
        """Any subsets of the features as one system of runs."""
        return Selections.from_subsets(
            list(subsets), n_features=self.n_features, feature_names=self.feature_names
        )

    def frame(self) -> pl.DataFrame:
        """A row for each outer sample, variant and model: sizes, scores, seconds."""
        rows = []
        for variant in self.variants():
            for record, outcome in self.outcomes(variant):
                base = {
                    "selector": variant.selector,
                    "cut_at": variant.size,
                    "repetition": record.repetition,
                    "n_features": int(outcome.subset.size),
                    "seconds": record.seconds,
                }
                rows += [
                    {**base, "model": model, "metric": metric, "value": value}
                    for model, metrics in outcome.scores.items()
                    for metric, value in metrics.items()
                ] or [{**base, "model": None, "metric": None, "value": None}]
        schema = {
            "selector": pl.String, "cut_at": pl.Int64, "repetition": pl.Int64,
            "n_features": pl.Int64, "seconds": pl.Float64, "model": pl.String,
            "metric": pl.String, "value": pl.Float64,
        }  # fmt: skip
        return pl.DataFrame(rows, schema=schema)

    def status(self) -> pl.DataFrame:
        """A row a selector: tasks planned, done and failed, and the first reason of a failure."""
        per_selector = self.n_planned // max(1, len(self.selectors))
        rows = []
        for name in self.selectors:
            failed = [record for record in self.failures if record.selector == name]
            rows.append(
                {
                    "selector": name,
                    "planned": per_selector,
                    "done": sum(record.selector == name for record in self.records),
                    "failed": len(failed),
                    "first failure": failed[0].reason if failed else None,
                }
            )
        schema = {
            "selector": pl.String, "planned": pl.Int64, "done": pl.Int64, "failed": pl.Int64,
            "first failure": pl.String,
        }  # fmt: skip
        return pl.DataFrame(rows, schema=schema)
