"""Indexing, which is NumPy's, against NumPy: keys of every kind that TensorFlow does not have, drawn at random."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

import corearray as ca

be = ca.get_backend("tensorflow")

PLACES = [None, None, -7, -3, -2, -1, 0, 1, 2, 3, 7]


def key_for(shape, random):
    """Return a key for an array of a shape."""
    common = tuple(random.choice([1, 2, 3]) for _ in range(random.randint(0, 2)))
    parts = []
    axis, dots = 0, False
    while axis < len(shape) and random.random() < 0.9:
        size = shape[axis]
        kind = random.choice(["integer", "slice", "slice", "new", "dots", "array", "array", "mask"])
        if kind == "integer" and size:
            parts.append(random.randrange(-size, size))
            axis += 1
        elif kind == "slice":
            parts.append(slice(random.choice(PLACES), random.choice(PLACES), random.choice([None, 1, 2, -1, -2])))
            axis += 1
        elif kind == "new":
            parts.append(None)
        elif kind == "dots" and not dots:
            dots = True
            parts.append(Ellipsis)
            axis += random.randint(0, len(shape) - axis)
        elif kind == "array" and size:
            own = tuple(1 if random.random() < 0.3 else length for length in common[random.randint(0, len(common)) :])
            places = [random.randrange(-size, size) for _ in range(math.prod(own))]
            parts.append(np.asarray(places, random.choice(["int64", "int32", "int8"])).reshape(own))
            axis += 1
        elif kind == "mask":
            own = shape[axis : axis + random.randint(0, 2)]
            parts.append(np.asarray([random.random() < 0.5 for _ in range(math.prod(own))], bool).reshape(own))
            axis += len(own)
    return parts[0] if len(parts) == 1 and random.random() < 0.7 else tuple(parts)


def ours(key):
    if isinstance(key, tuple):
        return tuple(map(ours, key))
    return be.asarray(key) if isinstance(key, np.ndarray) else key


def parts_of(key):
    return key if isinstance(key, tuple) else (key,)


@settings(max_examples=300, deadline=None)
@given(
    shape=st.lists(st.integers(0, 4), max_size=4).map(tuple),
    dtype=st.sampled_from(["float32", "int64", "uint16", "complex64", "bool"]),
    random=st.randoms(use_true_random=False),
)
def test_reading_and_writing(shape, dtype, random):
    x = np.arange(math.prod(shape)).astype(dtype).reshape(shape)
    key = key_for(shape, random)
    y = be.asarray(x)
    try:
        expected = x[key]
    except (IndexError, DeprecationWarning):
        if x.size:  # what NumPy makes of a place in nothing depends on its version
            with pytest.raises(IndexError):
                y[ours(key)]
        return
    found = be.to_numpy(y[ours(key)])
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    assert found.tolist() == expected.tolist()
    # NumPy leaves open which of the values for one place counts.
    distinct = all(not isinstance(part, np.ndarray) or part.dtype == bool for part in parts_of(key))
    own = expected.shape[random.randint(0, expected.ndim) :] if distinct else ()
    value = (np.arange(math.prod(own)) + 100).astype(dtype).reshape(own)
    x[key] = value
    y[ours(key)] = be.asarray(value)
    assert be.to_numpy(y).tolist() == x.tolist()


@pytest.mark.parametrize(
    "key",
    [
        2,
        -3,
        (0, 5),
        (0, 0, 0),
        (..., -6),
        np.asarray([2]),
        (0, np.asarray([5])),
        (np.asarray([-3]), slice(2)),
        np.ones(3, bool),
    ],
    ids=repr,
)
def test_what_lies_outside(key):
    x = be.ones((2, 5))
    with pytest.raises(IndexError):
        x[ours(key)]
    with pytest.raises(IndexError):
        x[ours(key)] = 1.0
    assert be.all(x == 1)


def test_numbers_of_numpy_and_tensors_without_axes_are_indices():
    x = be.asarray([[1, 2], [3, 4]])
    for one in (np.int8(1), np.asarray(1), tf.constant(1), be.asarray(1)):
        assert x[one].tolist() == [3, 4]
        assert x[one, -one].tolist() == 4
        assert x[:, one].tolist() == [2, 4]
        assert x[:one].tolist() == [[1, 2]]


def test_lists_are_arrays():
    x = be.asarray([[1, 2], [3, 4]])
    assert x[[1, 0]].tolist() == [[3, 4], [1, 2]]
    assert x[[True, False]].tolist() == [[1, 2]]
    assert x[[]].shape == (0, 2)
    assert be.native.get_item(x.native, [1, 1]).numpy().tolist() == [[3, 4], [3, 4]]


def test_a_value_with_spare_axes():
    x = be.zeros((2, 3))
    x[0] = be.asarray([[1.0, 2.0, 3.0]])
    assert x.tolist() == [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]
    with pytest.raises(ValueError, match="shape"):
        x[0] = be.ones((2, 3))


def test_writing_makes_a_new_tensor():
    native = tf.zeros(3)
    x = be.asarray(native)
    y = be.asarray(native)
    x[1:] = 2.0
    assert (x.tolist(), y.tolist(), native.numpy().tolist()) == ([0.0, 2.0, 2.0], [0.0] * 3, [0.0] * 3)


@pytest.mark.parametrize("nan", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_places_of_extremes_in_arrays_that_numpy_would_copy(dtype, nan):
    x = np.random.default_rng(0).standard_normal((20, 30, 40)).astype(dtype)
    if nan:
        x[7, 11, 13] = np.nan
    y = be.asarray(x)
    for axis in (None, 0, 1, 2, -1):
        for keepdims in (False, True):
            options = {"axis": axis, "keepdims": keepdims}
            assert be.argmax(y, **options).tolist() == x.argmax(**options).tolist()
            assert be.argmin(y, **options).tolist() == x.argmin(**options).tolist()
    assert np.array_equal(be.to_numpy(y), x, equal_nan=True)


@pytest.mark.parametrize(
    "key", [(1,) * 9, (0, ..., 1), (slice(None), 1, ..., 0, None), slice(1, None), (..., slice(1))]
)
def test_more_axes_than_tensorflow_slices(key):
    x = np.arange(2**9).reshape((2,) * 9)
    y = be.asarray(x)
    assert be.to_numpy(y[key]).tolist() == x[key].tolist()
    y[key] = -1
    x[key] = -1
    assert be.to_numpy(y).tolist() == x.tolist()
    assert be.argmax(y, axis=3).tolist() == x.argmax(3).tolist()
    assert be.argmax(y, axis=3, keepdims=True).shape == (2, 2, 2, 1, 2, 2, 2, 2, 2)
    assert be.cumulative_sum(y, axis=8, include_initial=True).shape == (2,) * 8 + (3,)


def test_a_mask_without_elements_fits_everywhere():
    x = be.ones((2, 3))
    mask = be.zeros((2, 0), dtype=ca.bool)
    assert x[mask].shape == (0,)
    x[mask] = 5.0
    assert be.all(x == 1)
