"""The device of a function's array arguments, on which it makes its further arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from corearray.calls.dispatch import backend_of
from corearray.settings.context import changed, current_settings

if TYPE_CHECKING:
    from corearray.types.devices import Device

__all__ = ["device_of_arrays", "making_on"]

_F = TypeVar("_F", bound=Callable[..., Any])


def device_of_arrays(values: Iterable[Any]) -> Device | None:
    """Return the device of the first array that is tied to one; `None` without such an array, and on a mesh."""
    given = tuple(values)
    if not given or current_settings().mesh is not None:
        return None
    # Not by `resolve`, which would let calls without arrays run on this backend from now on.
    owners = ((backend_of(x, numbers=False), x) for x in given)
    natives = (
        (be, be.asarray(x).native) for be, x in owners if be is not None and be.is_array(x) and len(be.devices()) > 1
    )
    return next((be.device_of(x) for be, x in natives if be.stays(x)), None)


def making_on(device: Device | None, function: _F) -> _F:
    """Return a function that makes new arrays on a device; `None` leaves it as it is."""
    if device is None:
        return function

    @wraps(function)
    def called(*args: Any, **options: Any) -> Any:
        with changed(lambda: {"device": device}):
            return function(*args, **options)

    return cast(_F, called)
