"""The description of the NumPy frontend, and the three ways to add rules to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.description import FrontendInfo
from corearray.frontend.table import Rule

__all__ = ["info", "rule", "same", "say"]


def _derived(name: str, find: Callable[[str], Rule | None]) -> Rule | None:
    from corearray.frontend.numpy.derived import derived

    return derived(name, find)


def _published(frontend: Any, rule: Rule) -> Callable[..., Any]:
    from corearray.frontend.numpy.published import published

    return published(frontend, rule)


info = FrontendInfo(
    "numpy",
    framework=("numpy",),
    latest="2.4",
    oldest="1.26",
    modules=tuple(
        f"corearray.frontend.numpy.rules.{name}"
        for name in "creation elementwise linalg manipulation reductions".split()
    ),
    constants={
        **{
            name: getattr(ca, name)
            for name in (
                "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64 complex64 complex128 pi e inf nan"
            ).split()
        },
        "bool": ca.bool,
        "newaxis": None,
    },
    derive=_derived,
    publish=_published,
)

rule = info.table.rule
same = info.table.same
say = info.table.say
