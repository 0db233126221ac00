"""CuPy through the adapter: its namespace of the standard, its devices, and what CuPy does otherwise."""

import array_api_compat.cupy as namespace
import cupy
import numpy

from corearray.plugin import ArrayApiPlugin, hookimpl


class Cupy(ArrayApiPlugin):
    @hookimpl
    def memory_of(self, x):
        """Views share a chunk of memory, and a copy has one of its own."""
        return x.data.mem.ptr

    @hookimpl
    def from_dlpack(self, x, /, *, device, copy):
        """Take arrays of processors too, which CuPy refuses."""
        if not _is_on_processor(x):
            found = cupy.from_dlpack(x)
            return found.copy() if copy else found
        if copy is False:
            raise ValueError("an array of a processor is copied to the GPU; leave copy=False out")
        return cupy.asarray(numpy.from_dlpack(x))

    @hookimpl
    def asarray(self, obj, /, *, dtype, device, copy):
        offered = hasattr(obj, "__dlpack__") and not hasattr(obj, "__array__")
        obj = numpy.from_dlpack(obj) if offered and _is_on_processor(obj) else obj
        return super().asarray(obj, dtype=dtype, device=device, copy=copy)

    @hookimpl
    def eig(self, x, /):
        """Compute on the processor: CuPy before 14 has no such function."""
        dtype = numpy.result_type(x.dtype, "complex64")
        return tuple(cupy.asarray(part.astype(dtype)) for part in numpy.linalg.eig(cupy.asnumpy(x)))

    @hookimpl
    def take(self, x, indices, /, *, axis):
        if axis is None:
            if x.ndim != 1:
                raise ValueError(
                    f"'axis' may be left out for arrays with one axis only, this one has the shape {x.shape}"
                )
            axis = 0
        if indices.dtype.kind not in "iu":
            raise TypeError(f"indices are integers, got an array of {indices.dtype}")
        if not -x.ndim <= axis < x.ndim:
            raise IndexError(f"there is no axis {axis} of {x.ndim}")
        _require_bounds(indices, x.shape[axis])
        return namespace.take(x, indices, axis=axis)

    @hookimpl
    def get_item(self, x, key, /):
        _require_key(x, key)
        return super().get_item(x, key)

    @hookimpl
    def set_item(self, x, key, value):
        _require_key(x, key)
        return super().set_item(x, key, value)


def _is_on_processor(x):
    return int(x.__dlpack_device__()[0]) == 1


def _require_bounds(indices, length):
    """Raise an `IndexError` for indices out of bounds, which CuPy wraps. It waits for the GPU."""
    if indices.size and (int(indices.min()) < -length or int(indices.max()) >= length):
        raise IndexError(f"there are indices out of bounds for an axis of length {length}")


def _require_key(x, key):
    parts = key if isinstance(key, tuple) else (key,)
    axis = 0
    for place, part in enumerate(parts):
        if part is Ellipsis:
            axis = x.ndim - sum(map(_axes_of, parts[place + 1 :]))
        elif isinstance(part, cupy.ndarray) and part.dtype.kind in "iu" and axis < x.ndim:
            _require_bounds(part, x.shape[axis])
        axis += _axes_of(part)


def _axes_of(part):
    """Return how many axes a part of a key takes."""
    if part is None or part is Ellipsis:
        return 0
    return part.ndim if isinstance(part, cupy.ndarray) and part.dtype.kind == "b" else 1


plugin = Cupy(
    namespace,
    to_numpy=cupy.asnumpy,
    devices={f"gpu:{number}": cupy.cuda.Device(number) for number in range(cupy.cuda.runtime.getDeviceCount())},
    also=("linspace", "max", "mean", "min", "sort", "std", "tanh", "var"),
)
