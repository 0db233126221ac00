"""Every setting: what it takes, what it changes, and that it belongs to its context."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import warnings

import pytest

import corearray as ca
from corearray.plugin import hookimpl
from corearray.settings.registry import SETTINGS

#: A value other than the first one of each setting, as its query function gives it back.
OTHER = {
    "array_mode": False,
    "nestable_mode": False,
    "soft_device_mode": True,
    "shape_array_mode": True,
    "nan_policy": "raise",
    "inplace_mode": "strict",
    "exception_trace_mode": "full",
    "default_device": ca.Device("gpu:0"),
    "default_float_dtype": ca.float64,
    "default_int_dtype": ca.int32,
    "default_uint_dtype": ca.uint32,
    "default_complex_dtype": ca.complex128,
    "min_denominator": 0.5,
    "min_base": 0.25,
    "print_precision": 2,
    "mesh": ca.Mesh({"data": 2}),
    "compute": "raise",
}

#: Values that a setting refuses, with the error and a part of its text.
WRONG = [
    ("nan_policy", "ignore", ValueError, "nan_policy cannot be 'ignore'; it is one of 'nothing', 'raise', 'warns'"),
    ("inplace_mode", "eager", ValueError, "inplace_mode cannot be 'eager'; it is one of 'lenient', 'strict'"),
    ("exception_trace_mode", 1, ValueError, "exception_trace_mode cannot be 1; it is one of 'full', 'short'"),
    ("default_float_dtype", ca.int64, TypeError, "'int64' cannot be the default dtype of real floating numbers"),
    ("default_int_dtype", "uint8", TypeError, "give one of the kind 'signed integer'"),
    ("default_uint_dtype", "int8", TypeError, "give one of the kind 'unsigned integer'"),
    ("default_complex_dtype", "float64", TypeError, "give one of the kind 'complex floating'"),
    ("min_denominator", 0, ValueError, "min_denominator cannot be 0; it is a positive number"),
    ("min_base", float("nan"), ValueError, "min_base cannot be nan"),
    ("min_base", "1", TypeError, "min_base is a number, not str"),
    ("print_precision", -1, ValueError, "print_precision cannot be -1"),
    ("print_precision", 1.5, TypeError, "print_precision is an integer or None, not float"),
    ("default_device", "nowhere at all", ValueError, "nowhere"),
    ("compute", "never", ValueError, "compute cannot be 'never'; it is one of 'allowed', 'raise', 'warn'"),
    ("mesh", {"data": 2}, TypeError, "mesh is a Mesh or None, not dict"),
]


@pytest.fixture(autouse=True)
def alpha(toy):
    plugin = toy("alpha")

    class WithNaN(type(plugin)):
        @hookimpl
        def isnan(self, x, /):
            values = [v != v for v in x.values] if isinstance(x.values, list) else x.values != x.values
            return self.array(values, "bool", x.device)

        @hookimpl
        def any(self, x, /, *, axis=None, keepdims=False):
            return self.array(any(x.values) if isinstance(x.values, list) else x.values, "bool", x.device)

        @hookimpl
        def divide(self, x1, x2, /):
            return self.array([a / b for a, b in zip(x1.values, x2.values, strict=True)], x1.dtype, x1.device)

    plugin.__class__ = WithNaN
    with ca.backend_context("alpha"):
        yield plugin


def asked(name):
    return getattr(ca, name)()


def given(name, value):
    getattr(ca, f"set_{name}")(value)


def withdrawn(name):
    getattr(ca, f"unset_{name}")()


def start(name):
    if name == "default_device":
        return ca.Device("cpu")
    value = SETTINGS[name].start
    return getattr(ca, value) if name.endswith("_dtype") else value


def test_every_setting_is_tested():
    assert set(OTHER) == set(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_set_unset_and_block(name):
    assert asked(name) == start(name)
    given(name, OTHER[name])
    assert asked(name) == OTHER[name]
    with ca.settings(**{name: SETTINGS[name].start}):
        assert asked(name) == start(name)
    assert asked(name) == OTHER[name]
    withdrawn(name)
    assert asked(name) == start(name)
    with pytest.raises(RuntimeError, match="in the block"), ca.settings(**{name: OTHER[name]}):
        assert asked(name) == OTHER[name]
        raise RuntimeError("in the block")
    assert asked(name) == start(name)


@pytest.mark.parametrize(("name", "value", "error", "text"), WRONG)
def test_wrong_values_change_nothing(name, value, error, text):
    before = asked(name)
    with pytest.raises(error, match=text) as caught:
        given(name, value)
    assert isinstance(caught.value, ca.CoreArrayError)
    with pytest.raises(error, match=text), ca.settings(soft_device_mode=True, **{name: value}):
        raise AssertionError("the block must not run")
    assert asked(name) == before
    assert ca.soft_device_mode() is False


def test_a_name_that_is_none():
    with pytest.raises(TypeError, match=r"there is no setting 'nan_mode'; settings are 'array_mode', "):
        ca.settings(nan_mode="raise").__enter__()


def test_a_block_gives_back_only_what_it_changed():
    with ca.settings(min_base=0.5):
        ca.set_min_denominator(0.5)
        ca.set_min_base(0.75)
    assert (ca.min_base(), ca.min_denominator()) == (1e-5, 0.5)
    with ca.settings(default_float_dtype="float64", default_int_dtype="int32"):
        assert (ca.default_dtype(), ca.default_dtype("integral")) == (ca.float64, ca.int32)
    assert (ca.default_dtype(), ca.default_dtype("integral")) == (ca.float32, ca.int64)


# --- contexts


@pytest.mark.parametrize("name", SETTINGS)
def test_threads(name):
    """A thread starts with the settings of the one that started it; what it changes is its own."""
    seen = {}
    changed, looked = threading.Event(), threading.Event()

    def other():
        seen["inherited"] = asked(name)
        given(name, OTHER[name])
        changed.set()
        assert looked.wait(10)
        seen["kept"] = asked(name)

    thread = threading.Thread(target=other)
    thread.start()
    assert changed.wait(10)
    assert asked(name) == start(name)
    looked.set()
    thread.join()
    assert seen == {"inherited": start(name), "kept": OTHER[name]}
    with ca.settings(**{name: OTHER[name]}):
        thread = threading.Thread(target=lambda: seen.update(inherited=asked(name)))
        thread.start()
        thread.join()
    assert seen["inherited"] == OTHER[name]


@pytest.mark.parametrize("name", SETTINGS)
def test_tasks(name):
    async def switching():
        for _ in range(3):
            with ca.settings(**{name: OTHER[name]}):
                await asyncio.sleep(0)
                assert asked(name) == OTHER[name]
            given(name, OTHER[name])
            await asyncio.sleep(0)
            assert asked(name) == OTHER[name]
            withdrawn(name)

    async def watching():
        for _ in range(6):
            assert asked(name) == start(name)
            await asyncio.sleep(0)

    async def together():
        await asyncio.gather(switching(), watching(), switching(), watching())

    asyncio.run(together())
    assert asked(name) == start(name)


# --- what they change


def test_shape_array_mode():
    x = ca.asarray([1.0, 2.0])
    assert isinstance(ca.shape(x), ca.Shape)
    with ca.settings(shape_array_mode=True):
        assert isinstance(ca.shape(x), ca.Array)
        assert (ca.shape(x).tolist(), ca.shape(x).dtype) == ([2], ca.int64)
        assert isinstance(ca.shape(x.native), ca.Array)
        assert isinstance(x.shape, ca.Shape)
        assert isinstance(ca.broadcast_shapes((2,), (1,)), ca.Shape)
    assert ca.shape(ca.Container(a=x)).a == (2,)


def test_defaults_of_dtypes():
    with ca.settings(default_float_dtype=ca.float64):
        assert ca.zeros(1).dtype is ca.float64
        assert ca.add(ca.asarray([1]), 1.5).dtype is ca.float64
        assert ca.default_complex_dtype() is ca.complex64
    with ca.settings(default_int_dtype=ca.int32):
        assert ca.default_uint_dtype() is ca.uint64


def test_stable_divide_and_stable_pow():
    zero = ca.asarray([0.0, 1.0], dtype="float64")
    assert ca.stable_divide(zero, zero).tolist() == [0.0, 1 / (1 + 1e-12)]
    with ca.settings(min_denominator=1.0):
        assert ca.stable_divide(zero, zero).tolist() == [0.0, 0.5]
        assert ca.stable_divide(zero, zero, min_denominator=3.0).tolist() == [0.0, 0.25]


def test_print_precision():
    x = ca.asarray([0.12345, 2.0])
    with ca.settings(print_precision=2):
        assert repr(x) == "Array([0.12, 2.0], dtype=float32, backend=alpha, device=cpu)"
        assert str(x[0]) == "0.12"
    assert repr(x).startswith("Array([0.12345, 2.0]")


def test_nan_policy(alpha):
    nan = ca.asarray([1.0, float("nan")])
    one = ca.asarray([1.0, 1.0])
    ca.add(nan, one)
    with ca.settings(nan_policy="raise"):
        with pytest.raises(
            FloatingPointError, match=r"'add' on backend 'alpha' has NaN, and nan_policy is 'raise'"
        ) as c:
            ca.add(nan, one)
        assert isinstance(c.value, ca.NaNError) and isinstance(c.value, ArithmeticError)
        with pytest.raises(ca.NaNError):
            nan + one
        with pytest.raises(ca.NaNError):
            ca.square(nan)
        assert ca.nan_policy() == "raise", "it rests within a call only"
        assert ca.add(one, one).tolist() == [2.0, 2.0]
        assert ca.isnan(nan).tolist() == [False, True]
        assert ca.add(ca.asarray([1]), ca.asarray([1])).tolist() == [2]
    ca.add(nan, one)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ca.add(nan, one)


def test_warnings_about_nan_are_of_the_users_line():
    nan = ca.asarray([float("nan")])
    with ca.settings(nan_policy="warns"), pytest.warns(RuntimeWarning, match="'add' .* has NaN") as caught:
        for call in (lambda: ca.add(nan, nan), lambda: nan + nan, lambda: ca.get_backend().add(nan, nan)):
            call()
    assert [warning.filename for warning in caught] == [__file__] * 3


def test_the_short_ways_are_left_when_a_policy_needs_it():
    """Such a switch holds for the process, so that it is tested in one of its own."""
    program = """
import corearray as ca
x = ca.asarray([1.0, float("nan")])
add = ca.get_backend().add
for call in (lambda: ca.add(x, x), lambda: x + x, lambda: add(x, x), lambda: ca.sqrt(x), lambda: x[0:]):
    call()
ca.set_nan_policy("raise")
for call in (lambda: ca.add(x, x), lambda: x + x, lambda: add(x, x), lambda: ca.sqrt(x), lambda: x[0:]):
    try:
        call()
    except ca.NaNError:
        continue
    raise SystemExit("not looked at")
ca.unset_nan_policy()
x + x
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_default_device_that_the_backend_lacks_is_refused_at_once():
    with ca.backend_context("numpy"):
        for change in (lambda: ca.settings(default_device="gpu:3").__enter__(), lambda: ca.set_default_device("gpu:3")):
            with pytest.raises(ca.DeviceError, match="has no device 'gpu:3'"):
                change()
            assert ca.default_device() == ca.Device("cpu")
