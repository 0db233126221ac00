"""`dtype`: corearray's dtypes with the attributes of NumPy's, and the reader of the names that NumPy has for them."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from types import GenericAlias
from typing import Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayTypeError

__all__ = ["CHARACTERS", "ORDER", "can_cast", "dtype", "dtype_of", "kind_of", "strides_of", "typecodes"]

#: NumPy's character, kind and number of each dtype.
_FACTS = {
    "bool": ("?", "b", 0), "int8": ("b", "i", 1), "uint8": ("B", "u", 2), "int16": ("h", "i", 3), "uint16": ("H", "u", 4),
    "int32": ("i", "i", 5), "uint32": ("I", "u", 6), "int64": ("l", "i", 7), "uint64": ("L", "u", 8),
    "float16": ("e", "f", 23), "float32": ("f", "f", 11), "float64": ("d", "f", 12), "complex64": ("F", "c", 14),
    "complex128": ("D", "c", 15), "bfloat16": ("E", "V", 256),
}  # fmt: skip

#: NumPy's dtypes by their characters.
CHARACTERS: dict[str, ca.DType] = {facts[0]: getattr(ca, name) for name, facts in _FACTS.items()}

#: The characters in the order in which ufuncs list their types.
ORDER = "?bBhHiIlLefdFD"

typecodes = {
    "Character": "c", "Integer": "bhilqp", "UnsignedInteger": "BHILQP", "Float": "efdg", "Complex": "FDG",
    "AllInteger": "bBhHiIlLqQpP", "AllFloat": "efdgFDG", "All": "?bhilqpBHILQPefdgFDG",
}  # fmt: skip

_NAMES = {
    "bool_": "bool", "?": "bool", "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16", "intc": "int32",
    "uintc": "uint32", "int": "int64", "int_": "int64", "long": "int64", "longlong": "int64", "intp": "int64",
    "uint": "uint64", "ulong": "uint64", "ulonglong": "uint64", "uintp": "uint64", "half": "float16", "single": "float32",
    "double": "float64", "float": "float64", "longdouble": "float64", "csingle": "complex64", "cdouble": "complex128",
    "complex": "complex128", "clongdouble": "complex128", "q": "int64", "Q": "uint64", "p": "int64", "P": "uint64",
    "n": "int64", "N": "uint64", "g": "float64", "G": "complex128", "b1": "bool", "i1": "int8", "i2": "int16", "i4": "int32",
    "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64", "f2": "float16", "f4": "float32",
    "f8": "float64", "c8": "complex64", "c16": "complex128",
}  # fmt: skip
_NAMES |= {name: name for name in _FACTS} | {facts[0]: name for name, facts in _FACTS.items()}
_PYTHON = {bool: ca.bool, int: ca.int64, float: ca.float64, complex: ca.complex128}


def dtype_of(given: Any) -> ca.DType:
    """Return corearray's dtype of what NumPy takes for one: a name, a character, a type of Python, a `dtype`.

    Raises
    ------
    TypeError
        If there is no such dtype, or no backend has it: objects, texts, dates, records, foreign byte orders.
    """
    if isinstance(given, ca.DType):
        return given
    if isinstance(given, dtype):
        return given._own
    if given is None:
        return ca.float64
    own = getattr(given, "_own", None)
    if isinstance(own, ca.DType):
        return own
    if isinstance(given, type):
        if given in _PYTHON:
            return _PYTHON[given]
    elif isinstance(given, str):
        text = given.lstrip("<=|") if len(given) > 1 else given
        if text in _NAMES:
            return getattr(ca, _NAMES[text])
        if re.fullmatch(
            r"[<>=|]?([SUOVMmac]\d*(\[\w+\])?|str_?|bytes_?|object_?|void|datetime64.*|timedelta64.*)|>\w+", given
        ):
            raise CoreArrayTypeError(
                f"no backend has NumPy's dtype {given!r}: arrays hold numbers in the machine's byte order"
            )
        raise CoreArrayTypeError(f"data type {given!r} not understood")
    inner = getattr(given, "dtype", None)
    if inner is not None and inner is not given and not callable(inner):
        return dtype_of(inner)
    try:
        return ca.result_type(ca.zeros((0,), dtype=given))
    except Exception as error:
        raise CoreArrayTypeError(f"Cannot interpret '{given!r}' as a data type: no backend has it") from error


def kind_of(own: ca.DType) -> str:
    """Return NumPy's letter for the kind of a dtype."""
    return _FACTS[own.name][1]


