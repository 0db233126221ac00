"""The description of the JAX frontend, and the three ways to add rules to it."""

from __future__ import annotations

import corearray as ca
from corearray.frontend.description import FrontendInfo

__all__ = ["info", "rule", "same", "say"]

info = FrontendInfo(
    "jax",
    framework=("jax",),
    latest="0.10",
    oldest="0.4.36",
    modules=tuple(
        f"corearray.frontend.jax.rules.{name}"
        for name in "bits control_flow elementwise indexing linalg manipulation products random reductions windows".split()
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
