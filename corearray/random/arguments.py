"""Checks of parameters, shapes and counts of distributions, before the generator advances."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from corearray.arrays.nested import as_functions_return
from corearray.calls.keywords import unknown_option
from corearray.calls.places import device_of_arrays, making_on
from corearray.errors import CoreArrayError, CoreArrayTypeError, CoreArrayValueError
from corearray.settings.context import current_settings
from corearray.types.dtypes import DType, as_dtype

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["beside_parameters", "floating", "real", "sized", "wanted_shape", "whole"]

_F = TypeVar("_F", bound=Callable[..., Any])

_NO_ARRAYS = (int, float, str, tuple, list, DType, type(None))


def sized(draw: _F) -> _F:
    """Let a function take `shape` by NumPy's name `size` too, and by position behind the parameters.

    A method draws on the device of its array parameters.
    """
    places = draw.__code__.co_argcount
    names = draw.__code__.co_varnames[: places + draw.__code__.co_kwonlyargcount]
    on_arrays = as_functions_return(beside_parameters(draw) if "self" in names else draw)
    known, listed = frozenset(names), [name for name in names if name != "self"]

    @wraps(draw)
    def called(*args: Any, **options: Any) -> Any:
        if len(args) == places + 1:
            options.setdefault("size", args[-1])
            args = args[:-1]
        if "size" in options:
            size = options.pop("size")
            if "shape" in options:
                raise CoreArrayTypeError(f"'{draw.__name__}' got shape and size; give one of them")
            if size is not None:
                options["shape"] = size
        if not options.keys() <= known:
            raise unknown_option(draw.__name__, next(name for name in options if name not in known), listed)
        return on_arrays(*args, **options)

    return cast(_F, called)


def beside_parameters(draw: _F) -> _F:
    """Let a method draw on the device of its array parameters."""

    @wraps(draw)
    def called(*args: Any, **options: Any) -> Any:
        given = [x for x in (*args[1:], *options.values()) if not isinstance(x, _NO_ARRAYS)]
        return making_on(device_of_arrays(given), draw)(*args, **options)

    return cast(_F, called)


def real(be: Backend, name: str, argument: str, value: Any, *, least: float = -math.inf, most: float = math.inf) -> Any:
    """Return a parameter of the distribution `name`: a Python number unchanged, everything else as a real array.

    Numbers must lie within the bounds, if there are any. Elements of arrays are not checked, which would synchronise
    with a device.
    """
    if isinstance(value, (int, float)):
        if least > -math.inf and not least <= value <= most:
            between = f"at least {least:g}" if most == math.inf else f"from {least:g} to {most:g}"
            raise CoreArrayValueError(f"'{name}' got {argument}={value}; it is {between}")
        return value
    try:
        x = be.asarray(value)
    except CoreArrayError:
        what = repr(value)
    else:
        if be.isdtype(x.dtype, ("bool", "integral", "real floating")):
            return x
        what = f"an array of dtype '{x.dtype}'"
    raise CoreArrayTypeError(f"'{name}' got {what} for {argument}; give a real number or a real array")


def whole(name: str, argument: str, value: Any) -> int:
    """Return an integer argument."""
    try:
        return operator.index(value)
    except TypeError:
        raise CoreArrayTypeError(f"'{name}' got {argument}={value!r}; give an integer") from None


def floating(dtype: DType | str | None) -> DType:
    """Return the requested real floating dtype, or the default one."""
    wanted = current_settings().dtypes["real floating"] if dtype is None else as_dtype(dtype)
    if wanted.category != "real floating":
        raise CoreArrayTypeError(f"random numbers of the dtype '{wanted}' were asked for; give a real floating dtype")
    return wanted


def wanted_shape(be: Backend, name: str, shape: int | Sequence[int] | None, *parameters: Any) -> tuple[int, ...]:
    """Return the shape to draw, after a check that the parameters broadcast to it."""
    own = [parameter.shape for parameter in parameters if not isinstance(parameter, (int, float))]
    together = tuple(be.broadcast_shapes(*own)) if own else ()
    if shape is None:
        return together
    try:
        wanted = tuple(map(operator.index, shape if isinstance(shape, Sequence) else (shape,)))
    except TypeError:
        raise CoreArrayTypeError(f"'{name}' got shape={shape!r}; give an integer, or a sequence of them") from None
    if any(size < 0 for size in wanted):
        raise CoreArrayValueError(f"'{name}' was asked for the shape {wanted}; sizes are at least 0")
    if len(together) > len(wanted) or any(
        size not in (1, other) for size, other in zip(reversed(together), reversed(wanted), strict=False)
    ):
        raise CoreArrayValueError(
            f"'{name}' got parameters of the shape {together}, which do not broadcast to the shape {wanted}"
        )
    return wanted
