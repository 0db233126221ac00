"""Cosine transforms against SciPy's, transforms of short pieces against loops in NumPy's double precision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import fft
from standard.support import (
    FLOAT,
    FLOATING,
    REAL,
    Domain,
    array,
    arrays,
    be,
    check,
    complex_of,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    needs_derivatives,
    numpy_of,
    wide,
)

import corearray as ca

_VALUES = Domain(-10, 10)
#: Shape, axis and length.
_CASES = [((4,), -1, None), ((4,), 0, 3), ((2, 3, 2), 1, None), ((2, 3, 2), 1, 5), ((0, 4), -1, None)]


@covers("dct", "idct")
@pytest.mark.parametrize("name", ["dct", "idct"])
@examples
@given(st.data(), dtypes_of((*REAL, *FLOATING)))
def test_cosine_transforms(name, data, dtype):
    shape, axis, n = data.draw(st.sampled_from(_CASES))
    options = {"type": data.draw(st.sampled_from((1, 2, 3, 4))), "norm": data.draw(st.sampled_from((None, "ortho")))}
    options = {key: value for key, value in options.items() if value is not None}
    x = data.draw(arrays(dtype, shape, _VALUES))
    given = wide(x.astype(float_dtype(dtype)))
    want = getattr(fft, name)(given, n=n, axis=axis, **options) if x.size else given
    got = getattr(be, name)(array(x), n=n, axis=axis, **options)
    check((name, x, n, axis, options), got, want, float_dtype(dtype), factor=10, scale=100.0)


@covers("dct", "idct")
@pytest.mark.parametrize("type", [1, 2, 3, 4])
def test_cosine_transforms_of_some_length(type):
    x = np.random.default_rng(type).normal(size=100)
    for norm in (None, "ortho"):
        got = be.dct(array(x), type=type, norm=norm)
        check(("dct", type, norm), got, fft.dct(x, type, norm=norm), scale=20.0)
        check(("idct", type, norm), be.idct(got, type=type, norm=norm), x, scale=20.0)


def test_what_is_not_transformed():
    x = be.ones(4)
    for name in ("dct", "idct"):
        function = getattr(be, name)
        for options in ({"type": 5}, {"norm": "backward"}, {"n": 0}, {"n": 1, "type": 1}):
            with pytest.raises(ValueError):
                function(x, **options)
        with pytest.raises(ValueError):
            function(be.zeros(0))
        with pytest.raises(IndexError):
            function(x, axis=1)


# --- transforms of short pieces

#: Shape, length of the pieces, and options.
_PIECES = [
    ((9,), 4, {}),
    ((2, 1, 9), 5, {"hop_length": 2, "win_length": 4, "normalized": True}),
    ((8,), 4, {"center": False, "onesided": False}),
    ((9,), 4, {"pad_mode": "constant", "win_length": 3, "hop_length": 1}),
]


def _stft(x, n_fft, window, hop_length=None, win_length=None, center=True, pad_mode="reflect", normalized=False,
          onesided=True):  # fmt: skip
    """Piece by piece, frequency by frequency."""
    hop, size = hop_length or n_fft // 4, win_length or n_fft
    weights = np.zeros(n_fft, window.dtype)
    weights[(n_fft - size) // 2 :][:size] = window
    if center:
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(n_fft // 2,) * 2], mode=pad_mode)
    found = []
    for start in range(0, x.shape[-1] - n_fft + 1, hop):
        piece = x[..., start : start + n_fft] * weights
        turns = np.outer(np.arange(n_fft), np.arange(n_fft // 2 + 1 if onesided else n_fft)) / n_fft
        found.append(piece @ np.exp(-2j * np.pi * turns))
    return np.stack(found, -1) / (np.sqrt(n_fft) if normalized else 1)


@st.composite
def _pieces(draw, dtype):
    shape, n_fft, options = draw(st.sampled_from(_PIECES))
    x = draw(arrays(dtype, shape, _VALUES))
    size = options.get("win_length", n_fft)
    window = np.hamming(size + 2)[1:-1].astype(np.asarray(0, float_dtype(dtype)).real.dtype)
    return x, n_fft, options, window if draw(st.booleans()) else None


@covers("stft", "istft")
@examples
@given(st.data(), dtypes_of(("int32", "float64", "complex64")))
def test_stft(data, dtype):
    x, n_fft, options, window = data.draw(_pieces(dtype))
    given = wide(x.astype(float_dtype(dtype)))
    weights = np.ones(options.get("win_length", n_fft)) if window is None else wide(window)
    half = options.get("onesided", x.dtype.kind != "c")
    want = _stft(given, n_fft, weights, **{**options, "onesided": half})
    more = {} if window is None else {"window": array(window)}
    got = be.stft(array(x), n_fft, **options, **more)
    check(("stft", x, n_fft, options, window), got, want, complex_of(float_dtype(dtype)), scale=100.0)
    for name in ("pad_mode", "onesided"):
        options = {key: value for key, value in options.items() if key != name}
    back = numpy_of(be.istft(got, n_fft, length=x.shape[-1], **options, **more))
    tolerance = 1e-4 if float_dtype(dtype) in ("float32", "complex64") else 1e-11
    np.testing.assert_allclose(back, given, rtol=tolerance, atol=10 * tolerance)
    assert back.dtype == np.dtype(float_dtype(dtype)) or options.get("center") is False


@covers("istft")
@pytest.mark.parametrize("hop", [1, 2, 3, 4, 5])
def test_istft_of_what_is_no_transform(hop):
    """Pieces that overlap or leave gaps, which do not fit each other."""
    rng = np.random.default_rng(hop)
    x = rng.normal(size=(2, 3, 3)) + 1j * rng.normal(size=(2, 3, 3))
    window = np.asarray([0.5, 1.0, 0.75, 0.25])
    total, share = np.zeros((2, 2 * hop + 4)), np.zeros(2 * hop + 4)
    for place in range(3):
        total[:, place * hop :][:, :4] += np.fft.irfft(x[:, :, place], 4) * window
        share[place * hop :][:4] += window**2
    want = np.where(share > 0, total / np.where(share > 0, share, 1), 0)
    options = {"hop_length": hop, "window": array(window), "center": False}
    check(("istft", x, hop), be.istft(array(x), 4, **options), want, scale=10.0)
    got = be.istft(array(x), 4, **options, length=20)
    check(("istft", x, hop), got, np.pad(want, ((0, 0), (0, 16 - 2 * hop))), scale=10.0)
    centred = be.istft(array(x), 4, hop_length=hop, window=array(window))
    check(("istft", x, hop), centred, want[:, 2:-2], scale=10.0)


def test_what_has_no_short_pieces():
    x = be.ones(8)
    for n_fft, options in (
        (0, {}),
        (4, {"hop_length": 0}),
        (4, {"win_length": 5}),
        (4, {"window": be.ones(3)}),
        (9, {"center": False}),
    ):
        with pytest.raises(ValueError, match="'stft'"):
            be.stft(x, n_fft, **options)
    with pytest.raises(ValueError, match="'stft'"):
        be.stft(be.ones(()), 1)
    with pytest.raises(ValueError, match="'pad'"):
        be.stft(x, 4, pad_mode="mirror")
    with pytest.raises(TypeError, match="one half"):
        be.stft(be.ones(8, dtype="complex64"), 4, onesided=True)
    spectrum = be.ones((3, 2), dtype="complex64")
    for n_fft, options in ((6, {}), (4, {"onesided": False}), (4, {"window": be.ones(3)})):
        with pytest.raises(ValueError, match="'istft'"):
            be.istft(spectrum, n_fft, **options)


# --- the mel scale


@covers("mel_weight_matrix")
@pytest.mark.parametrize("dtype", FLOAT)
def test_mel_weight_matrix(dtype):
    for bands, length, rate, low, high in ((4, 16, 8000, 0.0, 3000.0), (3, 9, 16000, 125.0, 7600.0)):
        edges = np.linspace(*(1127 * np.log(1 + f / 700) for f in (low, high)), bands + 2)
        mel = 1127 * np.log(1 + np.linspace(0, rate / 2, length // 2 + 1)[1:] / 700)[:, None]
        lower, middle, upper = edges[:-2], edges[1:-1], edges[2:]
        slopes = np.minimum((mel - lower) / (middle - lower), (upper - mel) / (upper - middle))
        want = np.pad(np.maximum(slopes, 0), ((1, 0), (0, 0)))
        got = be.mel_weight_matrix(bands, length, rate, lower_edge_hertz=low, upper_edge_hertz=high, dtype=dtype)
        check(("mel_weight_matrix", bands, length), got, want, dtype, scale=1.0)
    assert be.mel_weight_matrix(2, 8, 8000).dtype is be.zeros(()).dtype
    for numbers, edges in (((0, 8, 8000), (0, 3000)), ((2, 0, 8000), (0, 3000)), ((2, 8, 8000), (3000, 3000)),
                           ((2, 8, 8000), (0, 4001)), ((2, 8, 8000), (-1, 3000))):  # fmt: skip
        with pytest.raises(ValueError, match="'mel_weight_matrix'"):
            be.mel_weight_matrix(*numbers, lower_edge_hertz=edges[0], upper_edge_hertz=edges[1])


@covers("dct", "stft", "istft")
@needs_derivatives
def test_derivatives_of_spectra():
    """All are linear: the derivative of a weighted sum is the sum of the weights at each place, whatever the array."""
    x = np.random.default_rng(1).normal(size=8)
    unit = np.eye(8)

    def cosines(x):
        return ca.dct(x, type=4, norm="ortho")

    def pieces(x):
        return ca.real(ca.stft(x, 4, hop_length=2))

    def back(x):
        return ca.istft(ca.stft(x, 4, hop_length=2, center=False) * 2j, 4, hop_length=2, center=False)

    with ca.backend_context(be):
        for function in (cosines, pieces, back):
            push = np.random.default_rng(2).normal(size=tuple(function(array(x)).shape))
            got = ca.grad(lambda x: ca.sum(function(x) * array(push)))(array(x))  # noqa: B023
            want = [np.sum(numpy_of(function(array(row))) * push) for row in unit]
            np.testing.assert_allclose(numpy_of(got), want, rtol=1e-9, atol=1e-9)
