"""Attention by the kernels of torch, for what they take without a mask beside `is_causal`, and without dropout."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl
from corearray_torch.native import finite_sum
from corearray_torch.sharding import is_spread


def _fits(query: Any, key: Any, value: Any, mask: Any, is_causal: bool, enable_gqa: bool, dropout_p: float) -> bool:
    if dropout_p != 0.0 or query.ndim < 2 or enable_gqa or not (query.numel() and key.numel() and value.numel()):
        return False
    if key.shape[:-2] != query.shape[:-2] or key.shape[:-1] != value.shape[:-1] or query.shape[-1] != key.shape[-1]:
        return False
    if (is_causal or mask is not None) and finite_sum(key) is False:  # a kernel may add the mask, to NaN too
        return False
    if mask is not None and mask.dtype == torch.bool and finite_sum(value) is False:
        return False
    if mask is None:
        return True
    if is_spread(mask) or is_spread(query):  # the kernels take no split masks
        return False
    wanted = (*query.shape[:-1], key.shape[-2])
    sides = zip(reversed(mask.shape), reversed(wanted), strict=False)
    fits = 2 <= mask.ndim <= query.ndim and all(side in (1, other) for side, other in sides)
    return fits and not is_causal and mask.dtype in (torch.bool, query.dtype)


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
    return functional.scaled_dot_product_attention(query, key, value, mask, 0.0, is_causal, scale=scale)
