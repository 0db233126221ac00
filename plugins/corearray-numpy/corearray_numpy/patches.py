"""Windows, gathered from a view with overlapping elements."""

from __future__ import annotations

from typing import Any

from numpy.lib.stride_tricks import sliding_window_view

from corearray.plugin import hookimpl, read_windows


def _different(x: Any, axis: Any) -> bool:
    return not isinstance(axis, (tuple, list)) or len({i % x.ndim for i in axis}) == len(axis)


@hookimpl(when=_different)
def sliding_window(x: Any, window_shape: Any, /, *, axis: Any = None, strides: Any = 1, dilations: Any = 1) -> Any:
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list, range)) else (axis,)
    windows = read_windows("sliding_window", [x.shape[i] for i in axes], window_shape, strides, "valid", dilations)
    spans = [(size - 1) * gap + 1 for size, gap in zip(windows.kernel, windows.dilations, strict=True)]
    view = sliding_window_view(x, spans, tuple(axes))
    steps = [slice(None)] * x.ndim
    for place, stride in zip(axes, windows.strides, strict=True):
        steps[place] = slice(None, None, stride)
    return view[(*steps, *(slice(None, None, gap) for gap in windows.dilations))].copy()
