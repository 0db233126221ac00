"""Branches and loops of XLA, for programs that are traced."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax

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
def truth(x: Any) -> bool | None:
    try:
        return bool(x)
    except jax.errors.TracerBoolConversionError:
        return None
