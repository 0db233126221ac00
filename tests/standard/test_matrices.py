"""Linear algebra beyond the standard's, against NumPy and SciPy in double precision and by what results must satisfy.

A case is drawn from few shapes, since some frameworks compile for each of them.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st
from standard.support import (
    ALL,
    COMPLEX,
    FLOAT,
    FLOATING,
    array,
    be,
    check,
    compare,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    numpy_of,
    real_of,
    wide,
)

import corearray as ca

_seeds = st.integers(0, 99)
#: Dtype, axes in front of the matrices and of the sides, size of the matrices and number of sides.
_EQUATIONS = st.sampled_from(
    [
        ("float32", (), (), 3, 2),
        ("float64", (2,), (), 3, None),
        ("complex64", (), (2,), 3, 2),
        ("complex128", (2, 1), (3,), 3, 2),
        ("int32", (), (), 1, 1),
        ("float64", (0,), (1,), 3, 2),
        ("complex64", (), (), 0, 2),
        ("float32", (2,), (2,), 2, 0),
    ]
)


def normal(seed, dtype, shape):
    """Return numbers of a seed, integers as whole ones."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape) + (1j * rng.normal(size=shape) if dtype in COMPLEX else 0)
    return np.round(3 * x.real).astype(dtype) if dtype == "int32" else x.astype(dtype)


def regular(seed, dtype, shape):
    """Return square matrices that are well conditioned."""
    return normal(seed, dtype, shape) + 8 * np.eye(shape[-1], dtype=dtype)


def lifted(x):
    return wide(x.astype(float_dtype(str(x.dtype))))


def dagger(x):
    return np.swapaxes(np.conj(x) if np.iscomplexobj(x) else x, -1, -2)


def transposed(x, trans):
    return x if trans in (0, "N") else np.swapaxes(x, -1, -2) if trans in (1, "T") else dagger(x)


# --- triangular factors


@covers("lu_factor")
@examples
@given(
    st.sampled_from(
        [
            ("float32", (3, 3)),
            ("complex128", (2, 3, 3)),
            ("float64", (5, 2)),
            ("complex64", (2, 4)),
            ("int32", (1, 1)),
            ("float64", (0, 0)),
            ("float32", (2, 0, 3)),
            ("float64", (0, 2, 2)),
        ]
    ),
    _seeds,
)
def test_lu_factor(case, seed):
    dtype, shape = case
    x, result = normal(seed, dtype, shape), float_dtype(dtype)
    found = be.linalg.lu_factor(array(x))
    assert found._fields == ("LU", "pivots")
    rows, columns = shape[-2:]
    inner = min(rows, columns)
    assert (found.LU.dtype.name, found.LU.shape) == (result, shape)
    assert (found.pivots.dtype, found.pivots.shape) == (ca.int64, (*shape[:-2], inner))
    factors, pivots = wide(numpy_of(found.LU)), numpy_of(found.pivots)
    lower = np.tril(factors[..., :inner], -1) + np.eye(rows, inner)
    assert np.all(np.abs(lower) <= 1.5)  # complex sizes may be those of the parts
    want = np.array(lifted(x))
    for place in np.ndindex(*shape[:-2]):
        for row, other in enumerate(pivots[place]):
            assert row <= other < rows
            want[place][[row, other]] = want[place][[other, row]]
    compare(("lu_factor", x), lower @ np.triu(factors[..., :inner, :]), want, result, factor=100, scale=10.0)
    if dtype in FLOAT and x.size and len(shape) == 2:
        check(("lu_factor", x), found.pivots, scipy.linalg.lu_factor(lifted(x))[1].astype("int64"))


@covers("lu_factor")
def test_lu_factor_of_many_rows():
    x = normal(0, "float64", (37, 37))
    found = be.linalg.lu_factor(array(x))
    want = scipy.linalg.lu_factor(x)
    check("lu_factor", found.LU, want[0], factor=1e4, scale=1.0)
    check("lu_factor", found.pivots, want[1].astype("int64"))


@covers("lu_factor")
def test_lu_factor_of_singular_matrices():
    x = np.asarray([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 0.0, 5.0]])
    found = be.linalg.lu_factor(array(np.stack([x, 0 * x])))
    check("lu_factor", found.LU[0, 1:, :], np.asarray([[0.5, 0.0, 0.0], [0.0, 0.0, 5.0]]))
    check("lu_factor", found.LU[1, ...], 0 * x)
    check("lu_factor", found.pivots[1, ...], np.asarray([0, 1, 2]))


