"""The description of the JAX frontend, and the three ways to add rules to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from corearray.frontend.description import FrontendInfo
from corearray.frontend.jax.absent import ABSENT
from corearray.frontend.table import Rule
from corearray.types.dtypes import DTYPES

__all__ = ["info", "rule", "same", "say"]


def _published(frontend: Any, rule: Rule) -> Callable[..., Any]:
    from corearray.frontend.jax.published import published

    return published(frontend, rule)


def _members(frontend: Any) -> Mapping[str, Any]:
    from corearray.frontend.jax.members import members

    return members(frontend)


info = FrontendInfo(
    "jax",
    framework=("jax",),
    latest="0.10",
    oldest="0.4.36",
    modules=tuple(
        f"corearray.frontend.jax.rules.{name}"
        for name in (
            "bits control_flow elementwise indexing linalg manipulation "
            "gamma numpy_arrays numpy_linalg numpy_reductions numpy_same products random "
            "reductions schur windows"
        ).split()
    ),
    constants=DTYPES,
    members=_members,
    publish=_published,
    absent=ABSENT,
)

rule = info.table.rule
same = info.table.same
say = info.table.say
