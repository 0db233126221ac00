"""Precision and dtypes of the transforms."""

from __future__ import annotations

import pytest

import corearray as ca

be = ca.get_backend("numpy")


@pytest.mark.parametrize(
    ("dtype", "real", "complex_"),
    [
        ("float16", ca.float32, ca.complex64),
        ("float32", ca.float32, ca.complex64),
        ("float64", ca.float64, ca.complex128),
        ("complex64", ca.float32, ca.complex64),
        ("complex128", ca.float64, ca.complex128),
    ],
)
def test_precision_is_kept(dtype, real, complex_):
    x = be.ones((2, 4), dtype=dtype)
    for function in (be.fft.fft, be.fft.ifft, be.fft.fftn, be.fft.ifftn):
        assert function(x).dtype is complex_
    for function in (be.fft.hfft, be.fft.irfft, be.fft.irfftn):
        assert function(x).dtype is real
    if not dtype.startswith("complex"):
        for function in (be.fft.rfft, be.fft.rfftn, be.fft.ihfft):
            assert function(x).dtype is complex_


def test_no_axes_to_transform():
    x = be.asarray(1.5)
    assert be.fft.fftn(x).dtype is ca.complex64
    assert be.fft.fftshift(x).item() == 1.5


def test_lengths_need_axes():
    with pytest.raises(ValueError, match="need axes="):
        be.fft.fftn(be.ones(4), s=(2,))
