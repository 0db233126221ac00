"""Native functions called with `Array`: a helper for the hooks with which a plugin fills its framework's protocols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.arrays.array import Array

__all__ = ["called_on_natives", "natives_of", "wrapped"]


def called_on_natives(
    function: Callable[..., Any], args: Any, options: dict[str, Any], array_class: type[Array]
) -> Any:
    """Call a native function with native arrays in place of a backend's `Array`, and wrap what it returns.

    Written so that tracers of Python code can follow it.

    Parameters
    ----------
    function
        The framework's function.
    args, options
        Its arguments, with an `Array` in place of native ones, also within lists, tuples and dictionaries.
    array_class
        The class of the backend's arrays.

    Returns
    -------
    What the function returns, with an `Array` for each native array; `options["out"]` itself for what was written there.

    Examples
    --------
    >>> import corearray as ca, numpy
    >>> x = ca.asarray([1.0, 2.0])
    >>> called_on_natives(numpy.add, (x, 1), {}, type(x)).tolist()
    [2.0, 3.0]
    """
    out = options.get("out")
    made = function(*natives_of(args, array_class), **natives_of(options, array_class))
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if out is not None and not isinstance(out, tuple):
        return out if made is natives_of(out, array_class) else wrapped(made, array_class)
    return wrapped(made, array_class)


def natives_of(tree: Any, array_class: type[Array]) -> Any:
    """Return a tree of arguments with the native arrays of a backend's arrays.

    Parameters
    ----------
    tree
        An argument: an array, nested tuples, lists and dictionaries of them, or anything else, which stays.
    array_class
        The class of the backend's arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([1.0])
    >>> natives_of([x, {"axis": 0}], type(x))
    [array([1.], dtype=float32), {'axis': 0}]
    """
    if isinstance(tree, array_class):
        return tree._native
    if type(tree) is tuple:
        return tuple([natives_of(item, array_class) for item in tree])
    if type(tree) is list:
        return [natives_of(item, array_class) for item in tree]
    if type(tree) is dict:
        return {key: natives_of(item, array_class) for key, item in tree.items()}
    return tree


def wrapped(tree: Any, array_class: type[Array]) -> Any:
    """Return a tree of results with an `Array` for each native array whose dtype the library has.

    Parameters
    ----------
    tree
        What a native function returned: an array, nested tuples and lists of them, or anything else.
    array_class
        The class of the backend's arrays.

    Examples
    --------
    >>> import corearray as ca, numpy
    >>> x = ca.asarray([1.0])
    >>> wrapped((numpy.ones(1), "a"), type(x))
    (Array([1.], dtype=float64, backend=numpy, device=cpu), 'a')
    """
    backend = array_class._backend
    if isinstance(tree, tuple):
        parts = [wrapped(item, array_class) for item in tree]
        if type(tree) is tuple:
            return tuple(parts)
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    if type(tree) is list:
        return [wrapped(item, array_class) for item in tree]
    if backend.is_native(tree):
        return backend.wrap(backend.ensured(tree)) if tree.dtype in backend.kinds else tree
    return tree
