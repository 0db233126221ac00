"""New arrays: from numbers and lists, of constants, of ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.key_arrays import KeyArray
from corearray.frontend.jax.promotion import canonical, cast, check_fits, default, promoted, requested
from corearray.frontend.jax.wrapper import Array, converted, is_arraylike, numpy_function

__all__ = [
    "FUNCTIONS", "array", "asarray", "eye", "from_dlpack", "frombuffer", "fromfunction", "full", "full_like",
    "geomspace", "identity", "indices", "linspace", "logspace", "ones", "ones_like", "shape_of", "tri", "vander",
    "zeros", "zeros_like",
]  # fmt: skip


def shape_of(shape: Any) -> tuple[int, ...]:
    """Return a shape as a tuple of integers.

    Raises
    ------
    TypeError
        If it is none.
    """
    if hasattr(shape, "__index__") and not isinstance(shape, (tuple, list)):
        shape = (shape,)
    try:
        sizes = tuple(n.__index__() for n in shape)
        if any(n < 0 for n in sizes):
            raise TypeError
        return sizes
    except (TypeError, AttributeError):
        raise CoreArrayTypeError(
            f"Shapes must be 1D sequences of concrete values of integer type, none below 0; got {shape!r}."
        ) from None


def array(
    object: Any, dtype: Any = None, copy: bool = True, order: str | None = "K", ndmin: int = 0, *, device: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """Return an array of a number, an array or nested lists."""
    made = _array(object, dtype, "array")
    if made.ndim < ndmin:
        made = Array(ca.reshape(made.array, ((1,) * (ndmin - made.ndim) + made.shape)), made.weak_type)
    return made


def asarray(
    a: Any, dtype: Any = None, order: str | None = None, *, copy: bool | None = None, device: Any = None,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """Return an array of a number, an array or nested lists."""
    return _array(a, dtype, "asarray")


def _array(x: Any, dtype: Any, name: str) -> Any:
    if isinstance(x, KeyArray):
        return x
    own = requested(dtype, name)
    if isinstance(x, (list, tuple, range)):
        return Array(_nested(x, own), False)
    if x is None:
        raise CoreArrayValueError("None is not a valid value for jnp.array")
    if isinstance(x, (str, bytes)) or not is_arraylike(x):
        if hasattr(x, "__dlpack__") or hasattr(x, "__array_interface__"):
            return Array(cast(converted(x)[0], own), False)
        raise CoreArrayTypeError(
            f"Value {x!r} with dtype {type(x).__name__} is not a valid JAX "
            "array type. Only arrays of numeric types are supported by JAX."
        )
    if isinstance(x, int) and own is not None:
        check_fits(x, own)
        return Array(ca.asarray(x, dtype=own) if own != ca.bool else ca.asarray(bool(x)), False)
    made, weak = converted(x)
    return Array(cast(made, own), weak and dtype is None)


def _nested(x: Any, own: ca.DType | None) -> ca.Array:
    leaves: list[Any] = []
    shape = _shape(x, leaves)
    if not leaves:
        return ca.zeros(shape, dtype=own or default(float))
    if all(type(leaf) in (bool, int, float, complex) for leaf in leaves):
        kind = sorted({type(leaf) for leaf in leaves}, key=(bool, int, float, complex).index)[-1]
        found = own or default(kind)
        if kind is int:
            for leaf in (min(leaves), max(leaves)):
                check_fits(leaf, found)
        flat = ca.asarray(
            [kind(leaf) for leaf in leaves], dtype=found if kind is not complex or "complex" in found.name else None
        )
        return ca.reshape(cast(flat, found), shape)
    pairs = [converted(leaf) for leaf in leaves]
    found = own or promoted([(one.dtype, weak) for one, weak in pairs])[0]
    shapes = {tuple(one.shape) for one, _ in pairs}
    if len(shapes) > 1:
        raise CoreArrayValueError(
            f"All input arrays must have the same shape, got arrays of the shapes {sorted(shapes)}"
        )
    made: ca.Array = ca.reshape(ca.stack([cast(one, found) for one, _ in pairs]), (*shape, *shapes.pop()))
    return made


def _shape(x: Any, leaves: list[Any]) -> tuple[int, ...]:
    shapes = set()
    for item in x:
        if isinstance(item, (list, tuple, range)):
            shapes.add(_shape(item, leaves))
        else:
            leaves.append(item)
            shapes.add(())
    if len(shapes) > 1:
        raise CoreArrayValueError(
            "setting an array element with a sequence. The requested array has an inhomogeneous shape: the parts of an axis "
            "differ in their lengths"
        )
    return (len(x), *(shapes.pop() if shapes else ()))


def zeros(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """Return zeros."""
    return Array(ca.zeros(shape_of(shape), dtype=requested(dtype, "zeros") or default(float)))


def ones(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """Return ones."""
    return Array(ca.ones(shape_of(shape), dtype=requested(dtype, "ones") or default(float)))


def full(shape: Any, fill_value: Any, dtype: Any = None, *, device: Any = None) -> Any:
    """Return an array filled with a value."""
    made = _array(fill_value, dtype, "full")
    return Array(ca.broadcast_to(made.array, shape_of(shape)), made.weak_type)


def _like(x: Any, dtype: Any, shape: Any, name: str) -> tuple[tuple[int, ...], Any, bool]:
    if isinstance(x, (list, tuple)):
        raise CoreArrayTypeError(f"{name} requires ndarray or scalar arguments, got {type(x)} at position 0.")
    given, own = shape, requested(dtype, name)
    if hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, (Array, ca.Array)):
        weak, kept = getattr(x, "weak_type", False), requested(x.dtype)
        sizes = tuple(x.shape)
    else:
        made, weak = converted(x)
        kept, sizes = made.dtype, tuple(made.shape)
    return (sizes if given is None else shape_of(given)), own or kept, weak and dtype is None


def zeros_like(a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """Return zeros in the shape and dtype of an array."""
    sizes, own, weak = _like(a, dtype, shape, "zeros_like")
    return Array(ca.zeros(sizes, dtype=own), weak)


def ones_like(a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """Return ones in the shape and dtype of an array."""
    sizes, own, weak = _like(a, dtype, shape, "ones_like")
    return Array(ca.ones(sizes, dtype=own), weak)


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Any:
    """Return an array filled with a value, in the shape and dtype of another one."""
    sizes, own, weak = _like(a, dtype, shape, "full_like")
    return Array(ca.broadcast_to(_array(fill_value, None, "full_like").array.astype(own), sizes), weak)


def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None, *, device: Any = None) -> Any:
    """Return a matrix with ones on a diagonal."""
    return Array(
        ca.eye(int(N), None if M is None else int(M), k=int(k), dtype=requested(dtype, "eye") or default(float))
    )


def identity(n: Any, dtype: Any = None) -> Any:
    """Return a square matrix with ones on the diagonal."""
    return eye(n, dtype=dtype)


def tri(N: Any, M: Any = None, k: int = 0, dtype: Any = None) -> Any:
    """Return a matrix with ones on and below a diagonal."""
    shape = (int(N), int(N) if M is None else int(M))
    return Array(ca.astype(ca.tril(ca.ones(shape, dtype=ca.float32), k=k), requested(dtype, "tri") or default(float)))


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0,
    *, device: Any = None,
) -> Any:  # fmt: skip
    """Return numbers at equal distances."""
    own = requested(dtype, "linspace")
    (first, _), (last, _) = converted(start), converted(stop)
    kind, _ = promoted([(first.dtype, False), (last.dtype, False), (default(float), True)])
    found = own or kind
    wide = found if found.category in ("real floating", "complex floating") else default(float)
    from corearray.frontend.frontend import get_frontend

    rule = get_frontend("numpy").function("numpy.linspace")
    made = rule(cast(first, wide), cast(last, wide), int(num), endpoint, retstep, None, axis)
    step: Any = None
    if retstep:
        made, step = made
    if found != wide:
        made = cast(ca.floor(made), found)
    result = Array(cast(made, found))
    return (result, Array(cast(step, wide))) if retstep else result


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    """Return powers with exponents at equal distances."""
    places = linspace(start, stop, num, endpoint, axis=axis)
    made = numpy_function("power")(array(base), places)
    return Array(cast(made.array, requested(dtype, "logspace")))


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    """Return numbers with equal quotients."""
    from corearray.frontend.frontend import get_frontend

    own = requested(dtype, "geomspace")
    (first, _), (last, _) = converted(start), converted(stop)
    kind, _ = promoted([(first.dtype, False), (last.dtype, False), (default(float), True)])
    made = get_frontend("numpy").function("numpy.geomspace")(
        cast(first, kind), cast(last, kind), int(num), endpoint, None, axis
    )
    return Array(cast(made, own or kind))


def vander(x: Any, N: Any = None, increasing: bool = False) -> Any:
    """Return the matrix of powers of a vector."""
    made = converted(x)[0]
    return Array(cast(ca.vander(made, N=N, increasing=increasing), made.dtype))


def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0) -> Any:
    """Return the numbers of bytes."""
    from corearray.frontend.jax.promotion import as_dtype

    own = as_dtype(dtype)
    view = memoryview(buffer).cast("B")[offset:]
    length = len(view) // own.itemsize if count < 0 else count
    made = ca.frombuffer(bytes(view[: length * own.itemsize]), dtype=own)
    return Array(cast(made, canonical(own)))


def fromfunction(function: Callable[..., Any], shape: Any, *, dtype: Any = float, **options: Any) -> Any:
    """Call a function with the indices of a shape."""
    places = indices(shape_of(shape), dtype=dtype)
    return function(*[places[i] for i in range(places.shape[0])], **options)


def indices(dimensions: Any, dtype: Any = None, sparse: bool = False) -> Any:
    """Return the indices of a shape, for each axis."""
    shape = shape_of(dimensions)
    own = requested(dtype, "indices") or default(int)
    rows = []
    for axis, n in enumerate(shape):
        line = ca.reshape(ca.arange(n, dtype=own), tuple(n if i == axis else 1 for i in range(len(shape))))
        rows.append(Array(line if sparse else ca.broadcast_to(line, shape)))
    if sparse:
        return tuple(rows)
    return Array(ca.stack([row.array for row in rows]) if rows else ca.zeros((0, *shape), dtype=own))


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """Return an array over the memory of another library's."""
    return Array(converted(x)[0])


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"numpy.{function.__name__}": function
    for function in (
        array, asarray, zeros, ones, full, zeros_like, ones_like, full_like, eye, identity, tri, linspace, logspace, geomspace,
        vander, frombuffer, fromfunction, indices, from_dlpack,
    )
}  # fmt: skip
FUNCTIONS |= {"numpy.empty": zeros, "numpy.empty_like": zeros_like}
