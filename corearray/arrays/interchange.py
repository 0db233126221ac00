"""Between backends, and out of the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corearray.arrays.array import Array
from corearray.arrays.nested import map_nested
from corearray.arrays.nested import to_native as _native_of
from corearray.calls.dispatch import backend_of
from corearray.container import Container
from corearray.errors import CoreArrayRuntimeError, CoreArrayTypeError, CoreArrayValueError
from corearray.manager import manager
from corearray.ragged import Ragged
from corearray.settings.backends import get_backend
from corearray.settings.context import on_arrays

__all__ = ["is_array", "numpy_array", "restored", "to_backend", "to_native"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def to_backend(x: Any, backend: str, *, copy: bool | None = None) -> Array:
    """Bring an array to another backend, without a copy where both can share the memory and neither can harm the other.

    Memory is shared between frameworks that write in place (then a write into one array is seen in the other), and
    between frameworks whose arrays never change. Between one of each kind it is copied, because a write would change
    an array that never changes; NumPy shares it read-only, and a write into the `Array` copies first.

    Parameters
    ----------
    x
        An array of any backend, native or not, a ragged array, or a Container, whose leaves that are no arrays stay as
        they are.
    backend
        Name of the backend.
    copy
        `True` always copies. `False` never does, whoever may write: then do not write into either array. `None` follows
        the rule above, and copies what the other framework cannot read where it is, as most cannot read memory with gaps.

    Returns
    -------
    An `Array` of that backend with the shape, dtype and elements of `x`; `x` itself if it is one already. For a
    Container a Container of these.

    Raises
    ------
    CoreArrayValueError
        If `copy` is false and the memory cannot be shared.
    CoreArrayRuntimeError
        If the framework records a derivative with respect to `x`, which would be lost on the way. `stop_gradient`
        says that this is meant.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.to_backend(ca.asarray([1.0]), "numpy").backend.name
    'numpy'
    """
    if isinstance(x, Container):
        movable = x.map(lambda leaf: is_array(leaf) or isinstance(leaf, Ragged))
        return x.multi_map(  # type: ignore[return-value]
            lambda leaf, moves: to_backend(leaf, backend, copy=copy) if moves else leaf, movable
        )
    if isinstance(x, Ragged):
        values, row_splits = (to_backend(part, backend, copy=copy) for part in (x.values, x.row_splits))
        return Ragged.from_row_splits(values, row_splits)  # type: ignore[return-value]
    target = get_backend(backend)
    source = backend_of(x)
    if source is None:
        raise CoreArrayTypeError(f"to_backend takes an array, got {type(x).__name__}; use corearray.asarray first")
    array = x if isinstance(x, Array) else source.wrap(x)
    if source is target:
        return target.asarray(array, copy=True) if copy else array
    if source.fact("records_gradient", array._native):
        raise CoreArrayRuntimeError(
            f"'to_backend' got an array of backend '{source.name}' whose derivative is being recorded, and backend "
            f"'{target.name}' cannot go on with it; if the derivative may end here, write "
            f'corearray.to_backend(corearray.stop_gradient(x), "{target.name}")'
        )
    given = array._native if hasattr(type(array._native), "__dlpack__") else array  # which may be lazy: settings decide
    try:
        return target.asarray(given, copy=copy)  # type: ignore[no-any-return]
    except Exception:  # a dtype or device that one of the two cannot exchange: copy through the host
        if copy is False:
            raise
        host = source.ask("to_numpy", array._native)
        return target.asarray(host, dtype=array.dtype, copy=copy)  # type: ignore[no-any-return]


def to_native(x: Any) -> Any:
    """Return the framework's own array of an `Array`, also within lists, tuples, dictionaries and Containers.

    Examples
    --------
    >>> import corearray as ca
    >>> type(ca.to_native(ca.asarray([1.0]))).__name__
    'ndarray'
    """
    return map_nested(x, lambda leaf: leaf.map(to_native) if isinstance(leaf, Container) else _native_of(leaf))


def is_array(x: Any) -> bool:
    """Tell whether a value is an array of some backend, native or not.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.is_array(ca.zeros(1)), ca.is_array([0.0])
    (True, False)
    """
    return isinstance(x, Array) or (backend_of(x) is not None and not isinstance(x, (list, tuple, Mapping, Ragged)))


def numpy_array(x: Array, dtype: Any = None, copy: bool | None = None) -> Any:
    """Return the elements as an array of the default backend's framework, as `x.__array__` does.

    Parameters
    ----------
    x
        Array of any backend.
    dtype
        Dtype of that framework, by default the one that stands for the dtype of `x`.
    copy
        True for a copy in any case, false for an error where there must be one.

    Raises
    ------
    CoreArrayValueError
        If `copy` is false and the memory cannot be shared.

    Examples
    --------
    >>> import corearray as ca
    >>> numpy_array(ca.asarray([1, 2]), copy=False).sum().item()
    3
    """
    array = x.backend.ask("to_numpy", x.native)
    cast = dtype is not None and array.dtype != dtype
    if copy is False and (cast or not _shares(array, x)):
        raise CoreArrayValueError(
            f"an array of dtype '{x.dtype}' of backend '{x.backend.name}' on device '{x.device}' cannot be exported "
            "without a copy; leave copy out"
        )
    if cast:
        return array.astype(dtype)
    return array.copy() if copy else array


def _shares(array: Any, x: Array) -> bool:
    """Tell whether an exported array is no copy: then a second one, made while it lives, lies at the same place."""
    if array.size == 0:
        return True
    again = x.backend.ask("to_numpy", x.native)
    return bool(array.__array_interface__["data"][0] == again.__array_interface__["data"][0])


@on_arrays
def restored(backend: str, array: Any, dtype: str, device: str) -> Array:
    """Make the array of what a pickle holds; the backend is loaded if need be.

    Parameters
    ----------
    backend, dtype, device
        Names. On a machine without the device the array is put on the backend's own.
    array
        The elements.

    Examples
    --------
    >>> import corearray as ca
    >>> restored("numpy", [1, 2], "int8", "cpu").dtype
    corearray.int8
    """
    loaded = manager.load(backend)
    if device not in loaded.devices()[1:]:
        device = loaded.devices()[0]  # a `Device`, as `x.device` is: arrays that no device was chosen for stay movable
    return loaded.asarray(array, dtype=dtype, device=device)  # type: ignore[no-any-return]
