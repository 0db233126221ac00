"""Functions of `jax.numpy` that compute what NumPy's do for arrays of one dtype: the rules of the NumPy frontend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.frontend.jax.described import info, same
from corearray.frontend.table import Rule

__all__: list[str] = []


def _numpys(path: str) -> Callable[..., Any]:
    from corearray.frontend.frontend import get_frontend

    return get_frontend("numpy").function(path)


same(
    lambda name: _numpys(f"numpy.{name}"),
    "jax.numpy.{}",
    """
    acos=arccos acosh=arccosh add allclose angle append arccos arccosh arcsin arcsinh arctan arctan2 arctanh
    argpartition array_split asin=arcsin asinh=arcsinh atan=arctan atan2=arctan2 atanh=arctanh
    average bitwise_and bitwise_count bitwise_invert=invert
    bitwise_left_shift=left_shift bitwise_not bitwise_or bitwise_right_shift=right_shift bitwise_xor
    block broadcast_to cbrt ceil choose column_stack compress conj conjugate
    convolve copysign corrcoef correlate cos cosh cov cross deg2rad degrees delete diag diagflat diagonal diff
    digitize divide divmod dot dsplit dstack einsum equal exp exp2 expand_dims expm1 extract fabs flip fliplr
    flipud float_power floor floor_divide fmax fmin fmod gradient greater greater_equal
    heaviside hsplit hstack hypot i0 imag inner insert interp invert isclose isfinite isinf isnan isneginf
    isposinf kron ldexp left_shift less less_equal lexsort log log10 log1p log2 logaddexp logaddexp2
    logical_and logical_not logical_or logical_xor matrix_transpose matvec maximum mean median
    minimum mod moveaxis multiply nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd
    nansum nanvar negative nextafter not_equal outer packbits pad partition percentile positive pow=power power
    quantile rad2deg radians ravel_multi_index real remainder right_shift roll rollaxis rot90 sin sinc sinh
    sort_complex spacing split sqrt squeeze stack std subtract swapaxes tan tanh tensordot tile trace transpose
    trapezoid tril triu true_divide trunc unpackbits unravel_index unstack unwrap var vdot vecdot vecmat vsplit vstack
    """,
)
same(
    lambda name: _numpys(f"numpy.linalg.{name}"),
    "jax.numpy.linalg.{}",
    "cond cross det diagonal eigh eigvalsh inv lstsq matmul matrix_norm matrix_power matrix_rank "
    "matrix_transpose multi_dot norm outer pinv slogdet solve svdvals tensordot tensorinv tensorsolve trace vecdot "
    "vector_norm",
)
same(
    lambda name: _numpys(f"numpy.fft.{name}"),
    "jax.numpy.fft.{}",
    "fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn",
)

info.table.add(Rule("jax.numpy.fix", lambda: _numpys("numpy.fix"), "<0.9"))
