"""`Tensor`: an array with TensorFlow's operators and methods, whose elements never change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.holding import Conversions
from corearray.frontend.tape import Node
from corearray.frontend.tensorflow.conversion import tensor, untyped
from corearray.frontend.tensorflow.data_types import DType, named
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.tensor_shape import TensorShape

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["Operand", "Reference", "Tensor"]


def _binary(path: str, reflected: bool = False) -> Any:
    """Return the method of an operator; numbers, lists and foreign arrays get the dtype of the tensor."""

    def operator(self: Operand, other: Any) -> Any:
        if not self._is_operand(other):
            return NotImplemented
        other = self._beside(other)
        function = self._function(path)
        return function(other, self) if reflected else function(self, other)

    return operator


def _unary(path: str) -> Any:
    def operator(self: Operand) -> Any:
        return self._function(path)(self)

    return operator


def _logical(word: str, bitwise: str, reflected: bool = False) -> Any:
    """Return the method of an operator of truth values, which works on the bits of integers."""

    def operator(self: Operand, other: Any) -> Any:
        if not self._is_operand(other):
            return NotImplemented
        other = self._beside(other)
        function = self._function(f"math.{word}" if self.dtype.is_bool else f"bitwise.{bitwise}")
        return function(other, self) if reflected else function(self, other)

    return operator


class Reference:
    """A tensor or variable as a key of dictionaries: equal if it is the same object."""

    __slots__ = ("_x",)

    def __init__(self, x: Any) -> None:
        self._x = x

    def deref(self) -> Any:
        """Return the tensor or variable."""
        return self._x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._x is other._x

    def __hash__(self) -> int:
        return id(self._x)


class Operand(Conversions):
    """The operators and the attributes that tensors and variables share."""

    __slots__ = ()
    __array_priority__ = 100  # as in TensorFlow: an operator of NumPy's arrays leaves the call to the tensor
    _frontend: ClassVar[Frontend]
    array: ca.Array

    def _function(self, path: str) -> Callable[..., Any]:
        found: Any = type(self)._frontend
        for part in path.split("."):
            found = getattr(found, part)
        return found  # type: ignore[no-any-return]

    def _is_operand(self, other: Any) -> bool:
        """Return true for operands of a tensor's operators: numbers, lists, and arrays."""
        if isinstance(other, (bool, int, float, complex, list, tuple, Operand, ca.Array)):
            return True
        return other is not None and not isinstance(other, (str, dict)) and hasattr(other, "dtype")

    def _beside(self, other: Any) -> Any:
        if isinstance(other, Operand):
            return other
        return tensor(other, hint=self.array.dtype) if untyped(other) else other

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return TensorShape(self.array.shape)

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return named(self.array.dtype)

    @property
    def device(self) -> str:
        """The device, as text."""
        return str(self.array.device)

    def get_shape(self) -> TensorShape:
        """Return the shape."""
        return self.shape

    def numpy(self) -> Any:
        """Return the elements as NumPy's array, or as its scalar if there are no axes."""
        return ca.to_numpy(self.array)[()]

    def ref(self) -> Reference:
        """Return a key for dictionaries and sets."""
        return Reference(self)

    def __len__(self) -> int:
        if not self.array.ndim:
            raise CoreArrayTypeError("Scalar tensor has no `len()`")
        return int(self.array.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if not self.array.ndim:
            raise CoreArrayTypeError("Cannot iterate over a scalar tensor.")
        return iter([self[place] for place in range(len(self))])

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise CoreArrayValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        return bool(self.array)

    def __hash__(self) -> int:
        raise CoreArrayTypeError(f"{type(self).__name__} is unhashable. Instead, use tensor.ref() as the key.")

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if len(parts) == 1 and getattr(parts[0], "dtype", None) == ca.bool:
            return self._function("boolean_mask")(self, parts[0])
        return self._function("_item")(self, tuple(map(_part, parts)))

    def __eq__(self, other: object) -> Any:
        return self._compared("math.equal", other, False)

    def __ne__(self, other: object) -> Any:
        return self._compared("math.not_equal", other, True)

    def _compared(self, path: str, other: Any, different: bool) -> Any:
        if not self._is_operand(other):
            return different
        other = self._beside(other)
        try:
            return self._function(path)(self, other)
        except InvalidArgumentError:
            mine, theirs = self.array.shape, getattr(other, "array", other).shape
            if _broadcast(mine, theirs) or self.array.dtype != getattr(other, "array", other).dtype:
                raise
            return self._function("constant")(different)

    __add__, __radd__ = _binary("math.add"), _binary("math.add", True)
    __sub__, __rsub__ = _binary("math.subtract"), _binary("math.subtract", True)
    __mul__, __rmul__ = _binary("math.multiply"), _binary("math.multiply", True)
    __truediv__, __rtruediv__ = _binary("math.truediv"), _binary("math.truediv", True)
    __floordiv__, __rfloordiv__ = _binary("math.floordiv"), _binary("math.floordiv", True)
    __mod__, __rmod__ = _binary("math.floormod"), _binary("math.floormod", True)
    __pow__, __rpow__ = _binary("math.pow"), _binary("math.pow", True)
    __matmul__, __rmatmul__ = _binary("linalg.matmul"), _binary("linalg.matmul", True)
    __lt__, __le__ = _binary("math.less"), _binary("math.less_equal")
    __gt__, __ge__ = _binary("math.greater"), _binary("math.greater_equal")
    __and__, __rand__ = _logical("logical_and", "bitwise_and"), _logical("logical_and", "bitwise_and", True)
    __or__, __ror__ = _logical("logical_or", "bitwise_or"), _logical("logical_or", "bitwise_or", True)
    __xor__, __rxor__ = _logical("logical_xor", "bitwise_xor"), _logical("logical_xor", "bitwise_xor", True)
    __neg__, __abs__ = _unary("math.negative"), _unary("math.abs")

    def __invert__(self) -> Any:
        return self._function("math.logical_not" if self.dtype.is_bool else "bitwise.invert")(self)

    def _text(self) -> str:
        """Return the elements as NumPy prints them."""
        from corearray.frontend.frontend import get_frontend

        return repr(get_frontend("numpy").ndarray._made(self.array)) if self.array.ndim else repr(self.array.item())


class Tensor(Operand):
    """An array with TensorFlow's operators and methods; made by the functions of `corearray.frontend.tensorflow`.

    Attributes
    ----------
    array
        The `Array` that it holds.

    Examples
    --------
    >>> import corearray.frontend.tensorflow as tf
    >>> x = tf.constant([1.0, 2.0])
    >>> x * 2 + 1
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([3., 5.], dtype=float32)>
    """

    __slots__ = ("__weakref__", "_node", "_variable", "array")

    def __init__(self, array: ca.Array) -> None:
        self.array = array
        self._node: Node | None = None
        self._variable: Any = None

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.array.ndim

    def set_shape(self, shape: Any) -> None:
        """Raise an error unless the tensor has a shape; sizes may be unknown."""
        self.shape.assert_is_compatible_with(shape)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={self._text()}>"

    def __str__(self) -> str:
        text = self._text().removeprefix("array(")
        return f"tf.Tensor({text.partition(', dtype')[0].rstrip(')')}, shape={self.shape}, dtype={self.dtype.name})"


def _part(part: Any) -> Any:
    """Return a part of a key, which must be one that TensorFlow takes."""
    if part is None or part is Ellipsis or isinstance(part, (slice, Operand)):
        return part
    if isinstance(part, bool) or not (hasattr(part, "__index__") or isinstance(part, ca.Array)):
        raise CoreArrayTypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are "
            f"valid indices, got {part!r}"
        )
    return part if isinstance(part, ca.Array) else part.__index__()


def _broadcast(one: Any, other: Any) -> bool:
    """Return true if two shapes can be broadcast together."""
    return all(a == b or 1 in (a, b) for a, b in zip(reversed(one), reversed(other), strict=False))
