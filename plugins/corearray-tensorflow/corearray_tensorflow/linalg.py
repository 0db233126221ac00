"""Matrix products, decompositions and solutions, through the dtypes for which TensorFlow has them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.data_type import cast
from corearray_tensorflow.native import (
    ARRAYS,
    COMPLEX,
    HALF,
    PARTS,
    TRUTH_AS_NUMBERS,
    WHOLE,
    WIDE,
    at_hand,
    choose,
    complex_of,
    constant,
    custom_gradient,
    elements,
    imag_part,
    may_be_derived,
    raw_ops,
    real_part,
    reduced,
)


@hookimpl(via=HALF)
def cholesky(x: Any, /, upper: bool = False) -> Any:
    x, finite = _finite(x, lower=True)
    lower = raw_ops.Cholesky(input=x)
    if at_hand(lower) and np.isnan(np.diagonal(elements(lower), 0, -2, -1)).any():
        raise np.linalg.LinAlgError("a matrix is not positive definite")
    lower = _spoiled(lower, finite)
    return _adjoint(lower) if upper else lower


@hookimpl
def cross(x1: Any, x2: Any, /, axis: int = -1) -> Any:
    ndim1, ndim2 = x1.shape.rank, x2.shape.rank
    axis = axis - ndim1 if axis >= 0 and ndim1 == ndim2 else axis
    if not -min(ndim1, ndim2) <= axis <= -1:
        raise IndexError(f"axis {axis} is not among the last {min(ndim1, ndim2)} axes, counted from the end")
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            f"axis {axis} of the shapes {tuple(x1.shape)} and {tuple(x2.shape)} must have length 3 in both"
        )
    (b1, c1), (b2, c2) = (  # counted from the front, since `tf.vectorized_map` takes another axis for one from the end
        [raw_ops.Roll(input=x, shift=shift, axis=axis + x.shape.rank) for shift in (-1, 1)] for x in (x1, x2)
    )
    return raw_ops.Sub(x=raw_ops.Mul(x=b1, y=c2), y=raw_ops.Mul(x=c1, y=b2))


@hookimpl(via=HALF)
def det(x: Any, /) -> Any:
    """TensorFlow's own derivative lacks a conjugate, and needs the inverse."""
    x, finite = _finite(x)
    return _spoiled(_determinant(x) if may_be_derived() else raw_ops.MatrixDeterminant(input=x), finite)


@hookimpl(when=lambda x: None in x.shape[-2:])  # of known sizes it is a view
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    return tf.linalg.diag_part(x, k=offset)


@hookimpl(via=HALF)
def eig(x: Any, /) -> tuple[Any, Any]:
    x, finite = _finite(x)
    values, vectors = raw_ops.Eig(input=x, compute_v=True, Tout=WHOLE.get(x.dtype, x.dtype))
    return _spoiled(values, finite), _spoiled(vectors, finite)


@hookimpl(via=HALF)
def eigh(x: Any, /) -> tuple[Any, Any]:
    x, finite = _finite(x, lower=True)
    values, vectors = raw_ops.SelfAdjointEigV2(input=x, compute_v=True)
    values = real_part(values) if x.dtype in COMPLEX else values
    return _spoiled(values, finite), _spoiled(vectors, finite)


@hookimpl(via=HALF)
def eigvals(x: Any, /) -> Any:
    x, finite = _finite(x)
    return _spoiled(raw_ops.Eig(input=x, compute_v=False, Tout=WHOLE.get(x.dtype, x.dtype)).e, finite)


@hookimpl(via=HALF)
def eigvalsh(x: Any, /) -> Any:
    x, finite = _finite(x, lower=True)
    values = raw_ops.SelfAdjointEigV2(input=x, compute_v=False).e
    return _spoiled(real_part(values) if x.dtype in COMPLEX else values, finite)


@hookimpl(via=HALF)
def inv(x: Any, /) -> Any:
    x, finite = _finite(x)
    return _spoiled(raw_ops.MatrixInverse(input=x), finite)


