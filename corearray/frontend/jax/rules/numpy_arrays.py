"""Functions of `jax.numpy` whose results JAX defines otherwise than NumPy: indices outside, sizes, bounds."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.described import rule, say
from corearray.frontend.jax.keys import fill_of, mode_of
from corearray.frontend.jax.promotion import canonical, cast
from corearray.frontend.operands import is_complex, is_floating

__all__: list[str] = []

say("""
jax.numpy.reshape(a, shape, order="C", *, copy=None, out_sharding=None) = _reshaped(a, shape, order)
jax.numpy.ravel(a, order="C", *, out_sharding=None) = _reshaped(a, (-1,), order)
jax.numpy.where(condition, x=None, y=None, /, *, size=None, fill_value=None) = (
    _nonzero(condition, size, fill_value) if x is None and y is None else _where(condition, x, y))
jax.numpy.nonzero(a, *, size=None, fill_value=None) = _nonzero(a, size, fill_value)
jax.numpy.flatnonzero(a, *, size=None, fill_value=None) = _nonzero(ca.reshape(a, (-1,)), size, fill_value)[0]
jax.numpy.argwhere(a, *, size=None, fill_value=None) = _argwhere(a, size, fill_value)
jax.numpy.clip(arr, /, min=None, max=None) = _clipped(arr, min, max)
jax.numpy.astype(x, dtype, /, *, copy=False, device=None) = cast(x, dtype)
jax.numpy.copy(a, order=None) = ca.asarray(a, copy=True)
jax.numpy.arange(start, stop=None, step=None, dtype=None, *, device=None, out_sharding=None) = _arange(start, stop, step, dtype)
jax.numpy.reciprocal(x, /) = 1.0 / x
jax.numpy.rint(x, /) = ca.round(x)
jax.numpy.signbit(x, /) = ca.signbit(x)
jax.numpy.isreal(x) = ca.imag(x) == 0 if is_complex(x.dtype) else ca.ones_like(x, dtype=ca.bool)
jax.numpy.iscomplex(x) = ca.imag(x) != 0 if is_complex(x.dtype) else ca.zeros_like(x, dtype=ca.bool)
jax.numpy.select(condlist, choicelist, default=0) = _selected(condlist, choicelist, default)
jax.numpy.permute_dims(a, /, axes) = ca.permute_dims(a, tuple(axes))
jax.numpy.frexp(x, /) = _frexp(x)
jax.numpy.modf(x, /, out=None) = tuple(ca.modf(x))
jax.numpy.concatenate|jax.numpy.concat(arrays, axis=0, dtype=None) = _concatenated(arrays, axis, dtype)
jax.numpy.atleast_1d(*arrays) = _each(ca.atleast_1d, arrays)
jax.numpy.atleast_2d(*arrays) = _each(ca.atleast_2d, arrays)
jax.numpy.atleast_3d(*arrays) = _each(ca.atleast_3d, arrays)
jax.numpy.broadcast_arrays(*args) = list(ca.broadcast_arrays(*args))
jax.numpy.meshgrid(*xi, copy=True, sparse=False, indexing="xy") = _meshgrid(xi, sparse, indexing)
jax.numpy.repeat(a, repeats, axis=None, *, total_repeat_length=None, out_sharding=None) = _repeated(
    a, repeats, axis, total_repeat_length)
