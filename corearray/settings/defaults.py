"""Default numbers and dtypes. Each belongs to the current context; see `corearray.settings.registry`."""

from __future__ import annotations

from corearray.settings import context
from corearray.settings.registry import reset_setting, set_settings
from corearray.types.dtypes import DType

__all__ = [
    "default_complex_dtype",
    "default_float_dtype",
    "default_int_dtype",
    "default_uint_dtype",
    "min_base",
    "min_denominator",
    "print_precision",
    "set_default_complex_dtype",
    "set_default_float_dtype",
    "set_default_int_dtype",
    "set_default_uint_dtype",
    "set_min_base",
    "set_min_denominator",
    "set_print_precision",
    "unset_default_complex_dtype",
    "unset_default_float_dtype",
    "unset_default_int_dtype",
    "unset_default_uint_dtype",
    "unset_min_base",
    "unset_min_denominator",
    "unset_print_precision",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def default_float_dtype() -> DType:
    """Return the dtype of Python floats and of new arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.default_float_dtype()
    corearray.float32
    """
    return context.current_settings().dtypes["real floating"]


def set_default_float_dtype(dtype: object) -> None:
    """Set the dtype of Python floats and of new arrays, in the current context.

    The complex default does not change; `set_default_dtype` sets both.

    Parameters
    ----------
    dtype
        A floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_float_dtype(ca.float64)
    >>> ca.default_float_dtype()
    corearray.float64
    >>> ca.unset_default_float_dtype()
    """
    set_settings(default_float_dtype=dtype)


def unset_default_float_dtype() -> None:
    """Reset the default floating dtype to float32.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_float_dtype("float64")
    >>> ca.unset_default_float_dtype()
    >>> ca.default_float_dtype()
    corearray.float32
    """
    reset_setting("default_float_dtype")


def default_int_dtype() -> DType:
    """Return the dtype of Python integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.default_int_dtype()
    corearray.int64
    """
    return context.current_settings().dtypes["integral"]


def set_default_int_dtype(dtype: object) -> None:
    """Set the dtype of Python integers, in the current context.

    Parameters
    ----------
    dtype
        A signed integer dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_int_dtype(ca.int32)
    >>> ca.default_int_dtype()
    corearray.int32
    >>> ca.unset_default_int_dtype()
    """
    set_settings(default_int_dtype=dtype)


def unset_default_int_dtype() -> None:
    """Reset the default integer dtype to int64.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_int_dtype("int32")
    >>> ca.unset_default_int_dtype()
    >>> ca.default_int_dtype()
    corearray.int64
    """
    reset_setting("default_int_dtype")


def default_uint_dtype() -> DType:
    """Return the dtype of sums of unsigned integers narrower than it.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.default_uint_dtype()
    corearray.uint64
    """
    return context.current_settings().dtypes["unsigned"]


def set_default_uint_dtype(dtype: object) -> None:
    """Set the dtype of sums of narrower unsigned integers, in the current context.

    Parameters
    ----------
    dtype
        An unsigned integer dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_uint_dtype(ca.uint32)
    >>> ca.default_uint_dtype()
    corearray.uint32
    >>> ca.unset_default_uint_dtype()
    """
    set_settings(default_uint_dtype=dtype)


def unset_default_uint_dtype() -> None:
    """Reset the default unsigned integer dtype to uint64.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_uint_dtype("uint32")
    >>> ca.unset_default_uint_dtype()
    >>> ca.default_uint_dtype()
    corearray.uint64
    """
    reset_setting("default_uint_dtype")


def default_complex_dtype() -> DType:
    """Return the dtype of Python complex numbers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.default_complex_dtype()
    corearray.complex64
    """
    return context.current_settings().dtypes["complex floating"]


def set_default_complex_dtype(dtype: object) -> None:
    """Set the dtype of Python complex numbers, in the current context.

    Parameters
    ----------
    dtype
        A complex dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_complex_dtype(ca.complex128)
    >>> ca.default_complex_dtype()
    corearray.complex128
    >>> ca.unset_default_complex_dtype()
    """
    set_settings(default_complex_dtype=dtype)


def unset_default_complex_dtype() -> None:
    """Reset the default complex dtype to complex64.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_complex_dtype("complex128")
    >>> ca.unset_default_complex_dtype()
    >>> ca.default_complex_dtype()
    corearray.complex64
    """
    reset_setting("default_complex_dtype")


def min_denominator() -> float:
    """Return the number that `stable_divide` adds to a denominator.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.min_denominator()
    1e-12
    """
    return context.current_settings().min_denominator


def set_min_denominator(value: float) -> None:
    """Set the number that `stable_divide` adds to a denominator, in the current context.

    Parameters
    ----------
    value
        A positive number.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_min_denominator(1e-06)
    >>> ca.min_denominator()
    1e-06
    >>> ca.unset_min_denominator()
    """
    set_settings(min_denominator=value)


def unset_min_denominator() -> None:
    """Reset the number that `stable_divide` adds to 1e-12.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_min_denominator(1e-06)
    >>> ca.unset_min_denominator()
    >>> ca.min_denominator()
    1e-12
    """
    reset_setting("min_denominator")


def min_base() -> float:
    """Return the number that `stable_pow` adds to a base.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.min_base()
    1e-05
    """
    return context.current_settings().min_base


def set_min_base(value: float) -> None:
    """Set the number that `stable_pow` adds to a base, in the current context.

    Parameters
    ----------
    value
        A positive number.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_min_base(0.001)
    >>> ca.min_base()
    0.001
    >>> ca.unset_min_base()
    """
    set_settings(min_base=value)


def unset_min_base() -> None:
    """Reset the number that `stable_pow` adds to 1e-05.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_min_base(0.001)
    >>> ca.unset_min_base()
    >>> ca.min_base()
    1e-05
    """
    reset_setting("min_base")


def print_precision() -> int | None:
    """Return the number of digits after the point in the text of arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.print_precision() is None
    True
    """
    return context.current_settings().precision


def set_print_precision(digits: int | None) -> None:
    """Set the number of digits after the point in the text of arrays, on every backend, in the current context.

    Parameters
    ----------
    digits
        A number of digits, or `None`, the default, for what the framework prints by itself.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_print_precision(2)
    >>> ca.asarray([0.12345])
    Array([0.12], dtype=float32, backend=numpy, device=cpu)
    >>> ca.unset_print_precision()
    """
    set_settings(print_precision=digits)


def unset_print_precision() -> None:
    """Reset the print precision to `None`, the framework's own.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_print_precision(2)
    >>> ca.unset_print_precision()
    >>> ca.print_precision() is None
    True
    """
    reset_setting("print_precision")
