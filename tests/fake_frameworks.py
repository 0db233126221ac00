"""A toy framework and its plugin, made anew for each test; its arrays are Python lists, and calls are recorded."""

from __future__ import annotations

from typing import Any

from corearray.plugin import BackendInfo, hookimpl


class ToyArray:
    """What a framework's array must have at the least: `dtype` and `shape`."""

    def __init__(self, values: Any, dtype: str = "float32", device: str = "cpu") -> None:
        self.values = values
        self.dtype = dtype
        self.device = device

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.values),) if isinstance(self.values, list) else ()


class ToyPlugin:
    """A backend written as a class; every native call is noted in `calls`."""

    def __init__(self, name: str, array: type = ToyArray, framework: str = "pluggy", **described: Any) -> None:
        described = {"framework_versions": "", **described}
        self.array = array
        self.calls: list[str] = []
        self.info = BackendInfo(
            name, framework=framework, array_types=(f"{array.__module__}.{array.__qualname__}",), **described
        )

    def made(self, values: Any, dtype: str, device: str = "cpu") -> ToyArray:
        convert = {"bool": bool, "int64": int, "float32": float, "float64": float}[dtype]
        values = [convert(v) for v in values] if isinstance(values, list) else convert(values)
        return self.array(values, dtype, device)

    @hookimpl
    def array_types(self) -> tuple[type, ...]:
        return (self.array,)

    @hookimpl
    def dtypes(self) -> dict[str, Any]:
        return {name: name for name in ("bool", "int64", "float32", "float64")}

    @hookimpl
    def devices(self) -> tuple[str, ...]:
        return ("cpu", "gpu:0")

    @hookimpl
    def native_device(self, name: str) -> str:
        return name

    @hookimpl
    def device_name(self, device: Any) -> str:
        return str(device)

    @hookimpl
    def device_of(self, x: Any) -> str:
        return x.device

    @hookimpl
    def move(self, x: Any, device: Any) -> Any:
        return self.array(x.values, x.dtype, device)

    @hookimpl
    def set_item(self, x: Any, key: Any, value: Any) -> Any:
        values = list(x.values) if isinstance(x.values, list) else x.values
        if key in (Ellipsis, ()):
            return self.array(value.values, x.dtype, x.device)
        values[key] = value.values
        return self.array(values, x.dtype, x.device)

    @hookimpl
    def to_dlpack(self, x: Any, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
        raise BufferError("toys share no memory")

    @hookimpl
    def dlpack_device(self, x: Any) -> tuple[Any, int]:
        return 1, 0

    @hookimpl
    def text(self, x: Any, precision: int | None) -> str:
        values = x.values
        if precision is not None and x.dtype.startswith("float"):
            values = [round(v, precision) for v in values] if isinstance(values, list) else round(values, precision)
        return str(values)

    @hookimpl
    def asarray(self, obj: Any, /, *, dtype: Any = None, device: Any = None, copy: Any = None) -> Any:
        if isinstance(obj, ToyArray):
            return self.made(obj.values, dtype or obj.dtype, device or obj.device)
        return self.made(obj.tolist() if hasattr(obj, "tolist") else obj, dtype, device)

    @hookimpl
    def zeros(self, shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
        self.calls.append("zeros")
        return self.made([0] * shape[0] if shape else 0, dtype, device)

    @hookimpl
    def astype(self, x: Any, dtype: Any, /, *, copy: bool = True) -> Any:
        self.calls.append(f"astype {dtype}")
        return self.made(x.values, dtype, x.device)

    @hookimpl
    def add(self, x1: Any, x2: Any, /) -> Any:
        self.calls.append("add")
        if x1.device != x2.device:
            raise RuntimeError("toys on two devices")
        one, two = x1.values, x2.values
        if not isinstance(one, list) and not isinstance(two, list):
            return self.array(one + two, x1.dtype, x1.device)
        one = one if isinstance(one, list) else [one] * len(two)
        two = two if isinstance(two, list) else [two] * len(one)
        if len(one) != len(two):
            raise RuntimeError("toys of two lengths")
        return self.array([a + b for a, b in zip(one, two, strict=True)], x1.dtype, x1.device)

    @hookimpl
    def multiply(self, x1: Any, x2: Any, /) -> Any:
        self.calls.append("multiply")
        return self.array([a * b for a, b in zip(x1.values, x2.values, strict=True)], x1.dtype, x1.device)

    @hookimpl
    def sin(self, x: Any, /) -> Any:
        import math

        self.calls.append("sin")
        return self.array([math.sin(v) for v in x.values], x.dtype, x.device)

    @hookimpl
    def sum(self, x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        self.calls.append(f"sum {dtype}")
        return self.made(sum(x.values), dtype, x.device)

    @hookimpl
    def get_item(self, x: Any, key: Any, /) -> Any:
        if isinstance(key, ToyArray):
            key = key.values
        return self.array(x.values[key], x.dtype, x.device)

    @hookimpl
    def to_list(self, x: Any, /) -> Any:
        return x.values

    @hookimpl
    def to_numpy(self, x: Any, /) -> Any:
        import numpy

        return numpy.asarray(x.values, x.dtype)
