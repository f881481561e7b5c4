"""Which models may be fitted again in place of a fresh clone: those whose fit forgets the last one.

A clone takes as long as fitting a small model. scikit-learn's own estimators promise that a second
fit leaves nothing of the first, but for warm starts; and generators among the parameters, which a
clone would copy, go on from where the last fit left them. Anything else is cloned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from sklearn.base import clone

PLAIN = (type(None), bool, int, float, str, bytes)


def modeller(estimator: Any, scorers: Iterable[Any]) -> Callable[[], Any]:
    """Make a function that returns an estimator to fit: a clone, or the same clone each time.

    A scorer that is not scikit-learn's may keep the model that it is given; it gets clones.
    """
    ours = all(_comes_from(scorer, "sklearn", "holdfast") for scorer in scorers)
    if not (ours and forgets(estimator)):
        return partial(clone, estimator)
    model = clone(estimator)
    return lambda: model


def forgets(estimator: Any) -> bool:
    """Whether a second fit is the same as the fit of a clone, as far as can be told."""
    if not (_comes_from(estimator, "sklearn") and hasattr(estimator, "get_params")):
        return False
    params = estimator.get_params(deep=False)
    return not params.get("warm_start") and all(_is_plain(value) for value in params.values())


def _is_plain(value: Any) -> bool:
    if isinstance(value, PLAIN):
        return True
    if isinstance(value, (list, tuple)):
        return all(_is_plain(one) for one in value)
    return forgets(value)


def _comes_from(thing: Any, *packages: str) -> bool:
    """Whether a package defines this function or the class of this object."""
    module = getattr(thing if callable(thing) else type(thing), "__module__", None)
    return str(module or type(thing).__module__).split(".")[0] in packages
