"""Data types: objects of the library, the same on every backend, and the one promotion table.

The table is the array API standard's. Across kinds, which the standard leaves open, the floating or complex operand
keeps its width: `int64` with `float32` gives `float32`. Python scalars are weak and are handled where they occur.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError, options

__all__ = [
    "DTYPES",
    "KINDS",
    "DType",
    "as_dtype",
    "bfloat16",
    "bool",
    "complex64",
    "complex128",
    "float16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "integer_limits",
    "name_told",
    "names_of",
    "promote_types",
    "register_native_dtypes",
    "same_kind",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

#: What `corearray list-functions` says of the function here that is no declaration.
__kind__ = "convenience"


class DType:
    """A data type of array elements.

    Where one is taken, so are its name, a native dtype, NumPy's (`np.float32`, `np.dtype("float32")`) and Python's `float` and
    kin for the default ones. `x.dtype == other` is true for each of these that spells the same dtype. A dtype and its name
    have the same hash, so that either finds the other in a set or dictionary.

    Attributes
    ----------
    name
        Its name in the array API standard.
    category
        One of `"bool"`, `"signed integer"`, `"unsigned integer"`, `"real floating"`, `"complex floating"`.
    bits
        Width of one element in bits (8 for `bool`).

    Examples
    --------
    >>> import corearray as ca
    >>> ca.float32.name, ca.float32.bits, ca.float32.category, ca.float32
    ('float32', 32, 'real floating', corearray.float32)
    >>> ca.float32.kind, ca.float32.itemsize
    ('f', 4)
    >>> ca.float32 == "float32", ca.float32 in {"float32", "float64"}, {ca.float32: 4}["float32"]
    (True, True, 4)
    """

    __slots__ = ("bits", "category", "name")

    name: str
    category: str
    bits: int

    def __init__(self, name: str, category: str, bits: int) -> None:
        self.name = name
        self.category = category
        self.bits = bits

    def __eq__(self, other: object) -> builtins.bool:
        if type(other) is DType:
            return self is other
        try:
            return as_dtype(other) is self
        except CoreArrayTypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def kind(self) -> str:
        """NumPy's letter of the category: `"b"`, `"i"`, `"u"`, `"f"` (`bfloat16` too) or `"c"`."""
        return _LETTERS[self.category]

    @property
    def itemsize(self) -> int:
        """Width of one element in bytes."""
        return self.bits // 8

    @property
    def __numpy_dtype__(self) -> Any:
        """The dtype of this name of the default backend's framework, which asks for it where it takes a dtype."""
        from corearray.settings.context import DEFAULT_BACKEND

        return import_module(DEFAULT_BACKEND).dtype(self.name)

    def __repr__(self) -> str:
        return f"corearray.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return as_dtype, (self.name,)


bool = DType("bool", "bool", 8)
int8 = DType("int8", "signed integer", 8)
int16 = DType("int16", "signed integer", 16)
int32 = DType("int32", "signed integer", 32)
int64 = DType("int64", "signed integer", 64)
uint8 = DType("uint8", "unsigned integer", 8)
uint16 = DType("uint16", "unsigned integer", 16)
uint32 = DType("uint32", "unsigned integer", 32)
uint64 = DType("uint64", "unsigned integer", 64)
bfloat16 = DType("bfloat16", "real floating", 16)
float16 = DType("float16", "real floating", 16)
float32 = DType("float32", "real floating", 32)
float64 = DType("float64", "real floating", 64)
complex64 = DType("complex64", "complex floating", 64)
complex128 = DType("complex128", "complex floating", 128)

#: All data types by name: those of the standard, then the two half-precision ones that some backends have.
DTYPES: dict[str, DType] = {
    dtype.name: dtype
    for dtype in (
        bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
        float32, float64, complex64, complex128, float16, bfloat16,
    )
}  # fmt: skip

#: The kinds of the standard, and those of which each is made.
KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("signed integer",),
    "unsigned integer": ("unsigned integer",),
    "integral": ("signed integer", "unsigned integer"),
    "real floating": ("real floating",),
    "complex floating": ("complex floating",),
    "numeric": ("signed integer", "unsigned integer", "real floating", "complex floating"),
}

_LETTERS = {
    "bool": "b", "signed integer": "i", "unsigned integer": "u", "real floating": "f", "complex floating": "c",
}  # fmt: skip

_RANK = {"bool": 0, "unsigned integer": 1, "signed integer": 1, "real floating": 2, "complex floating": 3}

#: What a backend calls its dtypes, filled while it is loaded, and what tells its name; keys are native dtypes.
#: The type stands in the key so that no framework's dtype is ever compared with another's.
_NATIVE: dict[tuple[type, object], DType] = {}


def register_native_dtypes(table: Iterable[tuple[object, DType]]) -> None:
    """Let `as_dtype` understand the native dtypes of a backend."""
    for native, dtype in table:
        _NATIVE[type(native), native] = dtype


def integer_limits(dtype: DType) -> tuple[int, int]:
    """Return the least and the greatest number of an integer dtype.

    Examples
    --------
    >>> integer_limits(int8), integer_limits(uint8)
    ((-128, 127), (0, 255))
    """
    if dtype.category == "unsigned integer":
        return 0, (1 << dtype.bits) - 1
    return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1


