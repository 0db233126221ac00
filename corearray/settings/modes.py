"""Modes, and the default device. Each belongs to the current context; see `corearray.settings.registry`."""

from __future__ import annotations

from corearray.calls.dispatch import resolve
from corearray.settings import context
from corearray.settings.registry import reset_setting, set_settings
from corearray.types.devices import Device

__all__ = [
    "array_mode",
    "default_device",
    "exception_trace_mode",
    "inplace_arrays_supported",
    "inplace_mode",
    "nan_policy",
    "nestable_mode",
    "set_array_mode",
    "set_default_device",
    "set_exception_trace_mode",
    "set_inplace_mode",
    "set_nan_policy",
    "set_nestable_mode",
    "set_shape_array_mode",
    "set_soft_device_mode",
    "shape_array_mode",
    "soft_device_mode",
    "unset_array_mode",
    "unset_default_device",
    "unset_exception_trace_mode",
    "unset_inplace_mode",
    "unset_nan_policy",
    "unset_nestable_mode",
    "unset_shape_array_mode",
    "unset_soft_device_mode",
]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def default_device() -> Device:
    """Return the device of new arrays.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.default_device()
    Device('cpu')
    """
    return context.current_settings().device or resolve(()).devices()[0]


def set_default_device(device: Device | str) -> None:
    """Set the device of new arrays, in the current context.

    Parameters
    ----------
    device
        A device of the backend, in any spelling.

    Raises
    ------
    DeviceError
        If a backend is set and lacks the device. Without a set backend, the first call on a backend without it raises the
        error.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_device("cpu:0")
    >>> ca.zeros(1).device
    Device('cpu')
    >>> ca.unset_default_device()
    """
    set_settings(default_device=device)


def unset_default_device() -> None:
    """Reset the device of new arrays to the backend's default.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_default_device("cpu")
    >>> ca.unset_default_device()
    >>> ca.default_device()
    Device('cpu')
    """
    reset_setting("default_device")


def soft_device_mode() -> bool:
    """Return whether arrays on different devices are moved to one device instead of raising an error.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.soft_device_mode()
    False
    """
    return context.current_settings().soft_device


def set_soft_device_mode(mode: bool) -> None:
    """Set whether arrays on different devices are moved to the first one's device, in the current context.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_soft_device_mode(True)
    >>> ca.soft_device_mode()
    True
    >>> ca.unset_soft_device_mode()
    """
    set_settings(soft_device_mode=mode)


def unset_soft_device_mode() -> None:
    """Reset soft device mode: arrays on different devices raise an error.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_soft_device_mode(True)
    >>> ca.unset_soft_device_mode()
    >>> ca.soft_device_mode()
    False
    """
    reset_setting("soft_device_mode")


def array_mode() -> bool:
    """Return whether functions return an `Array` instead of a native array.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.array_mode()
    True
    """
    return not context.current_settings().native_arrays


def set_array_mode(mode: bool) -> None:
    """Set whether functions return an `Array` (`True`, the default) or a native array, in the current context.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_array_mode(False)
    >>> isinstance(ca.zeros(1), ca.Array)
    False
    >>> ca.unset_array_mode()
    """
    set_settings(array_mode=mode)


def unset_array_mode() -> None:
    """Reset array mode: functions return an `Array`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_array_mode(False)
    >>> ca.unset_array_mode()
    >>> ca.array_mode()
    True
    """
    reset_setting("array_mode")


def nestable_mode() -> bool:
    """Return whether functions and operators map over the leaves of Containers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nestable_mode()
    True
    """
    return context.current_settings().nestable


