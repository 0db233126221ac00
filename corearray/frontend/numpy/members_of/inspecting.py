"""Questions about dtypes, shapes and numbers, and arrays as text."""

from __future__ import annotations

from operator import index
from typing import Any

import corearray as ca
import corearray.frontend.numpy.data_types as dtypes
import corearray.frontend.numpy.printing as printing
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.decimals import positional, scientific
from corearray.frontend.numpy.promotion import promoted
from corearray.frontend.numpy.promotion import result_dtype as common_dtype

__all__ = ["FUNCTIONS"]


def _shape(np: Any, a: Any) -> tuple[int, ...]:
    """Return the shape of anything that is an array."""
    return a.shape if isinstance(a, (np.ndarray, np.generic)) else np.asarray(a).shape


def _ndim(np: Any, a: Any) -> int:
    """Return the number of axes of anything that is an array."""
    return len(_shape(np, a))


def _size(np: Any, a: Any, axis: Any = None) -> int:
    """Return the number of elements, in all or along axes."""
    shape = _shape(np, a)
    axes = np.lib.array_utils.normalize_axis_tuple(range(len(shape)) if axis is None else axis, len(shape))
    count = 1
    for one in axes:
        count *= shape[one]
    return count


def _result_type(np: Any, *arrays_and_dtypes: Any) -> Any:
    """Return the dtype of a result of arrays, dtypes and Python's numbers."""
    if not arrays_and_dtypes:
        raise CoreArrayValueError("at least one array or dtype is required")
    given: list[Any] = []
    for x in arrays_and_dtypes:
        if isinstance(x, (bool, int, float, complex)):
            given.append(x)
        elif isinstance(x, (np.ndarray, np.generic, ca.Array)):
            given.append(ca.zeros((0,), dtype=getattr(x, "array", x).dtype))
        elif isinstance(x, (list, tuple)):
            given.append(np.asarray(x).array)
        else:
            given.append(ca.zeros((0,), dtype=dtypes.dtype_of(x)))
    return np.dtype(common_dtype(*given))


def _promote_types(np: Any, type1: Any, type2: Any) -> Any:
    """Return the smallest dtype to which both are cast safely."""
    return np.dtype(promoted(dtypes.dtype_of(type1), dtypes.dtype_of(type2)))


def _can_cast(np: Any, from_: Any, to: Any, casting: str = "safe") -> bool:
    """Return whether a dtype is cast to another one under a rule."""
    if isinstance(from_, (bool, int, float, complex)):
        raise CoreArrayTypeError(
            "can_cast() does not support Python ints, floats, and complex because the result used to depend on the value"
        )
    own = from_.array.dtype if isinstance(from_, (np.ndarray, np.generic)) else dtypes.dtype_of(from_)
    return dtypes.can_cast(own, dtypes.dtype_of(to), casting)


def _min_scalar_type(np: Any, a: Any) -> Any:
    """Return the smallest dtype that holds a number."""
    x = np.asarray(a)
    if x.ndim:
        return x.dtype
    value = x.item()
    if x.dtype.kind == "b":
        return x.dtype
    if x.dtype.kind in "iu":
        names: tuple[str, ...] = (
            ("uint8", "uint16", "uint32", "uint64") if value >= 0 else ("int8", "int16", "int32", "int64")
        )
        return next(np.dtype(name) for name in names if np.iinfo(name).min <= value <= np.iinfo(name).max)
    parts = (abs(value.real), abs(value.imag)) if x.dtype.kind == "c" else (abs(value),)
    names = ("complex64", "complex128") if x.dtype.kind == "c" else ("float16", "float32", "float64")
    limits = {"float16": 65000.0, "float32": 3.4e38, "complex64": 3.4e38}
    for name in names:
        if all(part < limits.get(name, float("inf")) or part in (float("inf"),) or part != part for part in parts):
            return np.dtype(name)
    return np.dtype(names[-1])


def _common_type(np: Any, *arrays: Any) -> Any:
    """Return the floating scalar type to which arrays are cast."""
    kinds = []
    for x in arrays:
        dtype = x.dtype
        if dtype.kind == "b":
            raise CoreArrayTypeError("can't get common type for non-numeric array")
        kinds.append(ca.float64 if dtype.kind in "iu" else dtypes.dtype_of(dtype))
    found = kinds[0] if kinds else ca.float16
    for own in kinds[1:]:
        found = promoted(found, own)
    return np.dtype(found).type


def _isscalar(np: Any, element: Any) -> bool:
    """Return whether an object is a number or a text, not an array."""
    from numbers import Number

    return isinstance(element, (np.generic, str, bytes, memoryview, Number))


def _abstract(np: Any, x: Any) -> Any:
    if isinstance(x, type) and issubclass(x, np.generic):
        return x
    return np.dtype(x).type


def _issubdtype(np: Any, arg1: Any, arg2: Any) -> bool:
    """Return whether a dtype is below another one, or below a kind, such as `np.floating`."""
    return issubclass(_abstract(np, arg1), _abstract(np, arg2))


