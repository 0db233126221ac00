"""Sparse arrays: made and taken apart again, dense as NumPy says, and clear refusals."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import NAME, array, be, check, numpy_of

import corearray as ca

HAS = "sparse_parts" in be.facts
pytestmark = pytest.mark.usefixtures("on_this_backend")
needed = pytest.mark.skipif(not HAS, reason="this framework has no sparse arrays")


@pytest.fixture
def on_this_backend():
    with ca.backend_context(be):
        yield


def csr_or_skip(*args):
    """Make a CSR array where the framework has the format; where not, check that it says so."""
    try:
        return ca.native_sparse_array(*args, format="csr")
    except NotImplementedError as error:
        assert "'coo' only" in str(error)
        pytest.skip("this framework has lists of places only")


@needed
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex64"])
def test_lists_of_places(dtype):
    indices, values = np.asarray([[0, 1, 1, 1], [2, 0, 2, 0]]), np.asarray([5, 7, 1, 2]).astype(dtype)
    want = np.zeros((2, 3), dtype)
    np.add.at(want, tuple(indices), values)  # two values have one place
    native = ca.native_sparse_array(array(indices), array(values), (2, 3))
    assert ca.is_native_sparse_array(native) and not ca.is_native_sparse_array(array(want))
    x = ca.SparseArray(native)
    assert (x.format, x.shape, x.dtype, x.backend, x.native) == ("coo", (2, 3), getattr(ca, dtype), be, native)
    check("to_dense", x.to_dense(), want)
    for given in (native, x):
        found = ca.native_sparse_array_to_indices_values_and_shape(given)
        assert [numpy_of(part).tolist() for part in found[:2]] == [indices.tolist(), values.tolist()]
        assert found[2] == (2, 3)
    assert repr(x) == f"SparseArray(format='coo', shape=(2, 3), dtype={dtype}, backend={NAME})"


@needed
def test_rows():
    splits, columns, values = np.asarray([0, 1, 1, 3]), np.asarray([2, 0, 3]), np.asarray([5.0, 7.0, 1.0])
    native = csr_or_skip((array(splits), array(columns)), array(values), (3, 4))
    x = ca.SparseArray(native)
    assert (x.format, x.shape) == ("csr", (3, 4))
    want = np.zeros((3, 4))
    want[[0, 2, 2], columns] = values
    check("to_dense", x.to_dense(), want)
    (one, two), third, _ = x.indices_values_and_shape()
    assert (one.tolist(), two.tolist(), third.tolist()) == (splits.tolist(), columns.tolist(), values.tolist())


@needed
def test_nothing_and_a_vector():
    x = ca.SparseArray(ca.native_sparse_array(be.zeros((2, 0), dtype=be.int64), be.zeros(0), (2, 3)))
    check("to_dense", x.to_dense(), np.zeros((2, 3), "float32"))
    if NAME != "numpy":  # vectors came into SciPy late
        x = ca.SparseArray(ca.native_sparse_array(array(np.asarray([[1]])), array(np.asarray([4.0])), (3,)))
        check("to_dense", x.to_dense(), np.asarray([0.0, 4.0, 0.0]))


@needed
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda i, v: ca.native_sparse_array(i, v, (2, 3), format="bsr"), ValueError, "it is 'coo' or 'csr'"),
        (lambda i, v: ca.native_sparse_array(i, v, (2, 3, 1)), ValueError, r"of the shapes \[\(3, 2\)\]"),
        (lambda i, v: ca.native_sparse_array(i, v[:1], (2, 3)), ValueError, r"of the shapes \[\(2, 1\)\]"),
        (lambda i, v: ca.native_sparse_array(i, i, (2, 3)), ValueError, "a vector of values"),
        (lambda i, v: ca.native_sparse_array(be.astype(i, be.float32), v, (2, 3)), TypeError, "give integers"),
        (lambda i, v: ca.native_sparse_array(i, v, (2, 2)), IndexError, "outside of the shape"),
        (lambda i, v: ca.native_sparse_array((i[0, :], i[0, :]), v, (2,), format="csr"), ValueError, "a matrix"),
        (lambda i, v: ca.native_sparse_array((i[1, :], i[0, :]), v, (1, 3), format="csr"), IndexError, "not ascend"),
        (lambda i, v: ca.SparseArray(v), TypeError, "which is no sparse array"),
        (lambda i, v: ca.native_sparse_array_to_indices_values_and_shape(3), TypeError, "which is no sparse array"),
    ],
)
def test_what_cannot_be_made(call, error, message):
    with pytest.raises(error, match=message):
        call(array(np.asarray([[0, 1], [2, 0]])), array(np.asarray([5.0, 7.0])))


@pytest.mark.skipif(HAS, reason="this framework has sparse arrays")
def test_a_framework_without_sparse_arrays_says_so():
    assert not ca.is_native_sparse_array(be.ones(2))
    for call in (lambda: ca.SparseArray(3), lambda: ca.native_sparse_array(be.zeros((1, 0)), be.zeros(0), (2,))):
        with pytest.raises(NotImplementedError, match=f"backend '{NAME}' has no sparse arrays"):
            call()
