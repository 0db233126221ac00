"""Indexing against NumPy: the compiled paths, the bounds that JAX does not keep, and masks."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from corearray_jax import keys

import corearray as ca

be = ca.get_backend("jax")


def test_indices_are_looked_at_in_each_call():
    """Memory that is shared with another library may change, though JAX's own arrays never do."""
    places = np.arange(20000)
    x, indices = be.arange(20000.0), be.from_dlpack(places)
    assert be.take(x, indices)[5] == 5.0
    places[5] = 20000
    if int(indices[5]) == 20000:  # JAX shares memory only where it lies as XLA wants it
        with pytest.raises(IndexError, match="out of bounds"):
            be.take(x, indices)


def numbered(shape):
    return np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)


@pytest.mark.parametrize(
    "key",
    [
        np.array([2, 0, -1]),
        np.array([[0], [1]]),
        (slice(None), np.array([3, 3, 0])),
        (np.array([0, 1]), np.array([-1, 2])),
        (1, np.array([0, 2])),
        (np.array([0, 2]), 1),
        (np.array(1), slice(1, None)),
        (None, np.array([1]), ...),
        (..., np.array([1, 0])),
        np.arange(12).reshape(3, 4) % 3 == 0,
        np.array([True, False, True]),
        (slice(None), np.array([True, False, False, True])),
        (np.array([True, False, True]), 1),
        (np.array([True, False, True]), np.array([1, 0])),
        (..., np.array([True, False, False, True])),
        np.zeros((3, 4), bool),
        np.array(True),
        np.array(False),
    ],
    ids=repr,
)
@pytest.mark.parametrize("value", ["scalar", "full"])
def test_keys_with_arrays(key, value):
    x = numbered((3, 4))
    expected = x[key]
    parts = key if isinstance(key, tuple) else (key,)
    native_key = tuple(be.native.asarray(part) if isinstance(part, np.ndarray) else part for part in parts)
    native_key = native_key if isinstance(key, tuple) else native_key[0]
    native = be.native.asarray(x)
    got = be.native.get_item(native, native_key)
    assert (got.shape, got.tolist()) == (expected.shape, expected.tolist())

    new = (
        np.array(-1, np.int32)
        if value == "scalar"
        else -1 - np.arange(expected.size, dtype=np.int32).reshape(expected.shape)
    )
    wanted = x.copy()
    wanted[key] = new
    assert be.fact("set_item", native, native_key, be.native.asarray(new)).tolist() == wanted.tolist()


@pytest.mark.parametrize(
    "key", [3, -4, (0, 4), (slice(None), -5), (0, 0, 0), (..., 0, 0, 0), (slice(1), slice(1), slice(1))]
)
def test_out_of_bounds(key):
    x = be.zeros((3, 4))
    with pytest.raises(IndexError):
        x[key]
    with pytest.raises(IndexError):
        x[key] = 1.0
    with pytest.raises(IndexError):
        jax.jit(lambda x: x[key])(x)


@pytest.mark.parametrize("key", [(3, [0]), ([0], 4), (..., 4, [0])])
def test_integers_beside_arrays_are_checked_too(key):
    key = tuple(be.asarray(part) if isinstance(part, list) else part for part in key)
    with pytest.raises(IndexError):
        be.zeros((3, 4))[key]


@pytest.mark.parametrize("indices", [[0, 3], [-4, 0]])
def test_arrays_of_indices_are_checked_where_their_values_are_at_hand(indices):
    x, indices = be.zeros((3, 4)), be.asarray(indices)
    for call in (
        lambda: x[indices],
        lambda: x[indices, 0],
        lambda: x.__setitem__(indices, 1.0),
        lambda: be.take(x, indices, axis=0),
        lambda: be.take_along_axis(x, indices[:, None], axis=0),
    ):
        with pytest.raises(IndexError):
            call()
    assert jax.jit(lambda x, indices: x[indices])(x, indices).shape == (2, 4)


def test_masks_that_do_not_fit():
    with pytest.raises(IndexError, match="mask of shape"):
        be.zeros((3, 4))[be.asarray([True, False])]
    assert be.zeros(3)[be.zeros(0, dtype=ca.bool)].shape == (0,)


def test_one_compilation_serves_every_place():
    x = be.native.zeros((50, 3))
    be.native.get_item(x, 0), be.native.get_item(x, slice(2, 7))
    before = keys.taken_block._cache_size()
    for place in range(1, 40):
        be.native.get_item(x, place)
        be.native.get_item(x, slice(place, place + 5))
    assert keys.taken_block._cache_size() == before


def test_writing_leaves_the_native_array_alone():
    x = be.zeros(3)
    native = x.native
    x[0] = 1.0
    x += 1.0
    assert native.tolist() == [0.0, 0.0, 0.0]
    assert x.tolist() == [2.0, 1.0, 1.0]


def test_masked_assignment_is_traced():
    @jax.jit
    def clipped(x):
        x[x < 0] = 0.0
        return x

    assert clipped(be.asarray([-1.0, 2.0])).tolist() == [0.0, 2.0]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize("length", [1, 2, 127, 128, 129, 255, 256, 257, 32768, 65536, 70000])
def test_indices_are_inside_or_not_and_count_from_the_front_or_not(dtype, length):
    limits = np.iinfo(dtype)
    near = {limits.min, limits.min + 1, -length - 1, -length, 1 - length, -1, 0, length - 1, length, limits.max}
    for index in sorted(index for index in near if limits.min <= index <= limits.max):
        indices = jax.numpy.asarray(np.array([0, index, 0], dtype))
        if -length <= index < length:
            assert keys.check_inside(indices, length, 0) is (index >= 0)
        else:
            with pytest.raises(IndexError, match=f"index {index} is out of bounds for axis 3 of length {length}"):
                keys.check_inside(indices, length, 3)


@pytest.mark.parametrize("dtype", ["int8", "int16"])
def test_narrow_indices_count_the_whole_axis_in_compiled_functions(dtype):
    x, indices = np.arange(40000.0), np.asarray([-1, 3, -100], dtype)
    for function in (be.native.take, lambda x, i: keys.gathered(x, i)):
        assert jax.jit(function)(x, indices).tolist() == x[indices].tolist()


def test_narrow_indices_beside_masks_on_other_devices_count_the_whole_axis(monkeypatch):
    monkeypatch.setattr(keys, "on_host", lambda *parts: False)
    x, key = numbered((2, 300)), (np.asarray([True, False]), np.asarray([-1], "int8"))
    assert np.array_equal(keys.gathered(jax.numpy.asarray(x), tuple(map(jax.numpy.asarray, key))), x[key])
    want = x.copy()
    want[key] = 7
    arguments = jax.numpy.asarray(x), tuple(map(jax.numpy.asarray, key)), jax.numpy.asarray([7], x.dtype)
    assert np.array_equal(keys.scattered(*arguments), want)


def test_an_array_that_a_step_has_ended_is_an_error_with_the_remedy():
    with ca.backend_context("jax"):
        model = ca.nn.Linear(3, 2)
        train = ca.nn.TrainStep(model, lambda m, x: ca.sum(m(x)), ca.optim.sgd(0.1))
        kept = model.weight
        train(ca.ones((2, 3)))
    for call in (lambda: kept + 1.0, kept.tolist):
        with pytest.raises(
            ca.CoreArrayError, match=r"has been deleted .*; keep a copy, ca.asarray\(x, copy=True\), or"
        ):
            call()
