"""Half precision, which LAPACK does not have, stacks, and norms at the ends of the range."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("numpy")
MATRIX = [[4.0, 1.0], [1.0, 3.0]]


@pytest.mark.parametrize(
    "name",
    ["cholesky", "det", "eigh", "eigvalsh", "inv", "matrix_norm", "pinv", "qr", "slogdet", "svd", "svdvals"],
)
def test_half_precision(name):
    function = getattr(be.linalg, name)
    half, single = function(be.asarray(MATRIX, dtype="float16")), function(be.asarray(MATRIX, dtype="float32"))
    pairs = zip(half, single, strict=True) if isinstance(half, tuple) else [(half, single)]
    for got, expected in pairs:
        assert got.dtype is ca.float16
        assert np.array_equal(got.native, expected.native.astype(np.float16))


def test_a_stack_of_matrices_is_no_stack_of_vectors():
    x = be.asarray([MATRIX, MATRIX, MATRIX])
    b = be.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    got = be.linalg.solve(x, b)
    assert got.shape == (3, 2, 3)
    assert np.allclose((x @ got).native, b.native)
    assert be.linalg.solve(x, b[:, 0]).shape == (3, 2)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("ord", [2, 3, 0.5, -1])
def test_norms_overflow_no_sooner_than_their_result(dtype, ord):
    limits = be.finfo(getattr(ca, dtype))
    for size in (limits.max / 32, limits.smallest_normal * 32):
        x = be.asarray([[3 * size, 4 * size], [0.75, 1.0], [0.0, 0.0]], dtype=dtype)
        expected = np.linalg.norm(np.asarray([3.0, 4.0]), ord=ord)
        got = be.linalg.vector_norm(x, axis=1, ord=ord).native.astype(np.float64)
        assert np.allclose(got / [size, 0.25, 1.0], [expected, expected, 0.0], rtol=4 * limits.eps)
    assert np.isclose(be.linalg.matrix_norm(x[:1, :] * 0.5).item() / size, 2.5, rtol=4 * limits.eps)


def test_what_numpy_says_is_told_of_the_function_that_was_called():
    with pytest.raises(ca.LinAlgError, match=r"^'inv' on backend 'numpy' failed: Singular matrix$"):
        be.linalg.inv(be.zeros((2, 2)))
