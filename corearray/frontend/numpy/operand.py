"""The base class that `ndarray` and NumPy's scalars share: an `Array` with NumPy's operators and methods."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayAttributeError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.holding import Sizes
from corearray.frontend.numpy.data_types import can_cast, dtype_of, strides_of

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["METHODS", "Operand", "defers"]

#: Methods that are the function of the same name with the array as its first argument.
METHODS = frozenset(
    "all any argmax argmin argpartition argsort clip conj conjugate cumprod cumsum diagonal dot max mean min nonzero prod ptp "
    "ravel repeat round searchsorted squeeze std sum swapaxes take trace var".split()
)


def _binary(name: str, *, reflected: bool = False) -> Any:
    """Return the method of an operator, which calls the ufunc of a name."""

    def operator(self: Operand, other: Any) -> Any:
        if defers(self, other):
            return NotImplemented
        function = getattr(type(self)._frontend, name)
        return function(other, self) if reflected else function(self, other)

    return operator


def _unary(name: str) -> Any:
    def operator(self: Operand) -> Any:
        return getattr(type(self)._frontend, name)(self)

    return operator


def defers(x: Operand, other: Any) -> bool:
    """Return whether the operator of the other operand comes first, or no operand is meant."""
    if other is None or isinstance(other, (str, bytes, dict, type)):
        return True
    if isinstance(other, (Operand, ca.Array, bool, int, float, complex, list, tuple)):
        return False
    if getattr(type(other), "__array_ufunc__", False) is None:
        return True
    if hasattr(type(other), "__array_ufunc__"):
        return False
    priority = getattr(other, "__array_priority__", None)
    return priority is not None and priority > getattr(x, "__array_priority__", 0.0)


def _compared(name: str) -> Any:
    """Return the method of a comparison; what is no number is unequal to every element."""

    def operator(self: Operand, other: Any) -> Any:
        if other is None or isinstance(other, (str, bytes, dict, type)):
            if name not in ("equal", "not_equal"):
                return NotImplemented
            function = type(self)._frontend.full
            return function(tuple(self.array.shape), name == "not_equal") if self.array.ndim else name == "not_equal"
        if defers(self, other):
            return NotImplemented
        return getattr(type(self)._frontend, name)(self, other)

    return operator


class Operand(Sizes):
    """Base class of `ndarray` and of the scalars: an array with NumPy's operators and methods.

    Attributes
    ----------
    array
        The `Array` that it holds.
    """

    __slots__ = ("array",)
    array: ca.Array
    _frontend: ClassVar[Frontend]
    _types: ClassVar[Any]
    __array_priority__ = 0.0

    def __getattr__(self, name: str) -> Any:
        """Find a method that is a function of the frontend."""
        if name in METHODS:
            return partial(getattr(type(self)._frontend, name), self)
        raise CoreArrayAttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *METHODS})

    # --- what it is

    @property
    def dtype(self) -> Any:
        """The dtype, with NumPy's attributes."""
        return type(self)._types.dtype(self.array.dtype)

    @property
    def device(self) -> Any:
        """The device."""
        return "cpu" if str(self.array.device).startswith("cpu") else self.array.device

    def to_device(self, device: Any, /, *, stream: Any = None) -> Any:
        """Return the elements on a device."""
        return self if device == self.device else type(self)._types.wrap(self.array.to_device(device))

    @property
    def strides(self) -> tuple[int, ...]:
        """The steps in bytes along each axis: every array is in the order of C."""
        return strides_of(self.array)

    @property
    def T(self) -> Any:  # noqa: N802  NumPy's name
        """The array with its axes in reverse order."""
        return self.transpose()

    @property
    def mT(self) -> Any:  # noqa: N802  NumPy's name
        """The array with its last two axes swapped."""
        if self.ndim < 2:
            raise CoreArrayValueError("matrix transpose with ndim < 2 is undefined")
        return self.swapaxes(-1, -2)

    @property
    def real(self) -> Any:
        """The real parts, a view where the elements are complex or real."""
        if self.array.dtype.category != "complex floating":
            return self
        return type(self)._types.like(self, ca.real(self.array))

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        if self.array.dtype.category != "complex floating":
            return type(self)._types.like(self, ca.zeros_like(self.array))
        return type(self)._types.like(self, ca.imag(self.array))

    @property
    def flat(self) -> Any:
        """The elements in the order of C, to read and to write."""
        from corearray.frontend.numpy.iterators import Flat

        return Flat(self)

    # --- conversions

    def item(self, *args: Any) -> Any:
        """Return an element as a number of Python."""
        if len(args) == 1 and isinstance(args[0], tuple):
            args = args[0]
        array = self.array
        if not args:
            if self.size != 1:
                raise CoreArrayValueError("can only convert an array of size 1 to a Python scalar")
            return ca.reshape(array, ()).item()
        if len(args) == 1:
            array = ca.reshape(array, (-1,))
        elif len(args) != self.ndim:
            raise CoreArrayValueError("incorrect number of indices for array")
        return array[tuple(int(i) for i in args)].item()

    def tobytes(self, order: str = "C") -> bytes:
        """Return the elements' bytes in the order of C, or with `order="F"` of Fortran."""
        array = self.T.array if order == "F" else self.array
        return ca.to_numpy(array).tobytes()

    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """Return the elements in another dtype.

        Raises
        ------
        TypeError
            If the casting rule forbids it.
        """
        own = dtype_of(dtype)
        if not can_cast(self.array.dtype, own, casting):
            raise CoreArrayTypeError(
                f"Cannot cast array data from {self.dtype!r} to {type(self)._types.dtype(own)!r} according to the "
                f"rule '{casting}'"
            )
        if own == self.array.dtype:
            return type(self)._types.like(self, ca.asarray(self.array, copy=True)) if copy else self
        from corearray.frontend.numpy.promotion import cast

        return type(self)._types.like(self, cast(self.array, own))

    def copy(self, order: str = "C") -> Any:
        """Return a copy."""
        return type(self)._types.like(self, ca.asarray(self.array, copy=True))

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def byteswap(self, inplace: bool = False) -> Any:
        """Refuse: there is one byte order."""
        raise CoreArrayTypeError("no backend has arrays in a foreign byte order")

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        if isinstance(dtype, type(self)._types.dtype):
            dtype = dtype._own
        made = ca.to_numpy(self.array)
        return made.astype(str(dtype_of(dtype))) if dtype is not None else made

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return type(self)._frontend

    def __bool__(self) -> bool:
        if self.size == 1:
            return bool(ca.reshape(self.array, ()) != 0)
        if not self.size:
            raise CoreArrayValueError(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
            )
        raise CoreArrayValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
        )

    def _number(self) -> Any:
        if self.ndim:
            raise CoreArrayTypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.array.item()

    def __int__(self) -> int:
        number = self._number()
        return int(number.real if isinstance(number, complex) else number)

    def __float__(self) -> float:
        number = self._number()
        return float(number.real if isinstance(number, complex) else number)

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        if self.ndim or self.dtype.kind not in "iu":
            raise CoreArrayTypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self.array.item())

    def __len__(self) -> int:
        if not self.array.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d array")
        return iter([self[i] for i in range(len(self))])

    def __contains__(self, item: Any) -> bool:
        return bool((self == item).any())

    def __str__(self) -> str:
        return type(self)._frontend.array_str(self)

    def __repr__(self) -> str:
        return type(self)._frontend.array_repr(self)

    def __format__(self, form: str) -> str:
        if self.ndim == 0:
            return format(self.array.item(), form) if form else str(self)
        if form:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)

    # --- indexing and shapes

    def __getitem__(self, key: Any) -> Any:
        from corearray.frontend.numpy.keys import item

        return item(self, key)

    def transpose(self, *axes: Any) -> Any:
        """Return the array with its axes in another order, by default in reverse."""
        order = axes[0] if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))) else axes or None
        return type(self)._frontend.transpose(self, order)

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None, **old: Any) -> Any:
        """Return the elements in another shape."""
        if not shape and "shape" in old:
            shape = (old["shape"],)
        if len(shape) == 1:
            return type(self)._frontend.reshape(self, shape[0], order=order, copy=copy)
        return type(self)._frontend.reshape(self, shape, order=order, copy=copy)

    def flatten(self, order: str = "C") -> Any:
        """Return a copy with one axis."""
        return type(self)._frontend.ravel(self, order=order).copy()

    def choose(self, choices: Any, out: Any = None, mode: str = "raise") -> Any:
        """Return elements of `choices` by these indices."""
        return type(self)._frontend.choose(self, choices, out=out, mode=mode)

    def compress(self, condition: Any, axis: Any = None, out: Any = None) -> Any:
        """Return the slices along an axis for which a condition holds."""
        return type(self)._frontend.compress(condition, self, axis=axis, out=out)

    # --- operators

    __add__, __radd__ = _binary("add"), _binary("add", reflected=True)
    __sub__, __rsub__ = _binary("subtract"), _binary("subtract", reflected=True)
    __mul__, __rmul__ = _binary("multiply"), _binary("multiply", reflected=True)
    __truediv__, __rtruediv__ = _binary("divide"), _binary("divide", reflected=True)
    __floordiv__, __rfloordiv__ = _binary("floor_divide"), _binary("floor_divide", reflected=True)
    __mod__, __rmod__ = _binary("remainder"), _binary("remainder", reflected=True)
    __divmod__, __rdivmod__ = _binary("divmod"), _binary("divmod", reflected=True)
    __matmul__, __rmatmul__ = _binary("matmul"), _binary("matmul", reflected=True)
    __and__, __rand__ = _binary("bitwise_and"), _binary("bitwise_and", reflected=True)
    __or__, __ror__ = _binary("bitwise_or"), _binary("bitwise_or", reflected=True)
    __xor__, __rxor__ = _binary("bitwise_xor"), _binary("bitwise_xor", reflected=True)
    __lshift__, __rlshift__ = _binary("left_shift"), _binary("left_shift", reflected=True)
    __rshift__, __rrshift__ = _binary("right_shift"), _binary("right_shift", reflected=True)
    __rpow__ = _binary("power", reflected=True)
    __neg__, __pos__, __abs__, __invert__ = _unary("negative"), _unary("positive"), _unary("absolute"), _unary("invert")
    __eq__, __ne__ = _compared("equal"), _compared("not_equal")
    __lt__, __le__ = _compared("less"), _compared("less_equal")
    __gt__, __ge__ = _compared("greater"), _compared("greater_equal")
    __hash__ = None  # type: ignore[assignment]

    def __pow__(self, other: Any, mod: Any = None) -> Any:
        if mod is not None or defers(self, other):
            return NotImplemented
        return type(self)._frontend.power(self, other)
