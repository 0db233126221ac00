"""Attention by the kernels of torch, for what they take without a mask beside `is_causal`, and without dropout."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl
from corearray_torch.native import at_hand, finite_sum
from corearray_torch.sharding import is_spread


def _fits(
    query: Any, key: Any, value: Any, mask: Any, is_causal: bool, enable_gqa: bool, dropout_p: float, generator: Any
) -> bool:
    if dropout_p != 0.0 or generator is not None or query.ndim < 2 or enable_gqa:
        return False
    if not (query.numel() and key.numel() and value.numel()):
        return False
    if key.shape[:-2] != query.shape[:-2] or key.shape[:-1] != value.shape[:-1] or query.shape[-1] != key.shape[-1]:
        return False
    if (is_causal or mask is not None) and finite_sum(key) is False:  # a kernel may add the mask, to NaN too
        return False
    if (is_causal or mask is not None) and finite_sum(value) is False:
        return False
    if mask is None:
        return True
    if is_spread(mask) or is_spread(query):  # the kernels take no split masks
        return False
    wanted = (*query.shape[:-1], key.shape[-2])
    sides = zip(reversed(mask.shape), reversed(wanted), strict=False)
    fits = 2 <= mask.ndim <= query.ndim and all(side in (1, other) for side, other in sides)
    return fits and not is_causal and mask.dtype in (torch.bool, query.dtype)


def _without_what_is_hidden(query: Any, key: Any, value: Any, mask: Any, is_causal: bool, scale: float | None) -> Any:
    """Compute attention where keys and values behind a mask may be NaN, which the kernel would multiply by zero."""
    found = functional.scaled_dot_product_attention(
        query,
        torch.where(torch.isfinite(key), key, 0.0),
        torch.where(torch.isfinite(value), value, 0.0),
        mask,
        0.0,
        is_causal,
        scale=scale,
    )
    length, size = query.shape[-2], value.shape[-2]
    unknown = ~torch.isfinite(key).all(-1, True) | torch.isnan(value)
    upwards, downwards = unknown | (value == math.inf), unknown | (value == -math.inf)
    if mask is None:
        queries, places = (torch.arange(side, device=value.device)[:, None] for side in (length, size))
        up, down = (queries >= torch.where(x, places, max(length, size)).amin(-2, True) for x in (upwards, downwards))
    else:  # one product of matrices counts the infinities of each sign that a query takes, in powers of two
        dtype, most = (torch.float32, 2.0**12) if size < 2**12 else (torch.float64, 2.0**26)
        numbers = torch.where(upwards, 1.0, torch.where(downwards, most, 0.0).to(dtype))
        numbers = torch.where(unknown, most**4, numbers)
        allowed = (mask if mask.dtype == torch.bool else mask > -math.inf).broadcast_to(
            (*mask.shape[:-2], length, size)
        )
        count = allowed.to(dtype) @ numbers
        up, down = (count % most > 0) | (count >= most**4), count >= most
    beyond = torch.where(up, math.inf, torch.where(down, -math.inf, 0.0))
    return found + torch.where(up & down, math.nan, beyond).to(found.dtype)


@hookimpl(versions=">=2.5", when=_fits)
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    /,
    *,
    mask: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    dropout_p: float = 0.0,
    generator: Any = None,
) -> Any:
    """Since 2.5 what no key is left for gets zeros."""
    if (is_causal or mask is not None) and not at_hand(value):
        return _without_what_is_hidden(query, key, value, mask, is_causal, scale)
    return functional.scaled_dot_product_attention(query, key, value, mask, 0.0, is_causal, scale=scale)
