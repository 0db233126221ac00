"""Values between places: one task for each chunk of the batch, or of the places."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import by_first, over, task


@hookimpl
def grid_sample(
    x: Any, grid: Any, /, *, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = False
) -> Any:
    return by_first("grid_sample", x, grid, also=1, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


@hookimpl
def interp(
    x: Any,
    places: Any,
    values: Any,
    /,
    *,
    left: float | None = None,
    right: float | None = None,
    period: float | None = None,
) -> Any:
    made, arrays = task("interp", (x, places, values), {"left": left, "right": right, "period": period})
    axes = list(range(x.ndim))
    return over(made, arrays, [axes, [None], [None] * values.ndim], lambda count, number: axes)


@hookimpl
def interpolate(
    x: Any, /, *, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool = False,
    antialias: bool = False, data_format: str = "channels_first",
) -> Any:  # fmt: skip
    return by_first(
        "interpolate", x, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners,
        antialias=antialias, data_format=data_format,
    )  # fmt: skip
