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
numpy.full(shape, fill_value, dtype=None, order="C") = _filled(array(fill_value, dtype), _shape(shape))
numpy.zeros_like|numpy.empty_like(a, dtype=None, order="K", subok=True, shape=None) = ca.zeros(
    tuple(a.shape) if shape is None else _shape(shape), dtype=dtype or a.dtype)
numpy.ones_like(a, dtype=None, order="K", subok=True, shape=None) = ca.ones(
    tuple(a.shape) if shape is None else _shape(shape), dtype=dtype or a.dtype)
numpy.full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None) = _filled(
    array(fill_value, dtype or a.dtype), tuple(a.shape) if shape is None else _shape(shape))
numpy.eye(N, M=None, k=0, dtype=None, order="C") = ca.eye(N, M, k=k, dtype=dtype or ca.float64)
numpy.identity(n, dtype=None) = ca.eye(n, dtype=dtype or ca.float64)
numpy.array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None) = _made(object, dtype, copy, ndmin)
numpy.asarray|numpy.asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None) = _made(a, dtype, copy, 0)
numpy.ascontiguousarray(a, dtype=None, *, like=None) = _made(a, dtype, None, 1)
numpy.tri(N, M=None, k=0, dtype=None) = ca.astype(ca.tril(ca.ones((N, N if M is None else M)), k=k), dtype or ca.float64)
numpy.vander(x, N=None, increasing=False) = ca.vander(x, N=N, increasing=increasing)
""")


def _filled(value: ca.Array, shape: tuple[int, ...]) -> Any:
    """Return an array with an element of its own at each place, into which programs write."""
    return ca.asarray(ca.broadcast_to(value, shape), copy=True)


def _made(x: Any, dtype: Any, copy: bool | None, ndmin: int) -> Any:
    """Return an array of a dtype with so many axes at least: a copy, or the array itself where it can be."""
    made = array(x, dtype)
    if copy is False and made is not x:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    if copy and isinstance(x, ca.Array):
        made = ca.asarray(made, copy=True)
    return made if made.ndim >= ndmin else ca.reshape(made, (1,) * (ndmin - made.ndim) + tuple(made.shape))


def _shape(shape: Any) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


@rule("numpy.arange")
def _arange(start: Any = None, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    if stop is None:
        start, stop = None, start
    if stop is None:
        raise TypeError("arange() requires stop to be specified.")
    ends = [0 if start is None else start, stop, 1 if step is None else step]
    if any(isinstance(x, (list, tuple)) for x in ends):
        raise ValueError("arange() takes numbers: a sequence was given for start, stop or step")
    own = result_dtype(*ends) if dtype is None else dtype
    if all(isinstance(x, (int, float)) for x in ends):
        _check_length(ends[0], ends[1], ends[2], own)
    if own == ca.bool or (own.itemsize < 8 and "int" in own.name):
        return ca.astype(ca.arange(*ends, dtype=ca.int64), own)  # values beyond a narrow dtype wrap around
    return ca.arange(*ends, dtype=own)


def _check_length(start: Any, stop: Any, step: Any, own: ca.DType) -> None:
    """Raise NumPy's errors for ranges without a length."""
    if step == 0:
        raise ZeroDivisionError("division by zero: the step of arange() is 0")
    length = (stop - start) / step
    if length != length:
        raise ValueError("arange: cannot compute length")
    if length > 2**62:
        raise ValueError("Maximum allowed size exceeded")
    if own == ca.bool and length > 2:
        raise TypeError("no fill-function for data-type 'bool': arange() of truth values has two elements at most")
