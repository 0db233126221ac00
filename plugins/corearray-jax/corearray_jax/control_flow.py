"""Branches and loops of XLA, for programs that are traced."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax.experimental import io_callback

from corearray.plugin import hookimpl
from corearray_jax.native import is_traced


@hookimpl
def branched(condition: Any, true: Any, false: Any) -> Any:
    return lax.cond(condition, true, false)


@hookimpl
def looped(condition: Any, body: Any, natives: Any) -> Any:
    return lax.while_loop(condition, body, natives)


@hookimpl
def scanned(step: Any, carry: Any, xs: Any, length: int | None, reverse: bool) -> Any:
    if not any(map(is_traced, (*carry, *xs))):
        return None
    return lax.scan(step, carry, xs, length=length, reverse=reverse)


@hookimpl
def called_back(function: Any, natives: Any, results: Any, ordered: bool, mapped: str | None) -> Any:
    if results is None:
        if not natives and jax.core.trace_state_clean():
            return None
        if natives and not any(map(is_traced, natives)):
            return None
        jax.debug.callback(lambda *given: function(*given) and None, *natives, ordered=ordered)
        return []
    if not any(map(is_traced, natives)):
        return None
    outlines = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in results]
    if ordered:
        return io_callback(function, outlines, *natives, ordered=True)
    return jax.pure_callback(function, outlines, *natives, vmap_method=mapped)


@hookimpl
def truth(x: Any) -> bool | None:
    try:
        return bool(x)
    except jax.errors.TracerBoolConversionError:
        return None
