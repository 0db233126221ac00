"""Derivatives, mapping over an axis, and compiling."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax

from corearray.plugin import hookimpl


@hookimpl
def compiled_function(function: Any, static_argnums: Any, static_argnames: Any, dynamic: bool, options: Any) -> Any:
    return jax.jit(function, static_argnums=static_argnums, static_argnames=static_argnames, **options)


@hookimpl
def custom_gradient(function: Any, pull_back: Any, natives: Any) -> Any:
    computed = jax.custom_vjp(function)

    def forward(natives: Any) -> Any:
        outputs = function(natives)
        return outputs, (natives, outputs)

    computed.defvjp(forward, lambda kept, cotangents: (pull_back(*kept, cotangents),))
    return computed(natives)


@hookimpl
def forward_mode(function: Any, primals: Any, tangents: Any) -> Any:
    return jax.jvp(function, (primals,), (tangents,), has_aux=True)


@hookimpl
def reverse_mode(function: Any, primals: Any) -> Any:
    outputs, pull_back, aux = jax.vjp(function, primals, has_aux=True)
    return outputs, aux, lambda cotangents: pull_back(cotangents)[0]


@hookimpl(native=lax.stop_gradient)
def stop_gradient(x: Any, /) -> Any: ...


@hookimpl
def vectorized(function: Any, natives: Any) -> Any:
    return jax.vmap(function)(natives)
