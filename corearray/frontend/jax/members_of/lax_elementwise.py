"""Elementwise functions of `jax.lax`: primitives with JAX's tests of dtypes and shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError
from corearray.frontend.jax.key_arrays import KeyArray
from corearray.frontend.jax.promotion import cast
from corearray.frontend.jax.wrapper import Array, is_arraylike, operand

__all__ = [
    "FUNCTIONS", "RoundingMethod", "betainc", "clamp", "conj", "given", "integer_pow", "power", "primitive",
    "reciprocal", "reduce_precision", "round", "stop_gradient",
]  # fmt: skip

_FLOATING, _COMPLEX = "real floating", "complex floating"
_WHOLE = ("signed integer", "unsigned integer")

#: Functions of one array, by the kinds of dtypes that they take.
_UNARY = {
    (_FLOATING, _COMPLEX): (
        "exp exp2 log log1p expm1 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt rsqrt logistic"
    ),
    (_FLOATING,): "cbrt floor ceil erf erfc erf_inv lgamma digamma bessel_i0e bessel_i1e is_finite",
    (_FLOATING, _COMPLEX, *_WHOLE): "neg abs sign square",
    (_COMPLEX,): "imag real",
    (_FLOATING, _COMPLEX, "weak"): "conj",
    _WHOLE: "population_count clz",
    ("bool", *_WHOLE): "bitwise_not=not",
}

#: Functions of two arrays of one dtype.
_BINARY = {
    (_FLOATING, _COMPLEX, *_WHOLE): "sub div rem",
    ("bool", _FLOATING, _COMPLEX, *_WHOLE): "add mul max min eq ne lt le gt ge",
    (_FLOATING, _COMPLEX): "atan2",
    (_FLOATING,): "nextafter complex igamma igammac igamma_grad_a random_gamma_grad zeta polygamma",
    ("bool", *_WHOLE): "bitwise_and=and bitwise_or=or bitwise_xor=xor",
    _WHOLE: "shift_left shift_right_arithmetic shift_right_logical mulhi",
}
_TIPS = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "rem": "remainder", "max": "maximum",
         "min": "minimum", "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
         "ge": "greater_equal", "atan2": "arctan2"}  # fmt: skip


def primitive(name: str) -> Callable[..., Any]:
    """Return the rule of a primitive, a function of corearray's arrays."""
    from corearray.frontend.frontend import get_frontend

    return get_frontend("jax").function(f"jax.lax.{name}_p")


def given(name: str, *xs: Any) -> tuple[list[ca.Array], bool]:
    """Return operands as arrays of one dtype and of fitting shapes, and whether it is weak.

    Raises
    ------
    TypeError
        If the dtypes differ, the shapes do not fit, or an operand is no array.
    """
    for place, x in enumerate(xs):
        if not is_arraylike(x) or isinstance(x, KeyArray):
            raise CoreArrayTypeError(
                f"Error interpreting argument to {name} as a JAX value. "
                f"The problematic value is of type {type(x)} and was passed "
                f"to {name} at position {place}."
            )
    found = [operand(x) for x in xs]
    strong = [own for _, own, weak in found if not weak]
    wanted = strong[0] if strong else found[0][1]
    for _, own, weak in found:
        if own != wanted and not (weak and own.category == wanted.category):
            listed = ", ".join(str(one) for _, one, _ in found)
            tip = (
                f" (Tip: jnp.{_TIPS[name]} is a similar function that does automatic type promotion on inputs)."
                if name in _TIPS
                else ""
            )
            raise CoreArrayTypeError(f"lax.{name} requires arguments to have the same dtypes, got {listed}.{tip}")
    arrays = [cast(x, wanted) if isinstance(x, ca.Array) else ca.asarray(x, dtype=wanted) for x, _, _ in found]
    ranks = {x.ndim for x in arrays if x.ndim}
    if len(ranks) > 1:
        raise CoreArrayTypeError(f"{name}: arrays must have the same number of dimensions, got {sorted(ranks)}")
    return arrays, not strong


def _refuse_kind(name: str, own: ca.DType, kinds: tuple[str, ...]) -> None:
    if own.category not in kinds:
        raise CoreArrayTypeError(
            f"{name} does not accept dtype {own}. Accepted dtypes are subtypes "
            f"of {', '.join(kind for kind in kinds if kind != 'weak')}."
        )


def _unary(name: str, rule: str, kinds: tuple[str, ...]) -> Callable[..., Any]:
    def function(x: Any, accuracy: Any = None) -> Any:
        (array,), weak = given(name, x)
        _refuse_kind(name, array.dtype, kinds)
        return Array(primitive(rule)(array), weak)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "jax.lax"
    function.__doc__ = f"Compute what `jax.lax.{name}` computes."
    return function