def _issubclass(np: Any, arg1: Any, arg2: Any) -> bool:
    """Return whether a scalar type is below another one."""
    return issubclass(arg1, arg2)


def _isdtype(np: Any, dtype: Any, kind: Any) -> bool:
    """Return whether a dtype is of a kind of the array API standard."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if isinstance(dtype, str) or (isinstance(dtype, type) and not issubclass(dtype, np.generic)):
        raise CoreArrayTypeError(f"dtype argument must be a NumPy dtype, but it is a {type(dtype)}.")
    groups = {
        "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
        "complex floating": "c",
        "numeric": "iufc",
    }  # fmt: skip
    own = np.dtype(dtype)
    for one in kinds:
        if isinstance(one, str):
            if one not in groups:
                raise CoreArrayValueError(f"kind argument is a string, but {one!r} is not a known kind name.")
            if own.kind in groups[one]:
                return True
        elif isinstance(one, np.dtype) or (isinstance(one, type) and issubclass(one, np.generic)):
            if own == one:
                return True
        else:
            raise CoreArrayTypeError(
                f"kind argument must be comprised of NumPy dtypes or strings only, but is a {type(one)}."
            )
    return False


def _iscomplexobj(np: Any, x: Any) -> bool:
    """Return whether an array or number is complex."""
    kind = getattr(getattr(x, "dtype", None), "kind", None)
    return (kind if kind in tuple("biufcOSUV") else np.asarray(x).dtype.kind) == "c"


def _isrealobj(np: Any, x: Any) -> bool:
    """Return whether an array or number is not complex."""
    return not _iscomplexobj(np, x)


def _mintypecode(np: Any, typechars: Any, typeset: str = "GDFgdf", default: str = "d") -> str:
    """Return the character of the smallest dtype to which others are cast."""
    found = {one if isinstance(one, str) else np.asarray(one).dtype.char for one in typechars}
    kept = [one for one in found if one in typeset]
    if not kept:
        return default
    if "F" in kept and "d" in kept:
        return "D"
    return min(kept, key="GDFgdf".index if set(typeset) >= set("GDFgdf") else typeset.index)


def _typename(np: Any, char: str) -> str:
    """Return a description of a dtype's character."""
    names = {
        "S1": "character", "?": "bool", "B": "unsigned char", "D": "complex double precision", "F": "complex single precision",
        "I": "unsigned integer", "H": "unsigned short", "L": "unsigned long integer", "Q": "unsigned long long integer",
        "b": "signed char", "d": "double precision", "e": "half precision", "f": "single precision", "h": "short",
        "i": "integer",
        "l": "long integer", "q": "long long integer",
    }  # fmt: skip
    return names[char]


