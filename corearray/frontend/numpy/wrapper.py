"""`ndarray`: an array with NumPy's methods and operators, whose elements may be written."""

from __future__ import annotations

from types import GenericAlias
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.data_types import dtype_of
from corearray.frontend.numpy.operand import Operand, defers

__all__ = ["Flags", "ndarray"]


def _in_place(name: str) -> Any:
    """Return the method of an operator that writes its result into its first operand."""

    def operator(self: ndarray, other: Any) -> Any:
        if defers(self, other):
            return NotImplemented
        return getattr(type(self)._frontend, name)(self, other, out=(self,))

    return operator


class Flags:
    """Flags of an array's memory. All but `writeable` follow from the shape and from views."""

    def __init__(self, owner: ndarray) -> None:
        self._owner = owner

    @property
    def writeable(self) -> bool:
        """True if elements may be written."""
        return self._owner._writeable

    @writeable.setter
    def writeable(self, value: bool) -> None:
        self._owner.setflags(write=value)

    @property
    def owndata(self) -> bool:
        """True unless the array is a view."""
        return self._owner.base is None

    c_contiguous = contiguous = carray = True
    aligned = behaved = True
    writebackifcopy = False

    @property
    def f_contiguous(self) -> bool:
        """True if at most one axis is longer than 1: C order is then Fortran order too."""
        return sum(n > 1 for n in self._owner.shape) <= 1

    @property
    def fnc(self) -> bool:
        """False: every array has C order."""
        return False

    forc = True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Flags):
            return NotImplemented
        names = ("writeable", "owndata", "f_contiguous")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, name: str) -> bool:
        return getattr(
            self, {"C": "c_contiguous", "F": "f_contiguous", "W": "writeable", "O": "owndata"}.get(name, name.lower())
        )

    def __setitem__(self, name: str, value: bool) -> None:
        setattr(self, {"W": "writeable"}.get(name, name.lower()), value)


def _of_numpy(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] == "numpy"


