"""Lazy arrays in chunks: functions of chunks, and the setting `compute`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.arrays.array import Array
from corearray.arrays.interchange import to_native
from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayTypeError
from corearray.settings.context import current_settings
from corearray.settings.registry import reset_setting, set_settings

__all__ = ["compute", "map_chunks", "set_compute", "unset_compute"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def compute() -> str:
    """Return the reaction to calls that need the values of lazy arrays: `"allowed"`, `"warn"` or `"raise"`.

    `evaluate` computes lazy arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.compute()
    'allowed'
    """
    return current_settings().compute


def set_compute(policy: str) -> None:
    """Set the reaction to calls that need the values of lazy arrays, in the current context.

    Such calls are `bool(x)`, `int(x)`, `float(x)`, `x.tolist()`, `to_numpy`, `numpy.asarray(x)`, pickling, and functions with
    Python conditions on values. `evaluate` computes in any case. Backends whose arrays hold their values ignore the setting.

    Parameters
    ----------
    policy
        `"allowed"`, the default: they compute. `"warn"`: they compute and warn. `"raise"`: they raise an error.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_compute("raise")
    >>> ca.compute()
    'raise'
    >>> ca.unset_compute()
    """
    set_settings(compute=policy)


def unset_compute() -> None:
    """Reset the reaction to calls that need the values of lazy arrays to `"allowed"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_compute("warn")
    >>> ca.unset_compute()
    >>> ca.compute()
    'allowed'
    """
    reset_setting("compute")


def map_chunks(fn: Callable[..., Any], /, *arrays: Any, **whole: Any) -> Any:
    """Apply a function to the chunks of arrays, one task a chunk.

    Within the function arrays are those of the backend of the chunks, such as NumPy's, and computed at once. Backends without
    chunks call `fn(*arrays, **whole)`: the array is then one chunk.

    Parameters
    ----------
    fn
        A function of arrays that returns an array or a tuple of arrays, with as many axes as the first array. It may be called
        with zeros to find the shapes of its results. Workers of a cluster get it as a pickle.
    *arrays
        Arrays, native or not. Each axis is cut as that axis of the first array; an axis of length 1 is given to all chunks.
    **whole
        Further arguments of the function. Arrays among them are given whole to each call.

    Returns
    -------
    The results of all chunks, put together: an array, or a tuple of arrays.

    Raises
    ------
    TypeError
        If no array is given, or `fn` returns something else.
    ValueError
        If the arrays cannot be cut alike, or the results do not fit together.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(6.0), (3, 2))
    >>> ca.map_chunks(lambda chunk, scale: ca.sum(chunk * scale, axis=0, keepdims=True), x, scale=2.0).tolist()
    [[12.0, 18.0]]

    Notes
    -----
    Sum a result over the axis along which chunks were reduced, as above, for the sum of all chunks.
    """
    backend = backend_of(arrays)
    if backend is None:
        raise CoreArrayTypeError(
            "'map_chunks' got no array; give the arrays whose chunks are computed after the function"
        )
    if "mapped_chunks" not in backend.facts:
        return fn(*arrays, **whole)
    results = backend.ask("mapped_chunks", fn, [to_native(x) for x in arrays], to_native(whole))
    wrapped = any(isinstance(x, Array) for x in arrays)
    if isinstance(results, tuple):
        return tuple(backend.wrap(x) if wrapped else x for x in results)
    return backend.wrap(results) if wrapped else results
