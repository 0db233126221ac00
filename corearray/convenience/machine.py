"""Queries for devices, their memory, and the dtypes that a function supports."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayError, CoreArrayNotImplementedError, CoreArrayTypeError, DeviceError
from corearray.types.devices import Device, as_device
from corearray.types.dtypes import DType
from corearray.types.namedtuples import NamedTuple

__all__ = ["MemoryResult", "device_memory", "list_devices", "supported_dtypes"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


class MemoryResult(NamedTuple):
    """Memory of a device, in bytes.

    Attributes
    ----------
    used
        Memory in use, by this process and others.
    total
        Total memory.
    """

    used: int
    total: int


def list_devices(kind: str | None = None, /) -> tuple[Device, ...]:
    """Return the devices of the current backend, the default device first.

    Parameters
    ----------
    kind
        `"cpu"`, `"gpu"` and so on, for the devices of one kind; by default all.

    Returns
    -------
    Their names. `len(list_devices("gpu"))` is how many there are; whether there is one is `bool(list_devices("gpu"))`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.list_devices("cpu")[0]
    Device('cpu')
    """
    return tuple(device for device in resolve(()).devices() if kind is None or device.kind == kind)


def device_memory(device: Device | str | None = None, /) -> MemoryResult:
    """Return the total and used memory of a device of the current backend.

    Parameters
    ----------
    device
        The device, by default the first.

    Raises
    ------
    ValueError
        If the backend has no such device.
    NotImplementedError
        If the framework does not tell.

    Examples
    --------
    >>> import corearray as ca
    >>> used, total = ca.device_memory("cpu")
    >>> 0 < used <= total
    True
    """
    backend = resolve(())
    known = backend.devices()
    wanted = known[0] if device is None else as_device(device)
    if wanted not in known:
        raise DeviceError(f"'device_memory' got '{wanted}'; backend '{backend.name}' has {', '.join(known)}")
    if wanted.kind == "cpu":
        return _host_memory()
    found = backend.fact("memory_of_device", backend.native_device(wanted))
    if found is None:
        raise CoreArrayNotImplementedError(
            f"'device_memory' got '{wanted}', of which backend '{backend.name}' does not tell; ask the tool of its maker"
        )
    return MemoryResult(*found)


def _host_memory() -> MemoryResult:
    try:
        size = os.sysconf("SC_PAGE_SIZE")
        total, free = (size * os.sysconf(name) for name in ("SC_PHYS_PAGES", "SC_AVPHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        raise CoreArrayNotImplementedError(
            "'device_memory' got 'cpu', of which this operating system does not tell; use a library such as psutil"
        ) from None
    return MemoryResult(total - free, total)


def supported_dtypes(function: Callable[..., Any], /, *args: Any, **options: Any) -> tuple[DType, ...]:
    """Return the dtypes with which a call works on a backend.

    Parameters
    ----------
    function
        A function of corearray, or one that calls some.
    args, options
        The arguments of a call, at least one an array: the call is made once with all arrays of each dtype.

    Returns
    -------
    The dtypes for which it raises nothing, in the order of the backend's.

    Raises
    ------
    TypeError
        If there is no array among the arguments.

    Examples
    --------
    >>> import corearray as ca
    >>> [dtype.name for dtype in ca.supported_dtypes(ca.bitwise_xor, ca.asarray([1]), ca.asarray([3]))][:3]
    ['bool', 'int8', 'int16']

    Notes
    -----
    What a function takes may depend on its options and on the framework's version, so that it is tried. Every function takes
    arrays on every device of its backend.
    """
    values = (*args, *options.values())
    if not any(isinstance(value, Array) for value in values):
        raise CoreArrayTypeError("'supported_dtypes' got no array among the arguments; give those of a call")
    backend = resolve(values)
    found = []
    for dtype in backend.native_dtypes:

        def cast(value: Any, dtype: DType = dtype) -> Any:
            return backend.astype(value, dtype) if isinstance(value, Array) else value

        try:
            function(*map(cast, args), **{name: cast(value) for name, value in options.items()})
        except CoreArrayError:
            continue
        found.append(dtype)
    return tuple(found)
