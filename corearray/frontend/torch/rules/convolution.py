"""Convolutions and their transposes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, same
from corearray.frontend.torch.templates import found

__all__: list[str] = []


def each(value: Any) -> Any:
    """Return a size for each axis as corearray takes it: a number for all, or a tuple."""
    if value is None or isinstance(value, (int, str)):
        return value
    return value[0] if len(value) == 1 else tuple(value)


def sides(value: Any, count: int) -> Any:
    """Return padding as pairs, one for each axis."""
    if isinstance(value, str):
        return value
    values = [value] * count if isinstance(value, int) else list(value) * (count if len(value) == 1 else 1)
    return tuple((n, n) for n in values)


def batched(function: Callable[[ca.Array], ca.Array], x: ca.Array, ndim: int) -> ca.Array:
    """Call a function of a batch; what has no batch gets one of length 1."""
    return function(x) if x.ndim == ndim else ca.squeeze(function(ca.expand_dims(x, 0)), axis=0)


def convolution(name: str) -> Callable[..., Any]:
    """Return the rule of a convolution."""
    function = found(name)

    def rule(
        input: ca.Array,
        weight: ca.Array,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> ca.Array:
        options: dict[str, Any] = {
            "bias": bias, "strides": each(stride), "padding": sides(padding, weight.ndim - 2), "dilations": each(dilation),
            "groups": groups,
        }  # fmt: skip
        return batched(lambda x: function(x, weight, **options), input, weight.ndim)

    return rule


def transposed(name: str) -> Callable[..., Any]:
    """Return the rule of a transposed convolution."""
    function = found(name)

    def rule(
        input: ca.Array, weight: ca.Array, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        groups: int = 1, dilation: Any = 1,
    ) -> ca.Array:  # fmt: skip
        options: dict[str, Any] = {
            "bias": bias, "strides": each(stride), "padding": sides(padding, weight.ndim - 2),
            "output_padding": each(output_padding), "dilations": each(dilation), "groups": groups,
        }  # fmt: skip
        return batched(lambda x: function(x, weight, **options), input, weight.ndim)

    return rule


same(convolution, "torch.nn.functional.{}", "conv1d conv2d conv3d")
same(
    transposed,
    "torch.nn.functional.{}",
    "conv_transpose1d=conv1d_transpose conv_transpose2d=conv2d_transpose conv_transpose3d=conv3d_transpose",
)


@rule("torch.conv_tbc", "torch.nn.functional.conv_tbc")
def conv_tbc(input: ca.Array, weight: ca.Array, bias: ca.Array, pad: int = 0) -> ca.Array:
    """Convolve sequences of shape (time, batch, channels)."""
    filters = ca.permute_dims(weight, (2, 1, 0))
    made = ca.conv1d(ca.permute_dims(input, (1, 2, 0)), filters, bias=bias, padding=((pad, pad),))
    return ca.permute_dims(made, (2, 0, 1))
