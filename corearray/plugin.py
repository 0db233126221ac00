"""All that the author of a backend imports.

A plugin is a light module with a `BackendInfo` named `info`, found through the entry point group `corearray.backends`,
and the modules that it names, whose functions marked with `hookimpl` take and return native arrays:

    @hookimpl
    def sin(x, /):
        return framework.sin(x)
"""

from __future__ import annotations

from corearray.adapter import ArrayApiPlugin
from corearray.description import BackendInfo, Via
from corearray.devices import Device
from corearray.dispatch import is_foreign, is_typed_number
from corearray.marking import hookimpl
from corearray.reading.equations import axis_lengths, read_equation
from corearray.reading.ranges import read_range
from corearray.reading.recurrence import RecurrentLayers, read_recurrent
from corearray.reading.remembering import remembered
from corearray.reading.sliding import (
    read_adaptive,
    read_columns,
    read_convolution,
    read_pooling,
    read_transposed,
    read_windows,
)
from corearray.recording import Recording, Step, Value, leaves, replaced, untraceable
from corearray.shape import Shape, axis_pairs, shape_along
from corearray.tape import leads_beyond
from corearray.versions import matches

__all__ = [
    "ArrayApiPlugin",
    "BackendInfo",
    "Device",
    "Recording",
    "RecurrentLayers",
    "Shape",
    "Step",
    "Value",
    "Via",
    "axis_lengths",
    "axis_pairs",
    "hookimpl",
    "is_foreign",
    "is_typed_number",
    "leads_beyond",
    "leaves",
    "matches",
    "read_adaptive",
    "read_columns",
    "read_convolution",
    "read_equation",
    "read_pooling",
    "read_range",
    "read_recurrent",
    "read_transposed",
    "read_windows",
    "remembered",
    "replaced",
    "shape_along",
    "untraceable",
]
