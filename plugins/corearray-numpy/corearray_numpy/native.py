"""Types, dtypes and devices of NumPy, and the ways in and out."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl
def array_types() -> tuple[type, ...]:
    return np.ndarray, np.generic


@hookimpl
def as_array(value: Any) -> Any:
    return np.asanyarray(value)


@hookimpl
def dtypes() -> dict[str, Any]:
    names = (
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float16", "float32", "float64", "complex64", "complex128", "bool",
    )  # fmt: skip
    return {name: np.dtype(name) for name in names}


@hookimpl
def devices() -> tuple[str, ...]:
    return ("cpu",)


@hookimpl
def native_device(name: str) -> str:
    return name


@hookimpl
def device_name(device: Any) -> str:
    return str(device)


@hookimpl
def device_of(x: Any) -> str:
    return "cpu"


@hookimpl
def move(x: Any, device: Any) -> Any:
    return x


@hookimpl
def writes_in_place() -> bool:
    return True


@hookimpl
def set_item(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


@hookimpl
def to_dlpack(x: Any, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
    return x.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


@hookimpl
def dlpack_device(x: Any) -> tuple[Any, int]:
    return x.__dlpack_device__()


@hookimpl
def text(x: Any) -> str:
    return np.array2string(np.asarray(x), separator=", ", threshold=200, edgeitems=3)
