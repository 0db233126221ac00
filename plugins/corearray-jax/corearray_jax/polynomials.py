"""Polynomials, in one compiled function."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled

_polyval = compiled()(jnp.polyval)


def _is_inexact(coefficients: Any, x: Any) -> bool:
    """Guard against integers, of which older versions of JAX make floating numbers."""
    return coefficients.ndim == 1 and all(jnp.issubdtype(y.dtype, jnp.inexact) for y in (coefficients, x))


@hookimpl(native=_polyval, when=_is_inexact)
def polyval(coefficients: Any, x: Any, /) -> Any: ...
