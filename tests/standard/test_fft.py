"""Discrete Fourier transforms against NumPy's in complex128: lengths, axes, norms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    FLOAT,
    FLOATING,
    NUMERIC,
    REAL,
    Domain,
    array,
    arrays,
    axes_of,
    axis_of,
    be,
    cast,
    check,
    complex_of,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    real_of,
    wide,
)

import corearray as ca

_VALUES = Domain(-10, 10)
_SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5)
_NORMS = (None, "backward", "ortho", "forward")

#: Name: the dtypes that it takes, and whether its result is real.
_ONE = {
    "fft": (NUMERIC, False),
    "ifft": (NUMERIC, False),
    "rfft": (REAL, False),
    "irfft": (NUMERIC, True),
    "hfft": (NUMERIC, True),
    "ihfft": (REAL, False),
}
_SEVERAL = {"fftn": (NUMERIC, False), "ifftn": (NUMERIC, False), "rfftn": (REAL, False), "irfftn": (NUMERIC, True)}


def _result(dtype, real):
    return real_of(float_dtype(dtype)) if real else complex_of(float_dtype(dtype))


def _agrees(name, x, options, real):
    lifted = wide(cast(x, float_dtype(str(x.dtype))))
    want = getattr(np.fft, name)(lifted, **options)
    got = getattr(be.fft, name)(array(x), **options)
    scale = np.sum(np.abs(lifted)) * max(1.0, want.size / x.size)
    check((name, x, options), got, want, _result(str(x.dtype), real), factor=1, scale=scale)


@covers(*_ONE)
@pytest.mark.parametrize("name", _ONE)
@examples
@given(st.data())
def test_one_axis(name, data):
    takes, real = _ONE[name]
    x = data.draw(arrays(data.draw(dtypes_of(takes)), _SHAPES, _VALUES))
    axis = data.draw(axis_of(x.ndim))
    options = {} if axis in (-1, x.ndim - 1) and data.draw(st.booleans()) else {"axis": axis}
    n = data.draw(st.none() | st.integers(1, 8))
    if name in ("irfft", "hfft") and x.shape[axis] == 1:
        n = n or 2
    if n is not None:
        options["n"] = n
    norm = data.draw(st.sampled_from(_NORMS))
    if norm is not None:
        options["norm"] = norm
    _agrees(name, x, options, real)


@covers(*_SEVERAL)
@pytest.mark.parametrize("name", _SEVERAL)
@examples
@given(st.data())
def test_several_axes(name, data):
    takes, real = _SEVERAL[name]
    x = data.draw(arrays(data.draw(dtypes_of(takes)), _SHAPES, _VALUES))
    options = {}
    axes = data.draw(axes_of(x.ndim, empty=False))
    if axes is not None:
        options["axes"] = axes = (axes,) if isinstance(axes, int) else axes
        if data.draw(st.booleans()):
            options["s"] = tuple(data.draw(st.integers(1, 6)) for _ in axes)
    if name == "irfftn" and "s" not in options and x.shape[-1 if axes is None else axes[-1]] == 1:
        axes = axes or tuple(range(x.ndim))
        options.update(axes=axes, s=(*(x.shape[axis] for axis in axes[:-1]), 3))
    norm = data.draw(st.sampled_from(_NORMS))
    if norm is not None:
        options["norm"] = norm
    _agrees(name, x, options, real)


@covers(*_SEVERAL)
@pytest.mark.parametrize("name", _SEVERAL)
def test_lengths_need_axes(name):
    x = be.ones((3, 4), dtype=_SEVERAL[name][0][0])
    with pytest.raises(ValueError, match="axes"):
        getattr(be.fft, name)(x, s=(2, 2))


@covers("fft", "ifft")
@examples
@given(st.data(), dtypes_of(FLOATING))
def test_there_and_back(data, dtype):
    x = data.draw(arrays(dtype, _SHAPES, _VALUES))
    got = be.fft.ifft(be.fft.fft(array(x)))
    check(("ifft(fft)", x), got, x, complex_of(dtype), factor=10, scale=10.0)


@covers("fftfreq", "rfftfreq")
@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
@examples
@given(st.integers(1, 20), st.none() | st.floats(0.01, 10), st.none() | dtypes_of(FLOAT))
def test_frequencies(name, n, d, dtype):
    options = {} if d is None else {"d": d}
    want = getattr(np.fft, name)(n, **options)
    if dtype is None:
        check((name, n, options), getattr(be.fft, name)(n, **options), want, "float32")
    else:
        got = getattr(be.fft, name)(n, **options, dtype=getattr(ca, dtype))
        check((name, n, options, dtype), got, want, dtype)


@covers("fftfreq", "rfftfreq")
@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
@pytest.mark.parametrize("dtype", ["bool", "int64", "uint8", "complex64"])
def test_frequencies_are_real(name, dtype):
    with pytest.raises(
        TypeError, match=f"'{name}' got dtype {dtype}; frequencies are real, give a real floating dtype"
    ):
        getattr(be.fft, name)(4, dtype=dtype)


@covers("fftshift", "ifftshift")
@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@examples
@given(st.data(), dtypes_of(ALL))
def test_shifts(name, data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)))
    axes = data.draw(axes_of(x.ndim))
    options = {} if axes is None else {"axes": axes}
    want = x if axes == () or x.ndim == 0 else getattr(np.fft, name)(x, **options)
    check((name, x, options), getattr(be.fft, name)(array(x), **options), want)


@covers("irfft", "hfft", "irfftn")
def test_the_inverse_of_nothing_is_zero():
    """NumPy leaves what stood in its memory there."""
    x = array(np.zeros((2, 0), "complex128"))
    for name in ("irfft", "hfft"):
        check(name, getattr(be.fft, name)(x, n=3), np.zeros((2, 3)))
    check("irfftn", be.fft.irfftn(x, s=(2, 3), axes=(0, 1)), np.zeros((2, 3)))
