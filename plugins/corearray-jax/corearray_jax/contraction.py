"""Sums of products over named axes."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import axis_lengths, hookimpl, read_equation
from corearray_jax.native import compiled


@compiled("equation")
def _einsum(equation: str, *operands: Any) -> Any:
    """Contract; JAX would take a diagonal of axes of the lengths 1 and 3."""
    axis_lengths(equation, [x.shape for x in operands])
    return jnp.einsum(read_equation(equation, tuple(x.ndim for x in operands)).text, *operands)


@hookimpl
def einsum(equation: str, /, *operands: Any) -> Any:
    return _einsum(equation, *operands)
