"""New arrays."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.promotion import array, cast, floating, result_dtype

__all__: list[str] = []

say("""
numpy.zeros|numpy.empty(shape, dtype=None, order="C") = ca.zeros(_shape(shape), dtype=dtype or ca.float64)
numpy.ones(shape, dtype=None, order="C") = ca.ones(_shape(shape), dtype=dtype or ca.float64)
numpy.full(shape, fill_value, dtype=None, order="C") = ca.broadcast_to(array(fill_value, dtype), _shape(shape))
numpy.zeros_like|numpy.empty_like(a, dtype=None, order="K", subok=True, shape=None) = ca.zeros(
    tuple(a.shape) if shape is None else _shape(shape), dtype=dtype or a.dtype)
numpy.ones_like(a, dtype=None, order="K", subok=True, shape=None) = ca.ones(
    tuple(a.shape) if shape is None else _shape(shape), dtype=dtype or a.dtype)
numpy.full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None) = ca.broadcast_to(
    array(fill_value, dtype or a.dtype), tuple(a.shape) if shape is None else _shape(shape))
numpy.eye(N, M=None, k=0, dtype=None, order="C") = ca.eye(N, M, k=k, dtype=dtype or ca.float64)
numpy.identity(n, dtype=None) = ca.eye(n, dtype=dtype or ca.float64)
numpy.array|numpy.asarray|numpy.ascontiguousarray|numpy.asanyarray(a, dtype=None, order=None) = array(a, dtype)
numpy.tri(N, M=None, k=0, dtype=None) = ca.astype(ca.tril(ca.ones((N, N if M is None else M)), k=k), dtype or ca.float64)
numpy.vander(x, N=None, increasing=False) = ca.vander(x, N=N, increasing=increasing)
""")


def _shape(shape: Any) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


@rule("numpy.arange")
def _arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    if stop is None:
        start, stop = 0, start
    return ca.arange(start, stop, step, dtype=dtype or result_dtype(start, stop, step))
