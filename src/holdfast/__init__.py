"""Stable feature selection: which features would still be chosen if the data shifted a little.

The public names load on first use, so ``import holdfast`` costs next to nothing.

>>> import holdfast as hf
>>> runs = hf.Selections.from_subsets([[0, 3], [0, 2], [0, 3]], n_features=5)
>>> round(hf.stability.score(runs, "nogueira2018"), 3)
0.444
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "DynamicOscillatingSelector": "holdfast.selectors",
    "EnsembleSelector": "holdfast.stabilisers",
    "ExhaustiveSelector": "holdfast.selectors",
    "GroupSelector": "holdfast.stabilisers",
    "IndividualSelector": "holdfast.selectors",
    "OscillatingSelector": "holdfast.selectors",
    "Selections": "holdfast.selections",
    "SequentialSelector": "holdfast.selectors",
    "Study": "holdfast.study",
    "charts": "holdfast.report.charts",
    "criteria": "holdfast.criteria",
    "datasets": "holdfast.datasets",
    "exceptions": "holdfast.exceptions",
    "read_selections": "holdfast.io",
    "stability": "holdfast.stability",
    "write_selections": "holdfast.io",
}

__all__ = [
    "DynamicOscillatingSelector",
    "EnsembleSelector",
    "ExhaustiveSelector",
    "GroupSelector",
    "IndividualSelector",
    "OscillatingSelector",
    "Selections",
    "SequentialSelector",
    "Study",
    "charts",
    "criteria",
    "datasets",
    "exceptions",
    "read_selections",
    "stability",
    "write_selections",
]

if TYPE_CHECKING:
    from holdfast import criteria, datasets, exceptions, stability
    from holdfast.io import read_selections, write_selections
    from holdfast.report import charts
    from holdfast.selections import Selections
    from holdfast.selectors import (
        DynamicOscillatingSelector,
        ExhaustiveSelector,
        IndividualSelector,
        OscillatingSelector,
        SequentialSelector,
    )
    from holdfast.stabilisers import EnsembleSelector, GroupSelector
    from holdfast.study import Study


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'holdfast' has no attribute {name!r}")
    module = import_module(home)
    value = module if home.rpartition(".")[2] == name else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
