"""Codes of classes against those of numpy, which sorts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from holdfast.statistics.labels import SPAN, labels_of

TYPES = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64", "U2")


@given(st.data())
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("dtype", TYPES)
def test_classes_are_those_of_numpy(dtype, data):
    check(data.draw(arrays(dtype, st.integers(1, 30))))


@pytest.mark.parametrize("low", [-(2**63), -(2**31), -1, 0, 2**63 - 2 * SPAN])
@pytest.mark.parametrize("span", [1, SPAN - 1, SPAN, SPAN + 1])
def test_spans_around_the_limit(low, span):
    check(np.array([low + span, low, low + 1, low + span], np.int64))


def test_the_ends_of_a_type():
    check(np.array([-128, 127, 0, -128], np.int8))
    check(np.array([-(2**63), 2**63 - 1], np.int64))
    check(np.array([2**64 - 1, 2**64 - 2], np.uint64))


def check(labels):
    classes, codes = labels_of(labels, "t", least=1)
    expected, places = np.unique(labels, return_inverse=True)
    assert classes.dtype == labels.dtype
    assert codes.dtype == np.int32
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(codes, places)
