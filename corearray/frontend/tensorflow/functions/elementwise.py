"""`tf.math`, `tf.bitwise`, `tf.dtypes`: functions of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError
from corearray.frontend.operands import is_complex, is_floating
from corearray.frontend.tensorflow.conversion import alike, holds, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, same, say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.operations import INPUTS, raw
from corearray.frontend.tensorflow.tensor_shape import TensorShape

__all__ = ["saturated"]


def _operation(name: str) -> Callable[..., Any]:
    """Return the function of an operation: its inputs, and a name that has no effect."""
    inputs = ", ".join(INPUTS[name])
    found: Callable[..., Any] = eval(
        f"lambda {inputs}, name=None: operation({inputs})", {"operation": getattr(raw, name)}
    )
    return found


same(
    _operation,
    "tensorflow.{} tensorflow.math.{}",
    "acos=Acos acosh=Acosh asin=Asin asinh=Asinh atan=Atan atan2=Atan2 atanh=Atanh cos=Cos cosh=Cosh exp=Exp floor=Floor "
    "negative=Neg sign=Sign sin=Sin sinh=Sinh sqrt=Sqrt square=Square tan=Tan subtract=Sub multiply=Mul maximum=Maximum "
    "minimum=Minimum less=Less less_equal=LessEqual greater=Greater greater_equal=GreaterEqual logical_and=LogicalAnd "
    "logical_or=LogicalOr logical_not=LogicalNot",
)
same(
    _operation,
    "tensorflow.math.{}",
    "ceil=Ceil digamma=Digamma divide_no_nan=DivNoNan erf=Erf erfc=Erfc erfinv=Erfinv expm1=Expm1 igamma=Igamma "
    "igammac=Igammac is_finite=IsFinite is_inf=IsInf is_nan=IsNan lgamma=Lgamma log=Log log1p=Log1p "
    "multiply_no_nan=MulNoNan ndtri=Ndtri nextafter=NextAfter polygamma=Polygamma reciprocal=Reciprocal rint=Rint "
    "rsqrt=Rsqrt squared_difference=SquaredDifference xdivy=Xdivy xlog1py=Xlog1py xlogy=Xlogy zeta=Zeta "
    "invert_permutation=InvertPermutation",
)
same(_operation, "tensorflow.{} tensorflow.math.{} tensorflow.nn.{}", "tanh=Tanh sigmoid=Sigmoid")
same(_operation, "tensorflow.math.{} tensorflow.nn.{}", "softplus=Softplus softsign=Softsign")
same(
    _operation,
    "tensorflow.math.{} tensorflow.math.special.{}",
    "bessel_i0=BesselI0 bessel_i0e=BesselI0e bessel_i1=BesselI1 bessel_i1e=BesselI1e",
)
same(_operation, "tensorflow.{}", "realdiv=RealDiv truncatemod=TruncateMod")
same(_operation, "tensorflow.nn.{}", "relu=Relu relu6=Relu6 elu=Elu selu=Selu l2_loss=L2Loss")
same(
    _operation,
    "tensorflow.bitwise.{}",
    "bitwise_and=BitwiseAnd bitwise_or=BitwiseOr bitwise_xor=BitwiseXor invert=Invert left_shift=LeftShift "
    "right_shift=RightShift",
)

say("""
tensorflow.add|tensorflow.math.add(x, y, name=None) = _added(x, y)
tensorflow.abs|tensorflow.math.abs(x, name=None) = _magnitude(tensor(x))
tensorflow.pow|tensorflow.math.pow(x, y, name=None) = _power(*alike("Pow", [x, y]))
tensorflow.equal|tensorflow.math.equal(x, y, name=None) = raw.Equal(x, y)
tensorflow.not_equal|tensorflow.math.not_equal(x, y, name=None) = raw.NotEqual(x, y)
tensorflow.truncatediv(x, y, name=None) = raw.TruncateDiv(*_divisible("TruncateDiv", x, y))
tensorflow.math.floordiv(x, y, name=None) = raw.FloorDiv(*_divisible("FloorDiv", x, y))
tensorflow.math.floormod|tensorflow.math.mod(x, y, name=None) = raw.FloorMod(*_divisible("FloorMod", x, y))
tensorflow.divide|tensorflow.math.divide|tensorflow.truediv|tensorflow.math.truediv(x, y, name=None) = _quotient(x, y)
tensorflow.scalar_mul|tensorflow.math.scalar_mul(scalar, x, name=None) = raw.Mul(scalar, x)
tensorflow.add_n|tensorflow.math.add_n(inputs, name=None) = _sum_of(inputs)
tensorflow.math.accumulate_n(inputs, shape=None, tensor_dtype=None, name=None) = (
    _accumulated(inputs, shape, dtype_of(tensor_dtype)))