def _array_equal(np: Any, a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Return whether two arrays have the same shape and elements."""
    try:
        one, other = np.asarray(a1), np.asarray(a2)
    except Exception:
        return False
    if one.shape != other.shape:
        return False
    same = one == other
    if equal_nan:
        same = same | ((one != one) & (other != other))
    return bool(np.asarray(same).all())


def _array_equiv(np: Any, a1: Any, a2: Any) -> bool:
    """Return whether two arrays are equal where one is broadcast to the other."""
    try:
        one, other = np.asarray(a1), np.asarray(a2)
        return bool((one == other).all())
    except Exception:
        return False


def _array_repr(
    np: Any, arr: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None
) -> str:
    """Return an array as `repr` prints it."""
    return printing.text_of_repr(arr, max_line_width, precision, suppress_small)


def _array_str(np: Any, a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """Return an array as `str` prints it."""
    if not a.ndim:
        return printing.text_of_scalar(a)
    return printing.text_of_array(
        a, linewidth=max_line_width, precision=printing._given(precision), suppress=suppress_small
    )


def _array2string(
    np: Any, a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None, separator: str = " ",
    prefix: str = "", *, formatter: Any = None, threshold: Any = None, edgeitems: Any = None, sign: Any = None,
    floatmode: Any = None, suffix: str = "", legacy: Any = None,
) -> str:  # fmt: skip
    """Return the elements of an array as text."""
    return printing.text_of_array(
        np.asarray(a), separator, prefix, suffix, linewidth=max_line_width, precision=printing._given(precision),
        suppress=suppress_small, formatter=formatter if formatter is not None else printing.get_options()["formatter"],
        threshold=threshold, edgeitems=edgeitems, sign=sign, floatmode=floatmode, legacy=legacy,
    )  # fmt: skip


def _set_printoptions(
    np: Any, precision: Any = None, threshold: Any = None, edgeitems: Any = None, linewidth: Any = None, suppress: Any = None,
    nanstr: Any = None, infstr: Any = None, formatter: Any = None, sign: Any = None, floatmode: Any = None, *,
    legacy: Any = None,
    override_repr: Any = None,
) -> None:  # fmt: skip
    """Change how arrays are printed."""
    given = dict(locals())
    del given["np"]
    if precision is None:
        given["precision"] = printing.get_options()["precision"]
    printing.set_options(**given)


def _bits(x: Any) -> int:
    own = getattr(getattr(x, "array", None), "dtype", None)
    return own.bits if own is not None and own.category == "real floating" else 64


def _format_float_positional(
    np: Any, x: Any, precision: Any = None, unique: bool = True, fractional: bool = True, trim: str = "k", sign: bool = False,
    pad_left: Any = None, pad_right: Any = None, min_digits: Any = None,
) -> str:  # fmt: skip
    """Return a number as text without an exponent."""
    return positional(float(x), _bits(x), precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits)


def _format_float_scientific(
    np: Any, x: Any, precision: Any = None, unique: bool = True, trim: str = "k", sign: bool = False, pad_left: Any = None,
    exp_digits: Any = None, min_digits: Any = None,
) -> str:  # fmt: skip
    """Return a number as text with an exponent."""
    return scientific(float(x), _bits(x), precision, unique, trim, sign, pad_left, exp_digits, min_digits)


def _base_repr(np: Any, number: Any, base: int = 2, padding: int = 0) -> str:
    """Return an integer as text in a base."""
    if base > 36:
        raise CoreArrayValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise CoreArrayValueError("Bases less than 2 not handled in base_repr.")
    digits, rest, made = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", abs(int(number)), ""
    while rest:
        made, rest = digits[rest % base] + made, rest // base
    made = "0" * padding + made if padding else made or "0"
    return ("-" if int(number) < 0 else "") + made


def _binary_repr(np: Any, num: Any, width: Any = None) -> str:
    """Return an integer as its bits, a negative one as its two's complement if a width is given."""
    number = num.__index__()
    if number >= 0 or width is None:
        made = ("-" if number < 0 else "") + f"{abs(number):b}"
    else:
        least = len(f"{-number - 1:b}") + 1 if number != -1 else 1
        made = f"{(1 << max(width, least)) + number:b}"
    if width is None:
        return made
    if width < len(made):
        raise CoreArrayValueError(f"Insufficient bit width={width} provided for binwidth={len(made)}")
    return made.zfill(width)


def _broadcast_shapes(np: Any, *args: Any) -> tuple[int, ...]:
    """Return the shape to which shapes broadcast."""
    given = [(one,) if hasattr(one, "__index__") else tuple(one) for one in args]
    if any(n < 0 for one in given for n in one):
        raise CoreArrayValueError("negative dimensions are not allowed")
    return tuple(ca.broadcast_shapes(*given)) if given else ()


def _isfortran(np: Any, a: Any) -> bool:
    """Return whether the order of elements is Fortran's and not C's."""
    return False


def _normalize_axis_index(np: Any, axis: Any, ndim: int, msg_prefix: Any = None) -> int:
    """Return an axis counted from the first."""
    number = index(axis)
    if not -ndim <= number < ndim:
        raise ca.AxisError(
            f"{msg_prefix + ': ' if msg_prefix else ''}axis {number} is out of bounds for array of dimension {ndim}"
        )
    return number % ndim


def _normalize_axis_tuple(
    np: Any, axis: Any, ndim: int, argname: Any = None, allow_duplicate: bool = False
) -> tuple[int, ...]:
    """Return axes counted from the first."""
    axes = (axis,) if hasattr(axis, "__index__") else tuple(axis)
    made = tuple(_normalize_axis_index(np, one, ndim, argname) for one in axes)
    if len(set(made)) < len(made) and not allow_duplicate:
        raise CoreArrayValueError(f"repeated axis in `{argname}` argument" if argname else "repeated axis")
    return made


def _astype(np: Any, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """Return an array in another dtype."""
    if not isinstance(x, (np.ndarray, np.generic)):
        raise CoreArrayTypeError(f"Input should be a NumPy array or scalar. It is a {type(x)} instead.")
    if device not in (None, "cpu"):
        raise CoreArrayValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
    return x.astype(dtype, copy=copy)


FUNCTIONS = {
    "shape": _shape, "ndim": _ndim, "size": _size, "result_type": _result_type, "promote_types": _promote_types,
    "can_cast": _can_cast, "min_scalar_type": _min_scalar_type, "common_type": _common_type, "isscalar": _isscalar,
    "issubdtype": _issubdtype, "issubclass_": _issubclass, "isdtype": _isdtype, "iscomplexobj": _iscomplexobj,
    "isrealobj": _isrealobj, "mintypecode": _mintypecode, "typename": _typename, "array_equal": _array_equal,
    "array_equiv": _array_equiv, "array_repr": _array_repr, "array_str": _array_str, "array2string": _array2string,
    "set_printoptions": _set_printoptions, "format_float_positional": _format_float_positional,
    "format_float_scientific": _format_float_scientific, "base_repr": _base_repr, "binary_repr": _binary_repr,
    "broadcast_shapes": _broadcast_shapes, "isfortran": _isfortran, "astype": _astype,
    "lib.array_utils.normalize_axis_index": _normalize_axis_index,
    "lib.array_utils.normalize_axis_tuple": _normalize_axis_tuple,
}  # fmt: skip
