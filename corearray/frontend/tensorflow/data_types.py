"""`DType`: TensorFlow's dtypes, each with the dtype of corearray that it stands for."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError
from corearray.types.dtypes import DTYPES, as_dtype

__all__ = ["NAMED", "DType", "default", "dtype_of", "named"]

#: Other names of dtypes in `tf`.
_ALIASES = {"half": "float16", "double": "float64"}


class DType:
    """A dtype with TensorFlow's attributes; equal to corearray's, to NumPy's and to its name.

    Examples
    --------
    >>> import corearray.frontend.tensorflow as tf
    >>> tf.float32, tf.float32.is_floating, tf.float32.size, tf.float32 == "float32", tf.int8.limits
    (tf.float32, True, 4, True, (-128, 127))
    """

    __slots__ = ("own",)

    def __init__(self, own: ca.DType) -> None:
        self.own = own

    @property
    def name(self) -> str:
        """The name."""
        return self.own.name

    @property
    def base_dtype(self) -> DType:
        """The dtype itself: there are no references here."""
        return self

    @property
    def real_dtype(self) -> DType:
        """The dtype of the real part."""
        return named({"complex64": ca.float32, "complex128": ca.float64}.get(self.name, self.own))

    @property
    def as_numpy_dtype(self) -> Any:
        """The name of NumPy's dtype, which NumPy accepts as one; NumPy's scalar type where NumPy is loaded."""
        import sys

        numpy = sys.modules.get("numpy")
        found = None if numpy is None else getattr(numpy, self.name + "_" * (self.name == "bool"), None)
        return self.name if found is None else found

    @property
    def is_floating(self) -> bool:
        """True for real floating-point numbers."""
        return self.own.category == "real floating"

    @property
    def is_complex(self) -> bool:
        """True for complex numbers."""
        return self.own.category == "complex floating"

    @property
    def is_integer(self) -> bool:
        """True for integers."""
        return self.own.category in ("signed integer", "unsigned integer")

    @property
    def is_unsigned(self) -> bool:
        """True for integers without a sign."""
        return self.own.category == "unsigned integer"

    @property
    def is_bool(self) -> bool:
        """True for truth values."""
        return self.own == ca.bool

    is_quantized = False
    is_numpy_compatible = True

    @property
    def size(self) -> int:
        """The number of bytes of an element."""
        return 1 if self.is_bool else self.own.bits // 8

    @property
    def min(self) -> Any:
        """The least number."""
        return self._limit("min")

    @property
    def max(self) -> Any:
        """The greatest number."""
        return self._limit("max")

    @property
    def limits(self) -> tuple[Any, Any]:
        """The least and the greatest number; of floating-point numbers 0 and 1, as in TensorFlow."""
        return (0, 1) if self.is_floating else (self.min, self.max)

    def _limit(self, name: str) -> Any:
        if self.is_bool:
            return name == "max"
        if self.is_complex:
            raise CoreArrayTypeError(f"complex numbers have no {name}imum")
        return getattr((ca.iinfo if self.is_integer else ca.finfo)(self.own), name)

    def is_compatible_with(self, other: Any) -> bool:
        """Return true if both are the same dtype."""
        return bool(self.own == dtype_of(other))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self.own == other.own
        if other is None:
            return False
        try:
            return bool(self.own == dtype_of(other))
        except (TypeError, ValueError):
            return False

    def __hash__(self) -> int:
        return hash(self.own)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (self.name,)


_KNOWN = {own: DType(own) for own in DTYPES.values()}

#: TensorFlow's dtypes by the names in `tf`.
NAMED = {name: _KNOWN[own] for name, own in DTYPES.items()} | {
    name: _KNOWN[DTYPES[own]] for name, own in _ALIASES.items()
}


def named(type_value: Any) -> DType:
    """Return TensorFlow's dtype for anything that names one: `tf.as_dtype`.

    Raises
    ------
    TypeError
        If there is no dtype of this name.
    """
    return type_value if isinstance(type_value, DType) else _KNOWN[_own(type_value)]


def dtype_of(dtype: Any) -> Any:
    """Return corearray's dtype for anything that names one, and `None` for `None`."""
    return None if dtype is None else _own(dtype)


def _own(dtype: Any) -> ca.DType:
    if isinstance(dtype, DType):
        return dtype.own
    if isinstance(dtype, ca.DType):
        return dtype
    if dtype in (float, int, bool, complex):
        return {float: ca.float32, int: ca.int32, bool: ca.bool, complex: ca.complex64}[dtype]
    text = str(dtype)
    try:
        return DTYPES[_ALIASES.get(text, text)] if isinstance(dtype, str) else as_dtype(dtype)
    except (KeyError, TypeError, ValueError) as error:
        raise CoreArrayTypeError(
            f"Cannot convert the argument `type_value`: {dtype!r} to a TensorFlow DType; dtypes are {', '.join(DTYPES)}"
        ) from error


def default(kind: type) -> ca.DType:
    """Return the dtype that TensorFlow gives Python's numbers of a type."""
    return {bool: ca.bool, int: ca.int32, float: ca.float32, complex: ca.complex128}[kind]
