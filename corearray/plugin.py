"""All that the author of a backend or of an extension imports.

A plugin is a light module with a `BackendInfo` named `info`, found through the entry point group `corearray.backends`,
and the modules that it names, whose functions marked with `hookimpl` take and return native arrays:

    @hookimpl
    def sin(x, /):
        return framework.sin(x)
"""

from __future__ import annotations

from corearray.arrays.mixing import called_on_natives, natives_of
from corearray.calls.autograd_graph import depends_on_other_leaves
from corearray.calls.dispatch import is_foreign, is_typed_number
from corearray.calls.memo import memoised
from corearray.checks.parsing.equations import axis_lengths, read_equation
from corearray.checks.parsing.ranges import read_range
from corearray.checks.parsing.recurrence import RecurrentLayers, read_recurrent
from corearray.checks.parsing.sliding import (
    is_one,
    read_adaptive,
    read_columns,
    read_convolution,
    read_pooling,
    read_transposed,
    read_windows,
)
from corearray.contract.adapter import ArrayApiPlugin
from corearray.contract.answers import Answers, Unanswered
from corearray.contract.declaration import declare
from corearray.contract.extension import ExtensionInfo
from corearray.contract.hookimpl import FastPathMiss, hookimpl
from corearray.contract.info import BackendInfo, Fast, Via
from corearray.contract.memory import is_constant
from corearray.contract.recording import (
    Recording,
    Step,
    Value,
    leaves,
    refuse_read,
    replaced,
    unknown_elements,
    untraceable,
)
from corearray.contract.text import compiled_recording
from corearray.contract.trees import flatten, rebuild
from corearray.contract.versions import matches
from corearray.types.devices import Device
from corearray.types.shape import Shape, axis_pairs, shape_along

__all__ = [
    "Answers",
    "ArrayApiPlugin",
    "BackendInfo",
    "Device",
    "ExtensionInfo",
    "Fast",
    "FastPathMiss",
    "Recording",
    "RecurrentLayers",
    "Shape",
    "Step",
    "Unanswered",
    "Value",
    "Via",
    "axis_lengths",
    "axis_pairs",
    "called_on_natives",
    "compiled_recording",
    "declare",
    "depends_on_other_leaves",
    "flatten",
    "hookimpl",
    "is_constant",
    "is_foreign",
    "is_one",
    "is_typed_number",
    "leaves",
    "matches",
    "memoised",
    "natives_of",
    "read_adaptive",
    "read_columns",
    "read_convolution",
    "read_equation",
    "read_pooling",
    "read_range",
    "read_recurrent",
    "read_transposed",
    "read_windows",
    "rebuild",
    "refuse_read",
    "replaced",
    "shape_along",
    "unknown_elements",
    "untraceable",
]
