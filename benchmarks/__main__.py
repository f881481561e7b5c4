"""Run benchmarks by name, or all: ``python -m benchmarks [name ...]``.

A benchmark is a module of this package with a docstring, ``PEERS`` (packages whose versions to
state) and ``sections()``; with ``LONG = True`` it only runs when it is named. It gets a JSON
file in ``benchmarks/results/`` and a page in ``docs/benchmarks/``. The exit code is 1 where a
required figure was not reached.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

from benchmarks.harness import pages
from benchmarks.harness.environment import environment
from benchmarks.harness.rows import Outcome

HERE = Path(__file__).parent


def main(arguments: list[str] | None = None) -> int:
    known = sorted(m.name for m in pkgutil.iter_modules([str(HERE)]) if is_benchmark(m))
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of: {', '.join(known)}")
    names = parser.parse_args(arguments).names or [name for name in known if not is_long(name)]
    unknown = sorted(set(names) - set(known))
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(known)}")
    missed = [outcome for name in names for outcome in run(name) if outcome.reached is False]
    for outcome in missed:
        print(f"NOT REACHED: {outcome.work}, against {outcome.against}: {outcome.figure}")
    return 1 if missed else 0


def is_benchmark(module: pkgutil.ModuleInfo) -> bool:
    return not module.ispkg and not module.name.startswith("_")


def is_long(name: str) -> bool:
    return getattr(importlib.import_module(f"benchmarks.{name}"), "LONG", False)


def run(name: str) -> list[Outcome]:
    benchmark = importlib.import_module(f"benchmarks.{name}")
    measured = []
    for section in benchmark.sections():
        print(f"\n{section.title}")
        outcomes = []
        for row in section.rows():
            outcomes.append(row.measure())
            print(f"  {outcomes[-1]}", flush=True)
        measured.append((section, outcomes))
    text = (benchmark.__doc__ or name).strip()
    stated = environment(benchmark.PEERS)
    pages.write_json(HERE / "results" / f"{name}.json", measured, stated)
    pages.write_markdown(HERE.parent / "docs" / "benchmarks" / f"{name}.md", text, measured, stated)
    return [outcome for _, outcomes in measured for outcome in outcomes]


if __name__ == "__main__":
    sys.exit(main())
