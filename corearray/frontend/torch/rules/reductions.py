"""Reductions: sums, means, extremes, and where they are."""

from __future__ import annotations

import math
from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import cast, category, common, dtype_of, floating, summed
from corearray.frontend.torch.templates import axes

__all__: list[str] = []

say("""
torch.sum(input, dim=None, keepdim=False, *, dtype=None, out=None) = ca.sum(summed(input, dtype), axis=axes(dim, input),
    keepdims=keepdim)
torch.nansum(input, dim=None, keepdim=False, *, dtype=None, out=None) = ca.nansum(summed(input, dtype), axis=axes(dim, input),
    keepdims=keepdim)
torch.prod(input, dim=None, keepdim=False, *, dtype=None, out=None) = ca.prod(summed(input, dtype), axis=axes(dim, input),
    keepdims=keepdim)
torch.mean(input, dim=None, keepdim=False, *, dtype=None, out=None) = ca.mean(cast(input, dtype), axis=axes(dim, input),
    keepdims=keepdim)
torch.nanmean(input, dim=None, keepdim=False, *, dtype=None, out=None) = ca.nanmean(cast(input, dtype), axis=axes(dim, input),
    keepdims=keepdim)
torch.amax(input, dim=(), keepdim=False, *, out=None) = ca.max(input, axis=axes(dim, input), keepdims=keepdim)
torch.amin(input, dim=(), keepdim=False, *, out=None) = ca.min(input, axis=axes(dim, input), keepdims=keepdim)
torch.aminmax(input, *, dim=None, keepdim=False, out=None) = tuple(f(input, axis=dim if input.ndim else None,
    keepdims=keepdim) for f in (ca.min, ca.max))
torch.argmax(input, dim=None, keepdim=False) = place(ca.argmax, input, dim, keepdim)
torch.argmin(input, dim=None, keepdim=False) = place(ca.argmin, input, dim, keepdim)
torch.max(input, dim=None, keepdim=False, *, other=None, out=None) = extreme(ca.max, ca.argmax, ca.maximum, input, dim,
    keepdim, other)
torch.min(input, dim=None, keepdim=False, *, other=None, out=None) = extreme(ca.min, ca.argmin, ca.minimum, input, dim,
    keepdim, other)
torch.var(input, dim=None, unbiased=None, keepdim=False, *, correction=None, out=None) = spread(ca.var, input, dim,
    unbiased, keepdim, correction)
torch.std(input, dim=None, unbiased=None, keepdim=False, *, correction=None, out=None) = spread(ca.std, input, dim,
    unbiased, keepdim, correction)
torch.var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None) = (
    spread(ca.var, input, dim, unbiased, keepdim, correction), averaged(input, dim, keepdim))
torch.std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None) = (
    spread(ca.std, input, dim, unbiased, keepdim, correction), averaged(input, dim, keepdim))
torch.logsumexp(input, dim, keepdim=False, *, out=None) = logsumexp(floating(input), axes(dim, input), keepdim)
torch.count_nonzero(input, dim=None) = cast(ca.count_nonzero(input, axis=axes(dim, input)), ca.int64)
torch.cumsum(input, dim, *, dtype=None, out=None) = cumulative(ca.cumulative_sum, summed(input, dtype), dim)
torch.cumprod(input, dim, *, dtype=None, out=None) = cumulative(ca.cumulative_prod, summed(input, dtype), dim)
torch.diff(input, n=1, dim=-1, prepend=None, append=None, *, out=None) = difference(input, n, dim, prepend, append)
torch.trapezoid | torch.trapz (y, x=None, *, dx=1, dim=-1) = ca.trapezoid(floating(y), x, dx=dx, axis=dim)
torch.Tensor.sum_to_size(input, *size) = summed_to(input, size)
""")


def averaged(input: ca.Array, dim: Any, keepdim: bool) -> ca.Array:
    """Return the mean, where `dim` may be the `unbiased` of torch's short signature."""
    return ca.mean(input, axis=None if isinstance(dim, bool) else axes(dim, input), keepdims=keepdim)


