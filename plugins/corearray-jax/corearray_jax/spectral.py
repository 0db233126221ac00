"""Cosine transforms, of which JAX has the second type and its inverse."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp
from jax.scipy import fft

from corearray.plugin import hookimpl
from corearray_jax.native import compiled


def _is_second(x: Any, type: int, n: int | None, axis: int, norm: Any) -> bool:
    fits = -x.ndim <= axis < x.ndim and norm in (None, "ortho") and x.dtype in (jnp.float32, jnp.float64)
    return type == 2 and fits and (x.shape[axis] if n is None else n) > 0


_dct = compiled("type", "n", "axis", "norm")(fft.dct)
_idct = compiled("type", "n", "axis", "norm")(fft.idct)


@hookimpl(when=_is_second)
def dct(x: Any, /, *, type: int = 2, n: int | None = None, axis: int = -1, norm: Any = None) -> Any:
    return _dct(x, type=2, n=n, axis=axis, norm=norm)


@hookimpl(when=_is_second)
def idct(x: Any, /, *, type: int = 2, n: int | None = None, axis: int = -1, norm: Any = None) -> Any:
    return _idct(x, type=2, n=n, axis=axis, norm=norm)
