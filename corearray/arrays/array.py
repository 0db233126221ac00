"""`Array`: a native array with the operators, attributes and protocols of the array API standard.

Each backend has a subclass of its own, made when it is loaded, so that the class of an array tells its backend. The
instance holds the native array and its `Kind`, because to ask a framework for the dtype takes time in every call.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from corearray.arrays.methods import ArrayMethods
from corearray.arrays.other_names import OtherNames
from corearray.calls.accelerated import accelerator
from corearray.calls.tracebacks import shorten
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.settings.context import on_arrays
from corearray.types.devices import Device, as_device
from corearray.types.dtypes import DType
from corearray.types.shape import Shape

if TYPE_CHECKING:
    from corearray.arrays.kind import Kind
    from corearray.backends.backend import Backend

__all__ = ["Array", "array_class"]


class Array(ArrayMethods, OtherNames):
    """An array of some backend, made by `corearray.asarray` and the other functions and not by calling the class.

    Attributes
    ----------
    native
        The framework's own array.
    backend
        The `Backend` that computes with it.
    dtype, device, shape, ndim, size
        As in the array API standard; `shape` is a `Shape`, a tuple.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> (x @ x.T + 1).tolist()
    [[6.0, 12.0], [12.0, 26.0]]
    """

    __slots__ = ("__weakref__", "_kind", "_link", "_native")

    _backend: ClassVar[Backend]
    _kind: Kind
    _native: Any
    _link: Any  # set where other arrays see what is written into this one, see corearray.stages.views
    __array_priority__ = 1000

    def __init__(self, *args: object, **kwargs: object) -> None:
        """Refuse: arrays come from functions."""
        raise CoreArrayTypeError("an Array is not made by calling the class; use corearray.asarray(obj)")

    # --- what it is

    @property
    def native(self) -> Any:
        """The framework's own array, without a copy."""
        return self._native

    @property
    def backend(self) -> Backend:
        """The backend that computes with this array."""
        return self._backend

    @property
    def dtype(self) -> DType:
        """The data type of the elements."""
        return self._kind.dtype or self._backend.dtype_from_native(self._native.dtype)

    @property
    def device(self) -> Device:
        """The device on which the elements are."""
        return self._backend.device_of(self._native)

    @property
    def shape(self) -> Shape:
        """The sizes along the axes; one that is unknown while a framework traces is `None`."""
        return Shape(self._native.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self._native.shape)

    @property
    def size(self) -> int | None:
        """Number of elements, or `None` if a size is unknown."""
        shape = self.shape
        return None if None in shape else math.prod(shape)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """Return the namespace of functions for this array: its backend."""
        from corearray.backends.namespace import API_VERSION

        known = ("2021.12", "2022.12", "2023.12", "2024.12", API_VERSION)
        if api_version is not None and api_version not in known:
            raise CoreArrayValueError(
                f"edition '{api_version}' of the array API standard is not known; known are {known}"
            )
        return self._backend

    # --- to Python and to other libraries

    def _only(self, what: str) -> Any:
        """The one element, as a Python scalar."""
        native = self._native
        if len(native.shape) != 0:
            raise CoreArrayTypeError(
                f"only an array without axes converts to {what}, this one has the shape {tuple(self.shape)}; "
                "index it or reduce it first"
            )
        try:
            value = self._backend.facts["to_list"](native)
        except Exception:  # which is explained there
            value = self._backend.ask("to_list", native)
        if isinstance(value, complex) and what != "complex":
            raise CoreArrayTypeError(f"a complex number does not convert to {what}; take real(x) or abs(x) first")
        return value

    def __bool__(self) -> bool:
        if any(length != 1 for length in self.shape):
            raise CoreArrayValueError(
                f"the truth of an array of shape {tuple(self.shape)} is ambiguous; use any(x) or all(x)"
            )
        x = self if self.ndim == 0 else self[(0,) * self.ndim]
        return bool(x._backend.ask("to_list", x._native))

    def __int__(self) -> int:
        return int(self._only("int"))

    def __float__(self) -> float:
        try:
            native = self._native
            if len(native.shape) == 0:
                value = self._backend.facts["to_list"](native)
                if type(value) is float:
                    return value
        except Exception:  # which is explained below
            pass
        return float(self._only("float"))

    def __complex__(self) -> complex:
        return complex(self._only("complex"))

    def __index__(self) -> int:
        value = self._only("an index")
        if not isinstance(value, int) or isinstance(value, bool):
            raise CoreArrayTypeError(f"only an integer array is an index, this one has the dtype '{self.dtype}'")
        return value

    def __len__(self) -> int:
        if self.ndim == 0:
            raise CoreArrayTypeError("an array without axes has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        if self.ndim == 0:
            raise CoreArrayTypeError("an array without axes cannot be iterated over")
        return (self[i, ...] for i in range(self.shape[0]))

    def __contains__(self, value: object) -> bool:
        equal: Any = self == value
        return bool(equal if isinstance(equal, bool) else self._backend.any(equal))

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python scalars, or one scalar for an array without axes."""
        return self._backend.ask("to_list", self._native)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return a NumPy array, for `numpy.asarray(x)`; with `copy=False` one that shares the memory of this array."""
        from corearray.arrays.interchange import numpy_array

        return numpy_array(self, dtype, copy)

    def __arrow_array__(self, type: Any = None) -> Any:
        """Return an `pyarrow.Array`, which has one axis; `pyarrow.array(x)` calls this."""
        return import_module("pyarrow").array(self.__array__(), type=type)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Export the data as a DLPack capsule, with the standard's parameters."""
        return self._backend.ask("to_dlpack", self._native, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[Any, int]:
        """Return the DLPack device type and id."""
        return self._backend.ask("dlpack_device", self._native)  # type: ignore[no-any-return]

    def to_device(self, device: Any, /, *, stream: Any = None) -> Array:
        """Return the array on another device, itself if it is there already. A native layout (a sharding) is a device too."""
        if stream is not None:
            raise CoreArrayValueError("to_device takes no stream; synchronise with the framework's own functions")
        backend, native = self._backend, self._native
        if not backend.fact("is_layout", device):
            target = as_device(device if isinstance(device, str) else backend.fact("device_name", device))
            if target == self.device and (type(device) is Device or backend.stays(native)):
                return self
            device = target
        return backend.wrap(backend.moved(native, device))

    def __reduce__(self) -> tuple[Any, ...]:
        from corearray.arrays.interchange import restored

        array = self._backend.ask("to_numpy", self._native)
        return restored, (self._backend.name, array, self.dtype.name, str(self.device))

    @on_arrays
    def __copy__(self) -> Array:
        return self._backend.asarray(self, copy=True)  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        return self.__copy__()

    def __repr__(self) -> str:
        native, shape = self._native, tuple(self.shape)
        try:
            body = self._backend.text(native).replace("\n", "\n      ").replace("\n      \n", "\n\n")
            if "..." in body or (self.size == 0 and shape != (0,)):
                body += f", shape={shape}"
        except Exception:  # a tracer has no elements to print
            body = f"shape={shape}, {type(native).__name__}"
        try:
            end = f"dtype={self.dtype}, backend={self._backend.name}, device={self.device})"
        except Exception:  # nor is a shape without elements on a device
            end = f"backend={self._backend.name})"
        text = f"Array({body}, {end}"
        return text if len(text) - text.rfind("\n") <= 100 else f"Array({body},\n      {end}"

    def __format__(self, spec: str) -> str:
        if spec and self.ndim != 0:
            raise CoreArrayTypeError(
                f"the format '{spec}' is for numbers, this is an array of the shape {tuple(self.shape)}; "
                "index it or reduce it first"
            )
        return format(self._only("complex"), spec) if spec else str(self)

    def __str__(self) -> str:
        if len(self._native.shape) == 0:
            try:
                return self._backend.number_text(self._native)
            except Exception:  # a tracer
                pass
        return repr(self)

    __hash__ = None  # type: ignore[assignment]

    # --- indexing

    def __getitem__(self, key: Any, /) -> Array:
        return self._backend.operator("__getitem__", "get_item")(self, key)  # type: ignore[no-any-return]

    def __setitem__(self, key: Any, value: Any, /) -> None:
        try:
            self._backend.assign(self, key, value)
        except Exception as error:
            shorten(error)
            raise

    # --- operators: each is composed for the backend's class when it is first used

    def __neg__(self) -> Array:
        return self._backend.operator("__neg__", "negative")(self)  # type: ignore[no-any-return]

    def __pos__(self) -> Array:
        return self._backend.operator("__pos__", "positive")(self)  # type: ignore[no-any-return]

    def __abs__(self) -> Array:
        return self._backend.operator("__abs__", "abs")(self)  # type: ignore[no-any-return]

    def __invert__(self) -> Array:
        return self._backend.operator("__invert__", "bitwise_invert")(self)  # type: ignore[no-any-return]

    def __add__(self, other: Any, /) -> Array:
        return self._backend.operator("__add__", "add")(self, other)  # type: ignore[no-any-return]

    def __sub__(self, other: Any, /) -> Array:
        return self._backend.operator("__sub__", "subtract")(self, other)  # type: ignore[no-any-return]

    def __mul__(self, other: Any, /) -> Array:
        return self._backend.operator("__mul__", "multiply")(self, other)  # type: ignore[no-any-return]

    def __truediv__(self, other: Any, /) -> Array:
        return self._backend.operator("__truediv__", "divide")(self, other)  # type: ignore[no-any-return]

    def __floordiv__(self, other: Any, /) -> Array:
        return self._backend.operator("__floordiv__", "floor_divide")(self, other)  # type: ignore[no-any-return]

    def __mod__(self, other: Any, /) -> Array:
        return self._backend.operator("__mod__", "remainder")(self, other)  # type: ignore[no-any-return]

    def __pow__(self, other: Any, /) -> Array:
        return self._backend.operator("__pow__", "pow")(self, other)  # type: ignore[no-any-return]

    def __matmul__(self, other: Any, /) -> Array:
        return self._backend.operator("__matmul__", "matmul")(self, other)  # type: ignore[no-any-return]

    def __and__(self, other: Any, /) -> Array:
        return self._backend.operator("__and__", "bitwise_and")(self, other)  # type: ignore[no-any-return]

    def __or__(self, other: Any, /) -> Array:
        return self._backend.operator("__or__", "bitwise_or")(self, other)  # type: ignore[no-any-return]

    def __xor__(self, other: Any, /) -> Array:
        return self._backend.operator("__xor__", "bitwise_xor")(self, other)  # type: ignore[no-any-return]

    def __lshift__(self, other: Any, /) -> Array:
        return self._backend.operator("__lshift__", "bitwise_left_shift")(self, other)  # type: ignore[no-any-return]

    def __rshift__(self, other: Any, /) -> Array:
        return self._backend.operator("__rshift__", "bitwise_right_shift")(self, other)  # type: ignore[no-any-return]

    def __lt__(self, other: Any, /) -> Array:
        return self._backend.operator("__lt__", "less")(self, other)  # type: ignore[no-any-return]

    def __le__(self, other: Any, /) -> Array:
        return self._backend.operator("__le__", "less_equal")(self, other)  # type: ignore[no-any-return]

    def __gt__(self, other: Any, /) -> Array:
        return self._backend.operator("__gt__", "greater")(self, other)  # type: ignore[no-any-return]

    def __ge__(self, other: Any, /) -> Array:
        return self._backend.operator("__ge__", "greater_equal")(self, other)  # type: ignore[no-any-return]

    def __eq__(self, other: object, /) -> Array:  # type: ignore[override]
        return self._backend.operator("__eq__", "equal")(self, other)  # type: ignore[no-any-return]

    def __ne__(self, other: object, /) -> Array:  # type: ignore[override]
        return self._backend.operator("__ne__", "not_equal")(self, other)  # type: ignore[no-any-return]

    def __radd__(self, other: Any, /) -> Array:
        return self._backend.operator("__radd__", "add")(self, other)  # type: ignore[no-any-return]

    def __rsub__(self, other: Any, /) -> Array:
        return self._backend.operator("__rsub__", "subtract")(self, other)  # type: ignore[no-any-return]

    def __rmul__(self, other: Any, /) -> Array:
        return self._backend.operator("__rmul__", "multiply")(self, other)  # type: ignore[no-any-return]

    def __rtruediv__(self, other: Any, /) -> Array:
        return self._backend.operator("__rtruediv__", "divide")(self, other)  # type: ignore[no-any-return]

    def __rfloordiv__(self, other: Any, /) -> Array:
        return self._backend.operator("__rfloordiv__", "floor_divide")(self, other)  # type: ignore[no-any-return]

    def __rmod__(self, other: Any, /) -> Array:
        return self._backend.operator("__rmod__", "remainder")(self, other)  # type: ignore[no-any-return]

    def __rpow__(self, other: Any, /) -> Array:
        return self._backend.operator("__rpow__", "pow")(self, other)  # type: ignore[no-any-return]

    def __rmatmul__(self, other: Any, /) -> Array:
        return self._backend.operator("__rmatmul__", "matmul")(self, other)  # type: ignore[no-any-return]

    def __rand__(self, other: Any, /) -> Array:
        return self._backend.operator("__rand__", "bitwise_and")(self, other)  # type: ignore[no-any-return]

    def __ror__(self, other: Any, /) -> Array:
        return self._backend.operator("__ror__", "bitwise_or")(self, other)  # type: ignore[no-any-return]

    def __rxor__(self, other: Any, /) -> Array:
        return self._backend.operator("__rxor__", "bitwise_xor")(self, other)  # type: ignore[no-any-return]

    def __rlshift__(self, other: Any, /) -> Array:
        return self._backend.operator("__rlshift__", "bitwise_left_shift")(self, other)  # type: ignore[no-any-return]

    def __rrshift__(self, other: Any, /) -> Array:
        return self._backend.operator("__rrshift__", "bitwise_right_shift")(self, other)  # type: ignore[no-any-return]

    def __iadd__(self, other: Any, /) -> Array:
        return self._updated("add", other)

    def __isub__(self, other: Any, /) -> Array:
        return self._updated("subtract", other)

    def __imul__(self, other: Any, /) -> Array:
        return self._updated("multiply", other)

    def __itruediv__(self, other: Any, /) -> Array:
        return self._updated("divide", other)

    def __ifloordiv__(self, other: Any, /) -> Array:
        return self._updated("floor_divide", other)

    def __imod__(self, other: Any, /) -> Array:
        return self._updated("remainder", other)

    def __ipow__(self, other: Any, /) -> Array:
        return self._updated("pow", other)

    def __imatmul__(self, other: Any, /) -> Array:
        return self._updated("matmul", other)

    def __iand__(self, other: Any, /) -> Array:
        return self._updated("bitwise_and", other)

    def __ior__(self, other: Any, /) -> Array:
        return self._updated("bitwise_or", other)

    def __ixor__(self, other: Any, /) -> Array:
        return self._updated("bitwise_xor", other)

    def __ilshift__(self, other: Any, /) -> Array:
        return self._updated("bitwise_left_shift", other)

    def __irshift__(self, other: Any, /) -> Array:
        return self._updated("bitwise_right_shift", other)

    def _updated(self, function: str, other: Any) -> Array:
        """Write the result of an in-place operator into this array."""
        if type(other) is not type(self):
            if not self._backend.is_operand(other, "__radd__"):  # a class with operators computes them itself
                return NotImplemented  # type: ignore[no-any-return]
            other = self._backend.operand(other, self)
        return self._backend.update(self, function, other)  # type: ignore[no-any-return]


def array_class(backend: Backend) -> type[Array]:
    """Make the class of a backend's arrays; it is called, without arguments, to make one."""
    members = {
        "__slots__": (),
        "__module__": f"corearray.on.{backend.name}",  # where a pickle finds it
        "__qualname__": "Array",
        "__doc__": f"An array of backend '{backend.name}', see `corearray.Array`.",
        "__init__": object.__init__,
        "_backend": backend,
        "_functions": backend,
    }
    made = type("Array", (Array,), members)
    if accelerator:
        accelerator.prepare(made)
    return made
