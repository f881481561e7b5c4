"""The names that people may rely on."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import holdfast as hf

PUBLIC = {
    "CFS",
    "CWC",
    "FCBF",
    "INTERACT",
    "LCC",
    "MDL",
    "Chunks",
    "DynamicOscillatingSelector",
    "EqualFrequency",
    "EqualWidth",
    "EnsembleSelector",
    "ExhaustiveSelector",
    "GroupSelector",
    "IndividualSelector",
    "OscillatingSelector",
    "RankedSelector",
    "Results",
    "Selections",
    "SequentialSelector",
    "Study",
    "charts",
    "consistency",
    "criteria",
    "datasets",
    "exceptions",
    "rankers",
    "read_selections",
    "stability",
    "write_selections",
}
WITH_LISTS = [
    "holdfast",
    "holdfast.cli",
    "holdfast.consistency",
    "holdfast.criteria",
    "holdfast.discretisers",
    "holdfast.io",
    "holdfast.rankers",
    "holdfast.report.charts",
    "holdfast.selections",
    "holdfast.selectors",
    "holdfast.stabilisers",
    "holdfast.stability",
    "holdfast.study",
    "holdfast.study.analysis",
]


def test_names_of_the_package():
    assert set(hf.__all__) == PUBLIC
    assert set(dir(hf)) >= PUBLIC
    everything = {}
    exec("from holdfast import *", everything)
    assert set(everything) - {"__builtins__"} == PUBLIC


@pytest.mark.parametrize("module", WITH_LISTS)
def test_every_name_listed_is_there_and_described(module):
    home = importlib.import_module(module)
    assert list(home.__all__) == sorted(home.__all__, key=lambda name: (not name.isupper(), name))
    for name in home.__all__:
        thing = getattr(home, name)
        if inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing):
            assert inspect.getdoc(thing), f"{module}.{name} says nothing of itself"


def test_names_load_on_first_use_from_where_type_checkers_see_them():
    tree = ast.parse(Path(hf.__file__).read_text("utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in guarded.body
        for alias in node.names
    }
    assert set(seen) == PUBLIC
    for name, (module, attribute) in seen.items():
        home = importlib.import_module(module)
        thing = getattr(home, attribute, None) or importlib.import_module(f"{module}.{attribute}")
        assert getattr(hf, name) is thing


def test_other_names_are_refused():
    with pytest.raises(AttributeError, match="'holdfast' has no attribute 'stabilty'"):
        hf.stabilty  # noqa: B018


def test_errors_can_be_caught_as_what_they_are():
    errors = hf.exceptions
    assert issubclass(errors.FileFormatError, errors.InputError)
    assert issubclass(errors.InputError, (errors.HoldfastError, ValueError))
    assert issubclass(errors.UndefinedInferenceError, (errors.HoldfastError, ValueError))
    assert issubclass(errors.UndefinedStabilityWarning, UserWarning)


def test_version_is_that_of_the_distribution():
    assert importlib.import_module("importlib.metadata").version("holdfast") == hf.__version__
