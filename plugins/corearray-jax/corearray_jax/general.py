"""Indexing, and the ways between arrays and Python."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_jax.keys import block, gathered, scattered, taken_block, with_block
from corearray_jax.native import elements, is_traced, like, spans_processes


@hookimpl
def get_item(x: Any, key: Any, /) -> Any:
    found = block(key, x.shape)
    if found is None:
        return gathered(x, key)
    return x[key] if is_traced(x) else taken_block(x, *found)  # one program for all places saves compiling


@hookimpl
def set_item(x: Any, key: Any, value: Any) -> Any:
    found = block(key, x.shape)
    if found is None:
        return scattered(x, key, value)
    result = with_block(x, value, *found)
    return like(result, x, None) if found[1] == x.shape else result  # which comes of the value alone


@hookimpl
def to_list(x: Any, /) -> Any:
    return elements(x).tolist() if spans_processes(x) else x.tolist()


@hookimpl
def to_numpy(x: Any, /) -> Any:
    return elements(x)
