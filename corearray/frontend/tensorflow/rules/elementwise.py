"""Elementwise operations."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import corearray as ca
from corearray.frontend import integrals
from corearray.frontend.bits import bitcast
from corearray.frontend.operands import as_array, is_complex, is_floating
from corearray.frontend.special import bessel_i1e, first_kind, second_kind_scaled
from corearray.frontend.tensorflow.described import rule, same, say
from corearray.frontend.tensorflow.templates import binary, of_features, of_input, unary

__all__: list[str] = []

P = "tensorflow.raw_ops.{}"

same(
    unary,
    P,
    "Exp=exp Expm1=expm1 Log=log Log1p=log1p Sin=sin Cos=cos Tan=tan Asin=asin Acos=acos Atan=atan Sinh=sinh Cosh=cosh "
    "Tanh=tanh Asinh=asinh Acosh=acosh Atanh=atanh Sqrt=sqrt Square=square Abs=abs ComplexAbs=abs Neg=negative "
    "Floor=floor Ceil=ceil Erf=erf Erfc=erfc Erfinv=erfinv Ndtri=ndtri Lgamma=lgamma Digamma=digamma Sigmoid=sigmoid "
    "IsFinite=isfinite IsInf=isinf IsNan=isnan LogicalNot=logical_not Invert=bitwise_invert OnesLike=ones_like "
    "BesselI0=i0",
)
same(of_features, P, "Relu=relu Relu6=relu6 Elu=elu Selu=selu Softplus=softplus Softsign=softsign")
same(of_input, P, "Real=real Imag=imag Conj=conj Angle=angle StopGradient=stop_gradient PreventGradient=stop_gradient")
same(
    binary,
    P,
    "Add=add AddV2=add Sub=subtract Mul=multiply RealDiv=divide FloorDiv=floor_divide FloorMod=remainder Mod=fmod "
    "TruncateMod=fmod Pow=pow Maximum=maximum Minimum=minimum LogicalAnd=logical_and LogicalOr=logical_or "
    "BitwiseAnd=bitwise_and BitwiseOr=bitwise_or BitwiseXor=bitwise_xor LeftShift=bitwise_left_shift "
    "RightShift=bitwise_right_shift Less=less LessEqual=less_equal Greater=greater GreaterEqual=greater_equal "
    "Xlogy=xlogy",
)

say("""
tensorflow.raw_ops.Atan2(y, x) = ca.atan2(y, x)
tensorflow.raw_ops.Equal(x, y, incompatible_shape_error=True) = ca.equal(x, y)
tensorflow.raw_ops.NotEqual(x, y, incompatible_shape_error=True) = ca.not_equal(x, y)
tensorflow.raw_ops.ApproximateEqual(x, y, tolerance=1e-05) = ca.abs(x - y) < tolerance
tensorflow.raw_ops.Reciprocal|tensorflow.raw_ops.Inv(x) = 1.0 / x
tensorflow.raw_ops.Rsqrt(x) = 1.0 / ca.sqrt(x)
tensorflow.raw_ops.Rint(x) = ca.round(x)
tensorflow.raw_ops.Round(x) = ca.round(x)
tensorflow.raw_ops.LeakyRelu(features, alpha=0.2) = ca.leaky_relu(features, negative_slope=alpha)
tensorflow.raw_ops.SquaredDifference(x, y) = ca.square(x - y)
tensorflow.raw_ops.TruncateDiv(x, y) = ca.trunc_divide(as_array(x, y), as_array(y, x))
tensorflow.raw_ops.Xlog1py(x, y) = ca.where(x == 0, ca.zeros_like(x * y), x * ca.log1p(y))
tensorflow.raw_ops.Igamma(a, x) = ca.igamma(a, x)
tensorflow.raw_ops.Igammac(a, x) = ca.igammac(a, x)
tensorflow.raw_ops.Zeta(x, q) = ca.zeta(x, q)
tensorflow.raw_ops.Polygamma(a, x) = _polygamma(a, x)
tensorflow.raw_ops.NextAfter(x1, x2) = ca.nextafter(x1, x2)
tensorflow.raw_ops.Complex(real, imag, Tout=None) = (
    ca.astype(real, Tout or _complex(real)) + 1j * ca.astype(imag, Tout or _complex(real)))
