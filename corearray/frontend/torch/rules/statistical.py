"""Correlations and quantiles."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import array

__all__: list[str] = []

say("""
torch.corrcoef(input) = ca.corrcoef(input)
torch.cov(input, *, correction=1, fweights=None, aweights=None) = ca.cov(input, correction=correction, fweights=fweights,
    aweights=aweights)
torch.quantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None) = placed(ca.quantile, input, q,
    dim, keepdim,
    interpolation)
torch.nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None) = placed(ca.nanquantile, input,
    q, dim,
    keepdim, interpolation)
torch.cumulative_trapezoid(y, x=None, *, dx=1, dim=-1) = areas_so_far(y, x, dx, dim)
""")


def placed(function: Any, x: ca.Array, q: Any, dim: int | None, keepdim: bool, method: str) -> ca.Array:
    """Return quantiles, several along a new first axis."""
    q = array(q, x.dtype)
    if dim is None or not x.ndim:
        made: ca.Array = function(ca.reshape(x, (-1,)), q, axis=0, method=method)
        return ca.reshape(made, (*made.shape, *[1] * x.ndim)) if keepdim else made
    return function(x, q, axis=dim, keepdims=keepdim, method=method)


def areas_so_far(y: ca.Array, x: ca.Array | None, dx: float, dim: int) -> ca.Array:
    """Accumulate the areas of trapezoids."""
    axis = dim % y.ndim
    front = (slice(None),) * axis
    middle = (y[(*front, slice(1, None))] + y[(*front, slice(None, -1))]) / 2
    if x is None:
        return ca.cumulative_sum(middle * dx, axis=axis)
    if x.ndim == 1:
        x = ca.reshape(x, (-1, *[1] * (y.ndim - axis - 1)))
    place = axis - y.ndim
    width = ca.diff(x, axis=place)
    return ca.cumulative_sum(middle * width, axis=axis)


@rule("torch.gradient")
def gradient(input: ca.Array, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> tuple[ca.Array, ...]:
    axes = list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if spacing is None:
        given: list[Any] = [1.0] * len(axes)
    elif isinstance(spacing, (int, float)):
        given = [spacing] * len(axes)
    else:
        given = list(spacing)
    return tuple(
        ca.gradient(input, step, axis=axis, edge_order=edge_order) for step, axis in zip(given, axes, strict=True)
    )
