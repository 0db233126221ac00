"""Everyday calls do without the stages, and give what these give."""

from __future__ import annotations

import sys
import threading

import pytest
from standard.support import NAME, be, numpy_of

import corearray as ca

_X = be.asarray([[0.5, -1.0, 2.0], [3.0, 0.25, -0.75]])
_I = be.asarray([[1, 2, 3], [4, 5, 6]])
_M = be.asarray([[True, False, True], [False, True, False]])

_CALLS = [
    ("reshape", [_X, -1, None]),
    ("reshape", [_X, (3, -1), None]),
    ("clip", [_X, 0, 1.5, None]),
    ("clip", [_X, None, 0.5, None]),
    ("clip", [_I, 2, 5, None]),
    ("where", [_M, _X, 0.0]),
    ("where", [_M, 1, _X]),
    ("where", [_M, _I, 7]),
    ("maximum", [_X, 0, None]),
    ("minimum", [1.0, _X, None]),
    ("sum", [_I, None, None, False, None]),
    ("sum", [_I, 1, None, True, None]),
    ("zeros", [(2, 3), None, None]),
    ("ones", [3, None, None]),
    ("full", [(2,), 1.5, None, None]),
    ("full", [(2,), 7, ca.int16, None]),
    ("arange", [5, None, 1, None, None]),
    ("arange", [0, 1, 0.25, None, None]),
    ("linspace", [0, 1, 5, None, None, True, 0]),
    ("eye", [2, 3, 1, None, None]),
    ("asarray", [[[1, 2], [3, 4]], None, None, None]),
    ("asarray", [[1, 2.5], None, None, None]),
    ("asarray", [True, None, None, None]),
    ("asarray", [_X, None, None, None]),
    ("asarray", [_X, None, None, True]),
    ("asarray", [_X, str(_X.dtype), None, False]),
    ("astype", [_X, ca.float64, True, None]),
    ("astype", [_X, "float64", False, None]),
    ("astype", [_X, _X.dtype, False, None]),
    ("zeros", [(2, 3), "float64", _X.device]),
    ("ones", [3, None, _X.device]),
    ("full", [(2,), 7, ca.int16, _X.device]),
    ("arange", [5, None, 1, ca.int64, _X.device]),
    ("asarray", [1.5, None, _X.device, None]),
    ("full_like", [_X, 2, None, None]),
    ("full_like", [_I, 7, None, None]),
    ("repeat", [_X, 2, None]),
    ("repeat", [_X, 0, 1]),
    ("quantile", [_X, 0.25, 1, True, "linear", None, None]),
    ("quantile", [_X, 1, None, False, "linear", None, None]),
]

_CAST = [
    ("add", [_X, _I, None]),
    ("add", [_I, 1.5, None]),
    ("divide", [_I, 2, None]),
    ("divide", [_M, _I, None]),
    ("multiply", [_M, 3, None]),
    ("sqrt", [_I, None]),
    ("where", [_M, _I, _X]),
    ("matmul", [_X, _I.T, None]),
    ("sum", [_M, None, None, False, None]),
    ("sum", [be.asarray([[100, 100], [1, 2]], dtype="int8"), 1, None, True, None]),
    ("prod", [be.asarray([100, 2], dtype="int16"), None, None, False, None]),
    ("cumulative_sum", [_M, 0, None, False, None]),
]


def _positional(name, args):
    """Call a function of the backend as it is declared, with the options by keyword."""
    parameters = be.binding(name).declaration.parameters
    places = [value for value, p in zip(args, parameters, strict=True) if p.how != "keyword"]
    return getattr(be, name)(
        *places, **{p.name: v for v, p in zip(args, parameters, strict=True) if p.how == "keyword"}
    )


def _may_meet_stages(name, args):
    """Whether a number stands for an array where the framework lets its value count, as NumPy before 2 does."""
    numbers = any(isinstance(args[place], (bool, int, float)) for place in be.binding(name).arrays)
    return numbers and NAME == "numpy" and be.framework_version.startswith("1.")