def _finite(x: Any, *, lower: bool = False) -> tuple[Any, Any]:
    """Return the matrices, with identities for those that hold NaN or an infinity, and which are finite, or `None` for all.

    TensorFlow refuses a whole batch if one matrix is not finite, or has zeros for it. With `lower`, only the lower triangle
    counts. Where nobody can look, as in compiled programs, the program looks.
    """
    if x.shape.rank < 2:
        return x, None
    if at_hand(x):
        numbers = elements(x)
        if np.isfinite(numbers).all():
            return x, None
        finite = np.isfinite(np.tril(numbers) if lower else numbers).all((-2, -1))
        if finite.all():
            return x, None
        finite = tf.constant(finite)
    else:
        sizes = raw_ops.MatrixBandPart(input=x, num_lower=-1, num_upper=0) if lower else x
        if x.dtype in COMPLEX:
            sizes = raw_ops.ComplexAbs(x=sizes, Tout=PARTS[x.dtype])
        finite = raw_ops.All(input=raw_ops.IsFinite(x=sizes), axis=[-2, -1])
    rows, columns = x.shape[-2:] if None not in x.shape[-2:] else tf.unstack(tf.shape(x)[-2:], 2)
    identity = tf.eye(rows, columns, dtype=x.dtype)
    return choose(_each(finite), x, identity), finite


def _spoiled(x: Any, finite: Any) -> Any:
    """Put NaN where a matrix was not finite."""
    if finite is None:
        return x
    for _ in range(x.shape.rank - finite.shape.rank):
        finite = raw_ops.ExpandDims(input=finite, axis=-1)
    return choose(finite, x, tf.constant(float("nan"), x.dtype))


@hookimpl(via=WIDE | TRUTH_AS_NUMBERS)
def matmul(x1: Any, x2: Any, /) -> Any:
    ndim1, ndim2 = x1.shape.rank, x2.shape.rank
    if ndim1 == 2 and ndim2 == 2:
        return raw_ops.MatMul(a=x1, b=x2)
    if not ndim1 or not ndim2:
        raise ValueError(
            f"'matmul' got arrays with {ndim1} and {ndim2} axes; both need at least one, to scale use multiply"
        )
    x1 = raw_ops.ExpandDims(input=x1, axis=0) if ndim1 == 1 else x1
    x2 = raw_ops.ExpandDims(input=x2, axis=1) if ndim2 == 1 else x2
    product = raw_ops.BatchMatMulV2(x=x1, y=x2)
    spare = [-2] * (ndim1 == 1) + [-1] * (ndim2 == 1)
    return raw_ops.Squeeze(input=product, axis=spare) if spare else product


@hookimpl
def matrix_transpose(x: Any, /) -> Any:
    ndim = x.shape.rank
    if ndim < 2:
        raise ValueError(f"'matrix_transpose' got an array of shape {tuple(x.shape)}; it takes matrices")
    return raw_ops.Transpose(x=x, perm=constant((*range(ndim - 2), ndim - 1, ndim - 2)))


@hookimpl(via=TRUTH_AS_NUMBERS)
def outer(x1: Any, x2: Any, /) -> Any:
    if x1.shape.rank != 1 or x2.shape.rank != 1:
        raise ValueError(
            f"'outer' got arrays of the shapes {tuple(x1.shape)} and {tuple(x2.shape)}; both must have one axis"
        )
    return raw_ops.Mul(x=raw_ops.ExpandDims(input=x1, axis=1), y=x2)


def _is_derived(x: Any) -> bool:
    return may_be_derived()


@hookimpl(via=HALF, when=_is_derived)
def pinv(x: Any, /, *, rtol: Any = None) -> Any:
    """The derivative of the decomposition that the composition takes is infinite where singular values repeat."""

    @custom_gradient
    def pseudo_inverse(x: Any) -> Any:
        def pull_back(cotangent: Any) -> Any:
            inverse = pseudo_inverse(x)
            turned, back = _adjoint(inverse), _adjoint(cotangent)
            inside = turned @ cotangent @ turned
            left = back @ inverse @ turned  # what the rest of `I - x @ inverse` and its like is taken from
            right = turned @ inverse @ back
            return (left - x @ (inverse @ left)) + (right - (right @ inverse) @ x) - inside

        return _pseudo_inverse(raw_ops.StopGradient(input=x), rtol), pull_back

    x, finite = _finite(x)
    return _spoiled(pseudo_inverse(x), finite)


