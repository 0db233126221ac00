"""Data types: casting, promotion and limits. Only `astype` computes on arrays."""

from __future__ import annotations

import builtins
import math
from functools import reduce
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError, CoreArrayValueError, options
from corearray.types import dtypes
from corearray.types.dtypes import KINDS, DType, as_dtype, promote_types

if TYPE_CHECKING:
    from corearray.types.devices import Device

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


@declare()
def astype(x: Array, dtype: DType, /, *, copy: bool = True, device: Device | None = None) -> Array:
    """Cast an array to a data type.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    dtype
        The wanted dtype. Complex cannot be cast to real: take `real(x)` or `abs(x)` first.
    copy
        Whether a new array is made also where `x` has the dtype already.
    device
        Device of the result; by default that of `x`.

    Returns
    -------
    An array of the shape of `x`. Floating to integer cuts towards zero; to `bool`, zero is false.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.astype(ca.asarray([0.5, 2.0, -3.9]), ca.int64).tolist()
    [0, 2, -3]

    Notes
    -----
    Array API standard 2025.12, `astype`.
    """
    ...


def _dtype_of(value: object) -> DType:
    """The dtype of an array, native or not, or a dtype itself."""
    if isinstance(value, Array):
        return value.dtype
    if isinstance(value, (DType, str, type)):
        return as_dtype(value)
    from corearray.calls.dispatch import backend_of

    backend = backend_of(value)
    return backend.dtype_of(value) if backend is not None else as_dtype(value)


def can_cast(from_: Array | DType, to: DType, /) -> builtins.bool:
    """Return whether the promotion rules allow a cast from one data type to another.

    Parameters
    ----------
    from_
        A dtype or an array.
    to
        The dtype to cast to.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.can_cast(ca.int8, ca.int16), ca.can_cast(ca.float64, ca.float32)
    (True, False)

    Notes
    -----
    Array API standard 2025.12, `can_cast`.
    """
    source, target = _dtype_of(from_), as_dtype(to)
    try:
        return promote_types(source, target) is target
    except CoreArrayTypeError:
        return False


def result_type(*arrays_and_dtypes: Array | DType | complex) -> DType:
    """Return the data type that promotion of the arguments gives.

    Parameters
    ----------
    *arrays_and_dtypes
        Arrays, dtypes and Python scalars, at least one of them an array or a dtype. Scalars are weak.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.result_type(ca.int8, ca.asarray([1], dtype=ca.uint8)), ca.result_type(ca.float32, 1)
    (corearray.int16, corearray.float32)

    Raises
    ------
    CoreArrayTypeError
        If the dtypes have no common one.

    Notes
    -----
    Array API standard 2025.12, `result_type`.
    """
    from corearray.calls.settle import settled_dtype
    from corearray.settings.context import SCALARS

    scalars = [value for value in arrays_and_dtypes if type(value) in SCALARS]
    found = [_dtype_of(value) for value in arrays_and_dtypes if type(value) not in SCALARS]
    if not found:
        raise CoreArrayValueError("result_type needs at least one array or dtype, got only Python scalars or nothing")
    return settled_dtype([reduce(promote_types, found)], scalars, floating=False)


def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> builtins.bool:
    """Return whether a data type belongs to a kind.

    Parameters
    ----------
    dtype
        The dtype asked about.
    kind
        A dtype, one of the kinds `"bool"`, `"signed integer"`, `"unsigned integer"`, `"integral"`, `"real floating"`,
        `"complex floating"`, `"numeric"`, or a tuple of these, any of which counts.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.isdtype(ca.int8, "integral"), ca.isdtype(ca.int8, (ca.float32, "bool"))
    (True, False)

    Notes
    -----
    Array API standard 2025.12, `isdtype`.
    """
    asked = dtype if type(dtype) is DType else as_dtype(dtype)
    if isinstance(kind, str):
        if kind in KINDS:
            return asked.category in KINDS[kind]
        raise CoreArrayValueError(f"'{kind}' is no kind of dtypes; kinds are {options(KINDS)}")
    if isinstance(kind, tuple):
        return any(isdtype(asked, one) for one in kind)
    return asked is as_dtype(kind)


_REAL = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}

#: Bits of the mantissa and the largest exponent.
_WIDTHS = {"float16": (10, 15), "bfloat16": (7, 127), "float32": (23, 127), "float64": (52, 1023)}


class finfo:  # noqa: N801
    """Return the limits of a floating-point data type.

    Parameters
    ----------
    type
        A floating or complex dtype, or an array of one.

    Attributes
    ----------
    bits
        Width of one real number in bits.
    dtype
        The real dtype that the limits are for.
    eps
        Distance from 1 to the next larger number.
    max, min
        Largest and smallest finite number.
    smallest_normal
        Smallest positive number of full precision.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.finfo(ca.float32).eps == 2.0**-23
    True

    Notes
    -----
    Array API standard 2025.12, `finfo`.
    """

    __slots__ = ("bits", "dtype", "eps", "max", "min", "smallest_normal")

    bits: int
    dtype: Any
    eps: float
    max: float
    min: float
    smallest_normal: float

    def __init__(self, type: Array | DType, /) -> None:
        asked = _dtype_of(type)
        real = _REAL.get(asked, asked)
        if real.category != "real floating":
            raise CoreArrayTypeError(f"finfo is for floating dtypes, got '{asked}'; use iinfo for integers")
        mantissa, exponent = _WIDTHS[real.name]
        self.bits = real.bits
        self.dtype = real
        self.eps = 2.0**-mantissa
        self.max = (2.0 - 2.0**-mantissa) * 2.0**exponent
        self.min = -self.max
        self.smallest_normal = math.ldexp(1.0, 1 - exponent)

    def __repr__(self) -> str:
        return f"finfo({self.dtype}: eps={self.eps}, max={self.max}, smallest_normal={self.smallest_normal})"


class iinfo:  # noqa: N801
    """Return the limits of an integer data type.

    Parameters
    ----------
    type
        An integer dtype, or an array of one.

    Attributes
    ----------
    bits, dtype, max, min
        Width in bits, the dtype, the largest and the smallest number.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.iinfo(ca.uint8).max
    255

    Notes
    -----
    Array API standard 2025.12, `iinfo`.
    """

    __slots__ = ("bits", "dtype", "max", "min")

    bits: int
    dtype: Any
    max: int
    min: int

    def __init__(self, type: Array | DType, /) -> None:
        asked = _dtype_of(type)
        if asked.category not in KINDS["integral"]:
            raise CoreArrayTypeError(f"iinfo is for integer dtypes, got '{asked}'; use finfo for floating dtypes")
        signed = asked.category == "signed integer"
        self.bits = asked.bits
        self.dtype = asked
        self.max = (1 << (asked.bits - signed)) - 1
        self.min = -(1 << (asked.bits - 1)) if signed else 0

    def __repr__(self) -> str:
        return f"iinfo({self.dtype}: min={self.min}, max={self.max})"
