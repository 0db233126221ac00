"""Devices: names that mean the same on every backend."""

from __future__ import annotations

import re

from corearray.errors import DeviceError

__all__ = ["Device", "as_device", "device_named"]

_FORM = re.compile(r"/?(?:[\w/:]*/)?(?:device:)?(?P<kind>[a-z]+)(?::(?P<index>\d+))?$")
_ALIASES = {"cuda": "gpu", "rocm": "gpu"}


class Device(str):
    """The name of a device: `"cpu"`, `"gpu:0"`, `"cpu:1"`; a `str` in every respect.

    Any spelling that a framework uses is understood: `cuda:0`, `/device:GPU:0`, `cpu:0`. The first CPU is `cpu`, every
    other device has its index.

    Examples
    --------
    >>> Device("cuda"), Device("cpu:0"), Device("cpu:1")
    (Device('gpu:0'), Device('cpu'), Device('cpu:1'))
    """

    __slots__ = ()

    def __new__(cls, name: str) -> Device:
        """Read any spelling of a device's name."""
        if type(name) is Device:
            return name
        found = _FORM.match(name.lower())
        if found is None:
            raise DeviceError(f"'{name}' is no device; write it as in 'cpu', 'gpu:0' or 'cuda:1'")
        kind = _ALIASES.get(found["kind"], found["kind"])
        index = int(found["index"] or 0)
        if index == 0 and kind in ("cpu", "meta"):
            return super().__new__(cls, kind)
        return super().__new__(cls, f"{kind}:{index}")

    @property
    def kind(self) -> str:
        """What the device is: `"cpu"`, `"gpu"`, `"tpu"`."""
        return self.partition(":")[0]

    @property
    def number(self) -> int:
        """Which of the devices of its kind it is, from 0."""
        return int(self.partition(":")[2] or 0)

    def __repr__(self) -> str:
        return f"Device({str.__repr__(self)})"


_named: dict[str, Device] = {}


def device_named(name: str) -> Device:
    """Return the `Device` of a spelling, which is read once."""
    found = _named.get(name)
    if found is None:
        found = _named[name] = Device(name)
    return found


def as_device(device: object) -> Device:
    """Return the `Device` for a device or any spelling of its name.

    Raises
    ------
    DeviceError
        If it is neither.
    """
    if type(device) is Device:
        return device
    if isinstance(device, str):
        return device_named(device)
    raise DeviceError(f"{device!r} is no device; write it as in 'cpu', 'gpu:0' or 'cuda:1'")