def _pseudo_inverse(x: Any, rtol: Any) -> Any:
    values, left, right = raw_ops.Svd(input=x, compute_uv=True, full_matrices=False)
    values = real_part(values) if x.dtype in COMPLEX else values
    if rtol is None:
        rtol = max(x.shape[-2:]) * float(np.finfo(values.dtype.as_numpy_dtype).eps)
    elif isinstance(rtol, ARRAYS):
        rtol = cast(raw_ops.ExpandDims(input=rtol, axis=-1), values.dtype)
    kept = values > values[..., :1] * rtol
    inverses = choose(kept, 1.0 / choose(kept, values, tf.ones_like(values)), tf.zeros_like(values))
    return (right * cast(inverses, x.dtype)[..., None, :]) @ _adjoint(left)


@hookimpl(via=HALF)
def qr(x: Any, /, *, mode: str = "reduced") -> tuple[Any, Any]:
    """TensorFlow squares the elements, which are scaled so that no square is lost, unless one sees that none is."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"'qr' got mode='{mode}'; it is 'reduced' or 'complete'")
    full = mode == "complete"
    x, finite = _finite(x)
    if at_hand(x) and _are_no_dust(elements(x)):
        orthonormal, triangle = raw_ops.Qr(input=x, full_matrices=full)
        if np.all(np.isfinite(np.diagonal(elements(triangle), 0, -2, -1))):
            return _spoiled(orthonormal, finite), _spoiled(triangle, finite)
    size = raw_ops.Abs(x=x) if x.dtype not in COMPLEX else raw_ops.ComplexAbs(x=x, Tout=PARTS[x.dtype])
    size = raw_ops.StopGradient(input=raw_ops.Max(input=size, axis=constant((-2, -1)), keep_dims=True))
    plain = raw_ops.LogicalAnd(x=raw_ops.Greater(x=size, y=0), y=raw_ops.IsFinite(x=size))
    scale = raw_ops.Cast(x=choose(plain, size, raw_ops.OnesLike(x=size)), DstT=x.dtype)
    orthonormal, triangle = raw_ops.Qr(input=raw_ops.RealDiv(x=x, y=scale), full_matrices=full)
    return _spoiled(orthonormal, finite), _spoiled(raw_ops.Mul(x=triangle, y=scale), finite)


def _are_no_dust(matrices: Any) -> bool:
    """Whether each matrix has an element that is not so small that its square is lost, or zeros alone."""
    parts = matrices.view(matrices.real.dtype)
    rows = parts.reshape(math.prod(parts.shape[:-2]), -1 if parts.size else 0)  # a reduction of two axes takes longer
    greatest = np.max(rows, 1, initial=0)
    if np.all(greatest > _DUST):
        return True
    size = np.maximum(greatest, -np.min(rows, 1, initial=0))
    return bool(np.all((size == 0) | (size > _DUST)))


#: What is no more than this has a square that single precision may not hold.
_DUST = 2.0**-30


@hookimpl(via=HALF)
def slogdet(x: Any, /) -> tuple[Any, Any]:
    x, finite = _finite(x)
    sign, logarithm = _signed_logarithm(x) if may_be_derived() else _native_signed_logarithm(x)
    return _spoiled(sign, finite), _spoiled(logarithm, finite)


@hookimpl(via=HALF)
def solve(x1: Any, x2: Any, /) -> Any:
    if x2.shape.rank == 1:
        solution = _solution(x1, raw_ops.ExpandDims(input=x2, axis=1))
        return raw_ops.Squeeze(input=solution, axis=[-1])
    return _solution(x1, x2)


@hookimpl(via=HALF)
def svd(x: Any, /, *, full_matrices: bool = True) -> tuple[Any, Any, Any]:
    x, finite = _finite(x)
    values, left, right = raw_ops.Svd(input=x, compute_uv=True, full_matrices=full_matrices)
    values = real_part(values) if x.dtype in COMPLEX else values
    return _spoiled(left, finite), _spoiled(values, finite), _spoiled(_adjoint(right), finite)


@hookimpl(via=HALF)
def svdvals(x: Any, /) -> Any:
    x, finite = _finite(x)
    values = raw_ops.Svd(input=x, compute_uv=False).s
    return _spoiled(real_part(values) if x.dtype in COMPLEX else values, finite)


#: The sizes whose squares have all their digits.
_SQUARED = {"float32": (2.0**-50, 2.0**50), "float64": (2.0**-480, 2.0**480)}


def _can_be_squared(x: Any, ord: Any) -> bool:
    """TensorFlow's own takes no care of squares that overflow or vanish, and has a wrong derivative at zero."""
    if ord != 2 or may_be_derived() or not at_hand(x) or not x.shape.num_elements():
        return False
    limits = _SQUARED.get(PARTS.get(x.dtype, x.dtype).name)
    if limits is None:
        return False
    numbers = elements(x)
    if x.dtype in COMPLEX:
        numbers = numbers.reshape(-1).view(PARTS[x.dtype].as_numpy_dtype)
    largest = max(-numbers.min(), numbers.max())
    return bool(limits[0] < largest < limits[1])


