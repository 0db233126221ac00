"""Numbers on a scale, as `arange` and `linspace` give them: how many there are, and whether a dtype holds them.

Those of `arange` are computed in integers if they and the dtype are integers, else in double precision, from which they are
rounded to the dtype, down for one of integers.
"""

from __future__ import annotations

import math
from typing import Any

from corearray.errors import CoreArrayOverflowError, CoreArrayTypeError, CoreArrayValueError
from corearray.types.dtypes import as_dtype, integer_limits

__all__ = ["read_range", "require_dtype_of"]

_NUMBERS = (int, float, complex)


def read_range(start: float, stop: float | None, step: float, dtype: Any) -> tuple[float, float, int]:
    """Read the bounds of numbers at a constant distance.

    Parameters
    ----------
    start, stop, step
        As of `arange`.
    dtype
        The dtype of the result, the library's or a native one.

    Returns
    -------
    The first number and the distance, both `int` if the numbers and the dtype are integers and else both `float`, and how
    many numbers there are.

    Raises
    ------
    ValueError
        If the step is 0, or there is no finite number of them.
    OverflowError
        If the dtype holds integers, but not all of them.

    Examples
    --------
    >>> read_range(0.5, 3, 1, "int32"), read_range(4, None, 1, "int8")
    ((0.5, 1.0, 3), (0, 1, 4))
    """
    if stop is None:
        start, stop = 0, start
    try:
        if type(start) is type(stop) is type(step) is int:
            count = len(range(start, stop, step))
        else:
            steps = (stop - start) / step
            count = 0 if steps <= 0 else math.ceil(steps)
        key = (type(dtype), dtype)  # dtypes of one library warn when they are compared with those of another
        limits = _LIMITS[key] if key in _LIMITS else _limits(dtype)
        if limits is None or not (type(start) is type(step) is int):
            start, step = float(start), float(step)
        last = start + (count - 1) * step if count else start
        if limits is None or (limits[0] <= start <= limits[1] and limits[0] <= last < limits[1]):
            return start, step, count
        if count == 0 or (limits[0] <= math.floor(min(start, last)) and math.floor(max(start, last)) <= limits[1]):
            return start, step, count
    except ZeroDivisionError:
        step = 0
    except (ValueError, OverflowError):
        if step != 0:
            raise CoreArrayValueError(
                f"'arange' got start={start}, stop={stop} and step={step}, between which there is no finite number of "
                "values; give finite bounds"
            ) from None
    if step == 0:
        raise CoreArrayValueError("'arange' got a step of 0; it takes one that leads somewhere")
    raise _beyond(f"'arange' got start={start}, stop={stop} and step={step}", dtype)


def require_dtype_of(name: str, first: complex, last: complex, dtype: Any) -> None:
    """Refuse a dtype that does not hold the numbers between two.

    Parameters
    ----------
    name
        The function, for the message.
    first, last
        The numbers; what a framework traces is not looked at.
    dtype
        The dtype of the result, the library's or a native one.

    Raises
    ------
    TypeError
        If it holds real numbers, and one of the two is complex.
    OverflowError
        If it holds integers, but not these.

    Examples
    --------
    >>> require_dtype_of("linspace", 0, 255.5, "uint8")
    """
    if not isinstance(first, _NUMBERS) or not isinstance(last, _NUMBERS):
        return
    wanted = as_dtype(dtype)
    if isinstance(first, complex) or isinstance(last, complex):
        if wanted.category not in ("complex floating", "bool"):
            raise CoreArrayTypeError(
                f"'{name}' got complex numbers, {first} and {last}, and dtype='{wanted}'; give their real parts or a "
                "complex dtype"
            )
        return
    limits = _limits(wanted)
    if limits is not None and not all(limits[0] <= number < limits[1] + 1 for number in (first, last)):
        raise _beyond(f"'{name}' got numbers from {first} to {last}", wanted)


def _beyond(what: str, dtype: Any) -> CoreArrayOverflowError:
    wanted = as_dtype(dtype)
    low, high = integer_limits(wanted)
    return CoreArrayOverflowError(
        f"{what}; these do not fit into '{wanted}', which holds {low} to {high}; give another dtype"
    )


#: The least and the greatest number of dtypes that were met; `None` for those that hold no integers alone.
_LIMITS: dict[Any, tuple[int, int] | None] = {}


def _limits(dtype: Any) -> tuple[int, int] | None:
    found = as_dtype(dtype)
    _LIMITS[type(dtype), dtype] = limits = integer_limits(found) if found.category.endswith("integer") else None
    return limits
