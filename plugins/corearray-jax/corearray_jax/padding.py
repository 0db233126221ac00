"""Padding with zeros, with a number that fits any floating dtype, or with the elements themselves."""

from __future__ import annotations

from math import copysign
from operator import index
from typing import Any

from jax import numpy as jnp

from corearray.plugin import axis_pairs, hookimpl
from corearray_jax.native import compiled


def _in_one_call(x: Any, mode: str, constant_values: Any, reflect_type: str) -> bool:
    if mode == "constant":
        fits = jnp.issubdtype(x.dtype, jnp.floating) or constant_values == 0
        return type(constant_values) in (int, float) and bool(fits)
    return mode in ("edge", "wrap") or (mode in ("reflect", "symmetric") and reflect_type == "even")


@compiled("pairs", "mode", "value", "negative")
def _pad(x: Any, pairs: Any, mode: str, value: Any, negative: bool) -> Any:
    options = {"constant_values": -0.0 if negative else value} if mode == "constant" else {}
    return jnp.pad(x, pairs, mode, **options)


@hookimpl(when=_in_one_call)
def pad(
    x: Any,
    pad_width: Any,
    /,
    *,
    mode: str = "constant",
    constant_values: Any = 0,
    end_values: Any = 0,
    stat_length: Any = None,
    reflect_type: str = "even",
) -> Any:
    pairs = tuple([(index(before), index(after)) for before, after in axis_pairs(pad_width, x.ndim)])
    if mode != "constant":
        return _pad(x, pairs or 0, mode, None, False)
    negative = constant_values == 0 and copysign(1.0, constant_values) < 0  # which equals the other zero
    return _pad(x, pairs or 0, mode, constant_values, negative)
