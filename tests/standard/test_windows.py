"""Windows against SciPy's, and the one that it lacks against its formula."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import windows
from standard.support import FLOAT, be, check, covers, dtypes_of, examples, numpy_of

_SIZES = st.integers(0, 12)


@covers("blackman_window", "hann_window", "hamming_window")
@examples
@given(_SIZES, dtypes_of(FLOAT), st.sampled_from((None, True, False)), st.floats(0.4, 0.6))
def test_windows_of_cosines(size, dtype, periodic, alpha):
    options = {} if periodic is None else {"periodic": periodic}
    symmetric = periodic is False
    for name, of in (("blackman", windows.blackman), ("hann", windows.hann), ("hamming", windows.hamming)):
        got = getattr(be, f"{name}_window")(size, dtype=dtype, **options)
        check((f"{name}_window", size, options), got, of(size, symmetric), dtype, scale=1.0)
    got = be.hamming_window(size, alpha=alpha, beta=1 - alpha, dtype=dtype, **options)
    check(("hamming_window", size, alpha), got, windows.general_hamming(size, alpha, symmetric), dtype, scale=1.0)


@covers("vorbis_window")
@examples
@given(_SIZES, dtypes_of(FLOAT))
def test_vorbis_window(size, dtype):
    want = np.sin(np.pi / 2 * np.sin(np.pi * (np.arange(size) + 0.5) / max(size, 1)) ** 2)
    check(("vorbis_window", size), be.vorbis_window(size, dtype=dtype), want, dtype)


@covers("kaiser_window", "kaiser_bessel_derived_window")
@examples
@given(_SIZES, dtypes_of(FLOAT), st.sampled_from((None, True, False)), st.sampled_from((0.0, 2.5, 12.0, 30.0)))
def test_kaiser_windows(size, dtype, periodic, beta):
    options = {} if periodic is None else {"periodic": periodic}
    got = be.kaiser_window(size, beta=beta, dtype=dtype, **options)
    check(("kaiser_window", size, beta, options), got, windows.kaiser(size, beta, periodic is False), dtype)
    if beta == 12.0:
        check("kaiser_window", be.kaiser_window(size, **options), numpy_of(be.astype(got, be.ones(()).dtype)))
    even = size // 2 * 2
    want = windows.kaiser_bessel_derived(even, beta) if even else np.zeros(0)
    got = be.kaiser_bessel_derived_window(even, beta=beta, dtype=dtype)
    check(("kaiser_bessel_derived_window", even, beta), got, want, dtype)
    with pytest.raises(ValueError, match="even"):
        be.kaiser_bessel_derived_window(even + 1)


@covers("blackman_window", "hann_window", "hamming_window", "vorbis_window")
def test_the_dtype_and_the_size_of_windows():
    names = ("blackman_window", "hann_window", "hamming_window", "vorbis_window", "kaiser_window")
    for name in (*names, "kaiser_bessel_derived_window"):
        assert getattr(be, name)(4).dtype == be.ones(()).dtype
        with pytest.raises(ValueError, match=name):
            getattr(be, name)(-1)
