"""CuPy as a backend of corearray. This module describes the plugin and imports no CuPy."""

from corearray.plugin import BackendInfo

__version__ = "0.1.0"

info = BackendInfo(
    "cupy",
    framework="cupy-cuda12x",
    framework_versions=">=13.3",
    core_versions=">=0.1,<0.2",
    array_types=("cupy.ndarray", "cupy._core.core.ndarray"),
    modules=("corearray_cupy.native:plugin",),
    summary="CuPy: NumPy's functions on NVIDIA's GPUs",
    url="https://cupy.dev",
)
