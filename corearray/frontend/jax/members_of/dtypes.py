"""Functions about dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.jax.promotion import as_dtype, canonical, promoted
from corearray.frontend.jax.scalar_types import ScalarType
from corearray.frontend.jax.wrapper import Array, operand

__all__ = [
    "EXTENDED", "FUNCTIONS", "PRNG_KEY", "can_cast", "canonicalize_dtype", "finfo", "iinfo", "isdtype",
    "issubdtype", "promote_types", "result_type",
]  # fmt: skip


def _numpy() -> Any:
    from corearray.frontend.frontend import get_frontend

    return get_frontend("numpy")


def _described(x: Any) -> tuple[ca.DType, bool]:
    """Return a dtype and whether it is weak, of an array, a number or a dtype."""
    if isinstance(x, type) and x in (int, float, complex):
        return canonical(as_dtype(x)), True
    if isinstance(x, (type, str, ScalarType, ca.DType, _numpy().dtype)):
        return canonical(as_dtype(x)), False
    _, own, weak = operand(x)
    return own, weak


def result_type(*args: Any) -> Any:
    """Return the dtype of a result of arrays, numbers and dtypes.

    Raises
    ------
    ValueError
        If there is no argument.
    """
    if not args:
        raise CoreArrayValueError("at least one array or dtype is required")
    return _numpy().dtype(canonical(promoted([_described(x) for x in args])[0]))


def promote_types(a: Any, b: Any) -> Any:
    """Return the dtype of a result of two dtypes."""
    return result_type(a, b)


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Return whether a dtype is of a kind."""
    if "key<" in str(arg1) or arg2 is PRNG_KEY or arg2 is EXTENDED:
        return "key<" in str(arg1) and arg2 in (PRNG_KEY, EXTENDED)
    given = [_numpy().dtype(x._own) if isinstance(x, ScalarType) else x for x in (arg1, arg2)]
    return bool(_numpy().issubdtype(*given))


def isdtype(dtype: Any, kind: Any) -> bool:
    """Return whether a dtype is of a kind of the array API standard, or another dtype."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    own = as_dtype(dtype)
    return any(
        ca.isdtype(own, one) if isinstance(one, str) and one in _KINDS else own == as_dtype(one) for one in kinds
    )


_KINDS = frozenset("bool;signed integer;unsigned integer;integral;real floating;complex floating;numeric".split(";"))


def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    """Return whether NumPy casts a dtype to another one under a rule."""
    return bool(_numpy().can_cast(as_dtype(from_), as_dtype(to), casting))


def finfo(dtype: Any) -> Any:
    """Return the limits of floating numbers."""
    return _numpy().finfo(canonical(as_dtype(dtype if not isinstance(dtype, Array) else dtype.array.dtype)))


def iinfo(int_type: Any) -> Any:
    """Return the limits of integers."""
    return _numpy().iinfo(as_dtype(int_type if not isinstance(int_type, Array) else int_type.array.dtype))


class _Kind:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"jax.dtypes.{self.name}"


PRNG_KEY, EXTENDED = _Kind("prng_key"), _Kind("extended")


def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> Any:
    """Return a dtype; while `jax_enable_x64` is off, one of 64 bits becomes its counterpart of 32 bits."""
    return _numpy().dtype(canonical(as_dtype(dtype)))


FUNCTIONS: dict[str, Callable[..., Any] | Any] = {
    f"numpy.{function.__name__}": function
    for function in (result_type, promote_types, issubdtype, isdtype, can_cast, finfo, iinfo)
} | {
    "dtypes.issubdtype": issubdtype, "dtypes.result_type": result_type, "dtypes.canonicalize_dtype": canonicalize_dtype,
    "dtypes.prng_key": PRNG_KEY, "dtypes.extended": EXTENDED,
}  # fmt: skip
