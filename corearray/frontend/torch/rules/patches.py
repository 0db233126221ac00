"""Padding, windows as columns, resizing and sampling of images."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import cast
from corearray.frontend.torch.rules.convolution import batched, each, sides

__all__: list[str] = []

say("""
torch.constant_pad_nd(input, pad, value=0) = padded(input, pad, "constant", value)
torch.nn.functional.pad(input, pad, mode="constant", value=None) = padded(input, pad, mode, value)
torch.nn.functional.unfold | torch.nn.functional.im2col (input, kernel_size, dilation=1, padding=0, stride=1) = batched(
    lambda x: ca.im2col(x, each(kernel_size), strides=each(stride), padding=sides(padding, 2), dilations=each(dilation)),
    input, 4)
torch.nn.functional.fold | torch.nn.functional.col2im (input, output_size, kernel_size, dilation=1, padding=0,
    stride=1) = batched(
    lambda x: ca.col2im(x, pair(output_size), pair(kernel_size), strides=each(stride), padding=sides(padding, 2),
    dilations=each(dilation)), input, 3)
torch.nn.functional.upsample(input, size=None, scale_factor=None, mode="nearest",
    align_corners=None) = interpolate(input, size,
    scale_factor, mode, align_corners)
torch.nn.functional.upsample_nearest(input, size=None, scale_factor=None) = interpolate(input, size, scale_factor)
torch.nn.functional.upsample_bilinear(input, size=None, scale_factor=None) = interpolate(input, size, scale_factor,
    "bilinear", True)
torch.grid_sampler | torch.grid_sampler_2d | torch.grid_sampler_3d (input, grid, interpolation_mode, padding_mode,
    align_corners) = grid_sample(input, grid,
    ("bilinear", "nearest", "bicubic")[interpolation_mode], ("zeros", "border", "reflection")[padding_mode], align_corners)
