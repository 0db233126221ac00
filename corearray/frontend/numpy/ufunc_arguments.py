"""Arguments of ufuncs: axes, operands with `__array_ufunc__`, integers that no dtype of the other operand holds."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import AxisError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.data_types import kind_of
from corearray.frontend.numpy.promotion import cast

__all__ = ["NO_VALUE", "again", "axes_of", "given_of", "held", "one_out", "overridden"]


class _NoValueType:
    """The mark of an argument that was not given."""

    def __repr__(self) -> str:
        return "<no value>"


NO_VALUE: Any = _NoValueType()


def given_of(x: Any, default: Any) -> Any:
    """Return an argument, or a default in place of one that was not given."""
    return default if x is NO_VALUE else x


def held(inputs: list[Any], dtypes: tuple[ca.DType, ...]) -> list[Any]:
    """Return the operands of a comparison with integers in dtypes that hold them."""
    made = []
    for x, own in zip(inputs, dtypes, strict=True):
        if isinstance(x, int) and not isinstance(x, bool) and kind_of(own) in "iu":
            info = ca.iinfo(own)
            if not info.min <= x <= info.max:
                return [
                    ca.astype(one, ca.float64)
                    if isinstance(one, ca.Array)
                    else ca.asarray(float(one), dtype=ca.float64)
                    for one in inputs
                ]
        made.append(cast(x, own) if isinstance(x, ca.Array) else ca.asarray(x, dtype=own))
    return made


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return axes counted from the first, `None` being all.

    Raises
    ------
    AxisError
        If the array lacks one.
    ValueError
        If one comes twice.
    """
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    made = []
    for one in axes:
        if not hasattr(one, "__index__") or isinstance(one, bool):
            raise CoreArrayTypeError(
                f"'{type(one).__name__}' object cannot be interpreted as an integer: an axis is an integer"
            )
        number = one.__index__()
        if ndim == 0 and number in (0, -1) and not isinstance(axis, (tuple, list)):
            return ()
        if not -ndim <= number < ndim:
            raise AxisError(f"axis {number} is out of bounds for array of dimension {ndim}")
        made.append(number % ndim)
    if len(set(made)) < len(made):
        raise CoreArrayValueError("duplicate value in 'axis'")
    return tuple(made)


def overridden(
    function: Any, method: str, args: tuple[Any, ...], out: Any, options: dict[str, Any]
) -> tuple[Any] | None:
    """Return what the `__array_ufunc__` of an operand makes of a call, in a tuple, or `None` if there is none.

    Raises
    ------
    TypeError
        If all of them return `NotImplemented`.
    """
    outs = out if isinstance(out, tuple) else () if out is None else (out,)
    where = options.get("where")
    found: list[Any] = []
    for x in (*args, *outs, *(() if where is None or where is NO_VALUE else (where,))):
        kind = type(x)
        if kind in (bool, int, float, complex, list, tuple) or kind is function._types.ndarray:
            continue
        if isinstance(x, (ca.Array, function._types.generic)) or not _overrides(kind, function):
            continue
        if kind.__array_ufunc__ is None:
            raise CoreArrayTypeError(f"operand '{kind.__name__}' does not support ufuncs (__array_ufunc__=None)")
        if kind not in map(type, found):
            place = next((i for i, other in enumerate(found) if issubclass(kind, type(other))), len(found))
            found.insert(place, x)
    if not found:
        return None
    options = {name: x for name, x in options.items() if x is not NO_VALUE}
    if "sig" in options:
        options["signature"] = options.pop("sig")
    if any(x is not None for x in outs):
        options["out"] = outs
    for x in found:
        made = x.__array_ufunc__(function, method, *args, **options)
        if made is not NotImplemented:
            return (made,)
    texts = [repr(x) for x in args] + [f"{name}={x!r}" for name, x in options.items()]
    raise CoreArrayTypeError(
        f"operand type(s) all returned NotImplemented from __array_ufunc__({function!r}, '{method}', {', '.join(texts)}): "
        f"{', '.join(repr(type(x).__name__) for x in (*args, *outs))}"
    )


def _overrides(kind: Any, function: Any) -> bool:
    """Return whether a class has an `__array_ufunc__` of its own."""
    own = getattr(kind, "__array_ufunc__", NO_VALUE)
    if own is NO_VALUE or kind.__module__.partition(".")[0] == "numpy":
        return False
    return own is not function._types.ndarray.__array_ufunc__


def one_out(out: Any) -> Any:
    """Return the `out` of a method, an array or a tuple of one.

    Raises
    ------
    ValueError
        If a tuple has another length.
    """
    if isinstance(out, tuple) and len(out) != 1:
        raise CoreArrayValueError("The 'out' tuple must have exactly one entry")
    return out


def again(version: str, name: str) -> Any:
    """Return the ufunc of a pickle."""
    from corearray.frontend.frontend import get_frontend

    return getattr(get_frontend("numpy", version), name)