def spread(function: Any, input: ca.Array, dim: Any, unbiased: bool | None, keepdim: bool, correction: Any) -> ca.Array:
    """Return variance or standard deviation with torch's ways to say the correction."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 0 if unbiased is False else 1
    if category(input.dtype) == "c":
        parts = [spread(ca.var, part, dim, None, keepdim, correction) for part in (ca.real(input), ca.imag(input))]
        return ca.sqrt(parts[0] + parts[1]) if function is ca.std else parts[0] + parts[1]
    axis = axes(dim, input)
    taken = range(input.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    count = math.prod([input.shape[i] for i in taken])
    if 1 < count <= correction:  # torch divides by zero; of one element all make NaN
        made = ca.var(input, axis=axis, keepdims=keepdim) * math.inf
        return ca.sqrt(made) if function is ca.std else made
    found: ca.Array = function(input, axis=axis, correction=correction, keepdims=keepdim)
    return found


def place(function: Any, input: ca.Array, dim: int | None, keepdim: bool) -> ca.Array:
    """Return the place of an extreme, 0 for an array without axes."""
    if not input.ndim:
        return ca.zeros((), dtype=ca.int64)
    return cast(
        function(cast(input, ca.uint8) if input.dtype == ca.bool else input, axis=dim, keepdims=keepdim), ca.int64
    )


def extreme(value: Any, where: Any, pairwise: Any, input: ca.Array, dim: Any, keepdim: bool, other: Any) -> Any:
    """Return the extreme of all, that of two arrays, or values and places along an axis."""
    other = dim if isinstance(dim, ca.Array) else other
    if other is not None:
        return pairwise(*common(input, other))
    if dim is None:
        return value(input)
    if not input.ndim:
        return input, ca.zeros((), dtype=ca.int64)
    places = place(where, input, dim, True)
    values = ca.take_along_axis(input, places, axis=dim)
    return (values, places) if keepdim else (ca.squeeze(values, axis=dim), ca.squeeze(places, axis=dim))


def logsumexp(x: ca.Array, axis: Any, keepdim: bool) -> ca.Array:
    """Return the logarithm of a sum of exponentials, without overflow."""
    if not x.ndim:
        return x
    top = ca.stop_gradient(ca.max(ca.real(x) if category(x.dtype) == "c" else x, axis=axis, keepdims=True))
    top = ca.where(ca.isfinite(top), top, ca.zeros_like(top))
    total = ca.log(ca.sum(ca.exp(x - top), axis=axis, keepdims=True)) + top
    return total if keepdim else ca.squeeze(total, axis=tuple(range(x.ndim)) if axis is None else axis)


def cumulative(function: Any, x: ca.Array, dim: int) -> ca.Array:
    """Accumulate along an axis; an array without axes is its own result."""
    made: ca.Array = function(x, axis=dim) if x.ndim else x
    return made


def difference(input: ca.Array, n: int, dim: int, prepend: Any, append: Any) -> ca.Array:
    """Return differences of neighbours; for truth values whether they differ."""
    if input.dtype == ca.bool:
        parts = [part for part in (prepend, input, append) if part is not None]
        whole = ca.concat(parts, axis=dim) if len(parts) > 1 else input
        for _ in range(n):
            keep = [slice(None)] * (dim % whole.ndim)
            whole = ca.logical_xor(whole[(*keep, slice(1, None))], whole[(*keep, slice(None, -1))])
        return whole
    if not n:
        return input
    length = sum(part.shape[dim] for part in (prepend, input, append) if part is not None)
    parts = [part for part in (prepend, input, append) if part is not None]  # torch joins before it looks at n
    whole = ca.concat(parts, axis=dim) if len(parts) > 1 else input
    return ca.diff(whole, n=min(n, length), axis=dim)


def summed_to(input: ca.Array, size: Any) -> ca.Array:
    """Sum over the axes along which a shape was broadcast."""
    size = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (list, tuple)) else tuple(size)
    extra = input.ndim - len(size)
    dims = (*range(extra), *(extra + i for i, n in enumerate(size) if n == 1 and input.shape[extra + i] != 1))
    made = ca.sum(input, axis=dims, keepdims=True) if dims else input
    return ca.reshape(made, size)


def _running(arrays: tuple[ca.Array, ca.Array], lower: bool, dim: int) -> tuple[ca.Array, ca.Array]:
    """Combine each element with the one `shift` before it, for doubling shifts: a scan by pointer jumping."""
    values, places = arrays
    count, shift = values.shape[dim], 1
    front = (slice(None),) * dim
    while shift < count:
        before = tuple(x[(*front, slice(None, -shift))] for x in (values, places))
        after = tuple(x[(*front, slice(shift, None))] for x in (values, places))
        keeps = ca.less(after[0], before[0]) if lower else ca.greater(after[0], before[0])
        keeps = ca.logical_or(keeps, ca.equal(after[0], before[0]))
        if category(values.dtype) == "f":
            keeps = ca.logical_or(ca.logical_and(keeps, ca.logical_not(ca.isnan(before[0]))), ca.isnan(after[0]))
        chosen = [ca.where(keeps, late, early) for late, early in zip(after, before, strict=True)]
        head = [x[(*front, slice(None, shift))] for x in (values, places)]
        values, places = (ca.concat(list(pair), axis=dim) for pair in zip(head, chosen, strict=True))
        shift *= 2
    return values, places


def _extremes_so_far(input: ca.Array, dim: int, lower: bool) -> tuple[ca.Array, ca.Array]:
    if not input.ndim:
        return input, ca.zeros((), dtype=ca.int64)
    dim %= input.ndim
    shape = [1] * input.ndim
    shape[dim] = -1
    places = ca.broadcast_to(ca.reshape(ca.arange(input.shape[dim], dtype=ca.int64), shape), input.shape)
    kept = cast(input, ca.uint8) if input.dtype == ca.bool else input
    _, found = _running((ca.stop_gradient(kept), places), lower, dim)
    return ca.take_along_axis(input, found, axis=dim), found


@rule("torch.cummax")
def cummax(input: ca.Array, dim: int, *, out: Any = None) -> tuple[ca.Array, ca.Array]:
    return _extremes_so_far(input, dim, False)


@rule("torch.cummin")
def cummin(input: ca.Array, dim: int, *, out: Any = None) -> tuple[ca.Array, ca.Array]:
    return _extremes_so_far(input, dim, True)


@rule("torch.logcumsumexp")
def logcumsumexp(input: ca.Array, dim: int, *, out: Any = None) -> ca.Array:
    if not input.ndim:
        return input
    tops, _ = _extremes_so_far(ca.stop_gradient(ca.real(input) if category(input.dtype) == "c" else input), dim, False)
    axis, count = dim % input.ndim, input.shape[dim]
    tops = ca.where(ca.isfinite(tops), tops, ca.zeros_like(tops))
    spread_out = ca.expand_dims(input, axis + 1) - ca.expand_dims(tops, axis)
    keep = ca.reshape(ca.triu(ca.ones((count, count))) > 0, (count, count, *[1] * (input.ndim - axis - 1)))
    kept = ca.where(keep, ca.exp(ca.where(keep, spread_out, ca.zeros_like(spread_out))), ca.zeros_like(spread_out))
    return ca.log(ca.sum(kept, axis=axis)) + tops


@rule("torch.norm", "torch.Tensor.norm")
def norm(
    input: ca.Array, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None
) -> Any:
    input = cast(input, dtype)
    axis = axes(dim, input) if input.ndim else None
    if p == "nuc":
        both = (-2, -1) if axis is None else axis
        made: Any = ca.linalg.matrix_norm(ca.moveaxis(input, both, (-2, -1)), ord="nuc")
        return ca.expand_dims(made, tuple(sorted(i % input.ndim for i in both))) if keepdim else made
    return ca.linalg.vector_norm(input, axis=axis, ord=2 if p in ("fro", None) else float(p), keepdims=keepdim)


@rule("torch.linalg.vector_norm")
def vector_norm(
    x: ca.Array, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Any:
    return ca.linalg.vector_norm(cast(x, dtype_of(dtype)), axis=axes(dim, x), ord=ord, keepdims=keepdim)
