"""The description of the NumPy frontend, and the three ways to add rules to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def _members(frontend: Any) -> Mapping[str, Any]:
    from corearray.frontend.numpy.members import members

    return members(frontend)


info = FrontendInfo(
    "numpy",
    framework=("numpy",),
    latest="2.4",
    oldest="1.26",
    modules=tuple(
        f"corearray.frontend.numpy.rules.{name}"
        for name in (
            "creation decompositions elementwise linalg manipulation nans numerical reductions scipy selection "
            "statistics".split()
        )
    ),
    constants={"pi": ca.pi, "e": ca.e, "inf": ca.inf, "nan": ca.nan, "newaxis": None},
    members=_members,
    derive=_derived,
    publish=_published,
)

rule = info.table.rule
same = info.table.same
say = info.table.say