class ndarray(Operand):  # noqa: N801  NumPy's name
    """An array with NumPy's methods and operators; made by the functions of `corearray.frontend.numpy`.

    Examples
    --------
    >>> import corearray.frontend.numpy as np
    >>> x = np.arange(6).reshape(2, 3)
    >>> x[:, 1] *= 10
    >>> x
    array([[ 0, 10,  2],
           [ 3, 40,  5]])
    """

    __slots__ = ("__dict__", "__weakref__", "_writeable", "base")
    base: Any
    _writeable: bool

    def __new__(
        cls, shape: Any, dtype: Any = float, buffer: Any = None, offset: int = 0, strides: Any = None, order: Any = None
    ) -> Any:
        """Return a new array of a shape."""
        if strides is not None:
            raise CoreArrayTypeError("arrays have no strides here: they are in the order of C")
        sizes = (shape,) if hasattr(shape, "__index__") else tuple(shape)
        if buffer is None:
            return cls._made(ca.zeros(tuple(int(n) for n in sizes), dtype=dtype_of(dtype)))
        count = 1
        for n in sizes:
            count *= int(n)
        flat = cls._frontend.frombuffer(bytes(memoryview(buffer)), dtype=dtype, count=count, offset=offset)
        return cls._made(ca.reshape(flat.array, sizes))

    @classmethod
    def _made(cls, array: ca.Array, base: Any = None) -> Any:
        made = object.__new__(cls)
        made.array, made.base, made._writeable = array, base, True
        return made

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return the elements of another array in the class of this one."""
        kind = type(self)._types
        if return_scalar and not kind.array_of(array).ndim and type(self) is kind.ndarray:
            return kind.scalar(kind.array_of(array))
        return kind.like(self, kind.array_of(array))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Call a ufunc or one of its methods, unless another operand has an `__array_ufunc__` of its own.

        NumPy's own ufuncs, which come here for its arrays beside this one, are those of the frontend.
        """
        plain = type(self)._types.ndarray.__array_ufunc__
        for x in (*inputs, *options.get("out", ()), options.get("where", True)):
            if getattr(type(x), "__array_ufunc__", plain) is not plain and not _of_numpy(x):
                return NotImplemented
        if _of_numpy(ufunc):
            ufunc = getattr(type(self)._frontend, ufunc.__name__)
        return getattr(ufunc, method)(*inputs, **options)

    def __array_finalize__(self, obj: Any) -> None:
        """Do nothing: subclasses set here what their views need."""

    def __class_getitem__(cls, item: Any) -> Any:
        return GenericAlias(cls, item)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + (self.nbytes if self.base is None else 0)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape; setting it reshapes the array in place."""
        return tuple(self.array.shape)

    @shape.setter
    def shape(self, shape: Any) -> None:
        self.array = self.reshape(shape).array

    @property
    def real(self) -> Any:
        """The real parts."""
        return Operand.real.fget(self)  # type: ignore[attr-defined]

    @real.setter
    def real(self, value: Any) -> None:
        kind = type(self)._types
        if self.array.dtype.category == "complex floating":
            self[...] = kind.wrap(ca.real(kind.array_of(value)) + 1j * ca.imag(self.array))
        else:
            self[...] = value

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return Operand.imag.fget(self)  # type: ignore[attr-defined]

    @imag.setter
    def imag(self, value: Any) -> None:
        kind = type(self)._types
        if self.array.dtype.category != "complex floating":
            raise CoreArrayTypeError("cannot set imaginary part of a real array")
        self[...] = kind.wrap(ca.real(self.array) + 1j * ca.real(kind.array_of(value)))

    @property
    def flat(self) -> Any:
        """The elements in the order of C."""
        return Operand.flat.fget(self)  # type: ignore[attr-defined]

    @flat.setter
    def flat(self, value: Any) -> None:
        self.flat[...] = value

    @property
    def data(self) -> memoryview:
        """The bytes of the elements in the order of C, to read."""
        return memoryview(self.tobytes())

    @property
    def flags(self) -> Flags:
        """Facts about the memory."""
        return Flags(self)

    def setflags(self, write: bool | None = None, align: bool | None = None, uic: bool | None = None) -> None:
        """Forbid or allow writes."""
        if write is not None:
            if write and isinstance(self.base, ndarray) and not self.base._writeable:
                raise CoreArrayValueError("cannot set WRITEABLE flag to True of this array")
            self._writeable = bool(write)

    def __setitem__(self, key: Any, value: Any) -> None:
        from corearray.frontend.numpy.keys import set_item

        set_item(self, key, value)

    def fill(self, value: Any) -> None:
        """Write a number into all elements."""
        self[...] = value

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """Return a view of the elements, or of their bits as another dtype."""
        if isinstance(dtype, _CLASS) and issubclass(dtype, ndarray):
            dtype, type = None, dtype
        made = self
        if dtype is not None and dtype_of(dtype) != self.array.dtype:
            made = self._bits(dtype_of(dtype))
            made._writeable = False
        result = (type or self.__class__)._made(made.array[...], self if self.base is None else self.base)
        result._writeable = made._writeable and self._writeable
        result.__array_finalize__(self)
        return result

    def _bits(self, own: ca.DType) -> Any:
        """Return the bits of the elements as another dtype: a copy, which is read-only since it shows no writes."""
        size, wanted = self.itemsize, own.itemsize
        if size != wanted and not self.ndim:
            raise CoreArrayValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
        last = self.shape[-1] if self.ndim else 1
        if (last * size) % wanted:
            raise CoreArrayValueError(
                "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of "
                "the array."
            )
        shape = (*self.shape[:-1], last * size // wanted) if self.ndim else ()
        if not self.size:
            return self._types.wrap(ca.zeros(shape, dtype=own))
        flat = ca.frombuffer(self.tobytes(), dtype=own)
        return self._types.wrap(ca.reshape(flat, shape))

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
        """Sort along an axis in place."""
        self[...] = self._frontend.sort(self, axis=axis, kind=kind, order=order, stable=stable)

    def partition(self, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None) -> None:
        """Partition along an axis in place."""
        self[...] = self._frontend.partition(self, kth, axis=axis)

    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        """Write values at flat indices."""
        self._frontend.put(self, indices, values, mode=mode)

    def resize(self, *shape: Any, refcheck: bool = True) -> None:
        """Change the shape and size in place; new elements are zero."""
        sizes = shape[0] if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape
        if sizes is None or sizes == (None,):
            return
        if any(int(n) < 0 for n in sizes):
            raise CoreArrayValueError("negative dimensions not allowed")
        count = 1
        for n in sizes:
            count *= int(n)
        flat = ca.reshape(self.array, (-1,))
        if count > self.size:
            flat = ca.concat([flat, ca.zeros((count - self.size,), dtype=self.array.dtype)])
        self.array = ca.asarray(ca.reshape(flat[:count], tuple(int(n) for n in sizes)), copy=True)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._frontend.version, self.tolist(), self.dtype.name, self.shape)

    __iadd__, __isub__, __imul__ = _in_place("add"), _in_place("subtract"), _in_place("multiply")
    __itruediv__, __ifloordiv__ = _in_place("divide"), _in_place("floor_divide")
    __imod__, __ipow__, __imatmul__ = _in_place("remainder"), _in_place("power"), _in_place("matmul")
    __iand__, __ior__, __ixor__ = _in_place("bitwise_and"), _in_place("bitwise_or"), _in_place("bitwise_xor")
    __ilshift__, __irshift__ = _in_place("left_shift"), _in_place("right_shift")


_CLASS = type


def _again(version: str, values: Any, name: str, shape: tuple[int, ...]) -> Any:
    """Return the array of pickled elements."""
    from corearray.frontend.frontend import get_frontend

    frontend = get_frontend("numpy", version)
    return frontend.array(values, dtype=name).reshape(shape)