tensorflow.round|tensorflow.math.round(x, name=None) = _rounded(tensor(x))
tensorflow.cast|tensorflow.dtypes.cast(x, dtype, name=None) = raw.Cast(tensor(x), dtype_of(dtype))
tensorflow.saturate_cast|tensorflow.dtypes.saturate_cast(value, dtype, name=None) = saturated(tensor(value), dtype_of(dtype))
tensorflow.complex|tensorflow.dtypes.complex(real, imag, name=None) = raw.Complex(real, imag)
tensorflow.math.real(input, name=None) = _part(tensor(input), ca.real)
tensorflow.math.imag(input, name=None) = _part(tensor(input), ca.imag)
tensorflow.math.angle(input, name=None) = _angle(tensor(input))
tensorflow.math.conj(x, name=None) = ca.conj(tensor(x)) if is_complex(tensor(x).dtype) else tensor(x)
tensorflow.math.logical_xor(x, y, name=None) = ca.logical_xor(*alike("LogicalXor", [x, y], hint=ca.bool))
tensorflow.math.log_sigmoid(x, name=None) = -raw.Softplus(-_real(x))
tensorflow.math.reciprocal_no_nan(x, name=None) = raw.DivNoNan(ca.ones((), dtype=_real(x).dtype), _real(x))
tensorflow.math.erfcinv(x, name=None) = -raw.Ndtri(0.5 * _real(x)) * 0.5**0.5
tensorflow.math.betainc(a, b, x, name=None) = ca.betainc(*alike("Betainc", [a, b, x]))
tensorflow.math.polyval(coeffs, x, name=None) = _polynomial(coeffs, x)
tensorflow.math.lbeta(x, name=None) = ca.sum(ca.lgamma(_real(x)), axis=-1) - ca.lgamma(ca.sum(_real(x), axis=-1))
tensorflow.nn.leaky_relu(features, alpha=0.2, name=None) = raw.LeakyRelu(features, alpha)
tensorflow.nn.crelu(features, axis=-1, name=None) = ca.concat([raw.Relu(features), raw.Relu(-tensor(features))], axis=axis)
tensorflow.nn.silu|tensorflow.nn.swish(features, beta=1.0) = _real(features) * ca.sigmoid(_real(features) * beta)
tensorflow.nn.gelu(features, approximate=False, name=None) = _gelu(_real(features), approximate)
tensorflow.clip_by_value(t, clip_value_min, clip_value_max, name=None) = _clipped(t, clip_value_min, clip_value_max)
tensorflow.stop_gradient(input, name=None) = ca.stop_gradient(tensor(input))
tensorflow.bitcast(input, type, name=None) = raw.Bitcast(tensor(input), dtype_of(type))
tensorflow.identity(input, name=None) = tensor(input)
tensorflow.guarantee_const(input, name=None) = tensor(input)
""")


def _real(x: Any) -> ca.Array:
    """Return an array of real or complex numbers; integers are refused, as the operations refuse them."""
    made = tensor(x)
    if not is_floating(made.dtype):
        raise InvalidArgumentError(
            f"Value for attr 'T' of {made.dtype} is not in the list of allowed values; use tf.cast"
        )
    return made


def _added(x: Any, y: Any) -> Any:
    first = tensor(x)
    return raw.AddV2(first, tensor(y, hint=first.dtype))


def _sum_of(inputs: Any) -> Any:
    if not isinstance(inputs, (list, tuple)) or not inputs:
        inputs = [inputs] if isinstance(inputs, ca.Array) else inputs
    return raw.AddN(list(inputs))


def _accumulated(inputs: Any, shape: Any, dtype: Any) -> Any:
    made = _sum_of(inputs)
    if dtype is not None and made.dtype != dtype:
        raise CoreArrayTypeError(f"The `tensor_dtype` argument is {dtype}, but `input` is of type {made.dtype}.")
    TensorShape(shape).assert_is_compatible_with(made.shape)
    return made


def _magnitude(x: ca.Array) -> Any:
    return raw.ComplexAbs(x) if is_complex(x.dtype) else raw.Abs(x)


def _power(x: ca.Array, y: ca.Array) -> Any:
    if not is_floating(x.dtype) and holds(ca.any(y < 0)):
        raise InvalidArgumentError("Integers to negative integer powers are not allowed")
    return raw.Pow(x, y)


def _divisible(name: str, x: Any, y: Any) -> list[ca.Array]:
    """Return operands of a division; integers must not be divided by zero."""
    made = alike(name, [x, y])
    if not is_floating(made[1].dtype) and holds(ca.any(made[1] == 0)):
        raise InvalidArgumentError("Integer division by zero")
    return made


#: The dtypes of quotients of integers.
_QUOTIENTS = {"int8": "float32", "uint8": "float32", "int16": "float32", "uint16": "float32"}


def _quotient(x: Any, y: Any) -> Any:
    first, second = alike("RealDiv", [x, y])
    if not is_floating(first.dtype):
        dtype = dtype_of(_QUOTIENTS.get(str(first.dtype), "float64"))
        first, second = ca.astype(first, dtype), ca.astype(second, dtype)
    return raw.RealDiv(first, second)


def _rounded(x: ca.Array) -> Any:
    return raw.Round(x) if is_floating(x.dtype) else x


def saturated(x: ca.Array, dtype: ca.DType) -> Any:
    """Return an array in another dtype, with its bounds for what it does not hold."""
    if x.dtype == dtype:
        return x
    limits = ca.iinfo(dtype) if dtype.category.endswith("integer") else ca.finfo(dtype) if is_floating(dtype) else None
    if limits is None or is_complex(dtype):
        return raw.Cast(x, dtype)
    own = ca.iinfo(x.dtype) if x.dtype.category.endswith("integer") else ca.finfo(x.dtype)
    low, high = max(float(limits.min), float(own.min)), min(float(limits.max), float(own.max))
    if x.dtype.category.endswith("integer"):
        return raw.Cast(ca.clip(x, max(int(limits.min), int(own.min)), min(int(limits.max), int(own.max))), dtype)
    made = raw.Cast(ca.clip(x, low, high), dtype)
    if dtype.category.endswith("integer") and float(limits.max) <= high:
        made = ca.where(x >= high, ca.asarray(limits.max, dtype=dtype), made)
    return made


def _part(x: ca.Array, function: Callable[..., Any]) -> Any:
    if is_complex(x.dtype):
        return function(x)
    return x if function is ca.real else ca.zeros_like(x)


def _angle(x: ca.Array) -> Any:
    if is_complex(x.dtype):
        return raw.Angle(x)
    return ca.where(x < 0, ca.asarray(ca.pi, dtype=x.dtype), ca.zeros((), dtype=x.dtype))


def _polynomial(coeffs: Any, x: Any) -> Any:
    if not isinstance(coeffs, list):
        raise CoreArrayTypeError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    point = tensor(x)
    if not coeffs:
        return ca.zeros_like(point)
    made = tensor(coeffs[0], hint=point.dtype)
    for coefficient in coeffs[1:]:
        made = raw.AddV2(coefficient, raw.Mul(made, point))
    return made


def _gelu(x: ca.Array, approximate: bool) -> Any:
    if approximate:
        return 0.5 * x * (1.0 + ca.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1.0 + ca.erf(x * 0.7071067811865476))


def _clipped(t: Any, low: Any, high: Any) -> Any:
    x, low, high = alike("ClipByValue", [t, low, high])
    made = raw.ClipByValue(x, low, high)
    if made.shape != x.shape:
        raise InvalidArgumentError(
            f"limits of shapes {low.shape} and {high.shape} do not fit a tensor of shape {x.shape}"
        )
    return made


@rule("tensorflow.identity_n")
def identity_n(input: Any, name: Any = None) -> Any:
    """Return tensors as they are."""
    return [tensor(x) for x in input]
