"""Settings that users switch: default device and several modes. Each belongs to the current context."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from corearray import state
from corearray.devices import Device, as_device
from corearray.dispatch import ROUTES, resolve
from corearray.errors import CoreArrayValueError

__all__ = [
    "array_mode",
    "default_device",
    "inplace_arrays_supported",
    "inplace_context",
    "inplace_mode",
    "nestable_mode",
    "set_array_mode",
    "set_default_device",
    "set_inplace_mode",
    "set_nestable_mode",
    "set_soft_device_mode",
    "soft_device_mode",
    "unset_array_mode",
    "unset_default_device",
    "unset_inplace_mode",
    "unset_nestable_mode",
    "unset_soft_device_mode",
]


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


def inplace_mode() -> str:
    """Return `"lenient"` or `"strict"`: what happens to a write into an array that its framework cannot change.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.inplace_mode()
    'lenient'
    """
    return state.current_settings().inplace


def set_inplace_mode(mode: str) -> None:
    """Choose what a write does where the framework has no writing in place, in the current context.

    It is about `x[key] = value`, operators such as `+=`, `out` and `inplace_update`. A framework that writes in place does
    so in both modes.

    Parameters
    ----------
    mode
        `"lenient"`, the default: the `Array` gets another native array, and so do its views. `"strict"`: an
        `InplaceUpdateError`, for programs that count on one place in memory.

    Raises
    ------
    ValueError
        If the mode is another.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_inplace_mode("strict")
    >>> ca.inplace_mode()
    'strict'
    >>> ca.unset_inplace_mode()
    """
    state.change(inplace=_known_mode(mode))


def unset_inplace_mode() -> None:
    """Return to the lenient mode.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_inplace_mode("strict")
    >>> ca.unset_inplace_mode()
    >>> ca.inplace_mode()
    'lenient'
    """
    state.change(inplace="lenient")


@contextmanager
def inplace_context(mode: str) -> Iterator[None]:
    """Choose within a block what a write does where the framework has no writing in place, see `set_inplace_mode`.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.inplace_context("strict"):
    ...     print(ca.inplace_mode())
    strict
    >>> ca.inplace_mode()
    'lenient'
    """
    former = state.change(inplace=_known_mode(mode))
    try:
        yield
    finally:
        state.restore(former, "inplace")


def _known_mode(mode: str) -> str:
    if mode not in ("lenient", "strict"):
        raise CoreArrayValueError(f"the in-place mode is 'lenient' or 'strict', not {mode!r}")
    return mode


def inplace_arrays_supported() -> bool:
    """Return whether the framework of the backend in force writes in place, so that native arrays change.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.inplace_arrays_supported()
    True
    """
    return resolve(()).writes_in_place