#: The kinds in codes such as NumPy's `"<f4"`, and names in other libraries.
_CODES = {"f": "float", "i": "int", "u": "uint", "c": "complex"}
_SPELLED = {
    "byte": "int8", "short": "int16", "int": "int64", "long": "int64", "half": "float16", "float": "float32",
    "single": "float32", "double": "float64", "complex": "complex64", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip


def as_dtype(dtype: object) -> DType:
    """Return the library's dtype for a dtype, its name, a native dtype, or a Python type.

    Native ones are those of loaded backends, and NumPy's and what goes by their names: `np.float32`, `jnp.float32`.

    Raises
    ------
    CoreArrayTypeError
        If it is none of these; the text lists the names.

    Examples
    --------
    >>> as_dtype("float32")
    corearray.float32
    """
    if type(dtype) is DType:
        return dtype
    if isinstance(dtype, str):
        found = DTYPES.get(dtype)
        if found is not None:
            return found
    elif isinstance(dtype, type) and dtype in (builtins.bool, int, float, complex):
        from corearray.settings.context import current_settings

        return current_settings().default_dtype_of(dtype)
    else:
        try:
            return _NATIVE[type(dtype), dtype]
        except KeyError:
            found = DTYPES.get(name_told(dtype))
        except TypeError:  # what has no hash
            found = None
        if found is not None:
            _NATIVE[type(dtype), dtype] = found
            return found
    if isinstance(dtype, str) and (meant := _meant(dtype)):
        raise CoreArrayTypeError(f"{dtype!r} is no dtype; did you mean '{meant}'?")
    if isinstance(shape := getattr(dtype, "shape", None), tuple) and hasattr(dtype, "dtype"):
        raise CoreArrayTypeError(f"an array of the shape {tuple(shape)} is no dtype; write x.dtype")
    raise CoreArrayTypeError(
        f"{dtype!r} is no dtype; use an object such as corearray.float32 or one of the names {options(DTYPES)}"
    )


def _meant(text: str) -> str:
    """Return the dtype that a name of another library, a code of NumPy's or a misspelt name stands for, or `""`."""
    from difflib import get_close_matches

    name = text.rpartition(".")[2].lstrip("<>=|")
    kind, size = _CODES.get(name[:1], ""), name[1:]
    if size.isdecimal() and f"{kind}{8 * int(size)}" in DTYPES:
        return f"{kind}{8 * int(size)}"
    return _SPELLED.get(name) or next(iter(get_close_matches(name, DTYPES, 1)), "")


def name_told(dtype: object) -> str:
    """Return the name of a dtype of NumPy's, whether or not that is loaded here, and of a type of its numbers, else `""`.

    JAX's `jnp.float32` is a class with such a dtype.
    """
    if isinstance(dtype, type):
        told = getattr(dtype, "dtype", None)
        if not hasattr(told, "itemsize"):
            return dtype.__name__.rstrip("_") if hasattr(dtype, "__array_interface__") else ""
        dtype = told
    return str(dtype.name) if hasattr(dtype, "itemsize") and hasattr(dtype, "name") else ""


def promote_types(first: DType | str, second: DType | str) -> DType:
    """Return the dtype to which two dtypes, or dtypes of these names, promote.

    Examples
    --------
    >>> promote_types(int8, uint8), promote_types(int64, float32), promote_types(float64, complex64)
    (corearray.int16, corearray.float32, corearray.complex128)

    Raises
    ------
    CoreArrayTypeError
        For `uint64` with a signed integer, which no integer dtype holds, and for what is no dtype.
    """
    first, second = as_dtype(first), as_dtype(second)
    if first is second:
        return first
    ordered = (_RANK[first.category], first.bits) <= (_RANK[second.category], second.bits)
    low, high = (first, second) if ordered else (second, first)
    if low.category == high.category:
        if low.bits == high.bits:  # float16 with bfloat16: neither holds the other
            return float32
        return high
    if high.category == "complex floating" and low.category == "real floating":
        return complex128 if low.bits == 64 else high
    if _RANK[low.category] != _RANK[high.category]:
        return high
    unsigned, signed = (low, high) if high.category == "signed integer" else (high, low)
    if signed.bits > unsigned.bits:
        return signed
    if unsigned.bits == 64:
        raise CoreArrayTypeError(
            f"'{first}' and '{second}' have no common integer dtype; cast one of them, for example with "
            f"corearray.astype(x, corearray.{signed})"
        )
    return DTYPES[f"int{unsigned.bits * 2}"]


def names_of(which: Iterable[str]) -> frozenset[str]:
    """Return the names of dtypes, of which some are given by their kind.

    Raises
    ------
    ValueError
        If one is neither a dtype nor a kind.
    """
    if not which:
        return frozenset()
    unknown = next((one for one in which if one not in DTYPES and one not in KINDS), None)
    if unknown is not None:
        raise CoreArrayValueError(f"'{unknown}' is neither a dtype nor a kind of dtypes; kinds are {options(KINDS)}")
    kinds = {one: KINDS[one] for one in which if one not in DTYPES}
    found = {name for name, dtype in DTYPES.items() if any(dtype.category in kind for kind in kinds.values())}
    return frozenset(found | (set(which) - kinds.keys()))


def same_kind(source: DType, target: DType) -> builtins.bool:
    """Tell whether a result may be written into an array of another dtype, as NumPy's `same_kind` casting has it."""
    rank = {"bool": 0, "unsigned integer": 1, "signed integer": 2, "real floating": 3, "complex floating": 4}
    return rank[source.category] <= rank[target.category]