def solve(x, b):
    """Solve for matrices; NumPy 1 takes one matrix beside a stack for a stack of vectors."""
    return np.linalg.solve(x, b[(None,) * (x.ndim - b.ndim)])


@covers("lu_solve")
@examples
@given(
    _EQUATIONS,
    _seeds,
    st.sampled_from([0, 1, 2, "N", "T", "C", None]),
)
def test_lu_solve(case, seed, trans):
    dtype, *batches, size, columns = case
    x = normal(seed, dtype, (*batches[0], size, size)) + 3 * np.eye(size)[::-1].astype(dtype)  # rows change places
    b = normal(seed + 1, dtype, (size,) if columns is None else (*batches[1], size, columns))
    options = {} if trans is None else {"trans": trans}
    result = float_dtype(dtype)
    if x.size and np.min(np.abs(np.linalg.svd(lifted(x), compute_uv=False))) < 0.05:
        return
    sides = lifted(b)[:, None] if columns is None else lifted(b)
    want = solve(transposed(lifted(x), trans or 0), sides) if size else np.zeros(sides.shape, sides.dtype)
    want = np.broadcast_to(want, (*np.broadcast_shapes(batches[0], sides.shape[:-2]), *sides.shape[-2:]))
    found = be.linalg.lu_solve(*be.linalg.lu_factor(array(x)), array(b), **options)
    want = want[..., 0] if columns is None else want
    check(("lu_solve", x, b, options), found, want, result, factor=1e3, scale=np.max(np.abs(want), initial=1.0))


@covers("lu_solve")
@pytest.mark.parametrize("pivots", [[5, 1], [1, 2**40], [10**6, 10**6], [-3, 0]], ids=str)
def test_pivots_that_are_no_rows(pivots):
    """LAPACK would write wherever they point."""
    factors = np.asarray([[2.0, 1.0], [0.5, 3.0]])
    with pytest.raises(IndexError, match="is out of range for axis -1 of length 2"):
        be.linalg.lu_solve(array(factors), array(np.asarray(pivots)), array(np.ones(2)))
    found = be.linalg.lu_solve(array(factors), array(np.asarray([-1, -1])), array(np.ones(2)))
    check("lu_solve", found, be.linalg.lu_solve(array(factors), array(np.asarray([1, 1])), array(np.ones(2))))


@covers("solve_triangular")
@examples
@given(
    _EQUATIONS,
    _seeds,
    st.sampled_from([0, 1, 2, "N", "T", "C", None]),
    st.booleans(),
    st.booleans(),
)
def test_solve_triangular(case, seed, trans, lower, unit):
    dtype, *batches, size, columns = case
    x = regular(seed, dtype, (*batches[0], size, size))
    b = normal(seed + 1, dtype, (size,) if columns is None else (*batches[1], size, columns))
    options = {"lower": lower, "unit_diagonal": unit} | ({} if trans is None else {"trans": trans})
    triangle = np.tril(lifted(x)) if lower else np.triu(lifted(x))
    if unit:
        triangle = triangle - triangle * np.eye(size) + np.eye(size)
    sides = lifted(b)[:, None] if columns is None else lifted(b)
    want = solve(transposed(triangle, trans or 0), sides) if size else np.zeros(sides.shape, sides.dtype)
    want = np.broadcast_to(want, (*np.broadcast_shapes(batches[0], sides.shape[:-2]), *sides.shape[-2:]))
    want = want[..., 0] if columns is None else want
    found = be.linalg.solve_triangular(array(x), array(b), **options)
    scale = np.max(np.abs(want), initial=1.0)
    check(("solve_triangular", x, b, options), found, want, float_dtype(dtype), factor=100, scale=scale)


@covers("solve_triangular")
def test_the_other_triangle_is_not_read():
    x = np.asarray([[2.0, 1.0, 3.0], [np.nan, 4.0, 5.0], [np.inf, np.nan, 8.0]])
    b = np.asarray([1.0, 2.0, 3.0])
    want = np.linalg.solve(np.triu(np.nan_to_num(x, posinf=0)), b)
    check("solve_triangular", be.linalg.solve_triangular(array(x), array(b)), want)
    check("solve_triangular", be.linalg.solve_triangular(array(x.T.copy()), array(b), lower=True, trans="T"), want)
    unit = x + np.diag([np.nan] * 3)
    want = np.linalg.solve(np.triu(np.nan_to_num(x, posinf=0), 1) + np.eye(3), b)
    check("solve_triangular", be.linalg.solve_triangular(array(unit), array(b), unit_diagonal=True), want)


