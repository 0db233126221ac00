"""Settings that users switch: default device and several modes. Each belongs to the current context."""

from __future__ import annotations

from corearray import state
from corearray.devices import Device, as_device
from corearray.dispatch import ROUTES, resolve

__all__ = [
    "array_mode",
    "default_device",
    "nestable_mode",
    "set_array_mode",
    "set_default_device",
    "set_nestable_mode",
    "set_soft_device_mode",
    "soft_device_mode",
    "unset_array_mode",
    "unset_default_device",
    "unset_nestable_mode",
    "unset_soft_device_mode",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def default_device() -> Device:
    """Return the device on which new arrays are put.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.default_device()
    Device('cpu')
    """
    return state.current_settings().device or resolve(()).devices()[0]


def set_default_device(device: Device | str) -> None:
    """Put new arrays on a device, in the current context.

    Parameters
    ----------
    device
        A device of the backend, in any spelling.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_device("cpu:0")
    >>> ca.zeros(1).device
    Device('cpu')
    >>> ca.unset_default_device()
    """
    state.change(device=as_device(device))


def unset_default_device() -> None:
    """Put new arrays on the backend's own default device again.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_device("cpu")
    >>> ca.unset_default_device()
    >>> ca.default_device()
    Device('cpu')
    """
    state.change(device=None)


def soft_device_mode() -> bool:
    """Return whether arrays on different devices are brought together instead of refused.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.soft_device_mode()
    False
    """
    return state.current_settings().soft_device


def set_soft_device_mode(mode: bool) -> None:
    """Bring arrays on different devices to the first one's, in the current context, instead of refusing them.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_soft_device_mode(True)
    >>> ca.soft_device_mode()
    True
    >>> ca.unset_soft_device_mode()
    """
    state.change(soft_device=bool(mode))


def unset_soft_device_mode() -> None:
    """Refuse arrays on different devices again.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_soft_device_mode(True)
    >>> ca.unset_soft_device_mode()
    >>> ca.soft_device_mode()
    False
    """
    state.change(soft_device=False)


def array_mode() -> bool:
    """Return whether functions return `Array`s; if not, they return native arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.array_mode()
    True
    """
    return not state.current_settings().native_arrays


def set_array_mode(mode: bool) -> None:
    """Choose whether functions return `Array`s (`True`, the default) or native arrays, in the current context.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_array_mode(False)
    >>> isinstance(ca.zeros(1), ca.Array)
    False
    >>> ca.unset_array_mode()
    """
    if not mode and not state.special["used"]:
        state.special["used"] = True
        for backend in set(ROUTES.values()):
            backend.leave_short_ways()
    state.change(native_arrays=not mode)


def unset_array_mode() -> None:
    """Return `Array`s again.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_array_mode(False)
    >>> ca.unset_array_mode()
    >>> ca.array_mode()
    True
    """
    state.change(native_arrays=False)


def nestable_mode() -> bool:
    """Return whether functions and operators map over the leaves of Containers; if not, they refuse Containers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nestable_mode()
    True
    """
    return state.current_settings().nestable


def set_nestable_mode(mode: bool) -> None:
    """Choose whether functions map over the leaves of Containers (`True`, the default), in the current context.

    With `False` a Container as an argument is an error. What a Container does by itself, such as `map`, stays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_nestable_mode(False)
    >>> ca.square(ca.Container(a=2))
    Traceback (most recent call last):
    ...
    corearray.errors.CoreArrayTypeError: 'square' got a Container for 'x' while the nestable mode is off; ...
    >>> ca.Container(a=2).map(lambda leaf: ca.square(leaf).item())
    Container(a=4)
    >>> ca.unset_nestable_mode()
    """
    state.change(nestable=bool(mode))


def unset_nestable_mode() -> None:
    """Map over the leaves of Containers again.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_nestable_mode(False)
    >>> ca.unset_nestable_mode()
    >>> ca.nestable_mode()
    True
    """
    state.change(nestable=True)
