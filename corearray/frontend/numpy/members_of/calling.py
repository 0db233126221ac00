"""Functions that call functions of the user."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["FUNCTIONS"]


def _apply_along_axis(np: Any, func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """Return what a function makes of each row along an axis."""
    arr = np.asanyarray(arr)
    axis = np.lib.array_utils.normalize_axis_index(axis, arr.ndim)
    rows = np.moveaxis(arr, axis, -1)
    places = list(np.ndindex(rows.shape[:-1]))
    if not places:
        raise CoreArrayValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    made = [np.asanyarray(func1d(rows[place], *args, **kwargs)) for place in places]
    whole = np.stack(made).reshape(rows.shape[:-1] + made[0].shape)
    count, outer = made[0].ndim, rows.ndim - 1
    order = [*range(axis), *range(outer, outer + count), *range(axis, outer)]
    result = whole.transpose(order)
    kind = type(made[0])
    return result.view(kind) if kind is not np.ndarray and isinstance(made[0], np.ndarray) else result


def _apply_over_axes(np: Any, func: Any, a: Any, axes: Any) -> Any:
    """Call a function with an array and one axis after the other."""
    val = np.asarray(a)
    count = val.ndim
    for axis in np.asarray(axes).reshape(-1).tolist():
        axis = count + axis if axis < 0 else axis
        made = func(val, axis)
        if made.ndim != val.ndim:
            made = np.expand_dims(made, axis)
        if made.ndim != val.ndim:
            raise CoreArrayValueError("function is not returning an array of the correct shape")
        val = made
    return val


def _piecewise(np: Any, x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Return what each function makes of the elements for which its condition holds."""
    x = np.asanyarray(x)
    single = not isinstance(condlist, (list, tuple)) and np.ndim(condlist) == 0
    if single or (x.ndim and not isinstance(condlist[0], (list, np.ndarray))):
        condlist = [condlist]
    masks = [np.asarray(one).astype(bool) for one in condlist]
    count = len(funclist)
    if count == len(masks) + 1:
        rest = masks[0]
        for mask in masks[1:]:
            rest = rest | mask
        masks.append(~rest)
    elif count != len(masks):
        raise CoreArrayValueError(
            f"with {len(masks)} condition(s), either {len(masks)} or {len(masks) + 1} functions are expected"
        )
    y = np.zeros_like(x)
    for mask, function in zip(masks, funclist, strict=True):
        if not callable(function):
            y[mask] = function
        else:
            part = x[mask]
            if part.size > 0:
                y[mask] = function(part, *args, **kw)
    return y


def _einsum_path(np: Any, *operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> Any:
    """Return an order of contraction, from left to right, and its description."""
    count = len(operands) - 1
    return ["einsum_path", *[(0, 1)] * max(count - 1, 1)], f"  Complete contraction:  {operands[0]}"


def _iterable(np: Any, y: Any) -> bool:
    """Return whether an object can be iterated over."""
    try:
        iter(y)
    except TypeError:
        return False
    return True


def _frompyfunc(np: Any, func: Any, /, nin: int, nout: int, *, identity: Any = None) -> Any:
    raise CoreArrayTypeError(
        "frompyfunc makes arrays of objects, which no backend has; use np.vectorize(func, otypes=...)"
    )


def _trim_zeros(np: Any, filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """Return an array without zeros at its ends."""
    given = np.asarray(filt)
    ends = trim.lower()
    if ends not in ("fb", "bf", "b", "f"):
        raise CoreArrayValueError(f"unexpected character(s) in `trim`: {trim!r}")
    axes = tuple(range(given.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(np.lib.array_utils.normalize_axis_index(one, given.ndim) for one in axes)
    key: list[Any] = [slice(None)] * given.ndim
    places = given.nonzero()
    for one in axes:
        rows = places[one]
        low, high = (int(rows.min()), int(rows.max())) if rows.size else (0, -1)
        if not rows.size and ends in ("f", "b"):
            low, high = (given.shape[one], given.shape[one] - 1) if ends == "f" else (0, -1)
        key[one] = slice(low if "f" in ends else None, high + 1 if "b" in ends else None)
    made = given[tuple(key)]
    return made.tolist() if isinstance(filt, list) else tuple(made.tolist()) if isinstance(filt, tuple) else made


FUNCTIONS = {
    "apply_along_axis": _apply_along_axis, "apply_over_axes": _apply_over_axes, "piecewise": _piecewise, "iterable": _iterable,
    "einsum_path": _einsum_path, "frompyfunc": _frompyfunc, "trim_zeros": _trim_zeros,
}  # fmt: skip
