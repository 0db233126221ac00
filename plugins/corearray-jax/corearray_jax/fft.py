"""Discrete Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import HALF, REAL, compiled, is_layout, is_traced, placed, static


def _transform(*options: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile a transform for one device. Over several XLA fails where one program pads a split axis and transforms it."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        program = compiled(*options)(function)

        @wraps(function)
        def transform(x: Any, *args: Any) -> Any:
            over_several = not is_traced(x) and is_layout(x.sharding)
            return function(x, *args) if over_several else program(x, *args)

        return transform

    return decorated


@_transform("n", "axis", "norm")
def _fft(x: Any, n: int | None, axis: int, norm: str) -> Any:
    _require_some(x.shape[axis] if n is None else n)
    return jnp.fft.fft(x, n, axis, norm)


@hookimpl
def fft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _fft(x, n, axis, norm)


@compiled("n", "dtype")
def _fftfreq(n: int, d: Any, dtype: Any) -> Any:
    _require_real(dtype)
    return jnp.fft.fftfreq(n, d, dtype=REAL).astype(dtype)


@hookimpl
def fftfreq(n: int, /, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    return placed(_fftfreq(n, d, dtype), device)


@_transform("s", "axes", "norm")
def _fftn(x: Any, s: Any, axes: Any, norm: str) -> Any:
    _require_some(*_lengths(x, s, axes))
    return jnp.fft.fftn(x, s, axes, norm)


@hookimpl
def fftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return _fftn(x, static(s), static(axes), norm)


@compiled("axes")
def _fftshift(x: Any, axes: Any) -> Any:
    return jnp.fft.fftshift(x, axes)


@hookimpl
def fftshift(x: Any, /, axes: Any = None) -> Any:
    return _fftshift(x, static(axes))


@_transform("n", "axis", "norm")
def _hfft(x: Any, n: int | None, axis: int, norm: str) -> Any:
    _require_some(2 * (x.shape[axis] - 1) if n is None else n)
    return jnp.fft.hfft(x, n, axis, norm)


@hookimpl
def hfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _hfft(x, n, axis, norm)


@_transform("n", "axis", "norm")
def _ifft(x: Any, n: int | None, axis: int, norm: str) -> Any:
    _require_some(x.shape[axis] if n is None else n)
    return jnp.fft.ifft(x, n, axis, norm)


@hookimpl
def ifft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _ifft(x, n, axis, norm)


@_transform("s", "axes", "norm")
def _ifftn(x: Any, s: Any, axes: Any, norm: str) -> Any:
    _require_some(*_lengths(x, s, axes))
    return jnp.fft.ifftn(x, s, axes, norm)


@hookimpl
def ifftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return _ifftn(x, static(s), static(axes), norm)


@compiled("axes")
def _ifftshift(x: Any, axes: Any) -> Any:
    return jnp.fft.ifftshift(x, axes)


@hookimpl
def ifftshift(x: Any, /, axes: Any = None) -> Any:
    return _ifftshift(x, static(axes))


@_transform("n", "axis", "norm")
def _ihfft(x: Any, n: int | None, axis: int, norm: str) -> Any:
    _require_some(x.shape[axis] if n is None else n)
    return jnp.fft.ihfft(x, n, axis, norm)


@hookimpl(via=HALF)
def ihfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _ihfft(x, n, axis, norm)


@_transform("n", "axis", "norm")
def _irfft(x: Any, n: int | None, axis: int, norm: str) -> Any:
    _require_some(2 * (x.shape[axis] - 1) if n is None else n)
    return jnp.fft.irfft(x, n, axis, norm)


@hookimpl
def irfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _irfft(x, n, axis, norm)


@_transform("s", "axes", "norm")
def _irfftn(x: Any, s: Any, axes: Any, norm: str) -> Any:
    *others, last = _lengths(x, s, axes)  # there must be one
    _require_some(*others, 2 * (last - 1) if s is None else last)
    return jnp.fft.irfftn(x, s, axes, norm)


@hookimpl
def irfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return _irfftn(x, static(s), static(axes), norm)


@_transform("n", "axis", "norm")
def _rfft(x: Any, n: int | None, axis: int, norm: str) -> Any:
    _require_some(x.shape[axis] if n is None else n)
    return jnp.fft.rfft(x, n, axis, norm)


@hookimpl(via=HALF)
def rfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return _rfft(x, n, axis, norm)


@compiled("n", "dtype")
def _rfftfreq(n: int, d: Any, dtype: Any) -> Any:
    _require_real(dtype)
    return jnp.fft.rfftfreq(n, d, dtype=REAL).astype(dtype)


@hookimpl
def rfftfreq(n: int, /, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    return placed(_rfftfreq(n, d, dtype), device)


@_transform("s", "axes", "norm")
def _rfftn(x: Any, s: Any, axes: Any, norm: str) -> Any:
    *others, last = _lengths(x, s, axes)  # there must be one
    _require_some(*others, last)
    return jnp.fft.rfftn(x, s, axes, norm)


@hookimpl(via=HALF)
def rfftn(x: Any, /, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return _rfftn(x, static(s), static(axes), norm)


def _lengths(x: Any, s: Any, axes: Any) -> list[int]:
    """Return the lengths that are transformed. Lengths without axes, which the standard rules out, JAX takes for the last."""
    if s is not None and axes is None:
        raise ValueError(f"the lengths s={s} need axes=, one for each")
    return list(s) if s is not None else [x.shape[axis] for axis in (range(x.ndim) if axes is None else axes)]


def _require_real(dtype: Any) -> None:
    """Refuse to cast frequencies to what does not hold them."""
    if not jnp.issubdtype(dtype, jnp.floating):
        raise TypeError(f"frequencies are real floating numbers, not of dtype '{dtype}'")


def _require_some(*lengths: int) -> None:
    """Refuse to transform no elements, of which JAX makes anything."""
    for length in lengths:
        if length < 1:
            raise ValueError(f"a transform needs at least 1 element, not {length}")
