"""The default dtypes by kind, of the current context."""

from __future__ import annotations

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.settings.context import change, current_settings
from corearray.settings.record import DTYPES_AT_START
from corearray.types import dtypes
from corearray.types.dtypes import DType

__all__ = ["default_dtype", "set_default_dtype", "unset_default_dtype"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def default_dtype(kind: str = "real floating") -> DType:
    """Return the default dtype of a kind in the current context.

    Parameters
    ----------
    kind
        `"real floating"`, `"complex floating"`, `"integral"` or `"bool"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.default_dtype(), ca.default_dtype("integral")
    (corearray.float32, corearray.int64)
    """
    try:
        return current_settings().dtypes[kind]
    except KeyError:
        raise CoreArrayValueError(
            f"'{kind}' is no kind with a default dtype; use 'real floating', 'complex floating', 'integral' or 'bool'"
        ) from None


def set_default_dtype(dtype: object) -> None:
    """Make a dtype the default of its kind in the current context.

    A real floating dtype also moves the complex default to the same precision, an integer one the unsigned default.

    Parameters
    ----------
    dtype
        A floating, complex or signed integer dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_dtype(ca.float64)
    >>> ca.zeros(1).dtype
    corearray.float64
    >>> ca.unset_default_dtype()
    """
    wanted = dtypes.as_dtype(dtype)
    table = dict(current_settings().dtypes)
    if wanted.category == "real floating":
        table["real floating"] = wanted
        table["complex floating"] = dtypes.complex128 if wanted.bits == 64 else dtypes.complex64
    elif wanted.category == "complex floating":
        table["complex floating"] = wanted
    elif wanted.category == "signed integer":
        table["integral"] = wanted
        table["unsigned"] = dtypes.DTYPES[f"uint{wanted.bits}"]
    else:
        raise CoreArrayTypeError(
            f"'{wanted}' cannot be a default dtype; give a floating, complex or signed integer dtype"
        )
    change(dtypes=table)


def unset_default_dtype() -> None:
    """Return to the default dtypes that a program starts with: float32, int64, complex64.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_dtype(ca.float64)
    >>> ca.unset_default_dtype()
    >>> ca.default_dtype()
    corearray.float32
    """
    change(dtypes=DTYPES_AT_START)
