"""Elementwise primitives."""

from __future__ import annotations

from functools import reduce
from typing import Any

import corearray as ca
from corearray.frontend.jax.described import rule, same, say
from corearray.frontend.jax.templates import binary, logical, unary
from corearray.frontend.operands import as_array, is_complex, is_floating
from corearray.frontend.special import bessel_i1e

__all__: list[str] = []

P = "jax.lax.{}_p"

same(
    unary,
    P,
    "exp exp2 log log1p expm1 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt cbrt abs neg=negative "
    "floor ceil erf erfc erf_inv=erfinv lgamma digamma is_finite=isfinite real imag conj square stop_gradient",
)
same(
    binary,
    P,
    "add sub=subtract mul=multiply add_any=add pow atan2 nextafter eq=equal ne=not_equal lt=less le=less_equal gt=greater "
    "ge=greater_equal eq_to=equal lt_to=less le_to=less_equal complex igamma igammac zeta",
)
same(
    logical,
    P,
    "and=logical_and/bitwise_and or=logical_or/bitwise_or xor=logical_xor/bitwise_xor not=logical_not/bitwise_invert "
    "max=logical_or/maximum min=logical_and/minimum",
)

say("""
jax.lax.rsqrt_p(x, accuracy=None) = 1.0 / ca.sqrt(x)
jax.lax.logistic_p(x, accuracy=None) = 1.0 / (1.0 + ca.exp(-x)) if is_complex(x.dtype) else ca.sigmoid(x)
jax.nn.relu(x) = ca.relu(x)
jax.lax.rem_p(x, y) = ca.fmod(x, y)
jax.lax.copy_p|jax.lax.copy_to_host_p|jax.lax.sharding_constraint_p|jax.lax.name_p|jax.lax.to_device_p(x, **_) = x
jax.lax.optimization_barrier_p|jax.lax.device_put_p(*xs, **_) = list(xs)
jax.lax.polygamma_p(m, x) = ca.where(m == 0, ca.digamma(x), _polygamma(m, x))
jax.lax.bessel_i0e_p(x) = ca.exp(-ca.abs(x)) * ca.i0(x)
jax.lax.bessel_i1e_p(x) = bessel_i1e(x)
jax.lax.create_token_p|jax.lax.after_all_p(*tokens) = ca.zeros((), dtype="bool")
jax.lax.debug_callback_p|jax.lax.debug_print_p(*_, **__) = []
""")


def _polygamma(m: ca.Array, x: ca.Array) -> ca.Array:
    """Return (-1)^(m + 1) m! zeta(m + 1, x), for m > 0."""
    sign = 1.0 - 2.0 * ca.remainder(m + 1.0, 2.0)
    made: ca.Array = sign * ca.exp(ca.lgamma(m + 1.0)) * ca.zeta(m + 1.0, x)
    return made


@rule("jax.lax.sign_p")
def sign(x: ca.Array) -> Any:
    """Keep the dtype, also of integers without a sign, and the sign of zero."""
    if is_floating(x.dtype) and not is_complex(x.dtype):
        return ca.where(x == 0, ca.stop_gradient(x), ca.sign(x))
    return ca.sign(x)


@rule("jax.lax.clamp_p")
def clamp(low: Any, x: ca.Array, high: Any) -> Any:
    """Clip, with a derivative of zero at the bounds."""
    if not is_floating(x.dtype):
        return ca.minimum(ca.maximum(x, low), high)
    at_bound = ca.equal(x, low) | ca.equal(x, high)
    raised = ca.where(x < low, low, ca.where(at_bound, ca.stop_gradient(x), x))
    return ca.where(raised > high, high, raised)


@rule("jax.lax.div_p")
def div(x: Any, y: Any) -> Any:
    """Round quotients of integers towards zero."""
    array = x if isinstance(x, ca.Array) else y
    return ca.divide(x, y) if is_floating(array.dtype) else ca.trunc_divide(as_array(x, array), as_array(y, array))