def _same(one, other):
    assert one.dtype is other.dtype and one.shape == other.shape
    assert (numpy_of(one) == numpy_of(other)).all()


@pytest.mark.skipif(NAME == "strict", reason="composes most of these, and takes no Python numbers natively")
@pytest.mark.parametrize(("name", "args"), _CALLS)
def test_everyday_calls_meet_no_stage(name, args, monkeypatch):
    want = be.binding(name).pipeline(list(args))
    _positional(name, args)  # by which all is composed

    def refused(args):
        raise AssertionError(f"{name} took the stages for {args}")

    if not _may_meet_stages(name, args):
        monkeypatch.setattr(be.pipelines, name, refused, raising=False)
    _same(_positional(name, args), want)


@pytest.mark.skipif(NAME == "strict", reason="composes most of these, and takes no Python numbers natively")
@pytest.mark.parametrize(("name", "args"), _CAST)
def test_calls_that_are_cast_first_meet_no_stage(name, args, monkeypatch):
    binding = be.binding(name)
    want = binding.pipeline(list(args))
    _same(_positional(name, args), want)

    def refused(args):
        raise AssertionError(f"{name} took the stages for {args}")

    if not _may_meet_stages(name, args):
        monkeypatch.setattr(binding, "_pipeline", refused)
    monkeypatch.setattr(be.pipelines, name, binding.slow_path, raising=False)
    _same(_positional(name, args), want)


def test_a_new_thread_makes_arrays_of_the_default_dtype_of_the_one_that_started_it():
    found = []
    ca.set_default_dtype(ca.float64)
    thread = threading.Thread(target=lambda: found.extend([be.zeros(2).dtype, be.asarray([0.5]).dtype]))
    thread.start()
    thread.join()
    assert found == [ca.float64, ca.float64]


def test_an_array_is_what_asarray_and_a_cast_without_a_copy_give():
    for dtype in (None, _X.dtype, str(_X.dtype)):
        assert be.asarray(_X, dtype=dtype) is _X
        assert be.asarray(_X, dtype=dtype, copy=False) is _X
        assert be.asarray(_X, dtype=dtype, copy=True) is not _X
    assert be.astype(_X, _X.dtype, copy=False) is _X
    assert be.astype(_X, _X.dtype) is not _X
    copied = be.asarray(_X, copy=True)
    copied[0, 0] = 7.0
    assert _X[0, 0] == 0.5


def test_new_arrays_are_where_they_are_asked_for():
    there = be.devices()[-1]
    for make in (lambda device: be.zeros(2, device=device), lambda device: be.arange(3, device=device)):
        for device in (there, str(there), _X.device, there):
            assert make(device).device == device
        with ca.settings(default_device=_X.device):
            assert make(None).device == _X.device and make(there).device == there
        with pytest.raises(ca.DeviceError):
            make("tpu:7")


def test_sizes_that_are_no_integers_are_refused():
    for shape in (2.0, (2, 1.5), (2, None), "2"):
        with pytest.raises(TypeError, match="shape"):
            be.zeros(shape)


_ARRANGED = {"expand_dims": (0,), "flip": (), "reshape": ((3, 2),)}


@pytest.mark.parametrize("name", ["add", "expand_dims", "flip", "relu", "reshape", "softmax", "softsign", "tanh"])
def test_public_functions_raise_nothing_on_their_way(name):
    """Composed, guarded or native: to learn by an exception that there is no shorter way takes as long as a small call."""
    function = getattr(ca, name)
    args = (_X, *_ARRANGED.get(name, (_X,) if name == "add" else ()))
    function(*args), function(*args)
    raised = []

    def trace(frame, event, arg):
        if event == "exception" and frame.f_code is function.__code__:
            raised.append(arg[1])
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(former)
    assert not raised
