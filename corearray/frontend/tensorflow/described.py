"""The description of the TensorFlow frontend, and the three ways to add rules to it."""

from __future__ import annotations

from corearray.frontend.description import FrontendInfo
from corearray.types.dtypes import DTYPES

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
    constants=DTYPES,
)

rule = info.table.rule
same = info.table.same
say = info.table.say