@hookimpl(when=_can_be_squared, via=HALF)
def vector_norm(x: Any, /, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    if x.dtype in COMPLEX:
        x = raw_ops.ComplexAbs(x=x, Tout=PARTS[x.dtype])
    return raw_ops.EuclideanNorm(input=x, axis=reduced(x, axis), keep_dims=keepdims)


def _adjoint(x: Any) -> Any:
    ndim = x.shape.rank
    return raw_ops.ConjugateTranspose(x=x, perm=constant((*range(ndim - 2), ndim - 1, ndim - 2)))


@custom_gradient
def _determinant(x: Any) -> Any:
    def pull_back(cotangent: Any) -> Any:
        value = _determinant(x)
        return _each(cotangent) * _slopes(x, _is_clear(x, value), tf.math.conj(value), 1.0)

    return raw_ops.MatrixDeterminant(input=raw_ops.StopGradient(input=x)), pull_back


@custom_gradient
def _signed_logarithm(x: Any) -> Any:
    """TensorFlow has no derivative of the sign, which turns with a complex determinant."""

    def pull_back(turn: Any, growth: Any) -> Any:
        sign = _signed_logarithm(x)[0]
        if x.dtype in COMPLEX:
            growth = complex_of(growth, imag_part(turn * tf.math.conj(sign)))
        regular = raw_ops.LogicalAnd(x=raw_ops.NotEqual(x=sign, y=0), y=raw_ops.Equal(x=sign - sign, y=0))
        return _slopes(x, regular, growth, math.inf)

    return _native_signed_logarithm(raw_ops.StopGradient(input=x)), pull_back


def _native_signed_logarithm(x: Any) -> tuple[Any, Any]:
    sign, logarithm = raw_ops.LogMatrixDeterminant(input=x)
    return sign, real_part(logarithm) if x.dtype in COMPLEX else logarithm


def _is_clear(x: Any, values: Any) -> Any:
    """Whether determinants are finite, and more than what rounding leaves of 0.

    Beside the product of the lengths of the rows that is their share, which for rows at random shrinks with their number.
    """
    precision = np.finfo(x.dtype.as_numpy_dtype).eps
    if at_hand(x) and at_hand(values):
        numbers, values, size = elements(x), elements(values), x.shape[-1]
        with np.errstate(all="ignore"):
            share = np.log(np.abs(values)) - np.log(np.linalg.norm(numbers, axis=-1)).sum(-1) + 0.5 * size
            return tf.constant((share > np.log(size * precision)) & np.isfinite(values))
    size = raw_ops.Cast(x=tf.shape(x)[-1], DstT=PARTS.get(x.dtype, x.dtype))
    rows = tf.reduce_sum(raw_ops.Log(x=tf.norm(x, axis=-1)), -1)
    share = raw_ops.Log(x=tf.abs(values)) - tf.math.real(rows) + 0.5 * size
    clear = raw_ops.Greater(x=share, y=raw_ops.Log(x=size * precision))
    return raw_ops.LogicalAnd(x=clear, y=raw_ops.Equal(x=values - values, y=0))


def _slopes(x: Any, regular: Any, factors: Any, limit: float) -> Any:
    """Return a factor for each matrix times its adjoint inverse, or a limit times its cofactors.

    The latter where it is not regular. No constant that is kept is used here: TensorFlow does not differentiate
    a branch twice that takes one from outside.
    """

    def of_regular(x: Any) -> Any:
        return factors * tf.linalg.adjoint(raw_ops.MatrixInverse(input=x))

    def of_all() -> Any:
        identity = tf.eye(tf.shape(x)[-1], dtype=x.dtype)
        found = of_regular(choose(regular, x, identity))
        return choose(regular, found, limit * _cofactors(choose(regular, identity, x)))

    regular, factors = _each(regular), _each(factors)
    if at_hand(regular):
        return of_regular(x) if np.all(elements(regular)) else of_all()
    return tf.cond(tf.reduce_all(regular), lambda: of_regular(x), of_all)


@custom_gradient
def _cofactors(x: Any) -> Any:
    """Return the conjugated cofactors of any matrices, with a derivative that divides by no singular value."""

    def pull_back(cotangent: Any) -> Any:
        others, turn, left, right = _by_singular_values(x)
        seen = tf.math.conj(turn * (tf.linalg.adjoint(left) @ cotangent @ right))
        pairs = tf.linalg.set_diag(others, tf.zeros_like(others[..., 0]))
        along = tf.linalg.matvec(pairs, tf.linalg.diag_part(seen))
        inner = tf.linalg.diag(along) - pairs * tf.linalg.matrix_transpose(seen)
        return left @ inner @ tf.linalg.adjoint(right)

    others, turn, left, right = _by_singular_values(raw_ops.StopGradient(input=x))
    inner = tf.linalg.diag(tf.linalg.diag_part(others))
    return tf.math.conj(turn) * (left @ inner @ tf.linalg.adjoint(right)), pull_back


def _by_singular_values(x: Any) -> tuple[Any, Any, Any, Any]:
    """Return the products of all singular values but those of row and column, the determinant of the bases, and these."""
    values, left, right = raw_ops.Svd(input=x, compute_uv=True, full_matrices=False)
    values = raw_ops.Cast(x=values, DstT=x.dtype)
    rows = tf.linalg.set_diag(tf.repeat(values[..., None, :], tf.shape(x)[-1], axis=-2), tf.ones_like(values))
    before, after = (tf.math.cumprod(rows, -1, exclusive=True, reverse=reverse) for reverse in (False, True))
    turn = raw_ops.MatrixDeterminant(input=left) * tf.math.conj(raw_ops.MatrixDeterminant(input=right))
    return before * after, _each(turn), left, right


def _each(x: Any) -> Any:
    """Return one number for each matrix with the axes of matrices."""
    ndim = x.shape.rank
    return raw_ops.ExpandDims(input=raw_ops.ExpandDims(input=x, axis=ndim), axis=ndim + 1)


def _solution(matrices: Any, sides: Any) -> Any:
    """Solve for matrices and right sides whose leading axes broadcast."""
    matrices, finite = _finite(matrices)
    if matrices.shape[:-2] != sides.shape[:-2]:
        batch = tf.broadcast_static_shape(matrices.shape[:-2], sides.shape[:-2])
        matrices = raw_ops.BroadcastTo(input=matrices, shape=constant((*batch, *matrices.shape[-2:])))
        sides = raw_ops.BroadcastTo(input=sides, shape=constant((*batch, *sides.shape[-2:])))
    solution = raw_ops.MatrixSolve(matrix=matrices, rhs=sides)
    return solution if finite is None else choose(_each(finite), solution, tf.constant(float("nan"), solution.dtype))
