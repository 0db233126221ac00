"""One spelling for each call of NumPy, so that equal programs give equal graphs.

A call is read by NumPy's signatures. Arguments that have their defaults are left out, positions are used as far as they
go, and functions, methods and aliases become one call. A function of NumPy that is several calls of ufuncs, such as
`numpy.mean`, is recorded as those that this plugin makes for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

__all__ = ["WIDENING", "arguments_of", "canonical", "expanded", "widens"]

#: Parameters of methods, and of functions that have no signature before NumPy 2.4.
_PARAMETERS = {
    "argmax": "a, axis=None, out=None, *, keepdims=False",
    "argmin": "a, axis=None, out=None, *, keepdims=False",
    "argsort": "a, axis=-1, kind=None, order=None, *, stable=None",
    "astype": "a, dtype, order='K', casting='unsafe', subok=True, copy=True",
    "clip": "a, min=None, max=None, out=None",
    "concatenate": "arrays, axis=0, out=None, *, dtype=None, casting='same_kind'",
    "dot": "a, b, out=None",
    "inner": "a, b",
    "vdot": "a, b",
    "where": "condition, x, y",
}

#: The parameters of methods of ufuncs; what they leave out is always said for the axis.
_OF_UFUNCS = {
    "accumulate": "array, axis, dtype=None, out=None",
    "reduce": "array, axis, dtype=None, out=None, keepdims=False, initial=None, where=True",
}

#: Calls that compute integers in 64 bits anyway.
WIDENING = frozenset(f"numpy.{ufunc}.{method}" for ufunc in ("add", "multiply") for method in _OF_UFUNCS)

#: Functions of NumPy that are a method of a ufunc, or a ufunc.
_UFUNC_BY_ANOTHER_NAME = frozenset(("cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "outer", "round"))

#: Functions of NumPy that are several calls: the module and the function here, and the options that it takes too.
_SEVERAL = {
    "expand_dims": ("manipulation", "expand_dims", ("axis",)),
    "mean": ("statistical", "mean", ("axis", "keepdims")),
    "stack": ("manipulation", "stack", ("axis",)),
    "std": ("statistical", "std", ("axis", "ddof", "correction", "keepdims")),
    "unstack": ("manipulation", "unstack", ("axis",)),
    "var": ("statistical", "var", ("axis", "ddof", "correction", "keepdims")),
}


def expanded(name: str, function: Any, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Make the calls of which a function of NumPy consists; `NotImplemented` where it is one call."""
    where = _SEVERAL.get(name)
    if where is None:
        return NotImplemented
    values = _bound(_signature(function), args, options)
    if values is None:
        return NotImplemented
    module, short, known = where
    (_, x), *others = values.items()
    if any(key not in known for key, _ in others):
        return NotImplemented
    if module == "statistical" and (x.dtype.kind != "f" or x.dtype.itemsize < 4 or getattr(x, "sizeless", False)):
        return NotImplemented
    said = {"correction" if key == "ddof" else key: value for key, value in others}
    axis = said.get("axis")
    if isinstance(axis, (tuple, list)) and (short == "expand_dims" or not isinstance(axis, tuple)):
        return NotImplemented
    return getattr(import_module(f"corearray_numpy.{module}"), short)(x, **said)


