"""Windows of arrays, gathered and put together again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import sliding_window_view
from standard.support import ALL, array, arrays, be, check, covers, dtypes_of, examples


@covers("sliding_window")
@examples
@given(
    st.data(),
    dtypes_of(ALL),
    st.sampled_from(
        [
            ((5,), 3, {}),
            ((4, 5), (2, 3), {"strides": (2, 1)}),
            ((4, 5), 2, {"axis": 1, "dilations": 3}),
            ((3, 2, 5), (2, 2), {"axis": (-1, 0), "dilations": (1, 2), "strides": 2}),
            ((3, 0), 2, {"axis": 0}),
            ((), (), {}),
        ]
    ),
)
def test_sliding_window(data, dtype, case):
    shape, window_shape, options = case
    x = data.draw(arrays(dtype, shape))
    axes = options.get("axis", tuple(range(x.ndim)))
    axes = axes if isinstance(axes, tuple) else (axes,)
    sizes, strides, gaps = (
        v if isinstance(v, tuple) else (v,) * len(axes)
        for v in (window_shape, options.get("strides", 1), options.get("dilations", 1))
    )
    view = sliding_window_view(x, [(size - 1) * gap + 1 for size, gap in zip(sizes, gaps, strict=True)], axes)
    steps = [slice(None)] * x.ndim
    for axis, stride in zip(axes, strides, strict=True):
        steps[axis] = slice(None, None, stride)
    want = view[(*steps, *(slice(None, None, gap) for gap in gaps))]
    check(("sliding_window", x, window_shape, options), be.sliding_window(array(x), window_shape, **options), want)


@covers("sliding_window")
def test_windows_that_do_not_fit():
    x = array(np.ones((3, 4)))
    with pytest.raises(
        ValueError, match="'sliding_window' got windows that reach over 4 elements, and an axis of length 3"
    ):
        be.sliding_window(x, 4)
    with pytest.raises(ValueError, match=r"window=\(1, 2, 3\)"):
        be.sliding_window(x, (1, 2, 3))
    with pytest.raises(IndexError, match="axis 2"):
        be.sliding_window(x, 2, axis=2)
    with pytest.raises(ValueError, match="twice"):
        be.sliding_window(x, 2, axis=(0, -2))
