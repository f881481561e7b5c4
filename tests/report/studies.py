"""Results of studies that were never run, of any size, with any names."""

import numpy as np

from holdfast.study.records import OWN_SIZE, Outcome, Record
from holdfast.study.results import Results


def made_up(
    n_runs=20,
    n_features=12,
    selectors=("steady", "rain"),
    sizes=(),
    names=None,
    models=("3-NN",),
    inner=0,
    failures=0,
    title="A study",
    chosen=4,
    seed=0,
):
    """Selectors one steadier than the next; the first always chooses the same."""
    rng = np.random.default_rng(seed)
    names = [f"feature {f}" for f in range(n_features)] if names is None else list(names)
    keys, records = [], []
    for repetition in range(n_runs):
        correct = {name: rng.random(25) < 0.9 for name in models}
        for s, selector in enumerate(selectors):
            for which in range(-1, inner):
                key = f"{repetition}-{s}-{which}"
                keys.append(key)
                if which < 0 and repetition < failures and s == len(selectors) - 1:
                    reason = f"ValueError: no luck with {names[0]}"
                    records.append(Record(key, selector, repetition, -1, "failed", reason))
                    continue
                scores = np.arange(n_features)[::-1] + s * rng.normal(size=n_features) * 2.0
                order = np.argsort(-scores, kind="stable")
                outcomes = tuple(
                    Outcome(
                        size,
                        np.sort(order[: chosen if size == OWN_SIZE else size]).astype(np.int32),
                        {m: {"accuracy": float(bits.mean())} for m, bits in correct.items()},
                        correct,
                    )
                    for size in (OWN_SIZE, *sizes)
                )
                records.append(Record(key, selector, repetition, which, "done", "", outcomes))
    plan = {
        "title": title,
        "protocol": "made up",
        "splitter": "none",
        "nested": inner > 0,
        "disjoint_tests": False,
        "test_per_train": 0.25,
        "selectors": {name: f"Selector({name!r})" for name in selectors},
        "models": dict.fromkeys(models, "KNeighborsClassifier(3)"),
        "sizes": list(sizes),
        "random_state": 0,
        "keys": keys,
    }
    return Results(plan, names, records)
