"""Devices: torch's names, the default device, and calls whose results go to another device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.settings.context import changed
from corearray.types.devices import Device

__all__ = ["accelerators", "asked_device", "device", "device_of", "moving", "named_device", "set_default_device"]


class device(str):  # noqa: N801  torch's name
    """A device, such as `device("cpu")` or `device("cuda", 1)`: its text, with `type` and `index`.

    Examples
    --------
    >>> device("cuda:1").index, device("cpu") == "cpu"
    (1, True)
    """

    __slots__ = ("_blocks", "index", "type")
    _blocks: list[Any]
    type: str
    index: int | None  # type: ignore[assignment]  # torch's attribute, which hides the method of texts

    def __new__(cls, type: Any = "cpu", index: int | None = None) -> device:
        """Return the device of a text, or of a type and a number."""
        if isinstance(type, int):
            type, index = "cuda", type
        kind, colon, number = str(type).partition(":")
        if not kind.isidentifier() or (colon and (index is not None or not number.isdigit())):
            raise CoreArrayRuntimeError(f"Invalid device string: '{type}'")
        index = int(number) if colon else index
        made = super().__new__(cls, kind if index is None else f"{kind}:{index}")
        made.type, made.index, made._blocks = kind, index, []
        return made

    def __enter__(self) -> Self:
        """Make new tensors on this device within a block."""
        block = changed(lambda: {"device": Device(str(self))})
        block.__enter__()
        self._blocks.append(block)
        return self

    def __exit__(self, *given: Any) -> None:
        self._blocks.pop().__exit__(*given)

    def __repr__(self) -> str:
        given = f"type='{self.type}'" + ("" if self.index is None else f", index={self.index}")
        return f"device({given})"


def accelerators() -> int:
    """Return the number of GPUs that the backend in force has."""
    return len(ca.list_devices("gpu"))


def device_of(array: ca.Array) -> device:
    """Return the device of an array under torch's name."""
    return device(str(array.device).replace("gpu", "cuda"))


def set_default_device(device: Any) -> None:
    """Make new tensors on a device; `None` takes the choice back."""
    if device is None:
        ca.unset_default_device()
    else:
        ca.set_default_device(str(device))


def asked_device(name: str, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Return the device that a call names for its result, or `None`.

    Parameters
    ----------
    name
        The last part of the function's name.
    args, options
        The arguments, with arrays.
    """
    asked = options.get("device")
    if asked is None and name in ("cuda", "cpu"):
        asked = device("cuda", args[1]) if name == "cuda" and len(args) > 1 and isinstance(args[1], int) else name
    if asked is None and name == "to":
        for given in (*args[1:], options.get("other")):
            if isinstance(given, ca.Array):
                return str(given.device)
            if isinstance(given, str):
                asked = given
    return None if asked is None else str(asked if isinstance(asked, str) else device(asked))


def named_device(where: str | None) -> Device | None:
    """Return the device of torch's name for it."""
    return None if where is None else Device(where)


def moving(function: Callable[..., Any], where: str) -> Callable[..., Any]:
    """Return a function whose result is moved to a device."""

    def moved(*args: Any, **options: Any) -> Any:
        made = function(*args, **options)
        return made.to_device(where) if isinstance(made, ca.Array) and made.device != where else made

    return moved
