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
    "CFS": "holdfast.consistency",
    "CWC": "holdfast.consistency",
    "Chunks": "holdfast.statistics.chunks",
    "DynamicOscillatingSelector": "holdfast.selectors",
    "EnsembleSelector": "holdfast.stabilisers",
    "EqualFrequency": "holdfast.discretisers",
    "EqualWidth": "holdfast.discretisers",
    "ExhaustiveSelector": "holdfast.selectors",
    "FCBF": "holdfast.consistency",
    "GroupSelector": "holdfast.stabilisers",
    "INTERACT": "holdfast.consistency",
    "IndividualSelector": "holdfast.selectors",
    "LCC": "holdfast.consistency",
    "MDL": "holdfast.discretisers",
    "OscillatingSelector": "holdfast.selectors",
    "RankedSelector": "holdfast.selectors",
    "Results": "holdfast.study",
    "Selections": "holdfast.selections",
    "SequentialSelector": "holdfast.selectors",
    "Study": "holdfast.study",
    "charts": "holdfast.report.charts",
    "consistency": "holdfast.consistency",
    "criteria": "holdfast.criteria",
    "datasets": "holdfast.datasets",
    "exceptions": "holdfast.exceptions",
    "rankers": "holdfast.rankers",
    "read_selections": "holdfast.io",
    "stability": "holdfast.stability",
    "write_selections": "holdfast.io",
}

__all__ = [
    "CFS",
    "CWC",
    "FCBF",
    "INTERACT",
    "LCC",
    "MDL",
    "Chunks",
    "DynamicOscillatingSelector",
    "EnsembleSelector",
    "EqualFrequency",
    "EqualWidth",
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
]

if TYPE_CHECKING:
    from holdfast import consistency, criteria, datasets, exceptions, rankers, stability
    from holdfast.consistency import CFS, CWC, FCBF, INTERACT, LCC
    from holdfast.discretisers import MDL, EqualFrequency, EqualWidth
    from holdfast.io import read_selections, write_selections
    from holdfast.report import charts
    from holdfast.selections import Selections
    from holdfast.selectors import (
        DynamicOscillatingSelector,
        ExhaustiveSelector,
        IndividualSelector,
        OscillatingSelector,
        RankedSelector,
        SequentialSelector,
    )
    from holdfast.stabilisers import EnsembleSelector, GroupSelector
    from holdfast.statistics.chunks import Chunks
    from holdfast.study import Results, Study


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
