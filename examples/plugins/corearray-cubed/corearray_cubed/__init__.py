"""Cubed as a backend of corearray. This module describes the plugin and imports no Cubed."""

from corearray.plugin import BackendInfo

__version__ = "0.1.0"

info = BackendInfo(
    "cubed",
    framework="cubed",
    framework_versions=">=0.27",
    core_versions=">=0.1,<0.2",
    array_types=("cubed.array_api.array_object.Array",),
    modules=("corearray_cubed.native:plugin",),
    summary="Cubed: chunked arrays with a bound on memory, computed later",
    url="https://cubed-dev.github.io/cubed",
)
