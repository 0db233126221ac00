"""Cosine transforms of SciPy, which is imported by the first call of one."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_numpy.native import HALF


def _is_known(x: Any, type: int, n: int | None, axis: int, norm: Any) -> bool:
    if type not in (1, 2, 3, 4) or norm not in (None, "ortho") or not -x.ndim <= axis < x.ndim:
        return False
    return (x.shape[axis] if n is None else n) > (type == 1)


@hookimpl(via=HALF, when=_is_known)
def dct(x: Any, /, *, type: int = 2, n: int | None = None, axis: int = -1, norm: Any = None) -> Any:
    from scipy import fft

    return fft.dct(x, type, n, axis, norm)


@hookimpl(via=HALF, when=_is_known)
def idct(x: Any, /, *, type: int = 2, n: int | None = None, axis: int = -1, norm: Any = None) -> Any:
    from scipy import fft

    return fft.idct(x, type, n, axis, norm)
