"""Special functions."""

from __future__ import annotations

from typing import Any

from jax import lax

from corearray.plugin import hookimpl
from corearray_jax.native import compiled

_erf = compiled()(lax.erf)


@hookimpl
def erf(x: Any, /) -> Any:
    return _erf(x)


_erfc = compiled()(lax.erfc)


@hookimpl
def erfc(x: Any, /) -> Any:
    return _erfc(x)
