"""CuPy through the adapter: its namespace of the standard, its devices, and what tells memories apart."""

import array_api_compat.cupy as namespace
import cupy

from corearray.plugin import ArrayApiPlugin, hookimpl


class Cupy(ArrayApiPlugin):
    @hookimpl
    def memory_of(self, x):
        """Views share a chunk of memory, and a copy has one of its own."""
        return x.data.mem.ptr


plugin = Cupy(
    namespace,
    to_numpy=cupy.asnumpy,
    devices={f"gpu:{number}": cupy.cuda.Device(number) for number in range(cupy.cuda.runtime.getDeviceCount())},
    also=("linspace", "max", "mean", "min", "sort", "std", "tanh", "var"),
)
