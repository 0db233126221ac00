"""Fourier transforms along axes, which come in one chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import along


def _axes(x: Any, s: Any, axes: Any) -> Any:
    """Return the axes that are transformed: the last ones where only sizes are given."""
    return axes if axes is not None or s is None else range(x.ndim - len(s), x.ndim)


@hookimpl
def fft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return along("fft.fft", axis, x, n=n, axis=axis, norm=norm)


@hookimpl
def fftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return along("fft.fftn", _axes(x, s, axes), x, s=s, axes=axes, norm=norm)


@hookimpl
def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return along("fft.hfft", axis, x, n=n, axis=axis, norm=norm)


@hookimpl
def ifft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return along("fft.ifft", axis, x, n=n, axis=axis, norm=norm)


@hookimpl
def ifftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return along("fft.ifftn", _axes(x, s, axes), x, s=s, axes=axes, norm=norm)


@hookimpl
def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return along("fft.ihfft", axis, x, n=n, axis=axis, norm=norm)


@hookimpl
def irfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return along("fft.irfft", axis, x, n=n, axis=axis, norm=norm)


@hookimpl
def irfftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return along("fft.irfftn", _axes(x, s, axes), x, s=s, axes=axes, norm=norm)


@hookimpl
def rfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    return along("fft.rfft", axis, x, n=n, axis=axis, norm=norm)


@hookimpl
def rfftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
    return along("fft.rfftn", _axes(x, s, axes), x, s=s, axes=axes, norm=norm)
