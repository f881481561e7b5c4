"""Consistency-based selection as published in 2011, rerun

Tables 5, 7 and 8 of K. Shin, D. Fernandes and S. Miyazaki, "Consistency measures for feature
selection: a formal definition, relative sensitivity comparison and a fast algorithm" (IJCAI 2011),
with the sets of the two challenges that are still to be had. gina, nova and gisette are not; ad is
a cleaned version with fewer examples, dorothea lacks its all-zero columns. Features are cut into
five levels of equal width, ordered by symmetrical uncertainty, and denoised moderately, as there.
The environment variable HOLDFAST_DATA must name the folder with the sets.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.consistency import fit, levels
from benchmarks.harness.limits import Limit
from benchmarks.harness.rows import Row, Section
from holdfast import datasets
from holdfast.consistency import CWC, INTERACT, LCC

PEERS = ("scipy", "scikit-learn")

# Seconds, Table 5: CWC; INTERACT and LCC together. ad is another version, so it is left out.
SECONDS = {
    "ada": (0.031, 0.217),
    "madelon": (0.062, 2.64),
    "arcene": (0.063, 36.6),
    "sylva": (0.75, 5.45),
    "dexter": (155.7, 606.3),
    "hiva": (3.89, 50.5),
    "dorothea": (33.2, 25172.8),
}
# Table 7: features kept by CWC, LCC and INTERACT.
KEPT: dict[str, tuple[int | None, ...]] = {
    "ada": (31, 31, 5),
    "madelon": (14, 13, 10),
    "arcene": (5, 6, 4),
    "sylva": (19, 2, 2),
    "ad_adbench": (35, 4, 3),
    "dexter": (31, 20, 9),
    "hiva": (48, 9, 0),
    "dorothea": (28, None, None),
}
# Table 8: precision and recall at 0, 5 and 10 % of flipped labels.
NOISE = {
    "CWC, aggressive": ((1.00, 0.90), (1.00, 0.89), (1.00, 0.88)),
    "CWC, moderate": ((1.00, 1.00), (0.39, 0.98), (0.35, 0.96)),
    "LCC, threshold 0.01": ((1.00, 0.80), (0.39, 0.98), (0.35, 0.95)),
    "INTERACT, threshold 0.01": ((1.00, 0.50), (1.00, 0.29), (0.79, 0.33)),
}
RATES = (0.0, 0.05, 0.10)
SELECTORS: dict[str, Callable[[], Any]] = {
    "CWC, aggressive": partial(CWC, denoise="aggressive"),
    "CWC, moderate": CWC,
    "LCC, threshold 0.01": LCC,
    "INTERACT, threshold 0.01": INTERACT,
}
RELEVANT, IRRELEVANT, EXAMPLES = 10, 81, 500
BLOCKS = 25
REPEATED = 0.5


def sections() -> list[Section]:
    return [
        Section("Run times (Table 5)", TIMES, time_rows),
        Section("Features kept (Table 7)", kept_table(), lambda: iter(())),
        Section("Noise (Table 8)", noise_table(), lambda: iter(())),
    ]


TIMES = """\
Whole fits, order included, against seconds printed for a Core Duo of 3.16 GHz. This says more about
15 years and about the algorithm than about either machine, so the requirement is a factor of 20."""


def time_rows() -> Iterator[Row]:
    for name, (cwc, slower) in SECONDS.items():
        if name not in datasets.names():
            continue
        X, y = cut(name)
        paper = "the paper's CWC"
        yield Limit(f"CWC on {name}", paper, partial(fit, CWC(), X, y), cwc, 20)
        both = "the paper's INTERACT or LCC"
        yield Limit(f"LCC on {name}", both, partial(fit, LCC(), X, y), slower, 20)
        yield Limit(f"INTERACT on {name}", both, partial(fit, INTERACT(), X, y), slower, 20)


@cache
def cut(name: str) -> tuple[Any, Any]:
    return levels(name)


def kept_table() -> str:
    lines = [
        "Each cell is ours / the paper's. Small differences can come from the versions of the "
        "data, and from ties and edges of levels, which the paper does not settle. For LCC it does "
        "not say what happens where all features together are above the threshold, as on ada; "
        "here the threshold then rises to their inconsistency. Our results of LCC are minimal at "
        "a threshold of 0.01, checked by sorting rows; why the paper keeps fewer features on "
        "sylva, dexter and hiva is not known.\n",
        "| set | CWC | LCC | INTERACT |",
        "|---|--:|--:|--:|",
    ]
    for name, printed in KEPT.items():
        if name not in datasets.names():
            continue
        found = [int(fit(make(), *cut(name)).support_.sum()) for make in (CWC, LCC, INTERACT)]
        cells = [
            f"{ours} / {'–' if theirs is None else theirs}"
            for ours, theirs in zip(found, printed, strict=True)
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def noise_table() -> str:
    lines = [
        "Precision and recall of the 10 relevant features among 91, means over 10 generated sets "
        "of 500 examples, at three rates of flipped labels. Each cell is ours / the paper's.\n",
        "The paper does not say how its sets were generated, only that the relevant features are "
        "the one smallest consistent subset. Ours have 25 blocks of examples that share their "
        "irrelevant features; from example to example of a block either nothing changes, with "
        "probability one half, or one relevant feature does. The class is a random function of "
        "the relevant features. Without noise nothing is inconsistent in these sets, so nothing "
        "is denoised and both variants of CWC agree; the printed recall of 0.90 tells that the "
        "paper applied rule 3 there, which its Fig. 1 does not. The trend is the paper's: noise "
        "costs the moderate variant precision and the aggressive one recall. How much depends on "
        "how many examples are alone, which the paper does not say either.\n",
        "| | " + " | ".join(f"precision, {r:.0%} | recall, {r:.0%}" for r in RATES) + " |",
        "|---|" + "--:|" * (2 * len(RATES)),
    ]
    for name, printed in NOISE.items():
        cells = []
        for rate, theirs in zip(RATES, printed, strict=True):
            found = [found_relevant(SELECTORS[name](), seed, rate) for seed in range(10)]
            ours = np.nanmean(found, axis=0)
            cells += [f"{a:.2f} / {b:.2f}" for a, b in zip(ours, theirs, strict=True)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def found_relevant(selector: Any, seed: int, rate: float) -> tuple[float, float]:
    """Precision and recall on one generated set; the relevant features come first."""
    X, y = noisy(seed, rate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = np.flatnonzero(selector.fit(X, y).support_)
    hits = int((chosen < RELEVANT).sum())
    return hits / chosen.size if chosen.size else np.nan, hits / RELEVANT


def noisy(seed: int, rate: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Generate a set in which every relevant feature is needed, and flip some labels."""
    rng = np.random.default_rng(seed)
    class_of = rng.integers(0, 2, 2**RELEVANT)
    X = np.empty((EXAMPLES, RELEVANT + IRRELEVANT), np.int8)
    for block in np.split(np.arange(EXAMPLES), BLOCKS):
        X[block, RELEVANT:] = rng.integers(0, 2, IRRELEVANT)
        relevant = rng.integers(0, 2, RELEVANT)
        for example in block:
            X[example, :RELEVANT] = relevant
            if rng.random() >= REPEATED:
                changed = rng.integers(RELEVANT)
                relevant[changed] = 1 - relevant[changed]
    y = class_of[X[:, :RELEVANT] @ (1 << np.arange(RELEVANT))]
    flipped = rng.permutation(EXAMPLES)[: round(rate * EXAMPLES)]
    y[flipped] = 1 - y[flipped]
    return X, y
