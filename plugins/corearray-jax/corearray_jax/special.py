"""Special functions."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax import numpy as jnp
from jax.scipy import special

from corearray.plugin import hookimpl
from corearray_jax.native import HALF, compiled

_erf = compiled()(lax.erf)


@hookimpl(native=_erf)
def erf(x: Any, /) -> Any: ...


_erfc = compiled()(lax.erfc)


@hookimpl(native=_erfc)
def erfc(x: Any, /) -> Any: ...


@compiled()
def _digamma(x: Any) -> Any:
    """JAX's own of zero is NaN."""
    return jnp.where(x == 0, -1 / x, lax.digamma(x))


@hookimpl(native=_digamma, via=HALF)
def digamma(x: Any, /) -> Any: ...


@compiled()
def _i0(x: Any) -> Any:
    """JAX divides two infinities for an infinite argument."""
    return jnp.where(jnp.isinf(x), jnp.abs(x), special.i0(x))


@hookimpl(native=_i0, via=HALF)
def i0(x: Any, /) -> Any: ...


_igamma = compiled()(special.gammainc)


@hookimpl(native=_igamma, via=HALF)
def igamma(a: Any, x: Any, /) -> Any: ...


@compiled()
def _igammac(a: Any, x: Any) -> Any:
    return jnp.where((a < 0) | (x < 0), jnp.nan, special.gammaincc(a, x))  # older JAX returns 1 there


@hookimpl(native=_igammac, via=HALF)
def igammac(a: Any, x: Any, /) -> Any: ...


_zeta = compiled()(special.zeta)


@hookimpl(native=_zeta, via=HALF)
def zeta(x: Any, q: Any, /) -> Any: ...