jax.numpy.gcd(x1, x2) = _whole("gcd", ca.gcd, x1, x2)
jax.numpy.lcm(x1, x2) = _whole("lcm", ca.lcm, x1, x2)
jax.numpy.sign(x, /) = _sign(x)
jax.numpy.square(x, /) = ca.multiply(x, x)
jax.numpy.abs|jax.numpy.absolute(x, /) = x if x.dtype == ca.bool or x.dtype.category == "unsigned integer" else ca.abs(x)
""")


def _each(function: Any, arrays: Any) -> Any:
    return function(arrays[0]) if len(arrays) == 1 else [function(x) for x in arrays]


def _concatenated(arrays: Any, axis: Any, dtype: Any) -> Any:
    if isinstance(arrays, ca.Array):
        arrays = list(ca.unstack(arrays, axis=0))
    if not arrays:
        raise CoreArrayIndexError("Need at least one array to concatenate.")
    if axis is None:
        arrays, axis = [ca.reshape(x, (-1,)) for x in arrays], 0
    return cast(ca.concat(list(arrays), axis=axis), dtype)


def _meshgrid(xi: Any, sparse: bool, indexing: str) -> Any:
    from corearray.frontend.frontend import get_frontend

    return list(get_frontend("numpy").function("numpy.meshgrid")(*xi, sparse=sparse, indexing=indexing))


def _whole(name: str, function: Any, x: ca.Array, y: ca.Array) -> Any:
    if "int" not in x.dtype.name:
        raise CoreArrayValueError(f"Arguments to jax.numpy.{name} must be integers, got {x.dtype}")
    return function(x, y)


def _repeated(x: ca.Array, repeats: Any, axis: Any, length: int | None) -> Any:
    """Repeat elements; with a length the result is cut, or filled with the last element."""
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    axis = axis % x.ndim
    if not isinstance(repeats, ca.Array) and not isinstance(repeats, int):
        repeats = ca.asarray(repeats)
    if length is None:
        return ca.repeat(x, repeats, axis=axis)
    counts = ca.broadcast_to(ca.asarray(repeats), (x.shape[axis],))
    ends = ca.cumulative_sum(ca.astype(counts, ca.int64), axis=0, dtype=ca.int64)
    places = ca.searchsorted(ends, ca.arange(length, dtype=ca.int64), side="right")
    return ca.take(x, ca.clip(places, 0, x.shape[axis] - 1), axis=axis)


def _sign(x: ca.Array) -> Any:
    if is_complex(x.dtype):
        size = ca.abs(x)
        return ca.where(size == 0, 0.0, x / ca.where(size == 0, 1.0, size))
    if is_floating(x.dtype):
        return ca.where(x == 0, ca.stop_gradient(x), ca.sign(x))
    return ca.sign(x)


def _frexp(x: ca.Array) -> Any:
    fraction, exponent = ca.frexp(x)
    return fraction, cast(exponent, ca.int32)


def _reshaped(x: ca.Array, shape: Any, order: str) -> Any:
    sizes = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    sizes = tuple(n.__index__() for n in sizes)
    if order == "C":
        return ca.reshape(x, sizes)
    if order != "F":
        raise CoreArrayValueError(f"Unexpected value for 'order' argument: {order}.")
    back = tuple(reversed(range(x.ndim)))
    made = ca.reshape(ca.permute_dims(x, back), tuple(reversed(sizes)))
    return ca.permute_dims(made, tuple(reversed(range(made.ndim))))


def _where(condition: Any, x: Any, y: Any) -> Any:
    if x is None or y is None:
        raise CoreArrayTypeError(
            "where requires ndarray or scalar arguments, got <class 'NoneType'>: give both x and y, or neither."
        )
    return ca.where(cast(condition, ca.bool), x, y)


def _nonzero(x: ca.Array, size: int | None, fill: Any) -> Any:
    if not x.ndim:
        x = ca.reshape(x, (1,))
    if size is None:
        return tuple(ca.nonzero(x))
    mask = ca.reshape(x != 0, (-1,))
    count = mask.shape[0]
    found = ca.cumulative_sum(ca.astype(mask, ca.int64), axis=0, dtype=ca.int64)
    places = ca.where(ca.logical_and(mask, found <= size), found - 1, size)
    flat = ca.scatter_nd(
        places[:, None],
        ca.arange(count, dtype=ca.int64),
        base=ca.zeros((size + 1,), dtype=ca.int64),
        reduction="replace",
    )[:size]
    total = found[-1] if count else ca.asarray(0)
    known = ca.arange(size, dtype=ca.int64) < total
    fills = fill if isinstance(fill, (tuple, list)) else (fill,) * x.ndim
    rows: list[Any] = []
    for n in reversed(x.shape):
        rows.append(ca.remainder(flat, max(n, 1)))
        flat = ca.floor_divide(flat, max(n, 1))
    return tuple(
        ca.where(known, row, 0 if one is None else one) for row, one in zip(reversed(rows), fills, strict=True)
    )


def _argwhere(x: ca.Array, size: int | None, fill: Any) -> Any:
    if not x.ndim:
        return ca.zeros((int(bool(x != 0)) if size is None else size, 0), dtype=ca.int64)
    return ca.stack(list(_nonzero(x, size, fill)), axis=-1)


def _clipped(x: ca.Array, low: Any, high: Any) -> Any:
    if is_complex(x.dtype):
        raise CoreArrayValueError(
            "Clip received a complex value either through the input or the min/max keywords. Complex values have no ordering "
            "and cannot be clipped."
        )
    if x.dtype == ca.bool:
        made = _clipped(
            ca.astype(x, ca.int32), *(None if one is None else ca.astype(one, ca.int32) for one in (low, high))
        )
        return made > 0
    x = x if low is None else ca.maximum(low, x)
    return x if high is None else ca.minimum(high, x)


def _arange(start: Any, stop: Any, step: Any, dtype: Any) -> Any:
    given = [one for one in (start, stop, step) if one is not None]
    values = [one.item() if isinstance(one, ca.Array) else one for one in given]
    if any(isinstance(one, ca.Array) and one.ndim for one in given):
        raise CoreArrayTypeError("arange: scalar arguments required; got an array with axes")
    own = dtype
    if own is None:
        strong = [one.dtype for one in given if isinstance(one, ca.Array)]
        kinds = [ca.int64 if isinstance(one, int) else ca.float64 for one in values]
        from corearray.frontend.jax.promotion import promoted

        own = promoted([(one, False) for one in strong] + [(canonical(one), True) for one in kinds])[0]
    if stop is None:
        start, stop = 0, values[0]
        step = values[1] if step is not None else 1
    else:
        start, stop = values[0], values[1]
        step = values[2] if step is not None else 1
    if step == 0:
        raise ZeroDivisionError("arange: step must not be zero")
    return cast(
        ca.arange(
            start,
            stop,
            step,
            dtype=own
            if all(isinstance(one, int) for one in (start, stop, step)) or own.category == "real floating"
            else ca.float64,
        ),
        own,
    )


def _selected(conditions: Any, choices: Any, default: Any) -> Any:
    if len(conditions) != len(choices):
        raise CoreArrayValueError(
            f"condlist must have length equal to choicelist ({len(conditions)} vs {len(choices)})"
        )
    if not conditions:
        raise CoreArrayValueError("condlist must be non-empty")
    from corearray.frontend.jax.promotion import promoted

    own, _ = promoted(
        [(x.dtype, False) for x in choices]
        + (
            [(canonical(default.dtype), True)]
            if isinstance(default, ca.Array)
            else [
                (
                    canonical(
                        ca.bool if isinstance(default, bool) else ca.int64 if isinstance(default, int) else ca.float64
                    ),
                    True,
                )
            ]
        )
    )
    made: Any = cast(default, own) if isinstance(default, ca.Array) else ca.asarray(default, dtype=own)
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        condition = condition if isinstance(condition, ca.Array) else ca.asarray(condition)
        made = ca.where(cast(condition, ca.bool), cast(choice, own), made)
    return made


@rule("jax.numpy.take")
def take(
    a: Any, indices: Any, axis: Any = None, out: None = None, mode: Any = None, unique_indices: bool = False,
    indices_are_sorted: bool = False, fill_value: Any = None,
) -> Any:  # fmt: skip
    """Take elements along an axis; those outside are filled, by default with NaN."""
    if "int" not in indices.dtype.name:
        raise CoreArrayValueError(f"take: indices must have an integer type, got {indices.dtype}")
    if axis is None:
        a, axis = ca.reshape(a, (-1,)), 0
    axis = axis % a.ndim
    found, inside = _inside(ca.reshape(indices, (-1,)), a.shape[axis], mode)
    if not a.shape[axis]:
        if indices.size:
            raise CoreArrayValueError("cannot take from an axis without elements")
        made = a
    else:
        made = ca.take(a, found, axis=axis)
    made = ca.reshape(made, (*a.shape[:axis], *indices.shape, *a.shape[axis + 1 :]))
    if inside is None:
        return made
    inside = ca.reshape(inside, (*indices.shape, *(1,) * (a.ndim - axis - 1)))
    return ca.where(inside, made, _fill(a.dtype, fill_value))


def _fill(dtype: ca.DType, value: Any) -> Any:
    return ca.asarray(fill_of(dtype) if value is None else value, dtype=dtype)


def _inside(places: ca.Array, n: int, mode: Any) -> tuple[Any, Any]:
    """Return indices that lie inside, and which did, for the mode that fills."""
    how = mode_of(mode)
    places = ca.astype(places, ca.int64)
    places = ca.remainder(places, n) if how == "wrap" and n else ca.where(places < 0, places + n, places)
    inside = ca.logical_and(places >= 0, places < n) if how in (None, "fill") else None
    return ca.clip(places, 0, max(n - 1, 0)), inside


@rule("jax.numpy.take_along_axis")
def take_along_axis(arr: Any, indices: Any, axis: Any = -1, mode: Any = None, fill_value: Any = None) -> Any:
    """Take elements along an axis by indices of the same number of axes."""
    if "int" not in indices.dtype.name:
        raise CoreArrayTypeError(f"take_along_axis indices must be of integer type, got {indices.dtype}")
    if axis is None:
        if indices.ndim != 1:
            raise CoreArrayValueError(
                f"take_along_axis indices must be 1D if axis=None, got shape {tuple(indices.shape)}"
            )
        arr, axis = ca.reshape(arr, (-1,)), 0
    if arr.ndim != indices.ndim:
        raise CoreArrayValueError(
            f"indices and arr must have the same number of dimensions; {indices.ndim} vs. {arr.ndim}"
        )
    axis = axis % arr.ndim
    shape = ca.broadcast_shapes(
        tuple(1 if i == axis else n for i, n in enumerate(arr.shape)),
        tuple(1 if i == axis else n for i, n in enumerate(indices.shape)),
    )
    x = ca.broadcast_to(arr, tuple(arr.shape[i] if i == axis else n for i, n in enumerate(shape)))
    places = ca.broadcast_to(indices, tuple(indices.shape[i] if i == axis else n for i, n in enumerate(shape)))
    found, inside = _inside(places, arr.shape[axis], mode)
    made = ca.take_along_axis(x, found, axis=axis)
    return made if inside is None else ca.where(inside, made, _fill(arr.dtype, fill_value))
