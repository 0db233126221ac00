"""Truth of whole arrays along any axes, and differences of neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    NUMERIC,
    Domain,
    array,
    arrays,
    axes_of,
    axis_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    shapes,
    wide,
)

_FEW = Domain(-1, 1, step=0.5)


@covers("all", "any")
@pytest.mark.parametrize("name", ["all", "any"])
@examples
@given(st.data(), dtypes_of(ALL))
def test_truth(name, data, dtype):
    x = data.draw(arrays(dtype, shapes, _FEW))
    options = {"axis": data.draw(axes_of(x.ndim)), "keepdims": data.draw(st.booleans())}
    check((name, x, options), getattr(be, name)(array(x), **options), getattr(np, name)(x, **options))
    check((name, x), getattr(be, name)(array(x)), getattr(np, name)(x))


@covers("all", "any")
def test_nan_is_true():
    x = array(np.asarray([np.nan, 1.0], "float32"))
    assert be.all(x)
    assert be.any(x[:1])


@covers("diff")
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_diff(data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5)))
    axis = data.draw(axis_of(x.ndim))
    options = {} if axis in (-1, x.ndim - 1) and data.draw(st.booleans()) else {"axis": axis}
    if data.draw(st.booleans()):
        options["n"] = data.draw(st.integers(0, 3))
    around = {}
    for name in ("prepend", "append"):
        if data.draw(st.booleans()):
            sides = list(x.shape)
            sides[axis] = data.draw(st.integers(0, 2))
            around[name] = data.draw(arrays(dtype, tuple(sides)))
    whole = np.concatenate([y for y in (around.get("prepend"), x, around.get("append")) if y is not None], axis)
    want = np.diff(wide(whole), **options)
    got = be.diff(array(x), **options, **{name: array(y) for name, y in around.items()})
    check(("diff", x, options, around), got, want, dtype, scale=5000.0)


@covers("diff")
def test_diff_of_booleans_and_its_errors():
    x = np.asarray([True, True, False])
    check("diff", be.diff(array(x)), np.asarray([False, True]))
    with pytest.raises(ValueError):
        be.diff(array(np.arange(3)), n=-1)
    with pytest.raises((IndexError, ValueError)):
        be.diff(array(np.arange(3)), axis=1)