""")

_MODES = {"constant": "constant", "replicate": "edge", "reflect": "reflect", "circular": "wrap"}


def pair(value: Any) -> tuple[int, ...]:
    """Return a size for each of two axes."""
    return (value, value) if isinstance(value, int) else tuple(value) * (2 if len(value) == 1 else 1)


def padded(x: ca.Array, pad: Any, mode: str, value: float | None) -> ca.Array:
    """Pad the last axes, given from the last one on; negative sizes cut."""
    pad = [int(n) for n in pad]
    width = [(0, 0)] * (x.ndim - len(pad) // 2) + [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)]
    if mode == "constant" and any(n < 0 for side in width for n in side):
        x = x[tuple(slice(max(0, -a), x.shape[i] - max(0, -b)) for i, (a, b) in enumerate(width))]
        width = [(max(a, 0), max(b, 0)) for a, b in width]
    if not any(n for side in width for n in side):
        return ca.asarray(x, copy=True)
    if mode == "constant":
        return ca.pad(x, width, constant_values=0 if value is None else value)
    made = ca.pad(x, [(max(a, 0), max(b, 0)) for a, b in width], mode=_MODES[mode])
    if any(n < 0 for side in width for n in side):
        made = made[tuple(slice(max(0, -a), made.shape[i] - max(0, -b)) for i, (a, b) in enumerate(width))]
    return made


@rule("torch.nn.functional.interpolate")
def interpolate(
    input: ca.Array, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> ca.Array:  # fmt: skip
    if mode == "area":
        count = input.ndim - 2
        scales = [scale_factor] * count if isinstance(scale_factor, (int, float)) else scale_factor
        sizes = size if size is not None else [int(n * s) for n, s in zip(input.shape[2:], scales, strict=True)]
        function = getattr(ca, f"adaptive_avg_pool{count}d")
        made: ca.Array = function(input, (sizes,) * count if isinstance(sizes, int) else tuple(sizes))
        return made
    if recompute_scale_factor and scale_factor is not None:
        count = input.ndim - 2
        scales = [scale_factor] * count if isinstance(scale_factor, (int, float)) else scale_factor
        size, scale_factor = tuple(int(n * s) for n, s in zip(input.shape[2:], scales, strict=True)), None
    if size is not None and not isinstance(size, int):
        size = each(tuple(int(n) for n in size))
    scale: Any = scale_factor
    if scale is not None and not isinstance(scale, (int, float)):
        scale = tuple(scale)
    return ca.interpolate(
        input,
        size=size,
        scale_factor=scale,
        mode=mode.replace("-", "_"),
        align_corners=bool(align_corners),
        antialias=antialias,
    )


def _unnormalised(x: ca.Array, size: int, align: bool) -> ca.Array:
    return (x + 1) * ((size - 1) / 2) if align else ((x + 1) * size - 1) / 2


def _inside(x: ca.Array, size: int, mode: str, align: bool) -> ca.Array:
    """Bring coordinates outside of an image into it."""
    if mode == "reflection":
        low, high = (0, 2 * (size - 1)) if align else (-1, 2 * size - 1)
        if low == high:
            return ca.zeros_like(x)
        span, start = (high - low) / 2, low / 2
        away = ca.abs(x - start)
        turns = ca.floor(away / span)
        rest = away - turns * span
        x = ca.where(ca.equal(ca.remainder(turns, 2), 0), rest + start, span - rest + start)
    return x if mode == "zeros" else ca.clip(x, 0, size - 1)


@rule("torch.nn.functional.grid_sample")
def grid_sample(
    input: ca.Array,
    grid: ca.Array,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> ca.Array:
    """Sample an image or volume at coordinates from -1 to 1."""
    align, count = bool(align_corners), input.ndim - 2
    sizes = tuple(input.shape[2:])
    where = [_unnormalised(grid[..., count - 1 - i], sizes[i], align) for i in range(count)]
    if mode != "bicubic":
        where = [_inside(x, n, padding_mode, align) for x, n in zip(where, sizes, strict=True)]
    flat = ca.reshape(input, (*input.shape[:2], -1))

    def at(places: list[ca.Array]) -> ca.Array:
        if mode == "bicubic":
            places = [_inside(x, n, padding_mode, align) for x, n in zip(places, sizes, strict=True)]
        ok = ca.ones(places[0].shape, dtype=ca.bool)
        index = ca.zeros(places[0].shape, dtype=ca.int64)
        for x, n in zip(places, sizes, strict=True):
            ok = ca.logical_and(ok, ca.logical_and(x >= 0, x <= n - 1))
            index = index * n + cast(ca.clip(x, 0, n - 1), ca.int64)
        shape = (index.shape[0], input.shape[1], index.size // index.shape[0])
        lines = ca.broadcast_to(ca.reshape(index, (index.shape[0], 1, -1)), shape)
        values = ca.reshape(ca.take_along_axis(flat, lines, axis=2), (*input.shape[:2], *index.shape[1:]))
        return values * ca.expand_dims(cast(ok, values.dtype), 1)

    if mode == "nearest":
        return at([ca.round(x) for x in where])
    lows = [ca.floor(x) for x in where]
    parts = [ca.expand_dims(x - low, 1) for x, low in zip(where, lows, strict=True)]
    steps = range(-1, 3) if mode == "bicubic" else range(2)
    weights = [[_cubic(part, step) if mode == "bicubic" else _hat(part, step) for step in steps] for part in parts]
    total: Any = None
    for corner in _corners(len(steps), count):
        value = at([low + steps[i] for low, i in zip(lows, corner, strict=True)])
        for weight, i in zip(weights, corner, strict=True):
            value = value * weight[i]
        total = value if total is None else total + value
    made: ca.Array = total
    return made


def _corners(steps: int, count: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(count):
        found = [(*corner, i) for corner in found for i in range(steps)]
    return found


def _hat(part: ca.Array, step: int) -> ca.Array:
    return part if step else 1 - part


def _cubic(part: ca.Array, step: int) -> ca.Array:
    """Return the weight of a neighbour by cubic convolution with a = -0.75."""
    a = -0.75
    x = ca.abs(part - step)
    if step in (0, 1):
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((x - 5) * x + 8) * x * a - 4 * a


@rule("torch.nn.functional.affine_grid", "torch.affine_grid_generator")
def affine_grid(theta: ca.Array, size: Any, align_corners: bool | None = None) -> ca.Array:
    sizes = tuple(size)[2:]
    lines = []
    for n in sizes:
        line = ca.linspace(-1, 1, n, dtype=theta.dtype) if n > 1 else ca.zeros((1,), dtype=theta.dtype)
        lines.append(line if align_corners else line * ((n - 1) / n))
    grids = ca.meshgrid(*lines, indexing="ij")
    base = ca.stack([*reversed(grids), ca.ones(sizes, dtype=theta.dtype)], axis=-1)
    made = ca.matmul(ca.reshape(base, (1, -1, len(sizes) + 1)), ca.matrix_transpose(theta))
    return ca.reshape(made, (theta.shape[0], *sizes, len(sizes)))
