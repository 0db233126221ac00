"""NumPy's scalar types, each an array of one element that does not change, and the types of one frontend."""

from __future__ import annotations

import numbers
from types import GenericAlias
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError
from corearray.frontend.numpy.coercion import coerced, nested
from corearray.frontend.numpy.data_types import dtype
from corearray.frontend.numpy.operand import Operand
from corearray.frontend.numpy.promotion import cast
from corearray.frontend.numpy.wrapper import ndarray

__all__ = ["ALIASES", "Types"]

#: The scalar types: their base classes, and the names that they share with a class.
_TREE = {
    "generic": "", "number": "generic", "integer": "number", "signedinteger": "integer", "unsignedinteger": "integer",
    "inexact": "number", "floating": "inexact", "complexfloating": "inexact",
}  # fmt: skip
_NUMBERS = {"integer": numbers.Integral, "floating": numbers.Real, "complexfloating": numbers.Complex}
_LEAVES = {
    "bool": "generic", "int8": "signedinteger", "int16": "signedinteger", "int32": "signedinteger",
    "int64": "signedinteger", "uint8": "unsignedinteger", "uint16": "unsignedinteger", "uint32": "unsignedinteger",
    "uint64": "unsignedinteger", "float16": "floating", "float32": "floating", "float64": "floating",
    "complex64": "complexfloating", "complex128": "complexfloating", "bfloat16": "floating",
}  # fmt: skip

#: Other names of the scalar types; `longdouble` is `float64`, as on systems without wider numbers.
ALIASES = {
    "bool_": "bool", "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16", "intc": "int32",
    "uintc": "uint32", "int_": "int64", "long": "int64", "longlong": "int64", "intp": "int64", "uint": "uint64",
    "ulong": "uint64", "ulonglong": "uint64", "uintp": "uint64", "half": "float16", "single": "float32", "double": "float64",
    "longdouble": "float64", "csingle": "complex64", "cdouble": "complex128", "clongdouble": "complex128",
}  # fmt: skip
_OLD = {"float_": "float64", "complex_": "complex128", "singlecomplex": "complex64", "cfloat": "complex128",
        "longfloat": "float64", "longcomplex": "complex128", "clongfloat": "complex128"}  # fmt: skip


class _Scalar(Operand):
    """The base of all scalar types."""

    __slots__ = ()
    _own: ca.DType | None = None
    base = None

    def __new__(cls, value: Any = 0, *rest: Any) -> Any:
        if cls._own is None:
            raise CoreArrayTypeError(f"cannot create '{cls.__name__}' instances: it stands for several dtypes")
        if isinstance(value, str):
            value = (complex if "complex" in cls._own.name else float if "float" in cls._own.name else int)(value)
        if value is None:
            value = float("nan") if "float" in cls._own.name or "complex" in cls._own.name else False
        if rest and "complex" in cls._own.name:
            value = complex(value, *rest)
        made = _array_of(value, cls._own)
        if made.ndim:
            return cls._types.wrap(made)
        return cls._types.scalar(made)

    @property
    def flags(self) -> Any:
        """Facts about the memory of an array of one element that does not change."""
        made = self._types.wrap(self.array)
        made._writeable = False
        return made.flags

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._frontend.version, self.array.dtype.name, self.item())

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.array.item())

    def __round__(self, ndigits: int | None = None) -> Any:
        return round(self.item()) if ndigits is None else self._frontend.round(self, ndigits)

    def is_integer(self) -> bool:
        """Return whether the number has no fraction."""
        return float(self.item()).is_integer()

    def as_integer_ratio(self) -> tuple[int, int]:
        """Return two integers whose ratio is the number."""
        return float(self.item()).as_integer_ratio()

    def bit_count(self) -> int:
        """Return the number of ones in the bits of the absolute value."""
        return int(self.item()).bit_count()

    @property
    def numerator(self) -> Any:
        """The number itself."""
        return self

    @property
    def denominator(self) -> int:
        """One."""
        return 1

    def __class_getitem__(cls, item: Any) -> Any:
        most = 2 if cls.__name__ == "complexfloating" else 1
        if cls.__name__ == "generic" or cls._own not in (None, ca.bool):
            raise CoreArrayTypeError(f"there are no type variables in numpy.{cls.__name__}")
        count = len(item) if isinstance(item, tuple) else 1
        if not 1 <= count <= most:
            raise CoreArrayTypeError(f"Too {'many' if count else 'few'} arguments for numpy.{cls.__name__}")
        return GenericAlias(cls, item)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """Return the number's bits as another dtype."""
        return self._types.wrap(self.array).view(*(() if dtype is None else (dtype,)))[()]

    def _refused(self, *args: Any, **options: Any) -> Any:
        raise CoreArrayTypeError(
            f"'{type(self).__name__}' object does not support item assignment: scalars do not change"
        )

    __setitem__ = _refused


