"""The description of the JAX frontend, and the three ways to add rules to it."""

from __future__ import annotations

from corearray.frontend.description import FrontendInfo
from corearray.types.dtypes import DTYPES

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
    constants=DTYPES,
)

rule = info.table.rule
same = info.table.same
say = info.table.say