def _binary(name: str, rule: str, kinds: tuple[str, ...]) -> Callable[..., Any]:
    def function(x: Any, y: Any) -> Any:
        arrays, weak = given(name, x, y)
        _refuse_kind(name, arrays[0].dtype, kinds)
        if arrays[0].dtype == ca.bool and name in ("add", "mul"):
            return Array((ca.logical_or if name == "add" else ca.logical_and)(*arrays), False)
        try:
            return Array(primitive(rule)(*arrays), weak)
        except ValueError as error:
            raise CoreArrayTypeError(f"{name} got incompatible shapes for broadcasting: {error}") from error

    function.__name__ = function.__qualname__ = name
    function.__module__ = "jax.lax"
    function.__doc__ = f"Compute what `jax.lax.{name}` computes."
    return function


def power(x: Any, y: Any) -> Any:
    """Return powers; the exponent may be an integer."""
    base, exponent = operand(x), operand(y)
    if exponent[1].category in _WHOLE:
        first, weak = given("pow", x)
        _refuse_kind("pow", first[0].dtype, (_FLOATING, _COMPLEX))
        second = exponent[0] if isinstance(exponent[0], ca.Array) else ca.asarray(exponent[0], dtype=exponent[1])
        second = cast(second, first[0].dtype)
        return Array(ca.pow(first[0], second), weak and base[2] and exponent[2])
    arrays, weak = given("pow", x, y)
    _refuse_kind("pow", arrays[0].dtype, (_FLOATING, _COMPLEX))
    try:
        return Array(ca.pow(*arrays), weak)
    except ValueError as error:
        raise CoreArrayTypeError(f"pow got incompatible shapes for broadcasting: {error}") from error


def conj(x: Any) -> Any:
    """Return the conjugates, which are complex for real numbers too."""
    (array,), weak = given("conj", x)
    _refuse_kind("conj", array.dtype, (_FLOATING, _COMPLEX))
    if array.dtype.category == _FLOATING:
        array = ca.astype(array, ca.complex128 if array.dtype == ca.float64 else ca.complex64)
    return Array(ca.conj(array), weak)


def clamp(min: Any, x: Any, max: Any) -> Any:
    """Move numbers between bounds."""
    arrays, _ = given("clamp", min, x, max)
    low, array, high = arrays
    for bound in (low, high):
        if bound.ndim and tuple(bound.shape) != tuple(array.shape):
            raise CoreArrayTypeError(
                "clamp: bounds are of the shape of the operand, "
                f"{tuple(array.shape)}, or have no axes; got {tuple(bound.shape)}"
            )
    return Array(primitive("clamp")(low, array, high), getattr(x, "weak_type", False))


def integer_pow(x: Any, y: int) -> Any:
    """Return powers with an integer of Python."""
    (array,), weak = given("integer_pow", x)
    return Array(primitive("integer_pow")(array, y=int(y)), weak)


def reciprocal(x: Any) -> Any:
    """Return reciprocals."""
    return integer_pow(x, -1)


def round(x: Any, rounding_method: Any = 0) -> Any:
    """Round to integers; halves away from zero, or to the even one."""
    (array,), weak = given("round", x)
    _refuse_kind("round", array.dtype, (_FLOATING,))
    method = getattr(rounding_method, "value", rounding_method)
    return Array(primitive("round")(array, rounding_method=method), weak)


def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """Round to fewer bits."""
    (array,), weak = given("reduce_precision", operand)
    return Array(primitive("reduce_precision")(array, exponent_bits=exponent_bits, mantissa_bits=mantissa_bits), weak)


def betainc(a: Any, b: Any, x: Any) -> Any:
    """Return the regularized incomplete beta function."""
    arrays, weak = given("betainc", a, b, x)
    return Array(primitive("regularized_incomplete_beta")(*arrays), weak)


def stop_gradient(x: Any) -> Any:
    """Return a tree of arrays as constants of derivatives."""
    from corearray.frontend.jax.members_of.tree import tree_map

    def one(leaf: Any) -> Any:
        if isinstance(leaf, Array) and leaf.array.dtype.category in (_FLOATING, _COMPLEX):
            return Array(ca.stop_gradient(leaf.array), leaf.weak_type)
        return leaf

    return tree_map(one, x)


class RoundingMethod:
    """The methods of `round`."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


def _table(specs: dict[Any, str], make: Callable[..., Any]) -> dict[str, Any]:
    made = {}
    for kinds, names in specs.items():
        for word in names.split():
            name, _, rule = word.partition("=")
            made[f"lax.{name}"] = make(name, rule or name, kinds)
    return made


FUNCTIONS: dict[str, Any] = _table(_UNARY, _unary) | _table(_BINARY, _binary) | {
    "lax.pow": power, "lax.conj": conj, "lax.clamp": clamp, "lax.integer_pow": integer_pow, "lax.reciprocal": reciprocal,
    "lax.round": round, "lax.reduce_precision": reduce_precision, "lax.betainc": betainc, "lax.stop_gradient": stop_gradient,
    "lax.RoundingMethod": RoundingMethod,
}  # fmt: skip
