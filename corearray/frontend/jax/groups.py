"""Tables of the parameters that are arrays, and of the promotion rule of each function of `jax.numpy`."""

from __future__ import annotations

__all__ = ["ARRAYS", "LISTS", "group_of", "is_strong", "shapes_are_types"]

#: Parameters that are arrays.
ARRAYS = frozenset(
    "a arr ary array array_ m A v x x1 x2 b filt xp fp z p y condition prototype element test_elements ar ar1 ar2 f q c r val "
    "UPLO_ values weights ary_ fill_value start stop lhs rhs operand on_true on_false pred indices updates min max a_min a_max "
    "logits labels where_ key_ keys_ u w t d n_ k_ nu".split()
)

#: Parameters that are lists of arrays, promoted together.
LISTS = frozenset("arrays tup choicelist".split())

_GROUPS = {
    "promoted": (
        "add subtract multiply maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal remainder mod "
        "fmod bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm floor_divide power pow divmod "
        "bitwise_left_shift bitwise_right_shift bitwise_invert invert bitwise_not "
        "negative positive absolute abs sign square conjugate conj isnan isinf isfinite real imag searchsorted isin "
        "dot matmul inner outer vdot tensordot kron matvec vecmat vecdot cross einsum clip where convolve correlate "
        "concatenate concat stack vstack hstack dstack column_stack block append select choose union1d intersect1d setdiff1d "
        "setxor1d isclose allclose array_equal array_equiv digitize linalg.multi_dot linalg.outer linalg.matmul "
        "linalg.tensordot linalg.vecdot linalg.cross polyadd polysub polymul logical_and logical_or logical_xor logical_not"
    ),
    "inexact": (
        "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt "
        "deg2rad radians rad2deg degrees asin acos atan asinh acosh atanh arctan2 atan2 hypot logaddexp logaddexp2 copysign "
        "nextafter float_power divide true_divide reciprocal heaviside sinc i0 angle signbit spacing "
        "mean var std median average quantile percentile nanmean nanvar nanstd nanmedian nanquantile nanpercentile "
        "cov corrcoef interp trapezoid gradient frexp modf isposinf isneginf rint fabs "
        "linalg.cholesky linalg.cond linalg.det linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv linalg.lstsq "
        "linalg.matrix_norm linalg.matrix_rank linalg.norm linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd "
        "linalg.svdvals linalg.tensorinv linalg.tensorsolve linalg.vector_norm"
    ),
}
_NAMED = {name: group for group, names in _GROUPS.items() for name in names.split()}

#: Functions whose results are not weak, though their operands are.
_STRONG = frozenset(
    "arange log2 log10 frexp "
    "sum prod max min amax amin any all mean var std median average quantile percentile cumsum cumprod cumulative_sum "
    "cumulative_prod argmax argmin argsort ptp nansum nanprod nanmax nanmin nanmean nanvar nanstd nanmedian nanquantile "
    "nanpercentile nancumsum nancumprod nanargmax nanargmin nan_to_num count_nonzero nonzero argwhere flatnonzero searchsorted "
    "bincount histogram digitize cov corrcoef interp trapezoid polyval linspace logspace geomspace unique astype "
    "isclose allclose array_equal array_equiv "
    "isin packbits unpackbits partition argpartition lexsort cross eye "
    "identity tri vander diagflat unwrap gradient ediff1d convolve correlate".split()
)


def group_of(name: str) -> str:
    """Return the promotion rule of a function.

    `"promoted"` gives all operands one dtype, `"inexact"` one floating dtype, and `"kept"` leaves their dtypes.
    """
    return _NAMED.get(name, "kept")


def is_strong(name: str) -> bool:
    """Return whether the results of a function are never weak."""
    return name in _STRONG or name.startswith(("linalg.", "fft."))


#: Functions that raise a TypeError for incompatible shapes, as the functions of `jax.lax` that they call.
_SHAPES = frozenset(
    "add subtract multiply divide true_divide maximum minimum equal not_equal less less_equal greater greater_equal remainder "
    "mod fmod floor_divide power arctan2 atan2 logaddexp logaddexp2 bitwise_and bitwise_or bitwise_xor reshape concatenate "
    "concat dot matmul inner zeros".split()
)


def shapes_are_types(name: str) -> bool:
    """Return whether a function raises a `TypeError`, not a `ValueError`, for incompatible shapes."""
    return name in _SHAPES
