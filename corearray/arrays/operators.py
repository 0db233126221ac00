"""The operators of what holds several arrays, as a Container does: each calls the public function, which maps over them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from corearray.calls.dispatch import backend_of
from corearray.functional import bitwise, comparison, elementwise, exponential, linalg
from corearray.settings.context import NUMBERS

__all__ = ["Operators"]


def _each(function: Callable[..., Any], *args: Any) -> Any:
    """Call a public function with such an object among its arguments; what is no operand is left to Python."""
    return function(*args) if all(map(_is_operand, args)) else NotImplemented


def _is_operand(value: Any) -> bool:
    """Whether something can be brought to the arrays that an object holds: a number, a list of them, an array of any kind."""
    kind = type(value)
    if isinstance(value, (Operators, list, tuple, *NUMBERS)):
        return True
    if hasattr(kind, "__array__") or hasattr(kind, "__dlpack__") or hasattr(kind, "__corearray_function__"):
        return True
    return not isinstance(value, Mapping) and backend_of(value) is not None


class Operators:
    """Arithmetic, comparisons and bits; the other operand is an object of the same class, an array or a number."""

    __slots__ = ()

    def __neg__(self) -> Any:
        return _each(elementwise.negative, self)

    def __pos__(self) -> Any:
        return _each(elementwise.positive, self)

    def __abs__(self) -> Any:
        return _each(elementwise.abs, self)

    def __invert__(self) -> Any:
        return _each(bitwise.bitwise_invert, self)

    # --- arithmetic

    def __add__(self, other: Any, /) -> Any:
        return _each(elementwise.add, self, other)

    def __sub__(self, other: Any, /) -> Any:
        return _each(elementwise.subtract, self, other)

    def __mul__(self, other: Any, /) -> Any:
        return _each(elementwise.multiply, self, other)

    def __truediv__(self, other: Any, /) -> Any:
        return _each(elementwise.divide, self, other)

    def __floordiv__(self, other: Any, /) -> Any:
        return _each(elementwise.floor_divide, self, other)

    def __mod__(self, other: Any, /) -> Any:
        return _each(elementwise.remainder, self, other)

    def __pow__(self, other: Any, /) -> Any:
        return _each(exponential.pow, self, other)

    def __matmul__(self, other: Any, /) -> Any:
        return _each(linalg.matmul, self, other)

    # --- bits

    def __and__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_and, self, other)

    def __or__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_or, self, other)

    def __xor__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_xor, self, other)

    def __lshift__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_left_shift, self, other)

    def __rshift__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_right_shift, self, other)

    # --- comparisons

    def __lt__(self, other: Any, /) -> Any:
        return _each(comparison.less, self, other)

    def __le__(self, other: Any, /) -> Any:
        return _each(comparison.less_equal, self, other)

    def __gt__(self, other: Any, /) -> Any:
        return _each(comparison.greater, self, other)

    def __ge__(self, other: Any, /) -> Any:
        return _each(comparison.greater_equal, self, other)

    def __eq__(self, other: object, /) -> Any:
        return _each(comparison.equal, self, other)

    def __ne__(self, other: object, /) -> Any:
        return _each(comparison.not_equal, self, other)

    __hash__ = None  # type: ignore[assignment]

    # --- reflected

    def __radd__(self, other: Any, /) -> Any:
        return _each(elementwise.add, other, self)

    def __rsub__(self, other: Any, /) -> Any:
        return _each(elementwise.subtract, other, self)

    def __rmul__(self, other: Any, /) -> Any:
        return _each(elementwise.multiply, other, self)

    def __rtruediv__(self, other: Any, /) -> Any:
        return _each(elementwise.divide, other, self)

    def __rfloordiv__(self, other: Any, /) -> Any:
        return _each(elementwise.floor_divide, other, self)

    def __rmod__(self, other: Any, /) -> Any:
        return _each(elementwise.remainder, other, self)

    def __rpow__(self, other: Any, /) -> Any:
        return _each(exponential.pow, other, self)

    def __rmatmul__(self, other: Any, /) -> Any:
        return _each(linalg.matmul, other, self)

    def __rand__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_and, other, self)

    def __ror__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_or, other, self)

    def __rxor__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_xor, other, self)

    def __rlshift__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_left_shift, other, self)

    def __rrshift__(self, other: Any, /) -> Any:
        return _each(bitwise.bitwise_right_shift, other, self)

    # --- in place: each array is asked for its own in-place operator

    def __iadd__(self, other: Any, /) -> Any:
        return self._updated(operator.iadd, other)

    def __isub__(self, other: Any, /) -> Any:
        return self._updated(operator.isub, other)

    def __imul__(self, other: Any, /) -> Any:
        return self._updated(operator.imul, other)

    def __itruediv__(self, other: Any, /) -> Any:
        return self._updated(operator.itruediv, other)

    def __ifloordiv__(self, other: Any, /) -> Any:
        return self._updated(operator.ifloordiv, other)

    def __imod__(self, other: Any, /) -> Any:
        return self._updated(operator.imod, other)

    def __ipow__(self, other: Any, /) -> Any:
        return self._updated(operator.ipow, other)

    def __imatmul__(self, other: Any, /) -> Any:
        return self._updated(operator.imatmul, other)

    def __iand__(self, other: Any, /) -> Any:
        return self._updated(operator.iand, other)

    def __ior__(self, other: Any, /) -> Any:
        return self._updated(operator.ior, other)

    def __ixor__(self, other: Any, /) -> Any:
        return self._updated(operator.ixor, other)

    def __ilshift__(self, other: Any, /) -> Any:
        return self._updated(operator.ilshift, other)

    def __irshift__(self, other: Any, /) -> Any:
        return self._updated(operator.irshift, other)

    def _updated(self, update: Callable[[Any, Any], Any], other: Any) -> Any:
        """Put the result of an in-place operator in the place of each array, which is the array if it can change."""
        raise NotImplementedError
