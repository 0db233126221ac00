"""Functions that NumPy writes in place with, which return a copy here: `inplace=False` says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.jax.promotion import cast, of_indices
from corearray.frontend.jax.wrapper import Array, converted, numpy_function

__all__ = [
    "FUNCTIONS", "array_equal", "array_equiv", "array_repr", "array_str", "fill_diagonal", "piecewise", "place",
    "put", "put_along_axis",
]  # fmt: skip


def _refuse_in_place(name: str, inplace: bool) -> None:
    if inplace:
        raise CoreArrayValueError(
            f"jax.numpy.{name} cannot modify arrays in-place, because JAX arrays are immutable. Pass inplace=False to "
            "instead return an updated array."
        )


def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: int | None, inplace: bool = True, *, mode: Any = None
) -> Any:
    """Return a copy with values at indices along an axis."""
    _refuse_in_place("put_along_axis", inplace)
    x, (places, _) = Array(converted(arr)[0]), converted(indices)
    if axis is None:
        return x.reshape(-1).at[Array(places)].set(values, mode=mode).reshape(*x.shape)
    axis = axis % x.ndim
    key: list[Any] = []
    for i, n in enumerate(x.shape):
        line = ca.reshape(ca.arange(n), tuple(-1 if j == i else 1 for j in range(x.ndim)))
        key.append(Array(places) if i == axis else Array(line))
    return x.at[tuple(key)].set(values, mode=mode)


def put(a: Any, ind: Any, v: Any, mode: Any = None, *, inplace: bool = True) -> Any:
    """Return a copy with values at places of the flattened array."""
    _refuse_in_place("put", inplace)
    x, places = Array(converted(a)[0]), converted(ind)[0]
    values = ca.reshape(converted(v)[0], (-1,))
    count = places.size
    if not count or not values.shape[0]:
        return x
    values = ca.tile(values, (-(-count // values.shape[0]),))[:count]
    return x.reshape(-1).at[Array(ca.reshape(places, (-1,)))].set(Array(values), mode=mode).reshape(*x.shape)


def place(arr: Any, mask: Any, vals: Any, *, inplace: bool = True) -> Any:
    """Return a copy with values where a mask is true, repeated in order."""
    _refuse_in_place("place", inplace)
    x, chosen = converted(arr)[0], ca.reshape(cast(converted(mask)[0], ca.bool), (-1,))
    values = ca.reshape(cast(converted(vals)[0], x.dtype), (-1,))
    if tuple(chosen.shape) != (x.size,):
        raise CoreArrayValueError("place: arr and mask must be the same size.")
    if not values.shape[0]:
        raise CoreArrayValueError("Cannot place values from an empty array")
    number = ca.cumulative_sum(ca.astype(chosen, of_indices()), axis=0, dtype=of_indices()) - 1
    taken = ca.take(values, ca.remainder(number, values.shape[0]), axis=0)
    return Array(ca.reshape(ca.where(chosen, taken, ca.reshape(x, (-1,))), tuple(x.shape)))


def fill_diagonal(a: Any, val: Any, wrap: bool = False, *, inplace: bool = True) -> Any:
    """Return a copy with values on the diagonal."""
    _refuse_in_place("fill_diagonal", inplace)
    if wrap:
        raise CoreArrayNotImplementedError("wrap=True is not implemented, must pass wrap=False")
    x = Array(converted(a)[0])
    if x.ndim < 2:
        raise CoreArrayValueError("array must be at least 2-d")
    if x.ndim > 2 and len(set(x.shape)) > 1:
        raise CoreArrayValueError("All dimensions of input must be of equal length")
    n = min(x.shape)
    line = numpy_function("arange")(n)
    values = converted(val)[0]
    if values.ndim:
        values = ca.tile(ca.reshape(values, (-1,)), (-(-n // (values.size or 1)),))[:n]
    return x.at[(line,) * x.ndim].set(Array(values))


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **options: Any) -> Any:
    """Return for each element what the function of its first true condition makes of it."""
    if isinstance(condlist, (Array, ca.Array)):
        conditions = list(condlist) if condlist.ndim > Array(converted(x)[0]).ndim else [condlist]
    else:
        conditions = list(condlist)
    functions = list(funclist)
    if len(functions) == len(conditions) + 1:
        functions = [functions[-1], *functions[:-1]]
    elif len(functions) == len(conditions):
        functions = [0, *functions]
    else:
        raise CoreArrayValueError(
            f"with {len(conditions)} condition(s), either {len(conditions)} "
            f"or {len(conditions) + 1} functions are expected; got "
            f"{len(functions)}"
        )
    given = Array(*converted(x))
    results = [
        one(given, *args, **options) if callable(one) else numpy_function("full_like")(given, one) for one in functions
    ]
    made = results[0].astype(given.dtype)
    for condition, result in reversed(list(zip(conditions, results[1:], strict=True))):
        made = numpy_function("where")(condition, result.astype(given.dtype), made)
    return made


def array_repr(arr: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """Return the text of an array."""
    return repr(arr if isinstance(arr, Array) else Array(*converted(arr)))


def array_str(a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """Return the text of the elements of an array."""
    return str(a if isinstance(a, Array) else Array(*converted(a)))


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Return whether two arrays have the same shape and elements."""
    x, y = (converted(one)[0] for one in (a1, a2))
    if tuple(x.shape) != tuple(y.shape):
        return Array(ca.asarray(False))
    same = numpy_function("equal")(Array(x), Array(y)).array
    if equal_nan:
        same = ca.logical_or(same, ca.logical_and(x != x, y != y))
    return Array(ca.all(same))


def array_equiv(a1: Any, a2: Any) -> Any:
    """Return whether two arrays have the same elements after broadcasting."""
    x, y = (converted(one)[0] for one in (a1, a2))
    try:
        ca.broadcast_shapes(tuple(x.shape), tuple(y.shape))
    except ValueError:
        return Array(ca.asarray(False))
    return Array(ca.all(numpy_function("equal")(Array(x), Array(y)).array))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"numpy.{function.__name__}": function
    for function in (
        put_along_axis, put, place, fill_diagonal, piecewise, array_repr, array_str, array_equal, array_equiv,
    )
}  # fmt: skip
