"""What the plugin says of JAX: types, dtypes, errors, and the ways in and out."""

from __future__ import annotations

import array

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayOverflowError, CoreArrayTypeError, CoreArrayValueError

be = ca.get_backend("jax")


def test_arrays_and_tracers_are_known_by_their_declared_types():
    assert ca.current_backend(jnp.ones(2)) is be
    seen = []
    jax.jit(lambda x: seen.append(ca.current_backend(x)))(1.0)
    assert seen == [be]


@pytest.mark.parametrize("make", [jnp.asarray, lambda value: jax.jit(lambda: jnp.asarray(value) * 1)()])
@pytest.mark.parametrize(("value", "dtype"), [(1, ca.int64), (1.0, ca.float64), (1j, ca.complex128)])
def test_weak_types_end_here(make, value, dtype):
    x = make(value)
    assert x.weak_type
    assert not be.asarray(x).native.weak_type
    assert be.asarray(x).dtype is dtype


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_native_extremes_have_no_order_of_complex_numbers_though_no_dtype_is_read(name):
    function, expected = getattr(be.native, name), getattr(jnp, name)
    for x in (
        jnp.asarray([[3.0, jnp.nan], [1.0, 4.0]]),
        jnp.asarray([[3, 1], [4, 1]], "uint8"),
        jnp.ones((2, 2), bool),
    ):
        for options in ({}, {"axis": 0}, {"axis": -1, "keepdims": True}):
            found = function(x, **options)
            np.testing.assert_array_equal(found, expected(x, **options))
            assert found.dtype == (jnp.int64 if name.startswith("arg") else x.dtype)
    with pytest.raises(CoreArrayTypeError, match="is a function of real numbers"):
        function(jnp.ones(3, "complex64"))
    with pytest.raises(CoreArrayTypeError, match="is a function of real numbers"):
        jax.jit(function)(jnp.ones(3, "complex64"))


def test_scalars_are_not_weak():
    for x in (
        be.asarray(2.0),
        be.full((), 2.0),
        be.add(be.ones(()), 2.0),
        be.asarray([1, 2]),
        be.where(be.asarray(True), 1, 2),
    ):
        assert not x.native.weak_type


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float16", "bfloat16", "float32", "complex64"])
def test_python_scalars_keep_the_dtype(dtype):
    x = be.ones(2, dtype=dtype)
    assert (x + 1).dtype is x.dtype
    assert (1 + x).dtype is x.dtype
    if x.dtype.category.endswith("floating"):
        assert (x * 1.5).dtype is x.dtype
        assert (x**2).dtype is x.dtype
        assert (x / 3).dtype is x.dtype


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda x: be.add(x, be.ones(2)), CoreArrayValueError),
        (lambda x: be.reshape(x, (2,)), CoreArrayValueError),
        (lambda x: be.concat([x, be.ones((3, 2))]), CoreArrayValueError),
        (lambda x: be.stack([x, be.ones(2)]), CoreArrayValueError),
        (lambda x: be.matmul(x, be.ones(2)), CoreArrayValueError),
        (lambda x: be.broadcast_to(x, (2,)), CoreArrayValueError),
        (lambda x: be.linalg.inv(x), CoreArrayValueError),
        (lambda x: be.linalg.solve(be.eye(2), x), CoreArrayValueError),
        (lambda x: be.linalg.cross(x, be.ones((3, 1))), CoreArrayValueError),
        (lambda x: be.linalg.vecdot(x, be.ones((3, 3)), axis=-2), CoreArrayIndexError),
        (lambda x: be.sum(x, axis=3), CoreArrayIndexError),
        (lambda x: be.expand_dims(x, axis=3), CoreArrayIndexError),
        (lambda x: be.cumulative_sum(x, axis=1), CoreArrayIndexError),
        (lambda x: x[3], CoreArrayIndexError),
        (lambda x: x[-4], CoreArrayIndexError),
        (lambda x: x[0, 0], CoreArrayIndexError),
        (lambda x: be.asarray([300], dtype=ca.int8), CoreArrayOverflowError),
        (lambda x: be.asarray([-1], dtype=ca.uint8), CoreArrayOverflowError),
        (lambda x: be.asarray(["a"]), CoreArrayTypeError),
        (lambda x: be.bitwise_and(x, x), CoreArrayTypeError),
        (lambda x: be.asarray([1.0], copy=False), CoreArrayValueError),
    ],
)
def test_errors_are_of_the_python_kind(call, kind):
    with pytest.raises(kind):
        call(be.ones(3))


