"""Imports run one way through the rooms, and `import holdfast` costs next to nothing."""

import ast
import json
import statistics
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import holdfast

ROOT = Path(holdfast.__file__).parent

# A room may import those above it and itself. Planned rooms have their place already.
ROOMS = [
    "holdfast",  # the package itself, for its version
    "exceptions",
    "_kernels",
    "contracts",
    "trace",
    "statistics",
    "discretisers",
    "criteria",
    "rankers",
    "search",
    "consistency",
    "selectors",
    "selections",
    "io",
    "datasets",
    "stability",
    "resampling",
    "stabilisers",
    "study",
    "papers",
    "report",
    "demo",
    "cli",
    "__main__",
]
# Methods that hand their object on to a later room: no circle, as it is imported on the call.
FORWARD = {("holdfast.study.study", "holdfast.report.study")}
HEAVY = ["numba", "sklearn", "scipy", "pandas", "polars", "altair", "numpy", "rich", "typer"]


def module_name(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): ast.parse(path.read_text("utf-8")) for path in ROOT.rglob("*.py")}


def imported(name, nodes):
    """The modules of ours that these nodes of module `name` import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.split(".")[0] == "holdfast")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively on line {node.lineno}"
            if node.module.split(".")[0] == "holdfast":
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    yield inner if inner in MODULES else node.module


def room(name):
    return name.split(".")[1] if "." in name else "holdfast"


def test_every_room_has_its_place():
    assert {room(name) for name in MODULES} <= set(ROOMS)
    assert len(set(ROOMS)) == len(ROOMS)


@pytest.mark.parametrize("name", sorted(set(MODULES) - {"holdfast"}))
def test_no_import_points_back(name):
    back = {
        other
        for other in imported(name, ast.walk(MODULES[name]))
        if ROOMS.index(room(other)) > ROOMS.index(room(name)) and (name, other) not in FORWARD
    }
    assert not back, f"{name} imports from a later room: {back}"


@pytest.mark.parametrize("name", sorted(set(MODULES) - {"holdfast"}))
def test_nothing_but_the_version_is_taken_from_the_package(name):
    """Its public names load rooms from anywhere, behind the back of the check above."""
    taken = set()
    for node in ast.walk(MODULES[name]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken |= {node.attr} if node.value.id == "holdfast" else set()
        elif isinstance(node, ast.ImportFrom) and node.module == "holdfast":
            taken |= {a.name for a in node.names if f"holdfast.{a.name}" not in MODULES}
    assert taken <= {"__version__"}


def test_no_modules_import_each_other():
    graph = {name: set(imported(name, tree.body)) for name, tree in MODULES.items()}
    order = list(TopologicalSorter(graph).static_order())
    assert set(order) == set(MODULES)


def test_the_check_sees_imports_wherever_they_are():
    code = "def f():\n    import holdfast.io\n    from holdfast.cli import app\n    import os\n"
    assert set(imported("x", ast.walk(ast.parse(code)))) == {"holdfast.io", "holdfast.cli.app"}


def python(code, *options):
    done = subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import holdfast", []),
        ("import holdfast; holdfast.__version__; dir(holdfast); holdfast.exceptions", []),
        ("import holdfast.cli", ["typer", "rich"]),
    ],
)
def test_import_loads_nothing_heavy(code, allowed):
    report = f"; import sys, json; print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    assert set(json.loads(python(code + report))) <= set(allowed)


def test_import_takes_less_than_a_fifth_of_a_second():
    """Above bare Python, both timed in turns from outside, so that a busy machine slows both."""
    clock = (
        "import subprocess, sys, time\n"
        "for code in ('pass', 'import holdfast'):\n"
        "    start = time.perf_counter()\n"
        "    subprocess.run([sys.executable, '-c', code], check=True)\n"
        "    print(time.perf_counter() - start)\n"
    )
    for _ in range(5):
        turns = [tuple(map(float, python(clock).split())) for _ in range(5)]
        extra = statistics.median(with_ours - bare for bare, with_ours in turns)
        if extra < 0.2:
            return
    pytest.fail(f"import holdfast takes {extra:.2f} s more than nothing")
