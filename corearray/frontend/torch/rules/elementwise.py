"""Arithmetic, rounding, exponentials and trigonometry, element by element."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, same, say
from corearray.frontend.torch.promotion import array, cast, category, common, default_dtype, floating, result_dtype
from corearray.frontend.torch.templates import binary, binary_floating, unary, unary_floating

__all__: list[str] = []

same(
    unary,
    "torch.{}",
    "ceil floor trunc fix=trunc neg=negative negative square sign conj=conj conj_physical=conj positive",
)
same(
    unary_floating,
    "torch.{}",
    "exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt reciprocal exp2 sinc "
    "deg2rad rad2deg arcsin=asin arccos=acos arctan=atan arcsinh=asinh arccosh=acosh arctanh=atanh",
)
same(binary, "torch.{}", "maximum minimum fmax fmin fmod gcd lcm")
same(
    binary_floating, "torch.{}", "atan2 arctan2=atan2 true_divide=divide hypot logaddexp logaddexp2 copysign nextafter"
)

say("""
torch.abs | torch.absolute (input, *, out=None) = ca.abs(input)
torch.add(input, other, *, alpha=1, out=None) = added(input, times(other, alpha))
torch.sub | torch.subtract (input, other, *, alpha=1, out=None) = ca.subtract(*common(input, times(other, alpha)))
torch.rsub(input, other, *, alpha=1) = ca.subtract(*common(other, times(input, alpha)))
torch.mul | torch.multiply (input, other, *, out=None) = multiplied(input, other)
torch.rsqrt(input, *, out=None) = ca.reciprocal(ca.sqrt(floating(input)))
torch.addcmul(input, tensor1, tensor2, *, value=1, out=None) = added(input, times(multiplied(tensor1, tensor2), value))
torch.addcdiv(input, tensor1, tensor2, *, value=1, out=None) = added(input, times(divided(tensor1, tensor2), value))
torch.float_power(input, exponent, *, out=None) = ca.pow(*in_double(input, exponent))
torch.round(input, *, decimals=0, out=None) = rounded(input, decimals)
torch.frac(input, *, out=None) = ca.subtract(input, ca.trunc(input))
torch.sgn(input, *, out=None) = ca.sign(input)
torch.angle(input, *, out=None) = ca.angle(floating(input))
torch.real(input) = ca.real(input) if category(input.dtype) == "c" else input
torch.Tensor.real.__get__(input) = ca.real(input) if category(input.dtype) == "c" else input
torch.imag | torch.Tensor.imag.__get__ (input) = ca.imag(input)
torch.complex(real, imag, *, out=None) = ca.complex(real, imag)
torch.polar(abs, angle, *, out=None) = ca.complex(abs * ca.cos(angle), abs * ca.sin(angle))
torch.resolve_conj | torch.resolve_neg (input) = input
torch.view_as_real(input) = ca.stack([ca.real(input), ca.imag(input)], axis=-1)
torch.view_as_complex(input) = ca.complex(input[..., 0], input[..., 1])
torch.lerp(input, end, weight, *, out=None) = ca.lerp(input, end, array(weight, input.dtype))
torch.heaviside(input, values, *, out=None) = ca.heaviside(input, values)
torch.ldexp(input, other, *, out=None) = multiplied(input, ca.pow(ca.asarray(2.0, dtype=default_dtype()), floating(other)))
torch.nan_to_num(input, nan=0.0, posinf=None, neginf=None, *, out=None) = finite(input, nan, posinf, neginf)
torch.bitwise_not(input, *, out=None) = ca.bitwise_invert(input)
torch.clamp_min(input, min) = clamp(input, min, None)
torch.clamp_max(input, max) = clamp(input, None, max)
torch.frexp(input, *, out=None) = mantissa_and_exponent(input)
torch.signbit(input, *, out=None) = ca.signbit(input) if category(input.dtype) == "f" else ca.less(input, 0)
""")
same(binary, "torch.{}", "bitwise_and bitwise_or bitwise_xor")
same(binary, "torch.{}", "bitwise_left_shift bitwise_right_shift")


def times(x: Any, factor: Any) -> Any:
    """Multiply by a number, which 1 need not be."""
    return x if isinstance(factor, (int, float)) and factor == 1 else multiplied(x, factor)


def added(input: Any, other: Any) -> Any:
    """Add, which for truth values is `or`."""
    a, b = common(input, other)
    return ca.logical_or(a, b) if a.dtype == ca.bool else ca.add(a, b)


def multiplied(input: Any, other: Any) -> Any:
    """Multiply, which for truth values is `and`."""
    if not isinstance(input, ca.Array) and not isinstance(other, ca.Array):
        return input * other
    a, b = common(input, other)
    return ca.logical_and(a, b) if a.dtype == ca.bool else ca.multiply(a, b)


def divided(input: Any, other: Any) -> Any:
    """Divide, with a floating result."""
    dtype = result_dtype(input, other)
    dtype = default_dtype() if category(dtype) in "bi" else dtype
    return ca.divide(array(input, dtype), array(other, dtype))


def in_double(input: Any, exponent: Any) -> tuple[ca.Array, ca.Array]:
    """Return operands in double precision."""
    dtype = ca.complex128 if category(result_dtype(input, exponent)) == "c" else ca.float64
    return array(input, dtype), array(exponent, dtype)


def rounded(input: ca.Array, decimals: int) -> ca.Array:
    """Round to a number of decimals, halves to even."""
    if not decimals or category(input.dtype) == "i":
        return ca.round(input)
    scale = 10.0 ** abs(decimals)
    return ca.round(input * scale) / scale if decimals > 0 else ca.round(input / scale) * scale


def finite(input: ca.Array, nan: float | None, posinf: float | None, neginf: float | None) -> ca.Array:
    """Replace NaN and infinities."""
    return ca.nan_to_num(input, nan=nan or 0.0, posinf=posinf, neginf=neginf)


def mantissa_and_exponent(input: ca.Array) -> tuple[ca.Array, ca.Array]:
    """Return mantissa and int32 exponent."""
    mantissa, exponent = ca.frexp(input)
    return mantissa, cast(exponent, ca.int32)


@rule("torch.pow")
def power(input: Any, exponent: Any, *, out: Any = None) -> Any:
    dtype = result_dtype(input, exponent)
    if dtype == ca.bool:
        return ca.logical_or(array(input, dtype), ca.logical_not(array(exponent, dtype)))
    if isinstance(exponent, (int, float)) and not isinstance(exponent, bool) and isinstance(input, ca.Array):
        if exponent == 2:
            return ca.square(cast(input, dtype))
        if exponent == 0.5:
            return ca.sqrt(cast(input, dtype))
    return ca.pow(array(input, dtype), array(exponent, dtype))


@rule("torch.div_v_1p5_and_above", "torch.divide")
def divide(input: Any, other: Any, *, rounding_mode: str | None = None, out: Any = None) -> Any:
    if rounding_mode is None:
        return divided(input, other)
    a, b = common(input, other)
    return ca.floor_divide(a, b) if rounding_mode == "floor" else ca.trunc_divide(a, b)


@rule("torch.div_v_1p4_and_below")
def divide_before_true_division(input: Any, other: Any, *, out: Any = None) -> Any:
    """Divide as torch did before 1.5: integers by truncation."""
    a, b = common(input, other)
    return ca.trunc_divide(a, b) if category(a.dtype) in "bi" else ca.divide(a, b)


@rule("torch.floor_divide_v_1p13_and_above")
def floor_divide(input: Any, other: Any, *, out: Any = None) -> Any:
    return ca.floor_divide(*common(input, other))


@rule("torch.floor_divide_v_1p12_and_below")
def truncating_floor_divide(input: Any, other: Any, *, out: Any = None) -> Any:
    """Divide and round towards zero, which `floor_divide` did before 1.13 in spite of its name."""
    return ca.trunc_divide(*common(input, other))


@rule("torch.remainder")
def remainder(input: Any, other: Any, *, out: Any = None) -> Any:
    return ca.remainder(*common(input, other))


@rule("torch.clamp", "torch.clip")
def clamp(input: ca.Array, min: Any = None, max: Any = None, *, out: Any = None) -> Any:
    bounds = [bound for bound in (min, max) if bound is not None]
    dtype = result_dtype(input, *bounds)
    made = cast(input, dtype)
    if min is not None:  # one bound after the other, since the least may exceed the greatest
        made = ca.clip(made, min=array(min, dtype))
    return made if max is None else ca.clip(made, max=array(max, dtype))


@rule("torch.isclose")
def isclose(input: ca.Array, other: ca.Array, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    return ca.isclose(*common(input, other), rtol=rtol, atol=atol, equal_nan=equal_nan)
