"""Views and copies, and keys for new axes that stand for NumPy's slower functions."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("numpy")


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 3)])
def test_new_axes_are_numpys(shape):
    x = be.zeros(shape)
    for axis in range(-len(shape) - 1, len(shape) + 1):
        assert be.expand_dims(x, axis).shape == np.expand_dims(x.native, axis).shape
        assert be.stack([x, x], axis=axis).shape == np.stack([x.native, x.native], axis=axis).shape
    for axis in (-len(shape) - 2, len(shape) + 1):
        for call in (lambda axis: be.expand_dims(x, axis), lambda axis: be.stack([x, x], axis=axis)):
            with pytest.raises(IndexError):
                call(axis)


def test_reshape_says_whether_it_copies():
    x = be.reshape(be.arange(6), (2, 3))
    assert np.shares_memory(be.reshape(x, (6,)).native, x.native)
    assert np.shares_memory(be.reshape(x, (6,), copy=False).native, x.native)
    assert not np.shares_memory(be.reshape(x, (6,), copy=True).native, x.native)
    assert be.reshape(x.T, (6,), copy=True).tolist() == [0, 3, 1, 4, 2, 5]
    with pytest.raises(ValueError, match="allow a copy"):
        be.reshape(x.T, (6,), copy=False)


@pytest.mark.parametrize("dtype", ["uint8", "uint64", "int32"])
def test_indices_of_every_integer_dtype(dtype):
    x, indices = be.asarray([10, 20, 30]), be.asarray([2, 0], dtype=dtype)
    assert be.take(x, indices).tolist() == x[indices].tolist() == [30, 10]
    assert be.repeat(x[:2], indices).tolist() == [10, 10]
    assert be.searchsorted(x, 15, sorter=be.asarray([0, 1, 2], dtype=dtype)).item() == 1
    with pytest.raises(TypeError):
        be.take(x, be.asarray([0.0]))
    assert be.repeat(x, 2).dtype is ca.int64
