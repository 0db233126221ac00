"""The adapter: a library that follows the array API standard, as a backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corearray.calls.codegen import compiled
from corearray.checks.parsing.ranges import read_range
from corearray.contract.declaration import DECLARATIONS, Declaration
from corearray.contract.hookimpl import hookimpl

__all__ = ["ArrayApiPlugin"]


class ArrayApiPlugin:
    """The implementations of a backend whose library follows the array API standard.

    Primary functions forward to the library's namespace, all others are composed of them. What the library does
    otherwise is overridden in a subclass, with methods marked by `hookimpl`; `BackendInfo` names the object as in
    `modules=("corearray_mylib.native:plugin",)`.

    Parameters
    ----------
    namespace
        The library's array API namespace.
    to_numpy
        From the library's arrays, and from buffers, to NumPy's arrays: `numpy.asarray`, unless the library has another way.
    devices
        The library's devices by name, the default one first; by default its default device, as `"cpu"`.
    also
        Names of further functions that the library computes by the standard, to be called instead of compositions.

    Examples
    --------
    >>> import math
    >>> class Namespace:  # the least that can be asked for; most of it is missing
    ...     cos = math.cos
    ...     asarray = staticmethod(float)
    >>> plugin = ArrayApiPlugin(Namespace, to_numpy=float, devices={"cpu": None})
    >>> plugin.cos(0.0), plugin.devices()
    (1.0, ('cpu',))
    """

    def __init__(
        self,
        namespace: Any,
        *,
        to_numpy: Callable[[Any], Any],
        devices: Mapping[str, Any] | None = None,
        also: Sequence[str] = (),
    ) -> None:
        self._namespace = namespace
        self._to_numpy = to_numpy
        self._devices = dict(devices or {"cpu": None})
        if devices is None:
            self._devices["cpu"] = namespace.__array_namespace_info__().default_device()
        self._type = type(namespace.asarray(0))
        for name, declaration in DECLARATIONS.items():
            wanted = not declaration.compositional or name in also
            place = namespace if declaration.main else getattr(namespace, declaration.namespace, None)
            if wanted and not hasattr(self, name) and hasattr(place, name):
                setattr(self, name, hookimpl(_forwarding(declaration, place)))

    # --- facts

    @hookimpl
    def array_types(self) -> tuple[type, ...]:
        """Return the type of what `asarray` makes."""
        return (self._type,)

    @hookimpl
    def dtypes(self) -> dict[str, Any]:
        """Return the dtypes that the namespace tells."""
        return dict(self._namespace.__array_namespace_info__().dtypes())

    @hookimpl
    def devices(self) -> tuple[str, ...]:
        """Return the names of the devices."""
        return tuple(self._devices)

    @hookimpl
    def native_device(self, name: str) -> Any:
        """Return a device by its name."""
        return self._devices[name]

    @hookimpl
    def device_name(self, device: Any) -> str:
        """Return the name of a device."""
        return next((name for name, known in self._devices.items() if known == device), str(device))

    @hookimpl
    def device_of(self, x: Any) -> str:
        """Return the name of an array's device."""
        return self.device_name(x.device)

    @hookimpl
    def move(self, x: Any, device: Any) -> Any:
        """Return an array on another device."""
        return x.to_device(device)

    @hookimpl
    def writes_in_place(self) -> bool:
        """Return that arrays can be written; override this and `set_item` where they cannot."""
        return True

    # --- the primaries that are more than the function of that name

    @hookimpl
    def get_item(self, x: Any, key: Any, /) -> Any:
        """Index an array."""
        return x[key]

    @hookimpl
    def set_item(self, x: Any, key: Any, value: Any) -> Any:
        """Write into an array."""
        x[key] = value
        return x

    @hookimpl
    def to_numpy(self, x: Any, /) -> Any:
        """Return the elements as NumPy's array."""
        return self._to_numpy(x)

    @hookimpl
    def to_list(self, x: Any, /) -> Any:
        """Return the elements as Python numbers in nested lists."""
        return self._to_numpy(x).tolist()

    @hookimpl
    def arange(self, start: Any, /, stop: Any, step: Any, *, dtype: Any, device: Any) -> Any:
        """Round down to integers, of which the standard says nothing, and round each number once."""
        xp = self._namespace
        first, step, count = read_range(start, stop, step, dtype)
        if type(first) is int:
            return xp.arange(first, first + count * step, step, dtype=dtype, device=device)
        values = xp.arange(count, dtype=xp.float64, device=device) * step + first
        return xp.astype(xp.floor(values) if xp.isdtype(dtype, "integral") else values, dtype)

    @hookimpl
    def asarray(self, obj: Any, /, *, dtype: Any, device: Any, copy: Any) -> Any:
        """Make an array; the standard has no arrays within lists, and none of other libraries."""
        if isinstance(obj, (list, tuple)):
            obj = self._plain(obj)
        elif not isinstance(obj, (self._type, bool, int, float, complex)):
            shared = hasattr(obj, "__dlpack__") and not hasattr(obj, "__array__")
            obj = self._namespace.from_dlpack(obj) if shared else _in_own_order(self._to_numpy(obj), copy)
        return self._namespace.asarray(obj, dtype=dtype, device=device, copy=copy)

    def _plain(self, obj: Any) -> Any:
        if isinstance(obj, (list, tuple)):
            return [self._plain(item) for item in obj]
        if isinstance(obj, self._type):
            return self.to_list(obj)
        return obj.tolist() if hasattr(obj, "tolist") else obj

    @hookimpl
    def imag(self, x: Any, /) -> Any:
        """Return zeros for real numbers, which the standard leaves out."""
        xp = self._namespace
        return xp.imag(x) if xp.isdtype(x.dtype, "complex floating") else xp.zeros_like(x)

    @hookimpl
    def cumulative_sum(self, x: Any, /, *, axis: Any, dtype: Any, include_initial: Any) -> Any:
        """Add up along an axis; NumPy and its kin take an array without axes for one with one."""
        if not x.ndim:
            raise ValueError("an array without axes has none to add up along")
        return self._namespace.cumulative_sum(x, axis=axis, dtype=dtype, include_initial=include_initial)

    @hookimpl
    def fft(self, x: Any, /, *, n: Any, axis: Any, norm: Any) -> Any:
        """Transform real numbers too, for which the standard has another function."""
        xp = self._namespace
        if not xp.isdtype(x.dtype, "complex floating"):
            x = xp.astype(x, xp.complex128 if x.dtype == xp.float64 else xp.complex64)
        return xp.fft.fft(x, n=n, axis=axis, norm=norm)


