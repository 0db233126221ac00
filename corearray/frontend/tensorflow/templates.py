"""Shapes of rules that many operations share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import corearray as ca
from corearray.frontend.operands import function_named

__all__ = [
    "axes_of",
    "binary",
    "of_features",
    "of_input",
    "padding_of",
    "unary",
    "windows_of",
]


def unary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of `x`."""
    function = function_named(name)

    def rule(x: ca.Array) -> Any:
        return function(x)

    return rule


def of_features(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of `features`."""
    function = function_named(name)

    def rule(features: ca.Array) -> Any:
        return function(features)

    return rule


def of_input(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of `input`."""
    function = function_named(name)

    def rule(input: ca.Array, Tout: Any = None) -> Any:
        return function(input)

    return rule


def binary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of two arrays of one dtype, or of an array and a number."""
    function = function_named(name)

    def rule(x: Any, y: Any) -> Any:
        return function(x, y)

    return rule


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return axes as a tuple of integers from zero."""
    if isinstance(axis, ca.Array):
        axis = axis.tolist()
    found = (axis,) if isinstance(axis, int) else tuple(axis)
    return tuple(place % ndim for place in found) if ndim else ()


def padding_of(
    padding: str,
    explicit: Any,
    data_format: str,
    sizes: Sequence[int],
    windows: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> list[tuple[int, int]]:
    """Return the zeros around each axis in space."""
    if padding == "EXPLICIT":
        pairs = [(int(explicit[i]), int(explicit[i + 1])) for i in range(0, len(explicit), 2)]
        return pairs[1:-1] if data_format[-1] == "C" else pairs[2:]
    if padding == "VALID":
        return [(0, 0)] * len(sizes)
    found = []
    for size, window, stride, dilation in zip(sizes, windows, strides, dilations, strict=True):
        total = max(0, (-(-size // stride) - 1) * stride + (window - 1) * dilation + 1 - size)
        found.append((total // 2, total - total // 2))
    return found


def windows_of(
    x: ca.Array, windows: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Return for each place in a window the elements of a padded array of channels that it meets."""
    sizes = x.shape[1:-1]
    counts = [
        (size - (window - 1) * dilation - 1) // stride + 1
        for size, window, stride, dilation in zip(sizes, windows, strides, dilations, strict=True)
    ]
    for place in product(*map(range, windows)):
        starts = [at * dilation for at, dilation in zip(place, dilations, strict=True)]
        inside = (
            slice(start, start + (count - 1) * stride + 1, stride)
            for start, count, stride in zip(starts, counts, strides, strict=True)
        )
        yield place, x[(slice(None), *inside)]