@covers("lu_solve", "solve_triangular")
@pytest.mark.parametrize("trans", [0, 1, 2])
def test_equations_of_complex_matrices(trans):
    """Each of the three is another equation, which no other test is sure to draw."""
    x, b = regular(0, "complex128", (2, 3, 3)), normal(1, "complex128", (3, 2))
    want = solve(transposed(x, trans), b)
    found = be.linalg.lu_solve(*be.linalg.lu_factor(array(x)), array(b), trans=trans)
    check(("lu_solve", x, b, trans), found, want, factor=100, scale=1.0)
    for lower, triangle in ((False, np.triu(x)), (True, np.tril(x))):
        want = solve(transposed(triangle, trans), b)
        found = be.linalg.solve_triangular(array(x), array(b), trans=trans, lower=lower)
        check(("solve_triangular", x, b, trans), found, want, factor=100, scale=1.0)


# --- functions of matrices


@covers("matrix_exp")
@examples
@given(
    st.sampled_from(
        [
            ("float32", (3, 3)),
            ("complex128", (2, 3, 3)),
            ("float64", (3, 3)),
            ("complex64", (1, 1)),
            ("int32", (2, 2)),
            ("float64", (0, 2, 2)),
            ("float32", (2, 0, 0)),
        ]
    ),
    _seeds,
    st.sampled_from([0.0, 1e-3, 0.3, 1.0, 3.0]),
)
def test_matrix_exp(case, seed, scale):
    dtype, shape = case
    x = normal(seed, dtype, shape)
    x = x if dtype == "int32" else (x * scale).astype(dtype)
    want = scipy.linalg.expm(lifted(x)) if x.size else lifted(x)
    sizes = np.max(np.abs(want), axis=(-2, -1), keepdims=True, initial=0.0)
    check(("matrix_exp", x), be.linalg.matrix_exp(array(x)), want, float_dtype(dtype), factor=300, scale=sizes)


