"""Polynomials, in one compiled function."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled

_polyval = compiled()(jnp.polyval)


@hookimpl(when=lambda coefficients: coefficients.ndim == 1)
def polyval(coefficients: Any, x: Any, /) -> Any:
    return _polyval(coefficients, x)
