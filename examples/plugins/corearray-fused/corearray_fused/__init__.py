"""Functions in one kernel. This module describes two extensions and imports no framework."""

from __future__ import annotations

from corearray.plugin import ExtensionInfo
from corearray_fused.functions import multiply_add

__all__ = ["info", "multiply_add", "on_torch"]

__version__ = "0.1.0"

info = ExtensionInfo("fused", core_versions=">=0.1,<0.2", summary="multiply_add on every backend")

on_torch = ExtensionInfo(
    "fused_torch",
    backends=("torch",),
    versions=">=2.1",
    modules=("corearray_fused.kernels",),
    core_versions=">=0.1,<0.2",
    summary="multiply_add by torch.addcmul",
)
