"""`tf.debugging`: assertions about tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.tensorflow.conversion import holds
from corearray.frontend.tensorflow.data_types import named
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.wrapper import Operand

__all__ = ["FUNCTIONS"]


def _compared(path: str, words: str) -> Callable[..., None]:
    def check(tf: Any, x: Any, y: Any, message: Any = None, summarize: Any = None, name: Any = None) -> None:
        function: Any = tf.math
        _assert(
            tf,
            tf.reduce_all(getattr(function, path)(x, y)),
            f"{message or ''} Condition x {words} y did not hold.",
            [x, y],
        )

    check.__doc__ = f"Raise an error unless x {words} y holds for all elements."
    return check


def _signed(path: str, words: str) -> Callable[..., None]:
    def check(tf: Any, x: Any, message: Any = None, summarize: Any = None, name: Any = None) -> None:
        given = tf.convert_to_tensor(x)
        function: Any = getattr(tf.math, path)
        _assert(tf, tf.reduce_all(function(given, 0)), f"{message or ''} Condition x {words} 0 did not hold.", [given])

    check.__doc__ = f"Raise an error unless x {words} 0 holds for all elements."
    return check


def _assert(tf: Any, condition: Any, text: str, values: list[Any]) -> None:
    if holds(condition.array) is False:
        shown = ", ".join(str(x.array.tolist() if isinstance(x, Operand) else x)[:200] for x in values)
        raise InvalidArgumentError(f"{text.strip()} Values: {shown}")


def _assertion(tf: Any, condition: Any, data: Any, summarize: Any = None, name: Any = None) -> None:
    """Raise an error unless a condition holds."""
    _assert(tf, tf.reduce_all(condition), "assertion failed:", list(data))


def _near(
    tf: Any,
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: Any = None,
    summarize: Any = None,
    name: Any = None,
) -> None:
    """Raise an error unless the elements of two tensors differ by less than a tolerance."""
    one = tf.convert_to_tensor(x)
    other = tf.convert_to_tensor(y, dtype_hint=one.dtype)
    small = 10.0 * float(ca.finfo(one.array.dtype).eps)
    relative, absolute = (small if limit is None else float(limit) for limit in (rtol, atol))
    near = tf.abs(one - other) <= absolute + relative * tf.abs(other)
    _assert(
        tf,
        tf.reduce_all(near),
        f"{message or ''} x and y not equal to tolerance rtol = {relative}, atol = {absolute}",
        [x, y],
    )


def _none_equal(tf: Any, x: Any, y: Any, summarize: Any = None, message: Any = None, name: Any = None) -> None:
    """Raise an error unless x != y holds for all elements."""
    _compared("not_equal", "!=")(tf, x, y, message)


def _finite(tf: Any, x: Any, message: str, name: Any = None) -> Any:
    """Return a tensor, or raise an error if an element is infinite or NaN."""
    return _numeric(tf, x, message)


def _numeric(tf: Any, tensor: Any, message: str, name: Any = None) -> Any:
    """Return a tensor, or raise an error if an element is infinite or NaN."""
    given = tf.convert_to_tensor(tensor)
    _assert(tf, tf.reduce_all(tf.math.is_finite(given)), f"{message} : Tensor had NaN or Inf values", [given])
    return given


def _integer(tf: Any, x: Any, message: Any = None, name: Any = None) -> None:
    """Raise an error unless a tensor has a dtype of integers."""
    dtype = tf.convert_to_tensor(x).dtype
    if not dtype.is_integer:
        raise CoreArrayTypeError(f"{message or ''} Expected x to be integer type, found: {dtype!r}".strip())


def _type(tf: Any, tensor: Any, tf_type: Any, message: Any = None, name: Any = None) -> None:
    """Raise an error unless a tensor has a dtype."""
    dtype = tf.convert_to_tensor(tensor).dtype
    if dtype != named(tf_type):
        raise CoreArrayTypeError(f"{message or ''} tensor must be of type {named(tf_type)!r}; got {dtype!r}".strip())


def _rank(tf: Any, x: Any, rank: Any, message: Any = None, name: Any = None) -> None:
    """Raise an error unless a tensor has `rank` axes."""
    _of_rank(tf, x, lambda count: count == int(rank), f"must have rank {int(rank)}", message)


def _rank_at_least(tf: Any, x: Any, rank: Any, message: Any = None, name: Any = None) -> None:
    """Raise an error unless a tensor has at least `rank` axes."""
    _of_rank(tf, x, lambda count: count >= int(rank), f"must have rank at least {int(rank)}", message)


def _rank_in(tf: Any, x: Any, ranks: Any, message: Any = None, name: Any = None) -> None:
    """Raise an error unless the number of axes of a tensor is in `ranks`."""
    _of_rank(tf, x, lambda count: count in [int(n) for n in ranks], f"must have a rank in {list(ranks)}", message)


def _of_rank(tf: Any, x: Any, fits: Callable[[int], bool], words: str, message: Any) -> None:
    count = tf.convert_to_tensor(x).ndim
    if not fits(count):
        raise CoreArrayValueError(f"{message or ''} Tensor {words}. Received rank {count}".strip())


def _scalar(tf: Any, tensor: Any, message: Any = None, name: Any = None) -> Any:
    """Return a tensor, or raise an error if it has axes."""
    given = tf.convert_to_tensor(tensor)
    if given.ndim:
        raise CoreArrayValueError(f"{message or ''} Expected scalar shape, saw shape: {given.shape}.".strip())
    return given


def _same_float_dtype(tf: Any, tensors: Any = None, dtype: Any = None) -> Any:
    """Return the common dtype of tensors, which must be one of real floating-point numbers."""
    kinds = {tf.convert_to_tensor(x).dtype for x in tensors or () if x is not None} | (
        set() if dtype is None else {named(dtype)}
    )
    if len(kinds) > 1 or not all(kind.is_floating for kind in kinds):
        raise CoreArrayValueError(f"Expected one floating-point dtype, got {sorted(map(str, kinds))}")
    return next(iter(kinds), named("float32"))


def _shapes(
    tf: Any, shapes: Any, data: Any = None, summarize: Any = None, message: Any = None, name: Any = None
) -> None:
    """Raise an error unless tensors have shapes, in which letters stand for sizes that agree."""
    known: dict[str, int] = {}
    for x, wanted in shapes.items() if isinstance(shapes, dict) else shapes:
        given = list(tf.convert_to_tensor(x.deref() if hasattr(x, "deref") else x).shape)
        sizes = list(wanted) if isinstance(wanted, (list, tuple, str)) else [wanted]
        fits = len(sizes) == len(given)
        for size, found in zip(sizes, given, strict=False):
            if isinstance(size, str) and not size.isdigit():
                fits = fits and known.setdefault(size, found) == found
            elif size is not None and size != Ellipsis:
                fits = fits and int(size) == found
        if not fits:
            raise CoreArrayValueError(
                f"{message or ''} a tensor of shape {given} should have the shape {wanted}".strip()
            )


def _is_numeric(tf: Any, tensor: Any) -> bool:
    """Return true for tensors of numbers."""
    return isinstance(tensor, Operand) and tensor.dtype.name != "bool"


def _proper_iterable(tf: Any, values: Any) -> None:
    """Raise unless a value is an iterable other than a tensor, an array or a text."""
    if isinstance(values, (Operand, ca.Array, str, bytes)) or backend_of(values) is not None:
        raise CoreArrayTypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not hasattr(values, "__iter__"):
        raise CoreArrayTypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


_COMPARED = {
    "assert_equal": ("equal", "=="), "assert_less": ("less", "<"),
    "assert_less_equal": ("less_equal", "<="), "assert_greater": ("greater", ">"),
    "assert_greater_equal": ("greater_equal", ">="),
}  # fmt: skip
_SIGNED = {
    "assert_negative": ("less", "<"), "assert_positive": ("greater", ">"), "assert_non_negative": ("greater_equal", ">="),
    "assert_non_positive": ("less_equal", "<="),
}  # fmt: skip

#: Functions by their names; each takes the frontend first.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f"debugging.{name}": _compared(*words) for name, words in _COMPARED.items()},
    **{f"debugging.{name}": _signed(*words) for name, words in _SIGNED.items()},
    **{name: _compared(*_COMPARED[name]) for name in ("assert_equal", "assert_less", "assert_greater")},
    "Assert": _assertion, "debugging.Assert": _assertion, "debugging.assert_near": _near,
    "debugging.assert_all_finite": _finite, "debugging.check_numerics": _numeric, "debugging.assert_integer": _integer,
    "debugging.assert_type": _type, "debugging.assert_rank": _rank, "assert_rank": _rank,
    "debugging.assert_rank_at_least": _rank_at_least, "debugging.assert_rank_in": _rank_in,
    "debugging.assert_scalar": _scalar, "debugging.assert_same_float_dtype": _same_float_dtype,
    "debugging.assert_shapes": _shapes, "debugging.assert_none_equal": _none_equal,
    "debugging.is_numeric_tensor": _is_numeric, "debugging.assert_proper_iterable": _proper_iterable,
}  # fmt: skip
