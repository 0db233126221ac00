"""Attention: one task for each chunk of the batch and the heads."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import batched


@hookimpl(
    when=lambda query, key, value, mask=None, is_causal=False, scale=None, enable_gqa=False, dropout_p=0.0, generator=None: (
        not dropout_p
    )
)
def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, /, *, mask: Any = None, is_causal: bool = False, scale: float | None = None,
    enable_gqa: bool = False, dropout_p: float = 0.0, generator: Any = None,
) -> Any:  # fmt: skip
    core = [3 if enable_gqa else 2] * 3
    if mask is not None:
        core.append(min(core[0], mask.ndim))
    return batched(
        "scaled_dot_product_attention", core, query, key, value, mask=mask, is_causal=is_causal, scale=scale,
        enable_gqa=enable_gqa,
    )  # fmt: skip


@hookimpl
def rotary_embedding(
    x: Any, /, *, positions: Any = None, base: float = 10000.0, features: int | None = None, interleaved: bool = False
) -> Any:
    core = [2] if positions is None else [2, 1]
    return batched(
        "rotary_embedding", core, x, positions=positions, base=base, features=features, interleaved=interleaved
    )
