"""Linear algebra: products exactly or to rounding, factorisations by what they must satisfy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    COMPILES,
    COMPLEX,
    FLOATING,
    INTEGER,
    NUMERIC,
    PROMOTION,
    REAL,
    Domain,
    array,
    arrays,
    axes_of,
    be,
    cast,
    check,
    compare,
    complex_of,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    needs_derivatives,
    numpy_of,
    real_of,
    sum_dtype,
    wide,
)

import corearray as ca

_ENTRIES = Domain(-2, 2, step=0.125)
_BATCHES = st.sampled_from(((), (), (2,), (3, 1), (0,)))
_MATRICES = hnp.array_shapes(min_dims=2, max_dims=4, min_side=0, max_side=4)
_TAKEN = (*FLOATING, "int32", "uint8")


def _square(draw, dtype, batch, size):
    """Draw matrices whose diagonal outweighs the rest: well conditioned, with eigenvalues that lie apart."""
    noise = draw(arrays(dtype, (*batch, size, size), _ENTRIES))
    return (noise + np.diag(np.arange(4 * size, 0, -4) * size).astype(dtype)).astype(dtype)


@st.composite
def square(draw, dtypes=_TAKEN, least=1):
    dtype = draw(dtypes_of(dtypes))
    return _square(draw, dtype, draw(_BATCHES), draw(st.integers(least, 4)))


@st.composite
def hermitian(draw):
    x = _square(draw, draw(dtypes_of((*FLOATING, "int32"))), draw(_BATCHES), draw(st.integers(1, 4)))
    lower = np.tril(x, -1)
    return lower + dagger(lower) + np.real(x) * np.eye(x.shape[-1], dtype=np.real(x).dtype)


@st.composite
def rectangular(draw):
    """Draw matrices of full rank."""
    dtype = draw(dtypes_of(_TAKEN))
    batch, rows, columns = draw(_BATCHES), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    noise = draw(arrays(dtype, (*batch, rows, columns), _ENTRIES))
    return (noise + 16 * np.eye(rows, columns)).astype(dtype)


def lifted(x):
    """Return matrices as the backend computes with them, in double precision."""
    return wide(cast(x, float_dtype(str(x.dtype))))


def dagger(x):
    return np.conj(np.swapaxes(x, -1, -2))


def _size(x):
    return float(np.max(np.abs(lifted(x)), initial=0.0))


def unitary(what, x, dtype):
    """Check that columns are orthonormal."""
    want = np.broadcast_to(np.eye(x.shape[-1]), (*x.shape[:-2], x.shape[-1], x.shape[-1]))
    compare(what, dagger(wide(x)) @ wide(x), want, dtype, factor=100, scale=1.0)


# --- products


@st.composite
def _factors(draw):
    one = draw(dtypes_of(NUMERIC))
    two = draw(st.just(one) | dtypes_of(NUMERIC))
    common = PROMOTION[one, two]
    assume(common is not None)
    inner, rows, columns = (draw(st.integers(0, 4)) for _ in range(3))
    batches = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_side=0, max_side=3))
    first = draw(st.sampled_from(((*batches.input_shapes[0], rows, inner), (inner,))))
    second = draw(st.sampled_from(((*batches.input_shapes[1], inner, columns), (inner,))))
    return common, draw(arrays(one, first)), draw(arrays(two, second))


@covers("matmul")
@examples
@given(_factors())
def test_matmul(drawn):
    common, x1, x2 = drawn
    want = _product(np.matmul, common, x1, x2)
    check(("matmul", x1, x2), be.matmul(array(x1), array(x2)), want, common, factor=10, scale=1e7)
    check(("@", x1, x2), array(x1) @ array(x2), want, common, factor=10, scale=1e7)
    check(("linalg.matmul", x1, x2), be.linalg.matmul(array(x1), array(x2)), want, common, factor=10, scale=1e7)


def _product(oracle, common, x1, x2, **options):
    """Multiply exactly or in double precision; numbers up to 1000 in size."""
    x1, x2 = (wide(x.astype(common)) for x in (x1, x2))
    if common in INTEGER and x1.size and x2.size:
        return oracle(x1, x2, **options)
    kind = "complex128" if common in COMPLEX else "float64"
    return oracle(x1.astype(kind), x2.astype(kind), **options)


@covers("tensordot")
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_tensordot(data, dtype):
    x1 = data.draw(arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3)))
    count = data.draw(st.integers(0, x1.ndim))
    shared = tuple(data.draw(st.permutations(range(x1.ndim)))[:count])
    others = data.draw(st.lists(st.integers(1, 3), max_size=2))
    if data.draw(st.booleans()):
        sides = [*x1.shape[x1.ndim - count :], *others]
        x2, axes = data.draw(arrays(dtype, tuple(sides))), count
    else:
        sides = [*others, *(x1.shape[axis] for axis in shared)]
        x2 = data.draw(arrays(dtype, tuple(sides)))
        axes = (tuple(shared), tuple(axis - count for axis in range(count)))
    want = _product(np.tensordot, dtype, x1, x2, axes=axes)
    scale = 1e6 * 27
    check(("tensordot", x1, x2, axes), be.tensordot(array(x1), array(x2), axes=axes), want, dtype, scale=scale)
    if axes == 2:
        check(("tensordot", x1, x2), be.linalg.tensordot(array(x1), array(x2)), want, dtype, scale=scale)


@covers("tensordot")
def test_pairs_of_axes():
    x = np.arange(6.0).reshape(2, 3)
    want = np.tensordot(x, x, axes=((1,), (1,)))
    for axes in ((1, 1), [1, -1], ([1], 1), ((-1,), [1])):
        check(("tensordot", axes), be.tensordot(array(x), array(x), axes=axes), want)
    for axes, kind in ((-1, ValueError), ((0, 1), ValueError), ((1, 5), IndexError), ((1, 0.5), TypeError)):
        with pytest.raises(kind, match="'tensordot'"):
            be.tensordot(array(x), array(x), axes=axes)


@covers("vecdot")
def test_an_axis_that_vectors_do_not_have():
    for dtype in ("float64", "complex128", "int32"):
        x = array(np.ones(3, dtype))
        for axis in (1, -2):
            with pytest.raises(IndexError, match=rf"'vecdot' .* got axis={axis}, but axis {axis} is out of range"):
                be.vecdot(x, x, axis=axis)


@covers("vecdot", "cross")
@pytest.mark.parametrize("shapes", [((3,), (2, 3)), ((3, 3), (3,)), ((3, 3), (3, 2, 3)), ((3, 1), (3, 3, 3))])
def test_an_axis_counted_from_the_front_of_arrays_with_different_ones(shapes):
    """Its place among the axes that are broadcast would be another one in each array."""
    for function in (be.vecdot, be.linalg.vecdot, be.linalg.cross):
        for dtype in ("float32", "int64", "complex128"):
            with pytest.raises(
                ca.AxisError, match=f"axis 0 is out of range .* valid are -{min(map(len, shapes))} to -1"
            ):
                function(*(be.ones(shape, dtype=dtype) for shape in shapes), axis=0)


@covers("vecdot")
@examples
@given(st.data())
def test_vecdot(data):
    one = data.draw(dtypes_of(NUMERIC))
    two = data.draw(st.just(one) | dtypes_of(NUMERIC))
    common = PROMOTION[one, two]
    assume(common is not None)
    found = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_side=0, max_side=3))
    length, axis = data.draw(st.integers(0, 4)), -1
    first, second = ((*shape, length) for shape in found.input_shapes)
    if len(first) == len(second) and data.draw(st.booleans()):
        axis = data.draw(st.integers(-len(first), -1))
        first, second = (np.moveaxis(np.empty(shape), -1, axis).shape for shape in (first, second))
    x1, x2 = data.draw(arrays(one, first)), data.draw(arrays(two, second))

    def oracle(a, b):
        a, b = np.broadcast_arrays(np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1))
        return np.sum((np.conj(a) if common in COMPLEX else a) * b, axis=-1)

    want = _product(oracle, common, x1, x2)
    options = {} if axis == -1 and data.draw(st.booleans()) else {"axis": axis}
    got = be.vecdot(array(x1), array(x2), **options)
    check(("vecdot", x1, x2, options), got, want, common, factor=10, scale=1e7)


@covers("cross")
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_cross(data, dtype):
    other = data.draw(st.just(dtype) | dtypes_of(NUMERIC))
    common = PROMOTION[dtype, other]
    assume(common is not None)
    found = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_side=0, max_side=3))
    first, second = ((*shape, 3) for shape in found.input_shapes)
    axis = -1
    if len(first) == len(second):
        axis = data.draw(st.integers(-len(first), -1))
        first, second = (np.moveaxis(np.empty(shape), -1, axis).shape for shape in (first, second))
    x1, x2 = data.draw(arrays(dtype, first)), data.draw(arrays(other, second))

    def oracle(a, b):
        (a, b, c), (d, e, f) = (np.moveaxis(v, axis, 0) for v in (a, b))
        return np.moveaxis(np.stack([b * f - c * e, c * d - a * f, a * e - b * d]), 0, axis)

    want = _product(oracle, common, x1, x2)
    check(("cross", x1, x2, axis), be.linalg.cross(array(x1), array(x2), axis=axis), want, common, scale=1e6)


@covers("outer")
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_outer(data, dtype):
    x1, x2 = (data.draw(arrays(dtype, data.draw(st.integers(0, 4)))) for _ in range(2))
    want = _product(np.multiply.outer, dtype, x1, x2)
    check(("outer", x1, x2), be.linalg.outer(array(x1), array(x2)), want, dtype)


@covers("matrix_power")
@examples
@given(square(), st.integers(-3, 5))
def test_matrix_power(x, n):
    dtype = float_dtype(str(x.dtype))
    want = np.linalg.matrix_power(lifted(x), n)
    scale = np.max(np.abs(want), initial=0)
    check(("matrix_power", x, n), be.linalg.matrix_power(array(x), n), want, dtype, factor=100, scale=scale)


# --- parts


@covers("matrix_transpose")
@examples
@given(st.data(), dtypes_of(ALL))
def test_matrix_transpose(data, dtype):
    x = data.draw(arrays(dtype, _MATRICES))
    want = np.swapaxes(x, -1, -2)
    check(("matrix_transpose", x), be.matrix_transpose(array(x)), want)
    check(("linalg.matrix_transpose", x), be.linalg.matrix_transpose(array(x)), want)
    check(("mT", x), array(x).mT, want)


@covers("diagonal", "trace")
@examples
@given(st.data(), dtypes_of(NUMERIC), st.integers(-5, 5))
def test_diagonal_and_trace(data, dtype, offset):
    x = data.draw(arrays(dtype, _MATRICES))
    check(("diagonal", x, offset), be.linalg.diagonal(array(x), offset=offset), np.diagonal(x, offset, -2, -1))
    result = sum_dtype(dtype)
    want = np.asarray(np.sum(np.diagonal(wide(x.astype(result)), offset, -2, -1), axis=-1))
    check(("trace", x, offset), be.linalg.trace(array(x), offset=offset), want, result, factor=10, scale=4000.0)
    wider = [name for name in ("int64", "float64", "complex128") if np.can_cast(dtype, name)]
    wanted = data.draw(st.sampled_from(wider))
    got = be.linalg.trace(array(x), offset=offset, dtype=getattr(ca, wanted))
    check(("trace", x, offset, wanted), got, want.astype(wanted), wanted, factor=10, scale=4000.0)


# --- determinants, solutions, inverses


@covers("det", "slogdet")
@examples
@given(square())
def test_determinants(x):
    dtype = float_dtype(str(x.dtype))
    want = np.linalg.det(lifted(x))
    scale = np.prod(np.linalg.norm(lifted(x), axis=-1), axis=-1)
    check(("det", x), be.linalg.det(array(x)), want, dtype, factor=10, scale=scale)
    got = be.linalg.slogdet(array(x))
    assert got._fields == ("sign", "logabsdet")
    sign, logarithm = np.linalg.slogdet(lifted(x))
    check(("slogdet.sign", x), got.sign, sign, dtype, factor=10)
    check(("slogdet.logabsdet", x), got.logabsdet, logarithm, real_of(dtype), factor=10, scale=1.0)


_SINGULAR = {
    "one": [[0.0]],
    "two": [[1.0, 2.0], [2.0, 4.0]],
    "nothing": [[0.0, 0.0], [0.0, 0.0]],
    "three": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]],
    "a row alone": [[1.0, 1.0, 2.0], [2.0, 2.0, 4.0], [3.0, 3.0, 6.0]],
    "a zero in the diagonal": [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]],
    "zeros in the diagonal": [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]],
    "four": [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 1.0, 1.0], [1.0, 3.0, 4.0, 5.0], [2.0, 0.0, 1.0, 5.0]],
    "regular": [[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]],
}


def _without(x, rows, columns):
    return np.linalg.det(np.delete(np.delete(x, rows, 0), columns, 1))


def _cofactors(x):
    """Return the derivatives of the determinant, and those of their sum, from the definition."""
    places = list(np.ndindex(x.shape))
    first, second = np.zeros_like(x), np.zeros_like(x)
    for i, j in places:
        first[i, j] = (-1) ** (i + j) * _without(x, [i], [j])
        for k, m in places:
            if i != k and j != m:
                sign = (-1) ** (i + j + k + m) * (1 if (i < k) == (j < m) else -1)
                second[i, j] += sign * _without(x, [i, k], [j, m])
    return first, second


@needs_derivatives
@covers("det")
@pytest.mark.parametrize("name", _SINGULAR)
def test_determinants_have_their_derivatives_where_they_are_zero(name):
    x = np.asarray(_SINGULAR[name])
    first, second = _cofactors(x)
    slopes = ca.grad(be.linalg.det)
    close = {"rtol": 1e-10, "atol": 1e-10}
    np.testing.assert_allclose(numpy_of(slopes(array(x))), first, **close)
    np.testing.assert_allclose(numpy_of(ca.grad(lambda x: be.sum(slopes(x)))(array(x))), second, **close)
    _, along = ca.jvp(be.linalg.det, (array(x),), (array(np.ones_like(x)),))
    np.testing.assert_allclose(float(along), first.sum(), **close)
    batch = np.stack([x, x + np.eye(len(x)), np.zeros_like(x)])
    want = np.stack([_cofactors(one)[0] for one in batch])
    np.testing.assert_allclose(numpy_of(ca.grad(lambda x: be.sum(be.linalg.det(x)))(array(batch))), want, **close)
    np.testing.assert_allclose(numpy_of(ca.vmap(slopes)(array(batch))), want, **close)

    def turned(x):  # det(c x) is c**n det(x)
        return be.real(be.linalg.det(be.complex(x, x)))

    factor = ((1 + 1j) ** len(x)).real
    np.testing.assert_allclose(numpy_of(ca.grad(turned)(array(x))), factor * first, **close)


@needs_derivatives
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["three", "zeros in the diagonal", "regular"])
def test_compiled_derivatives_of_determinants(name):
    x = np.asarray(_SINGULAR[name])
    found = ca.compile(ca.grad(lambda x: be.sum(be.linalg.det(x))))(array(np.stack([x, x.T])))
    want = _cofactors(x)[0]
    np.testing.assert_allclose(numpy_of(found), np.stack([want, want.T]), rtol=1e-10, atol=1e-10)


@covers("det", "slogdet")
def test_determinants_of_singular_and_of_empty_matrices():
    x = np.asarray([[1.0, 0.0], [2.0, 0.0]])
    assert be.linalg.det(array(x)) == 0
    with np.errstate(divide="ignore"):
        found = be.linalg.slogdet(array(x))
    assert found.sign == 0 and found.logabsdet == -np.inf
    check("det", be.linalg.det(array(np.zeros((2, 0, 0)))), np.ones(2))
    check("slogdet", be.linalg.slogdet(array(np.zeros((0, 0)))).logabsdet, np.zeros(()))


@covers("solve")
@examples
@given(st.data(), dtypes_of(_TAKEN))
def test_solve(data, dtype):
    other = data.draw(st.just(dtype) | dtypes_of(_TAKEN))
    common = PROMOTION[dtype, other]
    result = float_dtype(common)
    size = data.draw(st.integers(1, 4))
    found = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_side=0, max_side=3))
    x1 = _square(data.draw, dtype, found.input_shapes[0], size)
    sides = (*found.input_shapes[1], size, data.draw(st.integers(0, 3)))
    x2 = data.draw(arrays(other, data.draw(st.sampled_from((sides, (size,)))), _ENTRIES))
    left, right = (wide(x.astype(result)) for x in (x1, x2))
    columns = right[:, None] if x2.ndim == 1 else right
    columns = columns[(None,) * (x1.ndim - columns.ndim)]  # NumPy 1 takes fewer axes for vectors
    want = np.linalg.solve(left, columns)[..., 0] if x2.ndim == 1 else np.linalg.solve(left, columns)
    check(("solve", x1, x2), be.linalg.solve(array(x1), array(x2)), want, result, factor=100, scale=1.0)


@covers("inv")
@examples
@given(square(least=0))
def test_inv(x):
    check(
        ("inv", x), be.linalg.inv(array(x)), np.linalg.inv(lifted(x)), float_dtype(str(x.dtype)), factor=100, scale=1.0
    )


@covers("pinv")
@examples
@given(rectangular(), st.sampled_from((None, 1e-3, "array")))
def test_pinv(x, rtol):
    dtype = float_dtype(str(x.dtype))
    given = {} if rtol is None else {"rtol": rtol}
    if rtol == "array":
        given = {"rtol": array(np.full(x.shape[:-2], 1e-3, real_of(dtype)))}
    want = np.linalg.pinv(lifted(x))
    check(("pinv", x, given), be.linalg.pinv(array(x), **given), want, dtype, factor=100, scale=1.0)


# --- factorisations


@covers("cholesky")
@examples
@given(hermitian(), st.sampled_from((None, False, True)))
def test_cholesky(x, upper):
    dtype = float_dtype(str(x.dtype))
    want = np.linalg.cholesky(lifted(x))
    options = {} if upper is None else {"upper": upper}
    want = dagger(want) if upper else want
    check(("cholesky", x, options), be.linalg.cholesky(array(x), **options), want, dtype, factor=100, scale=1.0)


@covers("cholesky", "inv", "solve")
def test_matrices_that_a_function_does_not_take():
    indefinite, singular = array(np.asarray([[1.0, 2.0], [2.0, -4.0]])), array(np.asarray([[1.0, 2.0], [2.0, 4.0]]))
    for call in (
        lambda: be.linalg.cholesky(indefinite),
        lambda: be.linalg.cholesky(be.stack([be.eye(2, dtype=be.float64), indefinite]), upper=True),
        lambda: be.linalg.inv(singular),
        lambda: be.linalg.solve(singular, singular),
    ):
        if COMPILES:
            assert not np.isfinite(ca.to_numpy(call())).all()
        else:
            with pytest.raises(ca.LinAlgError):
                call()


@covers("eigh", "eigvalsh")
@examples
@given(hermitian())
def test_eigh(x):
    dtype = float_dtype(str(x.dtype))
    want = np.linalg.eigvalsh(lifted(x))
    scale = np.max(np.abs(want), initial=0)
    check(("eigvalsh", x), be.linalg.eigvalsh(array(x)), want, real_of(dtype), factor=10, scale=scale)
    found = be.linalg.eigh(array(x))
    assert found._fields == ("eigenvalues", "eigenvectors")
    check(("eigh.eigenvalues", x), found.eigenvalues, want, real_of(dtype), factor=10, scale=scale)
    assert (found.eigenvectors.dtype.name, found.eigenvectors.shape) == (dtype, x.shape)
    vectors = wide(numpy_of(found.eigenvectors))
    unitary(("eigh.eigenvectors", x), vectors, dtype)
    compare(("eigh", x), (vectors * want[..., None, :]) @ dagger(vectors), lifted(x), dtype, factor=100, scale=scale)


@covers("eig", "eigvals")
@examples
@given(square())
def test_eig(x):
    dtype = complex_of(float_dtype(str(x.dtype)))
    want = np.linalg.eigvals(lifted(x)).astype("complex128")
    want = np.take_along_axis(want, np.argsort(want.real, axis=-1), -1)
    scale = np.max(np.abs(want), initial=0)
    got = be.linalg.eigvals(array(x))
    values = numpy_of(got)
    order = np.argsort(values.real, axis=-1)
    assert (got.dtype.name, got.shape) == (dtype, x.shape[:-1])
    compare(("eigvals", x), np.take_along_axis(values, order, -1), want, dtype, factor=100, scale=scale)
    found = be.linalg.eig(array(x))
    assert found._fields == ("eigenvalues", "eigenvectors")
    assert (found.eigenvalues.dtype.name, found.eigenvalues.shape) == (dtype, x.shape[:-1])
    assert (found.eigenvectors.dtype.name, found.eigenvectors.shape) == (dtype, x.shape)
    values, vectors = (wide(numpy_of(part)) for part in found)
    compare(("eig", x), lifted(x) @ vectors, vectors * values[..., None, :], dtype, factor=100, scale=scale)
    compare(("eig", x), np.linalg.norm(vectors, axis=-2), np.ones(values.shape), real_of(dtype), factor=10)


@covers("qr")
@examples
@given(rectangular(), st.sampled_from((None, "reduced", "complete")))
def test_qr(x, mode):
    dtype = float_dtype(str(x.dtype))
    found = be.linalg.qr(array(x), **({} if mode is None else {"mode": mode}))
    assert found._fields == ("Q", "R")
    *batch, rows, columns = x.shape
    inner = rows if mode == "complete" else min(rows, columns)
    assert (found.Q.dtype.name, found.Q.shape) == (dtype, (*batch, rows, inner))
    assert (found.R.dtype.name, found.R.shape) == (dtype, (*batch, inner, columns))
    q, r = (wide(numpy_of(part)) for part in found)
    unitary(("qr.Q", x), q, dtype)
    compare(("qr.R", x), r, np.triu(r), dtype)
    compare(("qr", x, mode), q @ r, lifted(x), dtype, factor=100, scale=_size(x))


@covers("svd", "svdvals")
@examples
@given(rectangular(), st.sampled_from((None, True, False)))
def test_svd(x, full):
    dtype = float_dtype(str(x.dtype))
    want = np.linalg.svd(lifted(x), compute_uv=False)
    scale = np.max(want, initial=0)
    check(("svdvals", x), be.linalg.svdvals(array(x)), want, real_of(dtype), factor=10, scale=scale)
    found = be.linalg.svd(array(x), **({} if full is None else {"full_matrices": full}))
    assert found._fields == ("U", "S", "Vh")
    check(("svd.S", x), found.S, want, real_of(dtype), factor=10, scale=scale)
    *batch, rows, columns = x.shape
    inner = min(rows, columns)
    left, right = (rows, columns) if full is not False else (inner, inner)
    assert (found.U.dtype.name, found.U.shape) == (dtype, (*batch, rows, left))
    assert (found.Vh.dtype.name, found.Vh.shape) == (dtype, (*batch, right, columns))
    u, s, v = (wide(numpy_of(part)) for part in found)
    unitary(("svd.U", x), u, dtype)
    unitary(("svd.Vh", x), dagger(v), dtype)
    product = (u[..., :inner] * s[..., None, :]) @ v[..., :inner, :]
    compare(("svd", x, full), product, lifted(x), dtype, factor=100, scale=scale)


@covers("matrix_rank")
@examples
@given(st.data(), dtypes_of(FLOATING))
def test_matrix_rank(data, dtype):
    batch, rows, columns = data.draw(_BATCHES), data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    rank = data.draw(st.integers(0, min(rows, columns)))
    x = data.draw(arrays(dtype, (*batch, rows, columns), _ENTRIES))
    x = (x + 16 * np.eye(rows, columns)).astype(dtype)
    if rank < rows:
        x[..., rank:, :] = 2 * x[..., :1, :] if rank else 0
    given = data.draw(st.sampled_from(({}, {"rtol": 1e-4})))
    check(("matrix_rank", x, given), be.linalg.matrix_rank(array(x), **given), np.full(batch, rank), "int64")


@covers("matrix_rank", "pinv")
@pytest.mark.parametrize("dtype", FLOATING)
def test_tolerances_are_shares_of_the_largest_singular_value(dtype):
    x = array(np.array([np.diag([3.0, 1.0]), np.diag([0.003, 0.001])], dtype))
    tolerances = (0.2, 0.3, 0.4, 0.9)
    assert [be.linalg.matrix_rank(x, rtol=share).tolist() for share in tolerances] == [[2, 2]] * 2 + [[1, 1]] * 2
    assert [(be.linalg.pinv(x, rtol=share)[:, 1, 1] != 0).tolist() for share in tolerances] == (
        [[True, True]] * 2 + [[False, False]] * 2
    )
    each = be.asarray([0.2, 0.4], dtype=real_of(dtype))
    assert be.linalg.matrix_rank(x, rtol=each).tolist() == [2, 1]
    assert (be.linalg.pinv(x, rtol=each)[:, 1, 1] != 0).tolist() == [True, False]
    eps = float(be.finfo(real_of(dtype)).eps)
    near = array(np.array([np.diag([1.0, 1.5 * eps]), np.diag([1.0, 4.0 * eps])], dtype))
    assert be.linalg.matrix_rank(near).tolist() == [1, 2]
    assert (be.linalg.pinv(near)[:, 1, 1] != 0).tolist() == [False, True]


# --- norms


@covers("matrix_norm")
@pytest.mark.parametrize("ord", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf, None])
@examples
@given(rectangular(), st.sampled_from(({}, {"keepdims": False}, {"keepdims": True})))
def test_matrix_norm(ord, x, options):
    dtype = real_of(float_dtype(str(x.dtype)))
    want = np.linalg.norm(lifted(x), ord, axis=(-2, -1), **options)
    got = be.linalg.matrix_norm(array(x), ord=ord, **options)
    check(("matrix_norm", x, ord, options), got, want, dtype, factor=10, scale=_size(x))
    if ord == "fro":
        check(("matrix_norm", x), be.linalg.matrix_norm(array(x), **options), want, dtype, factor=10)


@covers("vector_norm")
@pytest.mark.parametrize("ord", [2, 1, 0, 3, 0.5, -1, -2, np.inf, -np.inf])
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_vector_norm(ord, data, dtype):
    shape = hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=4)
    x = data.draw(arrays(dtype, shape, Domain(-50, 50, step=0.125, nonzero=ord < 0)))
    options = {"keepdims": data.draw(st.booleans())}
    axis = data.draw(axes_of(x.ndim, empty=False)) if x.ndim else None
    if axis is not None:
        options["axis"] = axis
    sizes = np.abs(lifted(x))
    if ord == 0:
        want = np.sum(sizes != 0, **options)
    elif abs(ord) == np.inf:
        want = (np.max if ord > 0 else np.min)(sizes, **options)
    else:
        with np.errstate(divide="ignore"):
            want = np.sum(sizes**ord, **options) ** (1 / ord)
    got = be.linalg.vector_norm(array(x), ord=ord, **options)
    check(("vector_norm", x, ord, options), got, want, real_of(float_dtype(dtype)), factor=10)
    if ord == 2:
        got = be.linalg.vector_norm(array(x), **options)
        check(("vector_norm", x, options), got, want, real_of(float_dtype(dtype)), factor=10)


@covers("cholesky", "inv", "det", "eigh", "solve")
def test_matrices_must_be_square():
    x = array(np.ones((2, 3)))
    for name in ("cholesky", "inv", "det", "slogdet", "eigh", "eigvalsh", "eig", "eigvals"):
        with pytest.raises(ValueError):
            getattr(be.linalg, name)(x)
    with pytest.raises(ValueError):
        be.linalg.solve(x, x)
    with pytest.raises(ValueError):
        be.linalg.matrix_power(x, 2)


def test_every_real_dtype_is_taken():
    for dtype in REAL:
        x = np.asarray([[2, 0], [0, 3]], dtype)
        check(("det", x), be.linalg.det(array(x)), np.asarray(6.0), float_dtype(dtype))
        check(("vector_norm", x), be.linalg.vector_norm(array(x)), np.sqrt(13), float_dtype(dtype))


@covers("vector_norm")
@pytest.mark.parametrize("order", [0, 1, 2, 3, -1, np.inf, -np.inf])
def test_an_axis_that_a_norm_does_not_have(order):
    for axis in (2, -3, (0, 2)):
        with pytest.raises(IndexError):
            be.linalg.vector_norm(be.ones((2, 3)), axis=axis, ord=order)
