"""A native function is entered at most once in a call, also in one that fails; exceptions of user code pass unchanged."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import corearray as ca
from corearray.calls.accelerated import accelerator
from corearray.plugin import hookimpl
from corearray.settings.context import DEFAULT_BACKEND


class StopError(Exception):
    """An exception of user code."""


def _raising(toy, error):
    """A toy backend whose `add` and `exp` count and raise."""
    plugin = toy("alpha")
    entered = []

    class Raising(type(plugin)):
        @hookimpl
        def add(self, x1, x2, /):
            entered.append("add")
            raise error

        @hookimpl(fast=lambda x: entered.append("exp") or _fail(error))
        def exp(self, x, /):
            entered.append("exp")
            raise error

    plugin.__class__ = Raising
    return ca.get_backend("alpha"), entered


def _fail(error):
    raise error


@pytest.mark.parametrize("error", [ValueError("no"), RuntimeError("no"), TypeError("no"), IndexError("no")])
def test_on_each_path(toy, error):
    be, entered = _raising(toy, error)
    x = be.asarray([1.0, 2.0])
    with ca.backend_context(be):
        calls = [
            lambda: ca.add(x, x),
            lambda: be.add(x, x),
            lambda: x + x,
            lambda: x.__add__(x),
            lambda: be.native.add(x.native, x.native),
            lambda: ca.add(x, 1.0),
            lambda: be.add(2.0, x),
            lambda: ca.add(x, be.asarray([1, 2])),
            lambda: ca.exp(x),
            lambda: be.exp(x),
            lambda: be.native.exp(x.native),
            lambda: be.pipelines.exp([x, None]),
        ]
        for number, call in enumerate(calls):
            for _ in range(2):
                entered.clear()
                with pytest.raises(type(error), match="no"):
                    call()
                assert len(entered) == 1, number


def test_a_callback_that_fails_once():
    x = ca.asarray([1.0, 2.0, 3.0])
    calls = []

    def once(a, b):
        calls.append(1)
        if len(calls) == 1:
            raise StopError("of the callback")
        return a + b

    with pytest.raises(StopError, match="of the callback"):
        ca.reduce(x, 0.0, once)
    assert len(calls) == 1


class Index:
    """An index that computes with corearray on its way, `depth` deep."""

    seen = 0

    def __init__(self, depth):
        self.depth = depth

    def __index__(self):
        Index.seen += 1
        if self.depth == 0:
            raise StopError("at the bottom")
        return ca.reshape(ca.ones(3), (Index(self.depth - 1), 1)).shape[0]


@pytest.mark.parametrize("depth", [0, 1, 6, 30])
def test_user_code_that_calls_back_is_called_once_a_level(depth):
    Index.seen = 0
    with pytest.raises(StopError, match="at the bottom"):
        ca.reshape(ca.ones(3), (Index(depth), 1))
    assert Index.seen == depth + 1


def test_endless_recursion_is_a_recursion_error():
    Index.seen = 0
    with pytest.raises(RecursionError):
        ca.reshape(ca.ones(3), (Index(10**9), 1))
    assert Index.seen < sys.getrecursionlimit()


def test_what_asks_for_another_native_call_gets_one():
    x = ca.ones((2, 3))
    assert ca.sum(x, axis=np.int64(1)).tolist() == [3.0, 3.0]
    assert x.mT.reshape((6,)).shape == (6,), "a copy"
    assert ca.expand_dims(x, axis=(0, 3)).shape == (1, 2, 3, 1)


@pytest.mark.skipif(accelerator is None, reason="it is about the accelerator")
def test_the_public_function_has_a_fast_path_for_each_backend(toy):
    for name in ("alpha", "beta"):
        toy(name)
    backends = [ca.get_backend(name) for name in ("alpha", "beta")]
    arrays = [be.asarray([1.0, 2.0]) for be in backends]
    for _ in range(3):
        for be, x in zip(backends, arrays, strict=True):
            with ca.backend_context(be):
                assert ca.add(x, x).backend is be
    be = ca.get_backend(DEFAULT_BACKEND)
    ca.add(be.ones(1), be.ones(1))
    assert ca.add.plans[be.calls] is be.add.plan
