"""scikit-learn's battery of checks, as a parametrisation that every pytest takes."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks


def with_checks(estimators):
    """As `parametrize_with_checks`, whose generator newer versions of pytest warn of."""
    mark = parametrize_with_checks(estimators).mark
    names, checks = mark.args
    return pytest.mark.parametrize(names, list(checks), **mark.kwargs)