def test_asarray_reads_what_has_a_buffer():
    assert be.asarray(array.array("i", [1, 2])).tolist() == [1, 2]
    assert be.asarray(memoryview(b"ab")).dtype is ca.uint8
    assert be.asarray(np.arange(3)[::-1]).tolist() == [2, 1, 0]
    assert be.asarray([jnp.ones(2), [3.0, 4.0]]).tolist() == [[1.0, 1.0], [3.0, 4.0]]


@pytest.mark.parametrize("length", [3, 64, 10_000])
def test_asarray_copies_memory_that_may_change(length):
    source = np.zeros(length)
    x = be.asarray(source)
    source[:] = 1.0
    assert not be.any(x)


def test_copies():
    x = be.ones(4)
    copied = be.asarray(x, copy=True).native
    assert copied.unsafe_buffer_pointer() != x.native.unsafe_buffer_pointer()
    assert be.asarray(x, copy=False).native is x.native
    cast = be.astype(x, ca.float32).native
    assert cast.unsafe_buffer_pointer() != x.native.unsafe_buffer_pointer()
    assert be.astype(x, ca.float32, copy=False).native is x.native
    with pytest.raises(ValueError, match="without a copy"):
        be.asarray(x, dtype=ca.int32, copy=False)


def test_dlpack():
    x = be.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert np.from_dlpack(x).tolist() == x.tolist()
    assert be.from_dlpack(np.arange(3)).tolist() == [0, 1, 2]
    for version in (None, (0, 8), (1, 0), (2, 0)):
        assert x.__dlpack__(max_version=version) is not None
    assert x.__dlpack_device__() == x.native.__dlpack_device__()


def test_import_of_foreign_memory():
    source = np.arange(6.0).reshape(2, 3)
    for copied in (be.from_dlpack(source, copy=True), be.from_dlpack(source[:, ::2]), be.asarray(source, copy=True)):
        before = copied.tolist()
        source += 1.0
        assert copied.tolist() == before
    with pytest.raises(ValueError, match="without a copy"):
        be.from_dlpack(source[:, ::2], copy=False)


def test_arange_of_unsigned_integers_may_fall():
    assert be.arange(5, 0, -2, dtype=ca.uint8).tolist() == [5, 3, 1]
    assert be.arange(2**63, 2**63 + 3, dtype=ca.uint64).tolist() == [2**63, 2**63 + 1, 2**63 + 2]


def test_text():
    assert repr(be.asarray([1.5, 2.0])).startswith("Array([1.5, 2. ], dtype=float32, backend=jax")
    assert repr(be.ones(2, dtype=ca.bfloat16)).startswith("Array([1, 1], dtype=bfloat16")
    assert "..." in repr(be.zeros(1000))


def test_capacity_of_integers():
    x = be.asarray([2**63], dtype=ca.uint64)
    assert (x + (2**63 - 1)).tolist() == [2**64 - 1]
    assert be.maximum(x, 2**63 + 5).tolist() == [2**63 + 5]
    assert (be.ones(1) * 10**20).tolist() == pytest.approx([1e20])
    assert be.full(1, 2**64 - 1, dtype=ca.uint64).tolist() == [2**64 - 1]


@pytest.mark.parametrize("name", ["concat", "stack", "hstack", "vstack", "dstack", "column_stack"])
def test_lists_and_tuples_of_arrays_are_one_program(name, caplog):
    def compiled():
        return [message for message in caplog.messages if message.startswith("Compiling")]

    x = be.ones((13, 17))  # a shape of this test alone
    with jax.log_compiles():
        getattr(ca, name)([x, x])
        assert len(compiled()) == 1
        for owner, one in ((be, x), (be.native, x.native)):
            for arrays in ((one, one), [one, one]):
                getattr(owner, name)(arrays)
        assert len(compiled()) == 1
