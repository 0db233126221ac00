"""Boxes in images."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import over, task, whole


@hookimpl
def nms(
    boxes: Any, scores: Any, /, *, iou_threshold: float = 0.5, max_output_size: int | None = None,
    score_threshold: float | None = None,
) -> Any:  # fmt: skip
    return whole(
        "nms", boxes, scores, iou_threshold=iou_threshold, max_output_size=max_output_size,
        score_threshold=score_threshold, unknown=((0,),),
    )  # fmt: skip


def _has_images(
    x: Any, boxes: Any, output_size: Any, spatial_scale: float = 1.0, sampling_ratio: int = -1, aligned: bool = False
) -> bool:
    return 0 not in x.shape


@hookimpl(when=_has_images)
def roi_align(
    x: Any,
    boxes: Any,
    /,
    output_size: Any,
    *,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = False,
) -> Any:
    """Look at all images in one task for each chunk of the boxes."""
    options = {"spatial_scale": spatial_scale, "sampling_ratio": sampling_ratio, "aligned": aligned}
    made, arrays = task("roi_align", (x, boxes, output_size), options)
    loops = [[None] * x.ndim, [0, None]]
    return over(made, arrays, loops, lambda count, number: [0, *[None] * (count - 1)])