@covers("matrix_exp")
@pytest.mark.parametrize("dtype", FLOAT)
def test_matrix_exp_of_large_norms(dtype):
    """Each squaring doubles the relative error: it grows with the norm."""
    for angle in (1e2, 1e3):
        angle = float(np.asarray(angle, dtype))
        want = np.asarray([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        x = np.asarray([[0.0, -angle], [angle, 0.0]], dtype)
        check(("matrix_exp", x), be.linalg.matrix_exp(array(x)), want, dtype, factor=angle, scale=1.0)
    x = np.asarray([np.diag([-1e6, -2.0]), np.diag([0.0, 1.0]), np.diag([-3e4, -1.0])], dtype)
    want = np.exp(np.diagonal(wide(x), 0, -2, -1))[..., None] * np.eye(2)
    check(("matrix_exp", x), be.linalg.matrix_exp(array(x)), want, dtype, factor=1e6, scale=1e-2)


@covers("matrix_exp")
def test_matrix_exp_of_what_is_not_finite():
    x = np.zeros((4, 2, 2))
    x[1, 0, 1], x[2, 1, 1], x[3, 0, 0] = np.nan, np.inf, -np.inf
    want = np.stack([np.eye(2), *np.full((3, 2, 2), np.nan)])
    check("matrix_exp", be.linalg.matrix_exp(array(x)), want)


@covers("cond")
@examples
@given(
    st.sampled_from(
        [
            ("float32", (3, 3)),
            ("complex128", (2, 3, 3)),
            ("int32", (1, 1)),
            ("float64", (0, 2, 2)),
            ("complex64", (2, 3)),
            ("float64", (4, 2)),
        ]
    ),
    _seeds,
    st.sampled_from([None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"]),
)
def test_cond(case, seed, p):
    dtype, shape = case
    x, result = (
        regular(seed, dtype, (*shape[:-2], max(shape), max(shape)))[..., : shape[-2], : shape[-1]],
        float_dtype(dtype),
    )
    if shape[-1] != shape[-2] and p not in (None, 2, -2):
        with pytest.raises(ValueError, match="square"):
            be.linalg.cond(array(x), p=p)
        return
    want = (
        np.real(np.linalg.cond(lifted(x), p)) if x.size else np.zeros(shape[:-2])
    )  # NumPy before 2.3 gives complex ones
    check(("cond", x, p), be.linalg.cond(array(x), p=p), want, real_of(result), factor=300)


@covers("cond")
@pytest.mark.parametrize("p", [None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"])
def test_cond_of_singular_matrices(p):
    x = np.asarray([np.diag([1.0, 0.0]), np.diag([np.nan, 1.0]), np.eye(2), np.zeros((2, 2)), np.diag([np.inf, 1.0])])
    want = np.asarray([0.0 if p == -2 else np.inf, np.nan, 2.0 if p in ("fro", "nuc") else 1.0, np.inf, np.nan])
    if p == "nuc":
        want[2] = 4.0
    check(("cond", x, p), be.linalg.cond(array(x), p=p), want, factor=10)


@covers("adjoint")
@examples
@given(dtypes_of(ALL), _seeds, st.sampled_from([(2, 3), (2, 1, 3), (0, 2)]))
def test_adjoint(dtype, seed, shape):
    x = normal(seed, dtype if dtype in FLOATING else "int32", shape)
    x = np.abs(x).astype(dtype) if dtype not in FLOATING else x
    check(("adjoint", x), be.adjoint(array(x)), dagger(x))
    check(("linalg.adjoint", x), be.linalg.adjoint(array(x)), dagger(x))


# --- three diagonals


@covers("eigh_tridiagonal", "eigvalsh_tridiagonal")
@examples
@given(
    st.sampled_from([("float32", (4,)), ("float64", (4,)), ("int32", (1,)), ("float64", (2, 3)), ("float32", (0, 2))]),
    _seeds,
    st.sampled_from(
        [{}, {"select": "i", "select_range": (0, 0)}, {"select": "i", "select_range": (0, 9)}, {"select": "v"}]
    ),
)
def test_three_diagonals(case, seed, options):
    dtype, shape = case
    d, e = normal(seed, dtype, shape), normal(seed + 1, dtype, (*shape[:-1], shape[-1] - 1))
    d = d + 4 * np.arange(shape[-1]).astype(dtype)  # eigenvalues lie apart
    result, size, last = float_dtype(dtype), shape[-1], shape[-1] - 1
    full = np.zeros((*shape, size))
    full[..., range(size), range(size)] = d
    full[..., range(last), range(1, size)] = full[..., range(1, size), range(last)] = e
    want = np.linalg.eigvalsh(full)
    if options.get("select") == "v":
        if len(shape) > 1:
            return
        middle = float(want[0] + want[-1]) / 2 + 0.01
        options = {"select": "v", "select_range": (middle, float("inf"))}
        want = want[want > middle]
    elif options:
        options = {"select": "i", "select_range": (0, min(options["select_range"][1], last))}
        want = want[..., : options["select_range"][1] + 1]
    values = be.linalg.eigvalsh_tridiagonal(array(d), array(e), **options)
    check(("eigvalsh_tridiagonal", d, e, options), values, want, result, factor=100, scale=20.0)
    found = be.linalg.eigh_tridiagonal(array(d), array(e), **options)
    check(("eigh_tridiagonal", d, e, options), found.eigenvalues, want, result, factor=100, scale=20.0)
    vectors = wide(numpy_of(found.eigenvectors))
    assert (found.eigenvectors.dtype.name, vectors.shape) == (result, (*shape, want.shape[-1]))
    unit = np.broadcast_to(np.eye(want.shape[-1]), (*shape[:-1], want.shape[-1], want.shape[-1]))
    compare(("eigh_tridiagonal", d, e), dagger(vectors) @ vectors, unit, result, factor=100, scale=1.0)
    compare(("eigh_tridiagonal", d, e), full @ vectors, vectors * want[..., None, :], result, factor=200, scale=20.0)


# --- tensors and vectors


@covers("tensorsolve", "tensorinv")
@examples
@given(
    st.sampled_from(
        [
            ("float32", (2, 3), (6,), None),
            ("complex128", (4,), (2, 2), None),
            ("float64", (2, 2), (2, 1, 2), (0, 2)),
            ("int32", (), (), None),
        ]
    ),
    _seeds,
)
def test_equations_of_tensors(case, seed):
    dtype, sides, unknowns, axes = case
    size = int(np.prod(sides))
    x1 = regular(seed, dtype, (size, size)).reshape((*sides, *unknowns))
    x2, result = normal(seed + 1, dtype, sides), float_dtype(dtype)
    inverse = be.linalg.tensorinv(array(x1), ind=len(sides)) if sides else None
    if sides:
        want = np.linalg.tensorinv(lifted(x1), len(sides))
        check(("tensorinv", x1), inverse, want, result, factor=100, scale=1.0)
    moved = x1 if axes is None else np.moveaxis(x1, range(-len(axes), 0), axes)
    options = {} if axes is None else {"axes": axes}
    want = np.linalg.solve(lifted(x1).reshape(size, size), lifted(x2).reshape(size, 1)).reshape(unknowns)
    found = be.linalg.tensorsolve(array(moved), array(x2), **options)
    check(("tensorsolve", moved, x2, axes), found, want, result, factor=100, scale=1.0)


@covers("vector_to_skew_symmetric_matrix")
@examples
@given(dtypes_of((*FLOATING, "int32")), _seeds, st.sampled_from([(3,), (2, 3), (2, 1, 3), (0, 3)]))
def test_vector_to_skew_symmetric_matrix(dtype, seed, shape):
    x, other = normal(seed, dtype, shape), normal(seed + 1, dtype, (3,))
    found = be.vector_to_skew_symmetric_matrix(array(x))
    assert (found.dtype.name, found.shape) == (dtype, (*shape, 3))
    want = np.cross(wide(x).astype("complex128"), other)
    compare(("skew", x), wide(numpy_of(found)).astype("complex128") @ other, want, "complex64", scale=10.0)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: be.adjoint(x[0, ...]), ValueError, "'adjoint' got an array of shape"),
        (lambda x: be.linalg.cond(x, p=3), ValueError, "p=3; it is None, 2, -2"),
        (lambda x: be.linalg.cond(x[:0, ...]), ValueError, "without elements"),
        (lambda x: be.linalg.cond(x[0, ...]), ValueError, "it takes matrices"),
        (lambda x: be.linalg.lu_factor(x[0, ...]), ValueError, "'lu_factor' got an array of shape"),
        (lambda x: be.linalg.lu_solve(x, be.asarray([0]), x), ValueError, "square matrices"),
        (lambda x: be.linalg.lu_solve(x[:, :2], be.asarray([0]), x), ValueError, "pivots of shape"),
        (lambda x: be.linalg.lu_solve(x[:, :2], be.ones(2), x), TypeError, "pivots of float32"),
        (lambda x: be.linalg.lu_solve(x[:, :2], be.asarray([0, 1]), x, trans=3), ValueError, "it is 0, 1, 2"),
        (lambda x: be.linalg.matrix_exp(x), ValueError, "'matrix_exp' got an array of shape"),
        (lambda x: be.linalg.solve_triangular(x, x), ValueError, "square matrices"),
        (lambda x: be.linalg.solve_triangular(x[:, :2], x.T), ValueError, r"\(2,\) or \(..., 2, K\)"),
        (lambda x: be.linalg.solve_triangular(x[:, :2], be.asarray(1.0)), ValueError, r"\(2,\) or"),
        (lambda x: be.linalg.solve_triangular(x[:, :2], x, trans="X"), ValueError, "trans='X'"),
        (lambda x: be.linalg.eigh_tridiagonal(x, x), ValueError, "one shorter"),
        (lambda x: be.linalg.eigvalsh_tridiagonal(x, x[:, :2], select="b"), ValueError, "select='b'"),
        (lambda x: be.linalg.eigh_tridiagonal(x, x[:, :2], select="i"), ValueError, "two indices from 0 to 2"),
        (lambda x: be.linalg.eigh_tridiagonal(x, x[:, :2], select="v", select_range=(0, 1)), ValueError, "one matrix"),
        (lambda x: be.linalg.eigh_tridiagonal(x, 1j * x[:, :2]), TypeError, "real numbers"),
        (lambda x: be.linalg.tensorinv(x), ValueError, "ind=2"),
        (lambda x: be.linalg.tensorinv(x, ind=-1), ValueError, "ind=-1"),
        (lambda x: be.linalg.tensorsolve(x, x), ValueError, "as many elements"),
        (lambda x: be.vector_to_skew_symmetric_matrix(x.T), ValueError, "length 3"),
    ],
)
def test_what_cannot_be_computed(call, error, message):
    with pytest.raises(error, match=message):
        call(be.ones((2, 3)))
