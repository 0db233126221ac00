"""Pooling with fixed and with adaptive windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.torch.described import same, say
from corearray.frontend.torch.promotion import cast
from corearray.frontend.torch.rules.convolution import batched, each, sides
from corearray.frontend.torch.templates import found
from corearray.nn.windows import maxima_with_places

__all__: list[str] = []


def largest(name: str) -> Callable[..., Any]:
    """Return the rule of a maximum over windows."""
    function, count = found(name), int(name[-2])

    def rule(
        input: ca.Array, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:  # fmt: skip
        options: dict[str, Any] = {
            "strides": each(stride or kernel_size), "padding": sides(padding, count), "dilations": each(dilation),
            "ceil_mode": ceil_mode,
        }  # fmt: skip
        if return_indices:
            return with_places(input, each(kernel_size), count, options)
        return batched(lambda x: function(x, each(kernel_size), **options), input, count + 2)

    return rule


def with_places(x: ca.Array, window: Any, count: int, options: Any) -> tuple[ca.Array, ca.Array]:
    """Return maxima and their places in the flat image."""
    single = x.ndim == count + 1
    windows = (window,) * count if isinstance(window, int) else window
    values, places = ca.max_pool_with_indices(ca.expand_dims(x, 0) if single else x, windows, **options)
    places = cast(places, ca.int64)
    return (ca.squeeze(values, axis=0), ca.squeeze(places, axis=0)) if single else (values, places)


def fractional(name: str) -> Callable[..., Any]:
    """Return the rule of a maximum over windows at random places; torch counts the axes of two from the last one."""
    count, both = int(name.removesuffix("_with_indices")[-2]), name.endswith("_with_indices")

    def rule(
        input: ca.Array, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
        _random_samples: Any = None,
    ) -> Any:  # fmt: skip
        if output_size is None:
            if output_ratio is None:
                raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
            ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * count
            output_size = tuple(int(n * ratio) for n, ratio in zip(input.shape[-count:], ratios, strict=True))
        samples = ca.flip(_random_samples, axis=-1) if count == 2 and _random_samples is not None else _random_samples
        single = input.ndim == count + 1
        values, places = ca.fractional_max_pool(
            ca.expand_dims(input, 0) if single else input, each(kernel_size), each(output_size), samples=samples
        )
        places = cast(places, ca.int64)
        if single:
            values, places = ca.squeeze(values, axis=0), ca.squeeze(places, axis=0)
        return (values, places) if return_indices or both else values

    return rule


def average(name: str) -> Callable[..., Any]:
    """Return the rule of a mean over windows."""
    function, count = found(name), int(name[-2])

    def rule(
        input: ca.Array, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> ca.Array:  # fmt: skip
        options: dict[str, Any] = {
            "strides": each(stride or kernel_size), "padding": sides(padding, count), "ceil_mode": ceil_mode,
            "count_include_pad": count_include_pad,
        }  # fmt: skip
        if divisor_override is not None:
            options["divisor_override"] = divisor_override
        return batched(lambda x: function(x, each(kernel_size), **options), input, count + 2)

    return rule


def adaptive_average(name: str) -> Callable[..., Any]:
    """Return the rule of a mean over windows that give a size."""
    function, count = found(name), int(name[-2])

    def rule(input: ca.Array, output_size: Any) -> ca.Array:
        return batched(lambda x: function(x, target(x, output_size, count)), input, count + 2)

    return rule


def adaptive_largest(name: str) -> Callable[..., Any]:
    """Return the rule of a maximum over windows that give a size."""
    function, count = found(name), int(name[-2])

    def rule(input: ca.Array, output_size: Any, return_indices: bool = False) -> Any:
        if return_indices:
            return adaptive_places(input, output_size, count)
        return batched(lambda x: function(x, target(x, output_size, count)), input, count + 2)

    return rule


def target(x: ca.Array, size: Any, count: int) -> tuple[int, ...]:
    """Return the size of a result; `None` keeps that of the input."""
    sizes = [size] * count if isinstance(size, int) or size is None else list(size) * (count if len(size) == 1 else 1)
    return tuple(x.shape[i - count] if n is None else int(n) for i, n in enumerate(sizes))


def adaptive_places(x: ca.Array, size: Any, count: int) -> tuple[ca.Array, ca.Array]:
    """Return maxima of adaptive windows and their places in the flat image."""
    return maxima_with_places(x, target(x, size, count), count)


same(largest, "torch.nn.functional.{}", "max_pool1d max_pool2d max_pool3d")
same(
    fractional,
    "torch.nn.functional.{}",
    "fractional_max_pool2d fractional_max_pool3d fractional_max_pool2d_with_indices fractional_max_pool3d_with_indices",
)
same(average, "torch.nn.functional.{}", "avg_pool1d avg_pool2d avg_pool3d")
same(adaptive_average, "torch.nn.functional.{}", "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d")
same(adaptive_largest, "torch.nn.functional.{}", "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d")

say("""
torch.max_pool1d_with_indices | torch.nn.functional.max_pool1d_with_indices (input, kernel_size, stride=None, padding=0,
    dilation=1,
    ceil_mode=False, return_indices=True) = largest("max_pool1d")(input, kernel_size, stride, padding, dilation,
    ceil_mode, True)