@rule("jax.lax.integer_pow_p")
def integer_pow(x: ca.Array, *, y: int) -> Any:
    """Multiply by repeated squaring, as JAX does."""
    if y == 0:
        return ca.ones_like(x)
    if y == 2:
        return ca.square(x)
    count, made, power = abs(y), None, x
    while count:
        if count & 1:
            made = power if made is None else made * power
        count >>= 1
        if count:
            power = power * power
    return 1.0 / made if y < 0 else made  # type: ignore[operator]  # there is a factor


@rule("jax.lax.round_p")
def round(x: ca.Array, *, rounding_method: str | int) -> Any:
    """Round to integers, halves away from zero or to the even one."""
    if str(rounding_method) in ("1", "to_nearest_even"):
        return ca.round(x)
    near = ca.trunc(x)
    return ca.where(ca.abs(x - near) >= 0.5, near + ca.sign(x), near)


@rule("jax.lax.select_n_p")
def select_n(which: ca.Array, *cases: Any) -> Any:
    """Choose between operands by a truth value or an integer."""
    array = next(case for case in cases if isinstance(case, ca.Array))
    if len(cases) == 1:
        return cases[0]
    if which.dtype == ca.bool:
        first, second = cases
        if not any(isinstance(case, ca.Array) and case.ndim for case in cases):
            first, second = as_array(first, array), as_array(second, array)
        return ca.where(which, second, first)
    numbered = enumerate(cases[1:], 1)
    return reduce(lambda made, case: ca.where(which == case[0], case[1], made), numbered, as_array(cases[0], array))


@rule("jax.lax.convert_element_type_p")
def convert_element_type(x: Any, *, new_dtype: Any, weak_type: bool = False, sharding: Any = None) -> Any:
    """Convert the dtype; of complex numbers the real part is kept, and fractions are cut off."""
    if is_complex(x.dtype) and not is_complex(new_dtype) and new_dtype != ca.bool:
        x = ca.real(x)
    return x if x.dtype == new_dtype else ca.astype(x, new_dtype)


@rule("jax.lax.reduce_precision_p")
def reduce_precision(x: ca.Array, *, exponent_bits: int, mantissa_bits: int) -> Any:
    """Round to fewer bits: those of another dtype."""
    narrow = {(5, 10): ca.float16, (8, 7): ca.bfloat16, (8, 23): ca.float32, (11, 52): ca.float64}
    dtype = narrow.get((exponent_bits, mantissa_bits))
    if dtype is not None and str(dtype) in x.backend.kinds_named:
        return ca.astype(ca.astype(x, dtype), x.dtype)
    fraction, exponent = ca.frexp(x)
    scale = 2.0 ** (mantissa_bits + 1)
    return ca.where(ca.isfinite(x), ca.ldexp(ca.round(fraction * scale) / scale, exponent), x)


@rule("jax.lax.regularized_incomplete_beta_p")
def regularized_incomplete_beta(a: ca.Array, b: ca.Array, x: ca.Array) -> Any:
    """Compute the continued fraction by Lentz's method.

    Source: Press et al., Numerical Recipes, 6.4.
    """
    a, b, x = ca.broadcast_arrays(a, b, x)
    turned = x > (a + 1.0) / (a + b + 2.0)
    p, q, z = ca.where(turned, b, a), ca.where(turned, a, b), ca.where(turned, 1.0 - x, x)
    tiny = ca.finfo(x.dtype).smallest_normal

    def guarded(value: Any) -> Any:
        return ca.where(ca.abs(value) < tiny, tiny, value)

    d = 1.0 / guarded(1.0 - (p + q) * z / (p + 1.0))
    c, h = ca.ones_like(z), d
    for m in range(1, 100 if x.dtype == ca.float32 else 200):
        for factor in (
            m * (q - m) * z / ((p + 2 * m - 1.0) * (p + 2 * m)),
            -(p + m) * (p + q + m) * z / ((p + 2 * m) * (p + 2 * m + 1.0)),
        ):
            d = 1.0 / guarded(1.0 + factor * d)
            c = guarded(1.0 + factor / c)
            h = h * d * c
    front = ca.xlogy(p, z) + ca.xlogy(q, 1.0 - z) + ca.lgamma(p + q) - ca.lgamma(p) - ca.lgamma(q)
    made = ca.where(z == 0, 0.0, ca.exp(front) * h / p)
    return ca.where(turned, 1.0 - made, made)
