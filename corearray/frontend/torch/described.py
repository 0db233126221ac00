"""The description of the torch frontend, and the three ways to add rules to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import corearray as ca
from corearray.frontend.description import FrontendInfo
from corearray.frontend.table import Rule
from corearray.frontend.torch.derived import derived
from corearray.frontend.torch.promotion import noted, noting
from corearray.types.dtypes import DTYPES

__all__ = ["info", "rule", "same", "say"]

#: torch's names of dtypes beside those that corearray shares.
_DTYPES = {
    "half": ca.float16, "float": ca.float32, "double": ca.float64, "short": ca.int16, "int": ca.int32, "long": ca.int64,
    "cfloat": ca.complex64, "cdouble": ca.complex128,
}  # fmt: skip
_DTYPES |= DTYPES

#: Layouts of memory, by their text, as a recording names them; no backend is asked for one.
_LAYOUTS = {name: f"torch.{name}" for name in ("channels_last", "contiguous_format", "preserve_format", "strided")}


def _members(frontend: Any) -> Mapping[str, Any]:
    from corearray.frontend.torch.members import members

    return members(frontend)


def _published(frontend: Any, rule: Rule) -> Callable[..., Any]:
    from corearray.frontend.torch.calling import published, with_programs

    function = published(frontend, rule)
    return with_programs(frontend, function) if getattr(rule.function, "takes_programs", False) else function


info = FrontendInfo(
    "torch",
    framework=("torch",),
    latest="2.13",
    oldest="1.0",
    modules=tuple(
        f"corearray.frontend.torch.rules.{name}"
        for name in (
            "activations attention comparison convolution creation data_type effects elementwise factors indexing joining "
            "layers linalg losses manipulation norms patches pooling products quantising random recurrent reductions "
            "scattering signal sorting special statistical transforms"
        ).split()
    ),
    constants={**_DTYPES, "pi": ca.pi, "e": ca.e, "inf": ca.inf, "nan": ca.nan, "newaxis": None, **_LAYOUTS},
    derive=derived,
    members=_members,
    publish=_published,
    noted=noted,
    noting=noting,
)

rule = info.table.rule
same = info.table.same
say = info.table.say