def set_nestable_mode(mode: bool) -> None:
    """Set whether functions map over the leaves of Containers (`True`, the default), in the current context.

    With `False` a Container as an argument is an error. A Container's own methods, such as `map`, still work.

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
    set_settings(nestable_mode=mode)


def unset_nestable_mode() -> None:
    """Reset nestable mode: functions map over the leaves of Containers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_nestable_mode(False)
    >>> ca.unset_nestable_mode()
    >>> ca.nestable_mode()
    True
    """
    reset_setting("nestable_mode")


def nan_policy() -> str:
    """Return the reaction to NaN in results: `"nothing"`, `"warns"` or `"raise"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nan_policy()
    'nothing'
    """
    return context.current_settings().nan_policy


def set_nan_policy(policy: str) -> None:
    """Set the reaction to NaN in the results of functions, in the current context.

    Parameters
    ----------
    policy
        `"nothing"`, the default; `"warns"` gives a `RuntimeWarning`, `"raise"` raises a `NaNError`, in the line that
        called the function whose result has a NaN first. Results of integers and truth values are not looked at, and
        neither are steps within a function.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([1.0, ca.nan])
    >>> ca.set_nan_policy("raise")
    >>> ca.add(x, 1.0)
    Traceback (most recent call last):
    ...
    corearray.errors.NaNError: the result of 'add' on backend 'numpy' has NaN, and nan_policy is 'raise'; ...
    >>> ca.unset_nan_policy()
    """
    set_settings(nan_policy=policy)


def unset_nan_policy() -> None:
    """Reset the NaN policy to `"nothing"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_nan_policy("warns")
    >>> ca.unset_nan_policy()
    >>> ca.nan_policy()
    'nothing'
    """
    reset_setting("nan_policy")


def shape_array_mode() -> bool:
    """Return whether `shape` returns an array instead of a `Shape`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.shape_array_mode()
    False
    """
    return context.current_settings().shape_arrays


def set_shape_array_mode(mode: bool) -> None:
    """Set whether `shape` returns an array of the default integer dtype, in the current context.

    The attribute `x.shape` is always a `Shape`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_shape_array_mode(True)
    >>> ca.shape(ca.zeros((2, 3))).tolist()
    [2, 3]
    >>> ca.unset_shape_array_mode()
    """
    set_settings(shape_array_mode=mode)


def unset_shape_array_mode() -> None:
    """Reset shape array mode: `shape` returns a `Shape`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_shape_array_mode(True)
    >>> ca.unset_shape_array_mode()
    >>> ca.shape(ca.zeros((2, 3)))
    Shape((2, 3))
    """
    reset_setting("shape_array_mode")


def exception_trace_mode() -> str:
    """Return how much of a traceback an error keeps: `"short"` or `"full"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.exception_trace_mode()
    'short'
    """
    return context.current_settings().trace


def set_exception_trace_mode(mode: str) -> None:
    """Set how much of a traceback errors keep, in the current context.

    Parameters
    ----------
    mode
        `"short"`, the default: the traceback ends in the user's line, and of the framework's error, which is the
        `__cause__`, type and text are kept. `"full"`: with every line of corearray and of the framework in between.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_exception_trace_mode("full")
    >>> ca.exception_trace_mode()
    'full'
    >>> ca.unset_exception_trace_mode()
    """
    set_settings(exception_trace_mode=mode)


def unset_exception_trace_mode() -> None:
    """Reset the trace mode to `"short"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_exception_trace_mode("full")
    >>> ca.unset_exception_trace_mode()
    >>> ca.exception_trace_mode()
    'short'
    """
    reset_setting("exception_trace_mode")


def inplace_mode() -> str:
    """Return the reaction to a write into an array that its framework cannot change: `"lenient"` or `"strict"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.inplace_mode()
    'lenient'
    """
    return context.current_settings().inplace


def set_inplace_mode(mode: str) -> None:
    """Set the reaction to a write on frameworks without in-place writes, in the current context.

    It applies to `x[key] = value`, operators such as `+=`, `out` and `inplace_update`. Frameworks with in-place writes
    ignore it.

    Parameters
    ----------
    mode
        `"lenient"`, the default: the `Array` gets another native array, and so do its views. `"strict"`: an
        `InplaceUpdateError`, for programs that count on one place in memory.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_inplace_mode("strict")
    >>> ca.inplace_mode()
    'strict'
    >>> ca.unset_inplace_mode()
    """
    set_settings(inplace_mode=mode)


def unset_inplace_mode() -> None:
    """Reset the in-place mode to `"lenient"`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.set_inplace_mode("strict")
    >>> ca.unset_inplace_mode()
    >>> ca.inplace_mode()
    'lenient'
    """
    reset_setting("inplace_mode")


def inplace_arrays_supported() -> bool:
    """Return whether the current backend's framework writes in place, so that native arrays change.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.inplace_arrays_supported()
    True
    """
    return resolve(()).writes_in_place