def _in_own_order(x: Any, copy: bool | None) -> Any:
    """Return an array of NumPy's with its numbers in the byte order of this machine."""
    if x.dtype.isnative:
        return x
    if copy is False:
        raise ValueError("an array in foreign byte order needs a copy; leave copy=False out")
    return x.astype(x.dtype.newbyteorder("="))


def _forwarding(declaration: Declaration, namespace: Any) -> Callable[..., Any]:
    """Write the function that forwards to the namespace, with the declaration's parameters but `out`."""
    taken = [parameter for parameter in declaration.parameters if parameter.role != "out"]
    stars = {"variadic": "*"}
    parameters = ", ".join(
        stars.get(p.how, "") + (p.name if p.required or p.how == "variadic" else f"{p.name}={p.default!r}")
        for p in taken
    )
    arguments = ", ".join(f"{p.name}={p.name}" if p.how == "keyword" else stars.get(p.how, "") + p.name for p in taken)
    name = declaration.name
    check, x = "", taken[0].name
    for p in taken:
        if p.name == "axis" and taken[0].role == "array":  # NumPy and its kin find some where are none
            none = "(None, ())" if p.default is None else "((),)"
            check = f"    if not {x}.ndim and axis not in {none}:\n        raise IndexError('there is no axis')\n"
            if type(p.default) is int:
                check = f"    if axis is None:\n        raise TypeError('an axis is an integer')\n{check}"
    text = f"def {name}({parameters}):\n{check}    return namespace.{name}({arguments})\n"
    return compiled(name, text, {"namespace": namespace}, "array API")