def arguments_of(method: str, args: Sequence[Any], options: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of a method by parameters, without the array and without defaults; `None` for a wrong call."""
    values = _bound(_method(method), args, options)
    if values is not None:
        del values[next(iter(values))]
    return values


def canonical(function: Any, name: str, args: Sequence[Any], options: dict[str, Any], result: Any) -> Any:
    """Return the function, its name, and its arguments, as each call that does the same has them."""
    place, _, short = name.rpartition(".")
    if name == "numpy.ndarray.__getitem__":
        return function, name, [args[0], _key(args[1], np.ndim(result))], options
    if name.endswith((".T.__get__", ".mT.__get__", "ndarray.transpose", "ndarray.swapaxes")):
        return _turned(name.split(".")[2], function, name, args, options)
    if isinstance(function, np.ufunc):
        said = {key: _plain(key, value) for key, value in options.items() if value is not None}
        return function, name, list(args), said
    if short in _OF_UFUNCS and isinstance(getattr(np, place.removeprefix("numpy."), None), np.ufunc):
        return _of_ufunc(function, name, short, args, options)
    if short == "at":  # a list of indices and a tuple of them differ
        return function, name, list(args), options
    is_method = place == "numpy.ndarray"
    if short == "reshape" and len(args) > 2:
        args = [args[0], tuple(args[1:])]
    signature = _method(short) if is_method else _signature(function)
    values = _bound(signature, args, options)
    if signature is None or values is None:
        return function, name, list(args), options
    if short in _UFUNC_BY_ANOTHER_NAME and place in ("numpy", "numpy.ndarray", "numpy.linalg"):
        other = _as_ufunc(short, values)
        if other is not None:
            return other
    if short == "astype" and np.dtype(values["dtype"]) != args[0].dtype:
        values.pop("copy", None)  # there is one anyway
    arguments, keywords = _written(signature, values)
    if short == "reshape" and isinstance(arguments[1], int):
        arguments[1] = (arguments[1],)
    return function, name, arguments, keywords


def _as_ufunc(short: str, values: dict[str, Any]) -> Any:
    """Return the call of a ufunc that does the same; `None` if there is none."""
    x = next(iter(values.values()))
    if short == "outer":
        vectors = len(values) == 2 and all(np.ndim(value) == 1 for value in values.values())
        return (np.multiply.outer, "numpy.multiply.outer", [*values.values()], {}) if vectors else None
    if short == "round":
        return (np.rint, "numpy.rint", [x], {}) if len(values) == 1 and x.dtype.kind == "f" else None
    axis = values.get("axis", 0 if x.ndim == 1 else None)
    if axis is None or values.keys() - {"a", "x", "axis", "dtype"}:
        return None
    ufunc = np.add if short.endswith("sum") else np.multiply
    said = {key: values[key] for key in ("dtype",) if key in values}
    name = f"numpy.{ufunc.__name__}.accumulate"
    return _of_ufunc(ufunc.accumulate, name, "accumulate", [x, axis], said)


def _of_ufunc(function: Any, name: str, short: str, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Return a reduction or an accumulation with its axis said, and without the dtype that it has anyway."""
    given = [args[0], 0] if len(args) == 1 and "axis" not in options else list(args)
    said = {key: value for key, value in options.items() if key == "axis" or value is not np._NoValue}  # type: ignore[attr-defined]
    values = _bound(_of_text(_OF_UFUNCS[short]), given, said)
    if values is None:
        return function, name, list(args), options
    dtype = args[0].dtype
    if "dtype" in values:
        wanted = np.dtype(values["dtype"])
        if widens(dtype, wanted) if name in WIDENING and dtype.kind in "biu" else dtype == wanted:
            del values["dtype"]
    x = values.pop("array")
    return function, name, [x], values


def widens(dtype: Any, wanted: Any) -> bool:
    """Tell whether NumPy adds integers of a dtype in another one by itself."""
    return bool(wanted == (np.uint64 if dtype.kind == "u" else np.int64)) and dtype.kind in "biu"


def _turned(short: str, function: Any, name: str, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Return `x.T` for matrices, `x.swapaxes(-1, -2)` where the last two axes are exchanged, and else `x.transpose`."""
    x, *rest = args
    ndim = x.ndim
    order = list(range(ndim))
    if options or ndim < 2:
        return function, name, list(args), options
    if short == "T" or (short == "transpose" and (not rest or rest == [None])):
        order.reverse()
    elif short == "transpose":
        order = [i % ndim for i in (rest[0] if len(rest) == 1 else rest)]
    else:
        one, other = (i % ndim for i in (rest if short == "swapaxes" else (-1, -2)))
        order[one], order[other] = other, one
    if [i for i in range(ndim) if order[i] != i] == [ndim - 2, ndim - 1]:
        if ndim == 2:
            return np.ndarray.T.__get__, "numpy.ndarray.T.__get__", [x], {}  # type: ignore[attr-defined]
        return np.ndarray.swapaxes, "numpy.ndarray.swapaxes", [x, -1, -2], {}
    return np.ndarray.transpose, "numpy.ndarray.transpose", [x, tuple(order)], {}


def _key(key: Any, ndim: int) -> Any:
    """Return a key without what selects everything at its end; one element stays a view where it is one."""
    if type(key) is not tuple:
        return key
    parts = list(key)
    if ndim and not any(x is Ellipsis for x in parts[:-1]):
        while parts and (parts[-1] is Ellipsis or (type(parts[-1]) is slice and parts[-1] == slice(None))):
            parts.pop()
    if not parts:
        return Ellipsis if key else key
    return parts[0] if len(parts) == 1 and type(parts[0]) is not tuple else tuple(parts)


# --- what the arguments of a call mean


@cache
def _of_text(text: str) -> inspect.Signature:
    return inspect.signature(eval(f"lambda {text}: None"))


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    text = _PARAMETERS.get(getattr(function, "__name__", ""))
    if text is not None and (getattr(function, "__module__", None) or "numpy").startswith("numpy"):
        return _of_text(text)
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


@cache
def _method(name: str) -> inspect.Signature | None:
    """Return the signature of a method, whose first parameter is the array."""
    if name in _PARAMETERS:
        return _of_text(_PARAMETERS[name])
    twin = getattr(np, name, None)
    return _signature(twin) if callable(twin) and not isinstance(twin, (type, np.ufunc)) else None


def _bound(signature: inspect.Signature | None, args: Sequence[Any], options: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of a call by parameters, without those that have their defaults."""
    if signature is None:
        return None
    try:
        bound = signature.bind(*args, **options)
    except TypeError:
        return None
    values = {}
    for key, value in bound.arguments.items():
        parameter = signature.parameters[key]
        if parameter.kind is parameter.VAR_KEYWORD:
            if value:
                return None
        elif parameter.kind is parameter.VAR_POSITIONAL:
            values[key] = value
        elif parameter.default is parameter.empty or not _same(value, parameter.default):
            values[key] = _plain(key, value)
    return values


def _written(signature: inspect.Signature, values: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments by position as far as they go, and the others by keyword in the order of the parameters."""
    args: list[Any] = []
    options: dict[str, Any] = {}
    contiguous = True
    for key, parameter in signature.parameters.items():
        if key not in values:
            contiguous = False
        elif parameter.kind is parameter.VAR_POSITIONAL:
            args.extend(values[key])
        elif contiguous and parameter.kind is not parameter.KEYWORD_ONLY:
            args.append(values[key])
        else:
            options[key] = values[key]
    return args, options


def _same(value: Any, default: Any) -> bool:
    if value is default or value is np._NoValue:  # type: ignore[attr-defined]
        return True
    kinds = (int, float, str, bool)
    return type(value) in kinds and type(value) is type(default) and bool(value == default)


def _plain(key: str, value: Any) -> Any:
    """Return an argument as it is always written: types for dtypes, tuples of numbers, lists of arrays."""
    if key == "dtype":
        return _type(value)
    if key == "out" and type(value) is tuple and len(value) == 1:
        return value[0]
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields") and key != "out":
        numbers = all(isinstance(x, (int, float)) for x in value)
        return tuple(value) if numbers else list(value)
    return value


def _type(dtype: Any) -> Any:
    """Return the type that stands for a dtype, which a text can say."""
    found = np.dtype(dtype)
    return found.type if found.isbuiltin == 1 and found.isnative and np.dtype(found.type) == found else found
