"""`NDArrayOperatorsMixin`: all operators of a class that has `__array_ufunc__`."""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = ["NDArrayOperatorsMixin"]


def _disabled(x: Any) -> bool:
    return getattr(type(x), "__array_ufunc__", ...) is None


def _binary(name: str) -> Any:
    def operator(self: Any, other: Any) -> Any:
        return NotImplemented if _disabled(other) else getattr(self._np, name)(self, other)

    return operator


def _reflected(name: str) -> Any:
    def operator(self: Any, other: Any) -> Any:
        return NotImplemented if _disabled(other) else getattr(self._np, name)(other, self)

    return operator


def _in_place(name: str) -> Any:
    def operator(self: Any, other: Any) -> Any:
        return getattr(self._np, name)(self, other, out=(self,))

    return operator


def _unary(name: str) -> Any:
    def operator(self: Any) -> Any:
        return getattr(self._np, name)(self)

    return operator


class NDArrayOperatorsMixin:
    """Operators that call the ufuncs of their names.

    Examples
    --------
    >>> import corearray.frontend.numpy as np
    >>> class Logged(np.lib.mixins.NDArrayOperatorsMixin):
    ...     def __array_ufunc__(self, ufunc, method, *inputs, **options):
    ...         return f"{ufunc.__name__} of {len(inputs)}"
    >>> Logged() + 1, -Logged()
    ('add of 2', 'negative of 1')
    """

    __slots__ = ()
    _np: ClassVar[Any]

    __lt__, __le__, __eq__, __ne__ = _binary("less"), _binary("less_equal"), _binary("equal"), _binary("not_equal")
    __gt__, __ge__ = _binary("greater"), _binary("greater_equal")
    __hash__ = None  # type: ignore[assignment]
    __add__, __radd__, __iadd__ = _binary("add"), _reflected("add"), _in_place("add")
    __sub__, __rsub__, __isub__ = _binary("subtract"), _reflected("subtract"), _in_place("subtract")
    __mul__, __rmul__, __imul__ = _binary("multiply"), _reflected("multiply"), _in_place("multiply")
    __matmul__, __rmatmul__, __imatmul__ = _binary("matmul"), _reflected("matmul"), _in_place("matmul")
    __truediv__, __rtruediv__, __itruediv__ = _binary("divide"), _reflected("divide"), _in_place("divide")
    __floordiv__, __rfloordiv__ = _binary("floor_divide"), _reflected("floor_divide")
    __ifloordiv__ = _in_place("floor_divide")
    __mod__, __rmod__, __imod__ = _binary("remainder"), _reflected("remainder"), _in_place("remainder")
    __divmod__, __rdivmod__ = _binary("divmod"), _reflected("divmod")
    __pow__, __rpow__, __ipow__ = _binary("power"), _reflected("power"), _in_place("power")
    __lshift__, __rlshift__, __ilshift__ = _binary("left_shift"), _reflected("left_shift"), _in_place("left_shift")
    __rshift__, __rrshift__, __irshift__ = _binary("right_shift"), _reflected("right_shift"), _in_place("right_shift")
    __and__, __rand__, __iand__ = _binary("bitwise_and"), _reflected("bitwise_and"), _in_place("bitwise_and")
    __xor__, __rxor__, __ixor__ = _binary("bitwise_xor"), _reflected("bitwise_xor"), _in_place("bitwise_xor")
    __or__, __ror__, __ior__ = _binary("bitwise_or"), _reflected("bitwise_or"), _in_place("bitwise_or")
    __neg__, __pos__, __abs__, __invert__ = _unary("negative"), _unary("positive"), _unary("absolute"), _unary("invert")