torch.nn.functional.max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
    return_indices=True) = largest("max_pool2d")(input, kernel_size, stride, padding, dilation, ceil_mode, True)
torch.nn.functional.max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
    return_indices=True) = largest("max_pool3d")(input, kernel_size, stride, padding, dilation, ceil_mode, True)
torch.nn.functional.adaptive_max_pool1d_with_indices(input, output_size, return_indices=True) = adaptive_places(input,
    output_size, 1)
torch.nn.functional.adaptive_max_pool2d_with_indices(input, output_size, return_indices=True) = adaptive_places(input,
    output_size, 2)
torch.nn.functional.adaptive_max_pool3d_with_indices(input, output_size, return_indices=True) = adaptive_places(input,
    output_size, 3)
torch.nn.functional.lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False) = power_pool(input, norm_type,
    kernel_size, stride, ceil_mode, 1)
torch.nn.functional.lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False) = power_pool(input, norm_type,
    kernel_size, stride, ceil_mode, 2)
torch.nn.functional.lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False) = power_pool(input, norm_type,
    kernel_size, stride, ceil_mode, 3)
torch.nn.functional.max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None) = unpooled(
    ca.max_unpool1d, input, indices, kernel_size, stride, padding, output_size, 1)
torch.nn.functional.max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None) = unpooled(
    ca.max_unpool2d, input, indices, kernel_size, stride, padding, output_size, 2)
torch.nn.functional.max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None) = unpooled(
    ca.max_unpool3d, input, indices, kernel_size, stride, padding, output_size, 3)
""")


def power_pool(x: ca.Array, p: float, window: Any, stride: Any, ceil_mode: bool, count: int) -> ca.Array:
    """Return the p-norm of windows, by torch's formula: the sum keeps its sign."""
    pooled = average(f"avg_pool{count}d")(ca.pow(x, ca.asarray(float(p), dtype=x.dtype)), window, stride, 0, ceil_mode)
    size = 1
    for n in (window,) * count if isinstance(window, int) else window:
        size *= n
    return ca.pow(ca.relu(ca.sign(pooled) * ca.relu(ca.abs(pooled))) * size, ca.asarray(1.0 / p, dtype=x.dtype))


def unpooled(
    function: Any, x: ca.Array, indices: ca.Array, window: Any, stride: Any, padding: Any, size: Any, count: int
) -> ca.Array:
    """Put values back to where they were the largest."""
    single = x.ndim == count + 1
    if single:
        x, indices = ca.expand_dims(x, 0), ca.expand_dims(indices, 0)
    windows = (window,) * count if isinstance(window, int) else tuple(window)
    options: dict[str, Any] = {"strides": each(stride or window), "padding": sides(padding, count)}
    if size is not None:
        options["output_size"] = tuple(size)[-count:]
    made = function(x, indices, windows, **options)
    return ca.squeeze(made, axis=0) if single else made