def _array_of(value: Any, own: ca.DType | None = None) -> ca.Array:
    """Return the array of anything that NumPy takes for one."""
    array = value if isinstance(value, ca.Array) else getattr(value, "array", None)
    if isinstance(array, ca.Array):
        return cast(array, own)
    return coerced(value, own)


def _again(version: str, name: str, value: Any) -> Any:
    from corearray.frontend.frontend import get_frontend

    return get_frontend("numpy", version)._public(f"numpy.{name}")(value)


class Types:
    """The classes of one frontend: `ndarray`, `dtype`, the scalar types, and the ways between them.

    Attributes
    ----------
    ndarray, dtype, generic
        NumPy's classes.
    named
        All scalar types by their names.
    """

    def __init__(self, frontend: Any) -> None:
        self.frontend = frontend
        common: dict[str, Any] = {"_frontend": frontend, "_types": self, "__slots__": ()}
        held = {
            "__module__": "corearray.frontend.numpy",
            "__qualname__": "ndarray",
            "_frontend": frontend,
            "_types": self,
        }
        self.ndarray: Any = type("ndarray", (ndarray,), held)
        self.named: dict[str, Any] = {}
        for name, base in _TREE.items():
            self.named[name] = type(name, (self.named[base] if base else _Scalar,), dict(common))
        self._leaf: dict[ca.DType, Any] = {}
        for name, base in _LEAVES.items():
            own = getattr(ca, name)
            self.named[name] = type(name, (self.named[base],), {**common, "_own": own})
            self._leaf[own] = self.named[name]
        new = not frontend.version.startswith(("0.", "1."))
        self.named |= {name: self.named[own] for name, own in (ALIASES if new else ALIASES | _OLD).items()}
        self.named["bool_"] = self.named["bool"]
        for made in self.named.values():
            made.__module__ = "numpy"
        for name, number in _NUMBERS.items():
            number.register(self.named[name])
        self.generic: Any = self.named["generic"]
        self.dtype: Any = type(
            "dtype", (dtype,), {"_known": {}, "_scalar": self._leaf.__getitem__, "_frontend": frontend, "__slots__": ()}
        )

    def wrap(self, array: ca.Array) -> Any:
        """Return an `ndarray` of an array."""
        return self.ndarray._made(array)

    def scalar(self, array: ca.Array) -> Any:
        """Return the scalar of an array without axes."""
        made = object.__new__(self._leaf[array.dtype])
        made.array = array
        return made

    def result(self, array: Any) -> Any:
        """Return a scalar for an array without axes, as NumPy's functions do, else an `ndarray`."""
        return array if not isinstance(array, ca.Array) else self.wrap(array) if array.ndim else self.scalar(array)

    def like(self, x: Any, array: ca.Array) -> Any:
        """Return an array in the class of another one: a scalar's result is a scalar, a subclass's is of the subclass."""
        if isinstance(x, self.generic):
            return self.scalar(array) if not array.ndim else self.wrap(array)
        kind = type(x)
        if kind is self.ndarray or not isinstance(x, self.ndarray):
            return self.wrap(array)
        made = kind._made(array)
        made.__array_finalize__(x)
        return made

    def array_of(self, x: Any, own: ca.DType | None = None) -> ca.Array:
        """Return the array of anything that NumPy takes for one."""
        return _array_of(x, own)

    def stripped(self, x: Any) -> Any:
        """Return arguments with arrays in place of NumPy's objects, and corearray's dtypes in place of NumPy's."""
        if isinstance(x, Operand):
            return x.array
        if isinstance(x, dtype):
            return x._own
        kind = type(x)
        if kind is tuple or kind is list:
            return kind(map(self.stripped, x))
        if x is None or kind in (bool, int, float, complex, str) or isinstance(x, (ca.Array, ca.DType)):
            return x
        if isinstance(x, slice):
            return slice(self.stripped(x.start), self.stripped(x.stop), self.stripped(x.step))
        if isinstance(x, type):
            own = getattr(x, "_own", None)
            return x if own is None else own
        if callable(x):
            return x
        if hasattr(x, "__array__") or hasattr(x, "__array_interface__"):
            return nested(x)
        return x
