"""`corearray.testing.assert_allclose` and `assert_array_equal`."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca
from corearray.settings.context import DEFAULT_BACKEND
from corearray.testing import assert_allclose, assert_array_equal

NAN, INF = float("nan"), float("inf")


@pytest.fixture(autouse=True)
def be():
    with ca.backend_context(DEFAULT_BACKEND) as backend:
        yield backend


EQUAL = {
    "numbers": lambda: (1.0, 1.0 + 1e-12),
    "a list": lambda: (ca.asarray([1.0, 2.0]), [1.0, 2.0000001]),
    "a number for all": lambda: (ca.ones((2, 3)), 1.0),
    "nan": lambda: (ca.asarray([NAN, INF]), [NAN, INF]),
    "no elements": lambda: (ca.zeros((0, 3)), np.zeros((0, 3))),
    "half precision": lambda: (ca.asarray([1.0], dtype="float16"), [1.001]),
    "trees": lambda: ({"a": [ca.ones(2), (1, 2.0)]}, {"a": [[1.0, 1.0], (1, 2.0)]}),
    "a container": lambda: (ca.Container(a=ca.ones(2)), {"a": ca.ones(2)}),
    "another dtype": lambda: (ca.ones(2, dtype="int8"), ca.ones(2, dtype="float64")),
    "complex": lambda: (ca.asarray([1 + 2j]), [1 + 2j]),
}
DIFFERENT = {
    "an element": (
        lambda: (ca.asarray([1.0, 2.0]), [1.0, 2.5]),
        r"1 of 2 elements .* rtol=1e-05[\s\S]*worst at \(1,\): 2.0, desired 2.5",
    ),
    "a shape": (lambda: (ca.ones(2), ca.ones(3)), r"the shapes \(2,\) and \(3,\) differ"),
    "an infinity": (lambda: (ca.asarray([INF]), [1.0]), r"worst at \(0,\): inf, desired 1.0$"),
    "a leaf": (
        lambda: ({"a": [ca.ones(1), ca.ones(1)]}, {"a": [ca.ones(1), ca.zeros(1)]}),
        r"^at \['a'\]\[1\]: 1 of 1",
    ),
    "keys": (lambda: ({"a": ca.ones(1)}, {"b": ca.ones(1)}), r"keys \['a'\], desired a mapping with the keys \['b'\]"),
    "a count": (lambda: ([ca.ones(1)], [ca.ones(1), ca.ones(1)]), "a list of 1, desired a list of 2"),
    "double precision": (lambda: (ca.asarray([1.0], dtype="float64"), [1.0 + 1e-8]), "rtol=1e-10"),
}


@pytest.mark.parametrize("what", EQUAL)
def test_equal(what):
    assert_allclose(*EQUAL[what]())


@pytest.mark.parametrize("what", DIFFERENT)
def test_different(what):
    make, message = DIFFERENT[what]
    with pytest.raises(AssertionError, match=message):
        assert_allclose(*make())


def test_the_message_names_backend_and_dtype():
    with pytest.raises(AssertionError) as caught:
        assert_allclose(ca.ones(2), ca.zeros(2, dtype="int8"), message="the weights differ")
    text = str(caught.value)
    assert text.startswith("the weights differ\n2 of 2 elements")
    assert f"actual:  {DEFAULT_BACKEND}, float32, (2,)" in text and f"desired: {DEFAULT_BACKEND}, int8, (2,)" in text


def test_options():
    x = ca.asarray([1.0])
    assert_allclose(x, [1.1], rtol=0.2)
    assert_allclose(x, [1.1], atol=0.2)
    with pytest.raises(AssertionError, match="dtypes float32 and float64 differ"):
        assert_allclose(x, ca.astype(x, "float64"), check_dtype=True)
    with pytest.raises(AssertionError, match="elements differ"):
        assert_allclose(ca.asarray([NAN]), [NAN], equal_nan=False)
    large = ca.asarray([2**60 + 1])
    assert_array_equal(large, [2**60 + 1])
    with pytest.raises(AssertionError, match="rtol=0"):
        assert_array_equal(large, [2**60])
    assert_array_equal(ca.asarray([True, False]), [True, False])
    with pytest.raises(AssertionError, match="1 of 2"):
        assert_array_equal(ca.asarray([True, False]), [True, True])
