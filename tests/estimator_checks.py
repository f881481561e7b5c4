"""scikit-learn's battery of checks, as a parametrisation that every pytest takes."""

from __future__ import annotations

import re

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks


def with_checks(estimators):
    """As `parametrize_with_checks`, with a list for its generator, which newer pytests warn of.

    Tests are named the same in every process: a function shows its address otherwise.
    """
    mark = parametrize_with_checks(estimators).mark
    names, checks = mark.args
    given = dict(mark.kwargs)
    named = given.pop("ids")
    return pytest.mark.parametrize(
        names, list(checks), ids=lambda one: re.sub("at ?0x[0-9a-f]+", "", str(named(one))), **given
    )
