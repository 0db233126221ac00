"""Explanation of a failed call by the checks with which the body of a composition begins.

The body runs on outlines of the arguments, which have shapes and dtypes but no elements, up to the first step that would
compute. Nothing is computed and no native function is entered.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.errors import CoreArrayError

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Binding
    from corearray.types.dtypes import DType

__all__ = ["refusal_of_body"]

#: Functions that answer from dtypes and shapes alone.
_WITHOUT_ELEMENTS = ("can_cast", "dtype", "finfo", "get_num_dims", "iinfo", "isdtype", "result_type", "shape")


class _Computes(BaseException):
    """Raised where a composition would compute."""


def _compute(*args: object, **options: object) -> Any:
    raise _Computes


class _Outline:
    """The shape, dtype and device of an array; everything else would compute."""

    def __init__(self, x: Array) -> None:
        self.shape, self.ndim, self.size = x.shape, x.ndim, x.size
        self.dtype, self.device = x.dtype, x.device

    __getattr__ = __bool__ = __iter__ = __getitem__ = __len__ = __float__ = __int__ = __index__ = _compute
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __sub__ = __mul__ = __truediv__ = __neg__ = _compute
    __eq__ = __ne__ = _compute
    __hash__ = None  # type: ignore[assignment]


class _Functions:
    """The functions of a backend for a composition that is not to compute."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._backend, name)
        return _compute if callable(found) and name not in _WITHOUT_ELEMENTS else found

    def astype(self, x: _Outline, dtype: DType, /, **options: object) -> _Outline:
        """Return the outline of the cast array."""
        cast = copy(x)
        cast.dtype = dtype
        return cast


def refusal_of_body(binding: Binding, args: list[Any]) -> Exception | None:
    """Return the error that the body of a composition raises for arguments before it computes, or `None`.

    Parameters
    ----------
    binding
        A function on a backend.
    args
        The arguments in the order of its parameters, arrays as `Array`.
    """
    if not binding.declaration.compositional:
        return None
    parameters = binding.declaration.parameters
    places, options = [], {}
    for p, value in zip(parameters, args, strict=True):
        outlined = _outlined(value) if p.role in ("array", "arrays", "index", "object") else value
        if p.how == "variadic":
            places += outlined
        elif p.how == "keyword":
            options[p.name] = outlined
        else:
            places.append(outlined)
    body = binding.composition_with(_Functions(binding.backend))
    try:
        body(*places, **options)
    except _Computes:
        return None
    except Exception as error:  # one that the body does not say in the function's name comes from the outlines
        if str(error).startswith(f"'{binding.declaration.name}'") and not isinstance(error, CoreArrayError):
            return error
    return None


def _outlined(value: Any) -> Any:
    if isinstance(value, Array):
        return _Outline(value)
    if type(value) in (list, tuple):
        return type(value)(map(_outlined, value))
    return value
