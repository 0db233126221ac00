"""The description of the TensorFlow frontend, and the three ways to add rules to it."""

from __future__ import annotations

import corearray as ca
from corearray.frontend.description import FrontendInfo

__all__ = ["info", "rule", "same", "say"]

info = FrontendInfo(
    "tensorflow",
    framework=("tensorflow", "tensorflow-cpu", "tf-nightly"),
    latest="2.21",
    oldest="2.16",
    modules=tuple(
        f"corearray.frontend.tensorflow.rules.{name}"
        for name in (
            "control_flow convolution elementwise gradients indexing linalg lists losses manipulation pooling products random "
            "reductions resizing"
        ).split()
    ),
    constants={
        name: getattr(ca, name)
        for name in (
            "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128"
        ).split()
    },
)

rule = info.table.rule
same = info.table.same
say = info.table.say
