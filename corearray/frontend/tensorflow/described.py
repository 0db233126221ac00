"""The description of the TensorFlow frontend, and the three ways to add rules to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from corearray.frontend.description import FrontendInfo
from corearray.frontend.table import Rule
from corearray.frontend.tensorflow.absent import ABSENT
from corearray.frontend.tensorflow.data_types import NAMED

__all__ = ["info", "rule", "same", "say"]


def _members(frontend: Any) -> Mapping[str, Any]:
    from corearray.frontend.tensorflow.members import members

    return members(frontend)


def _published(frontend: Any, rule: Rule) -> Callable[..., Any]:
    from corearray.frontend.tensorflow.published import published

    return published(frontend, rule)


info = FrontendInfo(
    "tensorflow",
    framework=("tensorflow", "tensorflow-cpu", "tf-nightly"),
    latest="2.21",
    oldest="2.16",
    modules=(
        *(
            f"corearray.frontend.tensorflow.rules.{name}"
            for name in (
                "control_flow convolution elementwise gradients image_drawing images indexing linalg lists losses "
                "manipulation pooling products ragged random random_rejection reductions resizing"
            ).split()
        ),
        *(
            f"corearray.frontend.tensorflow.functions.{name}"
            for name in (
                "arranging creation decompositions elementwise image_boxes image_changes images labels linalg nn random "
                "reductions signal windows"
            ).split()
        ),
    ),
    constants=NAMED,
    members=_members,
    publish=_published,
    absent=ABSENT,
)

rule = info.table.rule
same = info.table.same
say = info.table.say
