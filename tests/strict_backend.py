"""array-api-strict as a backend named "strict": the primaries and nothing else, so that every composition is run.

Its arrays take what the standard 2025.12 allows and refuse the rest, which finds compositions that lean on more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_strict as xp
import numpy as np

import corearray as ca
from corearray.declaration import DECLARATIONS, Declaration
from corearray.plugin import BackendInfo, hookimpl
from corearray.source import compiled

DEVICE = xp.__array_namespace_info__().default_device()
ZERO = xp.asarray(0)


class StrictPlugin:
    """The facts written out, and what a declaration takes beyond the standard; all other primaries forward."""

    info = BackendInfo(
        "strict",
        framework="array-api-strict",
        framework_versions=">=2.5",
        array_types=("array_api_strict._array_object.Array",),
        summary="what the array API standard allows, and nothing more",
    )

    def __init__(self) -> None:
        for declaration in DECLARATIONS.values():
            name = declaration.name
            if not declaration.compositional and not hasattr(self, name) and hasattr(_namespace(declaration), name):
                setattr(self, name, hookimpl(_forwarding(declaration)))

    @hookimpl
    def array_types(self) -> tuple[type, ...]:
        return (type(ZERO),)

    @hookimpl
    def dtypes(self) -> dict[str, Any]:
        return xp.__array_namespace_info__().dtypes()

    @hookimpl
    def devices(self) -> tuple[str, ...]:
        return ("cpu",)

    @hookimpl
    def native_device(self, name: str) -> Any:
        return DEVICE

    @hookimpl
    def device_name(self, device: Any) -> str:
        return "cpu"

    @hookimpl
    def device_of(self, x: Any) -> str:
        return "cpu"

    @hookimpl
    def move(self, x: Any, device: Any) -> Any:
        return x.to_device(device)

    @hookimpl
    def writes_in_place(self) -> bool:
        return True

    @hookimpl
    def asarray(self, obj: Any, /, *, dtype: Any, device: Any, copy: Any) -> Any:
        if not isinstance(obj, type(ZERO)):
            obj = _plain(obj)
        return xp.asarray(obj, dtype=dtype, device=device, copy=copy)

    @hookimpl
    def fft(self, x: Any, /, *, n: Any, axis: Any, norm: Any) -> Any:
        if not xp.isdtype(x.dtype, "complex floating"):
            x = xp.astype(x, xp.complex128 if x.dtype == xp.float64 else xp.complex64)
        return xp.fft.fft(x, n=n, axis=axis, norm=norm)

    @hookimpl
    def get_item(self, x: Any, key: Any) -> Any:
        return x[key]

    @hookimpl
    def set_item(self, x: Any, key: Any, value: Any) -> Any:
        x[key] = value
        return x

    @hookimpl
    def to_dlpack(self, x: Any, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
        return x.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    @hookimpl
    def dlpack_device(self, x: Any) -> tuple[Any, int]:
        return x.__dlpack_device__()

    @hookimpl
    def text(self, x: Any, precision: int | None) -> str:
        return np.array2string(np.asarray(x), precision=precision, separator=", ", threshold=200, edgeitems=3)

    @hookimpl
    def to_list(self, x: Any) -> Any:
        return np.asarray(x).tolist()

    @hookimpl
    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x)


def _plain(obj: Any) -> Any:
    """Take arrays out of nested lists, which array-api-strict refuses, and settle the dtype of foreign objects."""
    if isinstance(obj, (list, tuple)):
        return [_plain(item) for item in obj]
    if isinstance(obj, (bool, int, float, complex)):
        return obj
    return np.asarray(obj) if hasattr(obj, "__array__") or not hasattr(obj, "__dlpack__") else np.from_dlpack(obj)


def _namespace(declaration: Declaration) -> Any:
    return xp if declaration.main else getattr(xp, declaration.namespace)


def _forwarding(declaration: Declaration) -> Callable[..., Any]:
    """Write the function that forwards to the namespace, with the parameters of the declaration."""
    taken = [parameter for parameter in declaration.parameters if parameter.role != "out"]
    stars = {"variadic": "*"}
    parameters = ", ".join(
        stars.get(p.how, "") + (p.name if p.required or p.how == "variadic" else f"{p.name}={p.default!r}")
        for p in taken
    )
    arguments = ", ".join(f"{p.name}={p.name}" if p.how == "keyword" else stars.get(p.how, "") + p.name for p in taken)
    name = declaration.name
    text = f"def {name}({parameters}):\n    return namespace.{name}({arguments})\n"
    return compiled(name, text, {"namespace": _namespace(declaration)}, "strict")


def register() -> None:
    """Add the backend, for the edition of the standard that the core follows."""
    xp.set_array_api_strict_flags(api_version="2025.12", enabled_extensions=("linalg", "fft"))
    ca.register_backend(StrictPlugin())
