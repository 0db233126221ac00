"""Rounding to the numbers that a quantised tensor can hold; gradients pass where nothing is clipped."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule
from corearray.frontend.torch.promotion import cast

__all__: list[str] = []


@rule("torch.fake_quantize_per_tensor_affine")
def per_tensor(input: ca.Array, scale: Any, zero_point: Any, quant_min: int, quant_max: int) -> ca.Array:
    """Quantise with one scale."""
    places = ca.round(input * (1 / scale)) + zero_point
    made = (ca.clip(places, quant_min, quant_max) - zero_point) * scale
    inside = ca.logical_and(places >= quant_min, places <= quant_max)
    passing = ca.where(inside, input - ca.stop_gradient(input), ca.zeros_like(input))
    return cast(ca.stop_gradient(made), input.dtype) + passing


@rule("torch.fake_quantize_per_channel_affine")
def per_channel(
    input: ca.Array, scale: ca.Array, zero_point: ca.Array, axis: int, quant_min: int, quant_max: int
) -> ca.Array:
    """Quantise with a scale for each place along an axis."""
    line = [-1 if i == axis % input.ndim else 1 for i in range(input.ndim)]
    zeros = cast(ca.reshape(zero_point, tuple(line)), input.dtype)
    return per_tensor(input, ca.reshape(scale, tuple(line)), zeros, quant_min, quant_max)
