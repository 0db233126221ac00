"""Tracebacks keep what is the user's, and only errors of the family are touched."""

from __future__ import annotations

import traceback

import pytest

import corearray as ca
from corearray.plugin import hookimpl


def frames(error):
    return [frame.name for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]


class Calls:
    """A foreign class whose method is the user's code below the library's."""

    def __corearray_function__(self, function, types, args, kwargs):
        return self.fails()

    def fails(self):
        raise ca.CoreArrayError("in the user's code")


def test_frames_of_the_user_below_the_library_are_kept(toy):
    toy("alpha")
    with ca.backend_context("alpha"), pytest.raises(ca.CoreArrayError) as caught:
        ca.add(Calls(), 1)
    assert frames(caught.value)[-2:] == ["__corearray_function__", "fails"]


def test_other_exceptions_are_left_as_they_are(toy):
    plugin = toy("alpha")

    class Interrupted(type(plugin)):
        @hookimpl
        def sin(self, x, /):
            raise KeyboardInterrupt

    plugin.__class__ = Interrupted
    backend = ca.get_backend("alpha")
    with pytest.raises(KeyboardInterrupt) as caught:
        backend.sin(backend.asarray([1.0]))
    assert frames(caught.value)[-1] == "sin"


def test_errors_of_a_framework_among_the_users_files_are_the_frameworks(toy):
    plugin = toy("alpha")
    fails = {"__name__": "alpha_framework.kernels"}
    exec(compile("def sin(x):\n    raise ValueError('no sine')", "/home/somebody/alpha/kernels.py", "exec"), fails)

    class Failing(type(plugin)):
        @hookimpl
        def sin(self, x, /):
            return fails["sin"](x)

    plugin.__class__ = Failing
    backend = ca.get_backend("alpha")
    with pytest.raises(ca.CoreArrayError, match="'sin' on backend 'alpha' failed with ValueError: no sine"):
        backend.sin(backend.asarray([1.0]))


def test_the_mode_decides(toy):
    toy("alpha")
    with ca.backend_context("alpha"):
        x, y = ca.asarray([1.0]), ca.asarray([1.0, 2.0])
        found = {}
        for mode in ("short", "full", "short"):
            with ca.settings(exception_trace_mode=mode), pytest.raises(ca.CoreArrayError) as caught:
                ca.add(x, y)
            found[mode] = frames(caught.value)
            assert type(caught.value.__cause__) is RuntimeError
            assert ("guarded" in frames(caught.value.__cause__)) == (mode == "full")
    assert found["short"] == ["test_the_mode_decides"]
    assert "guarded" in found["full"]
