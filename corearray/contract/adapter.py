"""The adapter: a library that follows the array API standard, as a backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corearray.calls.codegen import compiled
from corearray.checks.parsing.ranges import read_range
from corearray.contract.declaration import DECLARATIONS, Declaration
from corearray.contract.hookimpl import hookimpl
from corearray.types.shape import Shape

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
        info = getattr(namespace, "__array_namespace_info__", None)
        if devices is None and info is not None:
            self._devices["cpu"] = info().default_device()
        self._type = type(namespace.asarray(0))
        self._in_place: bool | None = None
        for name, declaration in DECLARATIONS.items():
            wanted = not declaration.compositional or name in also
            place = namespace if declaration.main else getattr(namespace, declaration.namespace, None)
            if wanted and not hasattr(self, name) and hasattr(place, name):
                may_copy = name == "reshape" and hasattr(self, "memory_of")
                mark = hookimpl(stages_add=("handle_view",)) if may_copy else hookimpl
                setattr(self, name, mark(_forwarding(declaration, place)))
            elif name in _FORWARDED and not hasattr(place, name) and _inherited(self, name):
                setattr(self, name, None)  # so that the function is missing

    # --- facts

    @hookimpl
    def array_types(self) -> tuple[type, ...]:
        """Return the type of what `asarray` makes."""
        return (self._type,)

    @hookimpl
    def dtypes(self) -> dict[str, Any]:
        """Return the dtypes that the namespace tells; of one that tells none, those that it has by their names."""
        info = getattr(self._namespace, "__array_namespace_info__", None)
        if info is not None:
            return dict(info().dtypes())
        return {name: getattr(self._namespace, name) for name in _STANDARD if hasattr(self._namespace, name)}

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
        """Return the name of an array's device; where there is one device, the array is not asked."""
        return next(iter(self._devices)) if len(self._devices) == 1 else self.device_name(self._device(x))

    def _device(self, x: Any) -> Any:
        """Return the device of an array, a method in some libraries, or the default one where arrays know of none."""
        device = getattr(x, "device", None)
        device = device() if callable(device) else device
        return next(iter(self._devices.values())) if device is None else device

    @hookimpl
    def register_array(self, array_class: Any) -> None:
        """Let sizes be `None` that the library does not know yet and gives as NaN."""
        array_class.shape = property(_known_sizes, doc=array_class.shape.__doc__)

    @hookimpl
    def move(self, x: Any, device: Any) -> Any:
        """Return an array on another device."""
        if len(self._devices) == 1:
            return x
        return x.to_device(device) if hasattr(x, "to_device") else self._namespace.asarray(x, device=device)

    @hookimpl
    def dlpack_device(self, x: Any) -> tuple[int, int]:
        """Return DLPack's device type and number as integers; some libraries give members of an enumeration."""
        kind, number = x.__dlpack_device__()
        return int(kind), int(number)

    @hookimpl
    def writes_in_place(self) -> bool:
        """Return whether a write into a view reaches its base, tried once on small arrays.

        Where slices or transposed arrays are copies, corearray keeps the views, and `set_item` writes into a copy. So it
        does where only `reshape` copies, unless the plugin tells memories apart by `memory_of`.
        """
        if self._in_place is None:
            self._in_place = self._views_are_written()
        return self._in_place

    def _views_are_written(self) -> bool:
        xp = self._namespace
        views: list[Callable[[Any], Any]] = [
            lambda x: x[1:, ...],
            lambda x: x[0, ...],
            lambda x: x[:, ::-1],
            lambda x: xp.permute_dims(x, (1, 0)),
        ]
        if not hasattr(self, "memory_of"):
            views += [lambda x: xp.reshape(x, (6,)), lambda x: xp.reshape(xp.permute_dims(x, (1, 0)), (6,))]
        for view in views:
            x = xp.zeros((2, 3))
            try:
                view(x)[...] = 1
            except Exception:  # each library refuses in its own way
                return False
            if not bool(xp.any(x == 1)):
                return False
        return True

    # --- the primaries that are more than the function of that name

    @hookimpl
    def get_item(self, x: Any, key: Any, /) -> Any:
        """Index an array, by NumPy where the library refuses: the standard has arrays in keys of one kind only."""
        key = self._whole_key(x, key)
        try:
            return x[key]
        except (IndexError, TypeError, NotImplementedError):
            elements = self._to_numpy(x)[self._numpy_key(key)]  # which raises where the key is wrong
            return self._namespace.asarray(elements, dtype=x.dtype)

    @hookimpl
    def set_item(self, x: Any, key: Any, value: Any) -> Any:
        """Write into an array, or into a copy where a view is one; by NumPy where the library refuses."""
        key = self._whole_key(x, key)
        xp = self._namespace
        in_place = self.writes_in_place()
        try:
            if not in_place:
                x = xp.asarray(x, copy=True)
            x[key] = value
            return x
        except (IndexError, TypeError, NotImplementedError):
            elements = self._to_numpy(x).copy()
            elements[self._numpy_key(key)] = self._to_numpy(value)
            changed = xp.asarray(elements, dtype=x.dtype)
        if in_place:
            x[...] = changed
        return x if in_place else changed

    def _whole_key(self, x: Any, key: Any) -> Any:
        """Return a key of integers, slices, `None` and `...` with slices within their axes and all axes covered."""
        parts = key if isinstance(key, tuple) else (key,)
        if any(isinstance(part, self._type) for part in parts):
            return key
        axes = sum(part is not None and part is not Ellipsis for part in parts)
        covered = any(part is Ellipsis for part in parts)
        found, axis = [], 0
        for part in parts:
            if part is Ellipsis:
                axis = x.ndim - (axes - axis)
            elif part is not None:
                inside = isinstance(part, slice) and axis < x.ndim
                part = _within(part, x.shape[axis]) if inside else part
                axis += 1
            found.append(part)
        return (*found, Ellipsis) if axes < x.ndim and not covered else tuple(found)

    def _numpy_key(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return tuple(map(self._numpy_key, key))
        return self._to_numpy(key) if isinstance(key, self._type) else key

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
        values = xp.arange(count, dtype=self._widest("float64", "float32"), device=device) * step + first
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

    def _widest(self, *names: str) -> Any:
        """Return the first of several dtypes that the library has."""
        known = self.dtypes()
        return next(known[name] for name in names if name in known)

    @hookimpl
    def astype(self, x: Any, dtype: Any, /, *, copy: Any) -> Any:
        """Cast. Complex numbers are compared with zero for truth values, and refused for real dtypes, as in the standard."""
        xp = self._namespace
        if xp.isdtype(x.dtype, "complex floating") and not xp.isdtype(dtype, "complex floating"):
            if not xp.isdtype(dtype, "bool"):
                raise TypeError(f"'{x.dtype}' is not cast to '{dtype}'")
            return x != xp.asarray(0, dtype=x.dtype)
        return xp.astype(x, dtype, copy=copy)

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
    def cumulative_prod(self, x: Any, /, *, axis: Any, dtype: Any, include_initial: Any) -> Any:
        """Multiply along an axis, and refuse arrays without axes like `cumulative_sum`."""
        if not x.ndim:
            raise ValueError("an array without axes has none to multiply along")
        return self._namespace.cumulative_prod(x, axis=axis, dtype=dtype, include_initial=include_initial)

    @hookimpl
    def sum(self, x: Any, /, *, axis: Any, dtype: Any, keepdims: Any) -> Any:
        """Add up; the standard has no sums of truth values."""
        return self._namespace.sum(self._numbers(x, dtype, axis), axis=axis, dtype=dtype, keepdims=keepdims)

    @hookimpl
    def prod(self, x: Any, /, *, axis: Any, dtype: Any, keepdims: Any) -> Any:
        """Multiply; the standard has no products of truth values."""
        return self._namespace.prod(self._numbers(x, dtype, axis), axis=axis, dtype=dtype, keepdims=keepdims)

    def _numbers(self, x: Any, dtype: Any, axis: Any) -> Any:
        if not x.ndim and axis not in (None, ()):
            raise IndexError("there is no axis")
        return self._namespace.astype(x, dtype) if self._namespace.isdtype(x.dtype, "bool") else x

    @hookimpl
    def argsort(self, x: Any, /, *, axis: Any, descending: Any, stable: Any) -> Any:
        """Sort truth values as numbers, and refuse arrays without axes."""
        xp = self._namespace
        if not x.ndim:
            raise IndexError("there is no axis")
        if xp.isdtype(x.dtype, "bool"):
            x = xp.astype(x, self._widest("uint8", "int8", "int16", "int32", "int64"))
        return xp.argsort(x, axis=axis, descending=descending, stable=stable)

    @hookimpl
    def floor_divide(self, x1: Any, x2: Any, /) -> Any:
        """Divide infinities as `floor(x1 / x2)`, by the standard; NumPy and its kin give NaN and -1."""
        xp = self._namespace
        if not xp.isdtype(x1.dtype, "real floating"):
            return xp.floor_divide(x1, x2)
        finite = xp.logical_and(xp.isfinite(x1), xp.isfinite(x2))
        return xp.where(finite, xp.floor_divide(x1, x2), xp.floor(x1 / x2))

    @hookimpl
    def fft(self, x: Any, /, *, n: Any, axis: Any, norm: Any) -> Any:
        """Transform real numbers too, for which the standard has another function."""
        xp = self._namespace
        if not xp.isdtype(x.dtype, "complex floating"):
            wide = x.dtype == getattr(xp, "float64", None)
            x = xp.astype(x, self._widest("complex128", "complex64") if wide else xp.complex64)
        return xp.fft.fft(x, n=n, axis=axis, norm=norm)


def _known_sizes(x: Any) -> Shape:
    return Shape([None if size is None or size != size else int(size) for size in x.native.shape])  # type: ignore[misc]


def _within(part: slice, length: int) -> slice:
    """Return a slice of the same elements with its ends within the axis."""
    start, stop, step = part.indices(length)
    if step > 0:
        return slice(start, max(start, stop), step)
    return slice(start, None if stop < 0 else stop, step) if start > stop else slice(0, 0, 1)


#: The methods that are implementations of functions of the namespace.
_FORWARDED = (
    "arange", "argsort", "asarray", "astype", "cumulative_prod", "cumulative_sum", "fft", "floor_divide", "imag", "prod", "sum",
)  # fmt: skip

_STANDARD = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip


def _inherited(plugin: ArrayApiPlugin, name: str) -> bool:
    """Whether a plugin has a method from this class, and not one of its own."""
    return getattr(type(plugin), name, None) is getattr(ArrayApiPlugin, name)


def _in_own_order(x: Any, copy: bool | None) -> Any:
    """Return an array of NumPy's with its numbers in the byte order of this machine."""
    if x.dtype.isnative:
        return x
    if copy is False:
        raise ValueError("an array in foreign byte order needs a copy; leave copy=False out")
    return x.astype(x.dtype.newbyteorder("="))


def _forwarding(declaration: Declaration, namespace: Any) -> Callable[..., Any]:
    """Write what forwards to the namespace, with the declaration's parameters but `out` and further names of options."""
    taken = [parameter for parameter in declaration.parameters if parameter.role not in ("out", "synonym")]
    stars = {"variadic": "*"}
    parameters = ", ".join(
        stars.get(p.how, "") + (p.name if p.required or p.how == "variadic" else f"{p.name}={p.default!r}")
        for p in taken
    )
    arguments = ", ".join(f"{p.name}={p.name}" if p.how == "keyword" else stars.get(p.how, "") + p.name for p in taken)
    name = declaration.name
    check, x = "", taken[0].name
    has_axes = taken[0].role == "array" and not taken[0].python
    for p in taken:
        if p.name == "axis" and has_axes:  # NumPy and its kin find some where are none
            none = "(None, ())" if p.default is None else "((),)"
            check = f"    if not {x}.ndim and axis not in {none}:\n        raise IndexError('there is no axis')\n"
            if type(p.default) is int:
                check = f"    if axis is None:\n        raise TypeError('an axis is an integer')\n{check}"
    text = f"def {name}({parameters}):\n{check}    return namespace.{name}({arguments})\n"
    return compiled(name, text, {"namespace": namespace}, "array API")
