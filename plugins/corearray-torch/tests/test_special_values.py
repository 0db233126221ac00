"""Results that torch has otherwise: the standard's, or NumPy's where the standard is silent."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import corearray as ca

be = ca.get_backend("torch")
inf, nan = math.inf, math.nan


def same(x, expected):
    found = np.asarray(x)
    expected = np.asarray(expected, dtype=found.dtype)
    np.testing.assert_array_equal(found, expected)
    assert np.array_equal(np.signbit(found.real), np.signbit(expected.real)) or np.isnan(expected).any()


def test_floor_divide_with_infinities():
    x = be.asarray([inf, -inf, inf, 1.0, 1.0, -1.0, 0.0, 1.0, inf])
    y = be.asarray([2.0, 2.0, -2.0, inf, -inf, inf, -1.0, 0.1, inf])
    same(be.floor_divide(x, y), [inf, -inf, -inf, 0.0, -0.0, -0.0, -0.0, 9.0, nan])


def test_remainder_has_the_sign_of_the_divisor():
    same(be.remainder(be.asarray([0.0, -0.0, 4.0, -3.0]), be.asarray([-1.0, 1.0, -2.0, inf])), [-0.0, 0.0, -0.0, inf])
    same(be.remainder(be.asarray([4.0]), -2.0), [-0.0])


def test_a_number_is_divided_correctly():
    x = be.arange(1.0, 500.0)
    assert np.array_equal(np.asarray(49.0 / x), np.float32(49.0) / np.asarray(x))


def test_complex_numbers_are_added_in_place_without_another_array():
    class Calls(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            calls.append(function.overloadpacket.__name__)
            return function(*args, **(kwargs or {}))

    calls: list[str] = []
    x = be.asarray([1 + 1j, 2 - 1j])
    y = be.asarray([inf + 1j, 2.0])
    with Calls():
        x += y
        x -= y
        x += 2.0
    assert {name for name in calls if "view" not in name and "select" not in name} == {"add_", "sub_"}


def test_sign_of_nan():
    same(be.sign(be.asarray([nan, -2.0, 0.0, 3.0])), [nan, -1.0, 0.0, 1.0])


def test_searchsorted_puts_nan_behind_every_number():
    x = np.asarray([1.0, 2.0, inf, nan, nan], dtype="float32")
    v = np.asarray([[inf, nan], [0.0, 3.0]], dtype="float32")
    for side in ("left", "right"):
        same(be.searchsorted(be.asarray(x), be.asarray(v), side=side), np.searchsorted(x, v, side=side))
        order = np.asarray([4, 2, 0, 3, 1])
        shuffled = np.empty_like(x)
        shuffled[order] = x
        found = be.searchsorted(be.asarray(shuffled), be.asarray(v), side=side, sorter=be.asarray(order))
        same(found, np.searchsorted(x, v, side=side))


def test_variance_without_degrees_of_freedom_is_nan_and_does_not_warn():
    x = be.asarray([[1.0, 2.0], [3.0, 5.0]])
    same(be.var(x, axis=0, correction=2), [nan, nan])
    same(be.std(x, correction=7.5, keepdims=True), [[nan]])
    same(be.var(be.zeros((0, 2)), axis=0), [nan, nan])
    assert be.var(x, axis=(0, 1), correction=1.5).tolist() == pytest.approx(8.75 / 2.5)


def test_no_axes_are_reduced_where_an_empty_tuple_names_them():
    x = be.asarray([[1.0, 2.0]])
    for function in (be.sum, be.prod, be.max, be.min, be.mean):
        result = function(x, axis=())
        assert result.tolist() == [[1.0, 2.0]]
        assert result.native is not x.native
    assert be.any(x, axis=()).tolist() == be.all(x, axis=()).tolist() == [[True, True]]
    assert be.count_nonzero(x, axis=()).tolist() == [[1, 1]]
    assert be.var(x, axis=()).tolist() == [[0.0, 0.0]]


def test_solve_takes_a_matrix_for_a_matrix():
    matrices = be.broadcast_to(2.0 * be.eye(2), (2, 2, 2))
    assert be.linalg.solve(matrices, be.asarray([[2.0, 4.0], [6.0, 8.0]])).tolist() == [[[1.0, 2.0], [3.0, 4.0]]] * 2
    assert be.linalg.solve(matrices, be.asarray([2.0, 4.0])).tolist() == [[1.0, 2.0]] * 2


def test_shapes_that_torch_would_broadcast_are_refused():
    with pytest.raises(ValueError, match="vecdot"):
        be.vecdot(be.ones(3), be.ones(1))
    with pytest.raises(ValueError, match="tensordot"):
        be.tensordot(be.ones(3), be.ones(1), axes=1)
    with pytest.raises(ValueError, match="cross"):
        be.linalg.cross(be.ones(3), be.ones(1))
    with pytest.raises(ValueError, match="squeeze"):
        be.squeeze(be.ones((2, 1)), axis=0)


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_transforms_of_an_empty_batch(name):
    x = np.zeros((0, 4))
    for n in (None, 3, 6):
        found = getattr(be.fft, name)(be.asarray(x), n=n)
        assert found.shape == getattr(np.fft, name)(x, n=n).shape
    assert be.fft.fftn(be.asarray(x), axes=(1,)).shape == (0, 4)


def test_results_share_no_memory_with_their_arguments():
    for dtype in (be.float32, be.int32, be.uint64, be.complex64):
        x = be.ones(3, dtype=dtype)
        functions = [
            be.positive,
            be.conj,
            be.abs,
            be.square,
            lambda x: be.diff(x, n=0),
            lambda x: be.roll(x, 1, axis=()),
        ]
        if dtype is not be.complex64:
            functions += [be.ceil, be.floor, be.trunc, be.round, be.clip]
        for function in functions[:-1] if dtype is be.complex64 else functions:
            assert function(x).native.data_ptr() != x.native.data_ptr()


def test_complex_powers_of_zero():
    x = be.asarray([0j, 0j, 2j])
    assert be.pow(x, be.asarray([0j, 1 + 0j, 0j])).tolist() == [1 + 0j, 0j, 1 + 0j]


def test_unique_is_for_complex_numbers_too():
    found = be.unique_all(be.asarray([2j, 1 + 0j, 2j]))
    assert found.values.tolist() == [2j, 1 + 0j]
    assert found.counts.tolist() == [2, 1]
    assert be.isin(be.asarray([1j, 2j]), be.asarray([[2j]])).tolist() == [False, True]
    assert torch.equal(found.inverse_indices.native, torch.tensor([0, 1, 0]))


def test_an_index_that_lies_outside_is_not_taken_for_another():
    with pytest.raises(IndexError, match="index 7 is out of range"):
        be.take_along_axis(be.ones((2, 3)), be.asarray([[7], [0]]), axis=1)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_eigenvalues_of_what_is_not_finite(dtype):
    """LAPACK crashes at them."""
    assert be.linalg.eigvals(be.asarray([[4.0, inf], [2.0, 3.0]], dtype=dtype)).native.isnan().all()
    largest = be.asarray([[1e308, 0.0], [0.0, 1e308]], dtype="float64")
    same(be.linalg.eigvals(largest), [1e308, 1e308])


@pytest.mark.parametrize("name", ["add", "subtract"])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_sums_take_the_short_way_and_not_that_of_the_real_dtypes(name, dtype):
    x = be.asarray([1j, complex(2.0, inf)], dtype=dtype)
    real = be.asarray([1.0, 2.0])
    getattr(be, name)(x, x), getattr(be, name)(real, real)  # the first call composes
    own, other = (be.binding(name).kernels.functions[one._kind] for one in (x, real))
    assert own is not other
    whole = be.asarray([complex(inf, 0.0), 3.0], dtype=dtype)
    found = own(x.native, whole.native)
    assert torch.equal(found, getattr(be, name)(x, whole).native) and not found.isnan().any()
    assert torch.equal(own(x.native, inf), getattr(be, name)(x, inf).native)
    assert torch.equal(own(inf, x.native), getattr(be, name)(inf, x).native)
