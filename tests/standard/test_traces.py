"""Every native error becomes one of corearray's, whose traceback ends in the line that made the call."""

from __future__ import annotations

import re
import traceback

import numpy as np
import pytest
from standard.support import array, be

import corearray as ca


def ones(*shape, dtype="float32"):
    return array(np.ones(shape, dtype))


#: The library, its generated functions, its plugins, and frameworks.
LIBRARY = re.compile(r"<corearray |/corearray/(stages/)?\w+\.py$|/corearray_\w+/|/site-packages/")

#: A wrong call, and the Python error that it is.
THING = object()  # one, since its address stands in some messages

WRONG = {
    "a function": (lambda: be.add(ones(2), ones(3)), ValueError),
    "a dispatcher": (lambda: ca.multiply(ones(2), ones(3)), ValueError),
    "an axis": (lambda: ca.sum(ones(2), axis=3), IndexError),
    "a reduction of nothing": (lambda: ca.max(ones(0)), ValueError),
    "a composition": (lambda: ca.linalg.outer(ones(2, 2), ones(2)), ValueError),
    "an operator": (lambda: ones(2) - ones(3), ValueError),
    "an index": (lambda: ones(2)[5], IndexError),
    "an assignment": (lambda: ones(2).__setitem__(5, 1.0), IndexError),
    "a shape": (lambda: ca.reshape(ones(2, 3), (4,)), ValueError),
    "a dtype": (lambda: ca.bitwise_and(ones(2), ones(2)), TypeError),
    "a matrix": (lambda: ca.linalg.inv(ones(2, 3)), ValueError),
    "a scalar": (lambda: ca.add(ones(2, dtype="int8"), 1000), OverflowError),
    "an object": (lambda: ca.asarray(THING), Exception),
    "a list": (lambda: ca.asarray([[1], [1, 2]]), ValueError),
    "an option by position": (lambda: ca.diff(ones(2), 0), TypeError),
}


@pytest.fixture(autouse=True)
def composed():
    """The first use of an operator goes through a method of the class, whose frame stays."""
    ones(2) - ones(2)
    with ca.backend_context(be):
        yield


def caught(call, kind):
    with pytest.raises(kind) as found:
        call()
    error = found.value
    assert isinstance(error, ca.CoreArrayError)
    return error, traceback.extract_tb(error.__traceback__)


@pytest.mark.parametrize("name", WRONG)
def test_short(name):
    call, kind = WRONG[name]
    error, frames = caught(call, kind)
    assert {frame.filename for frame in frames} == {__file__}
    assert frames[-1].name == "<lambda>"
    while error.__cause__ is not None:
        error = error.__cause__
        assert not any(LIBRARY.search(frame.filename) for frame in traceback.extract_tb(error.__traceback__))


@pytest.mark.parametrize("name", WRONG)
def test_full(name):
    call, kind = WRONG[name]
    error, _ = caught(call, kind)
    with ca.settings(exception_trace_mode="full"):
        same, frames = caught(call, kind)
    assert (type(same), str(same)) == (type(error), str(error))
    assert type(same.__cause__) is type(error.__cause__)
    assert any("corearray" in frame.filename and frame.filename != __file__ for frame in frames)
    assert same.__cause__ is None or same.__cause__.__traceback__ is not None


def test_native_causes_are_chained():
    causes = [caught(*WRONG[name])[0].__cause__ for name in ("a function", "a dispatcher", "an operator", "a matrix")]
    assert all(cause is not None for cause in causes[:1])
    assert all(not isinstance(cause, ca.CoreArrayError) for cause in causes if cause is not None)
