"""NumPy as a backend of corearray. This module describes the plugin and imports no NumPy."""

from corearray.plugin import BackendInfo

__all__ = ["info"]
__version__ = "0.1.0"

info = BackendInfo(
    "numpy",
    framework="numpy",
    framework_versions=">=1.26",
    core_versions=">=0.1,<0.2",
    array_types=("numpy.ndarray", "numpy.generic"),
    modules=("corearray_numpy.native", "corearray_numpy.elementwise", "corearray_numpy.creation"),
    summary="NumPy: arrays on the CPU",
    url="https://numpy.org",
)
