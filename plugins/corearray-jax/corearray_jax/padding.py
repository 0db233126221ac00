"""Padding with zeros, with a number that fits any floating dtype, or with the elements themselves."""

from __future__ import annotations

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


@compiled("pairs", "mode", "options")
def _pad(x: Any, pairs: Any, mode: str, options: Any) -> Any:
    return jnp.pad(x, pairs, mode, **dict(options))


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
    options = (("constant_values", constant_values),) if mode == "constant" else ()
    return _pad(x, pairs or 0, mode, options)
