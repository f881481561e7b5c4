"""The first fit of a fresh process, with an empty or a filled cache of compiled kernels.

Run as a module it is that process: ``python -m benchmarks.harness.first_fit KNN``. Seconds are
those of the processor, which other work on the machine does not lengthen much.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple


class FirstFit(NamedTuple):
    """Seconds of the first and of the second fit."""

    first: float
    second: float


def first_fit(criterion: str, cache: Path) -> FirstFit:
    """Fit in a fresh process that keeps compiled kernels in the folder."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.harness.first_fit", criterion],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )
    return FirstFit(*json.loads(done.stdout.splitlines()[-1]))


def _main() -> None:
    from sklearn.datasets import load_breast_cancer

    from holdfast import SequentialSelector, criteria

    X, y = load_breast_cancer(return_X_y=True)
    criterion = getattr(criteria, sys.argv[1])()
    selector = SequentialSelector(
        criterion, floating=True, n_features_to_select=3, overshoot=0, tolerance=0.01
    )
    seconds = []
    for _ in range(2):
        start = time.process_time()
        selector.fit(X, y)
        seconds.append(time.process_time() - start)
    print(json.dumps(seconds))


if __name__ == "__main__":
    _main()