tensorflow.raw_ops.SelectV2(condition, t, e) = ca.where(condition, t, e)
tensorflow.raw_ops.ClipByValue(t, clip_value_min, clip_value_max) = ca.minimum(ca.maximum(t, clip_value_min), clip_value_max)
tensorflow.raw_ops.DeepCopy(x) = ca.asarray(x, copy=True)
tensorflow.raw_ops.AssignVariableOp(resource, value) = value
tensorflow.raw_ops.Softmax(logits) = ca.softmax(logits, axis=-1)
tensorflow.raw_ops.LogSoftmax(logits) = ca.log_softmax(logits, axis=-1)
tensorflow.raw_ops.BesselI0e(x) = ca.exp(-ca.abs(x)) * ca.i0(x)
tensorflow.raw_ops.BesselI1(x) = ca.exp(ca.abs(x)) * bessel_i1e(x)
tensorflow.raw_ops.BesselI1e(x) = bessel_i1e(x)
tensorflow.raw_ops.Dawsn(x) = _wide(integrals.dawsn, x)
tensorflow.raw_ops.Expint(x) = _wide(integrals.expi, x)
tensorflow.raw_ops.FresnelCos(x) = _wide(lambda x: integrals.fresnel(x)[1], x)
tensorflow.raw_ops.FresnelSin(x) = _wide(lambda x: integrals.fresnel(x)[0], x)
tensorflow.raw_ops.Spence(x) = _wide(integrals.spence, x)
tensorflow.raw_ops.BesselJ0(x) = first_kind(x, 0)
tensorflow.raw_ops.BesselJ1(x) = first_kind(x, 1)
tensorflow.raw_ops.BesselK0(x) = second_kind_scaled(x, 0) * ca.exp(-x)
tensorflow.raw_ops.BesselK1(x) = second_kind_scaled(x, 1) * ca.exp(-x)
tensorflow.raw_ops.BesselK0e(x) = second_kind_scaled(x, 0)
tensorflow.raw_ops.BesselK1e(x) = second_kind_scaled(x, 1)
tensorflow.raw_ops.Betainc(a, b, x) = ca.betainc(a, b, x)
tensorflow.raw_ops.Bitcast(input, type) = bitcast(input, new_dtype=type)
tensorflow.raw_ops.CheckNumerics|tensorflow.raw_ops.CheckNumericsV2(tensor, message="") = tensor
tensorflow.raw_ops.EnsureShape(input, shape) = input
tensorflow.raw_ops.PopulationCount(x) = _ones(x)
""")


def _wide(function: Callable[[ca.Array], Any], x: ca.Array) -> Any:
    """Compute a function of half precision in float32."""
    return (
        function(x) if x.dtype in (ca.float32, ca.float64) else ca.astype(function(ca.astype(x, ca.float32)), x.dtype)
    )


def _complex(x: ca.Array) -> Any:
    return ca.complex128 if x.dtype == ca.float64 else ca.complex64


def _polygamma(a: Any, x: Any) -> Any:
    """Return derivatives of the digamma function, whose orders may differ from element to element."""
    if not isinstance(a, ca.Array):
        return ca.polygamma(x, int(a))
    order = ca.where(a == 0, ca.ones_like(a), a)
    size = ca.exp(ca.lgamma(order + 1)) * ca.zeta(order + 1, x)
    return ca.where(a == 0, ca.digamma(x), ca.where(ca.remainder(order, 2) == 1, size, -size))


def _ones(x: ca.Array) -> Any:
    """Count the bits that are set."""
    bits = ca.iinfo(x.dtype).bits
    one = ca.ones_like(x)
    counted = [ca.bitwise_and(ca.bitwise_right_shift(x, ca.full_like(x, place)), one) for place in range(bits)]
    return ca.astype(reduce(ca.add, counted), ca.uint8)


@rule("tensorflow.raw_ops.Div")
def divide(x: Any, y: Any) -> Any:
    """Divide; quotients of integers are rounded towards zero."""
    array = x if isinstance(x, ca.Array) else y
    return ca.divide(x, y) if is_floating(array.dtype) else ca.trunc_divide(as_array(x, array), as_array(y, array))


@rule("tensorflow.raw_ops.Sign")
def sign(x: ca.Array) -> Any:
    """Keep the sign of zero, as TensorFlow does."""
    return ca.sign(x)


@rule("tensorflow.raw_ops.DivNoNan")
def div_no_nan(x: Any, y: Any) -> Any:
    """Divide; a quotient by zero is zero."""
    x, y = as_array(x, y), as_array(y, x)
    none = y == 0
    return ca.where(none, ca.zeros((), dtype=y.dtype), x / ca.where(none, ca.ones((), dtype=y.dtype), y))


@rule("tensorflow.raw_ops.MulNoNan")
def mul_no_nan(x: Any, y: Any) -> Any:
    """Multiply; a product with zero at the right is zero."""
    x, y = as_array(x, y), as_array(y, x)
    return ca.where(y == 0, ca.zeros((), dtype=y.dtype), x * y)


@rule("tensorflow.raw_ops.Xdivy")
def xdivy(x: Any, y: Any) -> Any:
    """Divide; a quotient of zero is zero."""
    x, y = as_array(x, y), as_array(y, x)
    none = x == 0
    return ca.where(none, ca.zeros((), dtype=x.dtype), x / ca.where(none, ca.ones((), dtype=y.dtype), y))


@rule("tensorflow.raw_ops.Select")
def select(condition: ca.Array, x: Any, y: Any) -> Any:
    """Choose elements, or rows by a condition with one axis."""
    if condition.ndim == 1 and x.ndim > 1:
        condition = ca.reshape(condition, (-1, *(1,) * (x.ndim - 1)))
    return ca.where(condition, x, y)


@rule("tensorflow.raw_ops.Cast")
def cast(x: Any, DstT: Any, Truncate: bool = False) -> Any:
    """Convert the dtype; of complex numbers the real part is kept, and fractions are cut off."""
    if is_complex(x.dtype) and not is_complex(DstT) and DstT != ca.bool:
        x = ca.real(x)
    return x if x.dtype == DstT else ca.astype(x, DstT)