class dtype:  # noqa: N801  NumPy's name
    """A dtype with NumPy's attributes, the same object for each of its names.

    Examples
    --------
    >>> import corearray.frontend.numpy as np
    >>> np.dtype("f4"), np.dtype(float).kind, np.dtype("int8") == "i1"
    (dtype('float32'), 'f', True)
    """

    __slots__ = ("_own", "type")
    _known: ClassVar[dict[ca.DType, Any]]
    _scalar: ClassVar[Callable[[ca.DType], type]]
    _own: ca.DType
    type: type

    def __new__(cls, dtype: Any = None, align: bool = False, copy: bool = False, metadata: Any = None) -> Any:
        """Return the dtype of a name, a type or another dtype."""
        own = dtype_of(dtype)
        if own not in cls._known:
            made = object.__new__(cls)
            made._own = own
            made.type = cls._scalar(own)
            cls._known[own] = made
        return cls._known[own]

    def __class_getitem__(cls, item: Any) -> Any:
        if isinstance(item, tuple) and len(item) != 1:
            raise CoreArrayTypeError(f"Too {'many' if item else 'few'} arguments for numpy.dtype")
        return GenericAlias(cls, item)

    @property
    def name(self) -> str:
        """The name, such as `float64`."""
        return self._own.name

    @property
    def char(self) -> str:
        """NumPy's character."""
        return _FACTS[self._own.name][0]

    @property
    def kind(self) -> str:
        """NumPy's letter for the kind: b, i, u, f or c."""
        return _FACTS[self._own.name][1]

    @property
    def num(self) -> int:
        """NumPy's number."""
        return _FACTS[self._own.name][2]

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self._own.itemsize

    @property
    def alignment(self) -> int:
        """The alignment in bytes."""
        return self._own.itemsize // (2 if self.kind == "c" else 1)

    @property
    def byteorder(self) -> str:
        """`=`, the machine's order, or `|` where there is one byte."""
        return "|" if self.itemsize == 1 else "="

    @property
    def str(self) -> str:
        """The byte order, kind and size, such as `<f8`."""
        return f"{'|' if self.itemsize == 1 else '<'}{self.kind}{self.itemsize}"

    @property
    def descr(self) -> Any:
        """The description of `__array_interface__`."""
        return [("", self.str)]

    names = fields = subdtype = metadata = None
    shape: tuple[int, ...] = ()
    ndim = 0
    flags = 0
    hasobject = isalignedstruct = False
    isnative = True
    isbuiltin = 1

    @property
    def base(self) -> dtype:
        """The dtype itself, which has no parts."""
        return self

    def newbyteorder(self, new_order: Any = "S", /) -> dtype:
        """Return the dtype itself for the machine's byte order; arrays have no other one."""
        if str(new_order)[:1] in "=|<NnIiLl" or self.itemsize == 1:
            return self
        raise CoreArrayTypeError("no backend has arrays in a foreign byte order")

    def __eq__(self, other: object) -> bool:
        if other is None:
            return self._own == ca.float64
        try:
            return self._own == dtype_of(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self._own)

    def __lt__(self, other: Any) -> bool:
        return self != other and can_cast(self._own, dtype_of(other))

    def __le__(self, other: Any) -> bool:
        return can_cast(self._own, dtype_of(other))

    def __gt__(self, other: Any) -> bool:
        return self != other and can_cast(dtype_of(other), self._own)

    def __ge__(self, other: Any) -> bool:
        return can_cast(dtype_of(other), self._own)

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return 0

    def __str__(self) -> builtins.str:
        return self.name

    def __repr__(self) -> builtins.str:
        return f"dtype('{self.name}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._frontend.version, self.name)  # type: ignore[attr-defined]


def _again(version: str, name: str) -> Any:
    """Return the dtype of a name of the frontend of a version, for pickles."""
    from corearray.frontend.frontend import get_frontend

    return get_frontend("numpy", version).dtype(name)


def can_cast(one: ca.DType, other: ca.DType, casting: str = "safe") -> bool:
    """Return whether NumPy casts a dtype to another one under a rule.

    Raises
    ------
    ValueError
        If the rule is none of NumPy's.
    """
    from corearray.frontend.numpy.promotion import promoted

    if casting not in ("no", "equiv", "safe", "same_kind", "unsafe", "same_value"):
        from corearray.errors import CoreArrayValueError

        raise CoreArrayValueError(
            "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', or 'same_value'"
        )
    if one == other or casting in ("unsafe", "same_value"):
        return True
    if casting in ("no", "equiv"):
        return False
    if promoted(one, other) == other:
        return True
    order = "buifc"
    return casting == "same_kind" and order.index(kind_of(one)) <= order.index(kind_of(other))


def strides_of(x: ca.Array) -> tuple[int, ...]:
    """Return the steps in bytes along each axis of an array in the order of C."""
    steps = [x.dtype.itemsize]
    for n in reversed(x.shape[1:]):
        steps.insert(0, steps[0] * n)
    return tuple(steps[: x.ndim])
