"""Creation of arrays from Python values, other libraries' arrays, constants and ranges.

`asarray`, `arange`, `full` and `from_dlpack` are primary. Every other function is composed of constants and ranges.

`dtype` and `device` are filled in before a composition runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal

from corearray.checks.parsing.ranges import require_dtype_of
from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError
from corearray.functional.manipulation import _places
from corearray.functional.precision import _widest
from corearray.settings.context import SCALARS
from corearray.types.dtypes import as_dtype

if TYPE_CHECKING:
    from collections.abc import Callable

    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import ArrayLike, Scalar
    from corearray.types.devices import Device
    from corearray.types.dtypes import DType

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


@declare(infer="value")
def arange(
    start: int | float,
    /,
    stop: int | float | None = None,
    step: int | float = 1,
    *,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """Return evenly spaced numbers from `start` up to `stop`, which is excluded.

    Parameters
    ----------
    start
        First number. Given alone, it is `stop`, and the first number is 0.
    stop
        Bound that is not reached.
    step
        Distance between neighbours, not 0; with a negative one the numbers fall.
    dtype
        By default the default integer dtype, or the default real dtype if one of the values is a `float`. An integer
        dtype takes the values rounded down.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(max(0, ceil((stop - start) / step)),)`.

    Raises
    ------
    ValueError
        If `step` is 0, or there is no finite number of values.
    OverflowError
        If an integer dtype does not hold all values.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.arange(3).tolist(), ca.arange(1, 2, 0.25).tolist()
    ([0, 1, 2], [1.0, 1.25, 1.5, 1.75])

    Notes
    -----
    A fractional `step` may be rounded so that `stop` is met; `linspace` fixes the length instead. Array API
    standard 2025.12, `arange`.
    """
    ...


@declare(infer="value")
def asarray(
    obj: ArrayLike, /, *, dtype: DType | None = None, device: Device | None = None, copy: bool | None = None
) -> Array:
    """Convert a Python scalar, nested sequence, buffer or array to an array.

    Parameters
    ----------
    obj
        Array of any library, Python scalar, nested sequence of scalars and arrays in which all rows have one length,
        or an object with the buffer protocol.
    dtype
        By default that of an array. Scalars give `bool`, or the default integer, real or complex dtype: the
        first of them that holds all. In a sequence with arrays, NumPy's numbers among them, these are promoted, and
        scalars keep their dtype as beside an array.
    device
        Device of the result; by default that of `obj` if it is an array, else the default device.
    copy
        `True` always copies. `False` never does. `None` copies where it must, and an array of a library that writes in
        place if this backend never does, or the other way about: a write would change an array that never changes.

    Returns
    -------
    Array of the shape of `obj`: `()` for a scalar, the lengths of the sequences from the outermost.

    Raises
    ------
    TypeError
        For what is no number: `None`, texts, mappings, objects.
    ValueError
        If `copy=False` and a copy cannot be avoided, or the sequences are ragged.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.asarray([[1, 2], [3, 4]]).tolist(), ca.asarray([1, 2.5]).dtype
    ([[1, 2], [3, 4]], corearray.float32)

    Notes
    -----
    Array API standard 2025.12, `asarray`.
    """
    ...


@declare(infer="float")
def empty(shape: int | Sequence[int], *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return an uninitialised array.

    Parameters
    ----------
    shape
        Sizes along the axes; an integer stands for one axis.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of the given shape and dtype, to be overwritten before it is read.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.empty((2, 3)).shape)
    (2, 3)

    Notes
    -----
    Array API standard 2025.12, `empty`.
    """
    return xp.zeros(shape, dtype=dtype, device=device)


@declare(infer="like")
def empty_like(x: Array, /, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return an uninitialised array with the shape of another array.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    dtype
        By default that of `x`.
    device
        Device of the result; by default that of `x`.

    Returns
    -------
    Array of the shape of `x`, to be overwritten before it is read.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.empty_like(ca.asarray([[1, 2]])).shape)
    (1, 2)

    Notes
    -----
    Array API standard 2025.12, `empty_like`.
    """
    return xp.empty(x.shape, dtype=dtype, device=device)


def _require_sizes(n_rows: int, n_cols: int | None) -> None:
    if n_rows < 0 or (n_cols is not None and n_cols < 0):
        raise ValueError(f"'eye' got n_rows={n_rows} and n_cols={n_cols}; sizes are at least 0")


@declare(infer="float", check=_require_sizes)
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """Return a matrix with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows
        Number of rows.
    n_cols
        Number of columns; by default as many as rows.
    k
        Index of the diagonal: 0 for the main diagonal, positive above it, negative below.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of shape `(n_rows, n_cols)`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.eye(2, 3, k=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]

    Notes
    -----
    Array API standard 2025.12, `eye`.
    """
    assert dtype is not None
    rows = xp.arange(n_rows, dtype=xp.int64, device=device)
    columns = xp.arange(n_rows if n_cols is None else n_cols, dtype=xp.int64, device=device)
    return xp.astype(rows[:, None] + k == columns[None, :], dtype)


@declare()
def from_dlpack(x: object, /, *, device: Device | None = None, copy: bool | None = None) -> Array:
    """Import another library's array through the DLPack protocol.

    Parameters
    ----------
    x
        Object with `__dlpack__` and `__dlpack_device__`.
    device
        Device of the result; by default that of `x`.
    copy
        `True` always copies, `False` never does, `None` copies only where it must.

    Returns
    -------
    Array with the shape, dtype and values of `x`, which may share its memory, also where one of the libraries writes in
    place and the other never does. Then do not write into either array; `asarray` and `to_backend` copy there.

    Raises
    ------
    AttributeError
        If `x` lacks the two methods.
    BufferError
        If `x` cannot be exported, or not to `device`.
    ValueError
        If `copy=False` and a copy cannot be avoided.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.from_dlpack(ca.asarray([1, 2])).tolist()
    [1, 2]

    Notes
    -----
    Array API standard 2025.12, `from_dlpack`.
    """
    ...


@declare(infer="value")
def full(
    shape: int | Sequence[int],
    fill_value: Scalar | ArrayLike,
    *,
    dtype: DType | None = None,
    device: Device | None = None,
) -> Array:
    """Return an array filled with one value.

    Parameters
    ----------
    shape
        Sizes along the axes; an integer stands for one axis.
    fill_value
        The value: a Python scalar, or an array without axes.
    dtype
        By default that of an array `fill_value`, and the default dtype for the type of a Python scalar.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of the given shape and dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.full((2, 2), 7).tolist(), ca.full(2, 0.5).tolist()
    ([[7, 7], [7, 7]], [0.5, 0.5])

    Notes
    -----
    Array API standard 2025.12, `full`; a value that is an array goes beyond it.
    """
    value = xp.asarray(fill_value, dtype=dtype, device=device)
    if value.ndim != 0:
        raise ValueError(f"'full' got a value of the shape {tuple(value.shape)}; it is one number")
    return _repeated(value, shape)


def _repeated(value: Array, shape: int | Sequence[int]) -> Array:
    """Write the element of an array without axes into a new array."""
    sizes = tuple(shape) if isinstance(shape, Sequence) else (shape,)
    return xp.reshape(xp.broadcast_to(value, sizes), sizes, copy=True)


@declare(infer="like")
def full_like(
    x: Array, /, fill_value: Scalar | ArrayLike, *, dtype: DType | None = None, device: Device | None = None
) -> Array:
    """Return an array filled with one value, with the shape of another array.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    fill_value
        The value: a Python scalar of the kind of the dtype, or an array without axes.
    dtype
        By default that of `x`.
    device
        Device of the result; by default that of `x`.

    Returns
    -------
    Array of the shape of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.full_like(ca.asarray([[1, 2]]), 7).tolist()
    [[7, 7]]

    Notes
    -----
    Array API standard 2025.12, `full_like`.
    """
    return xp.full(x.shape, fill_value, dtype=dtype, device=device)


def _require_dtype_and_axis(
    start: Any, stop: Any, num: int, dtype: Any, endpoint: bool, axis: int, name: str = "linspace"
) -> None:
    arrays = [x for x in (start, stop) if type(x) not in SCALARS]
    if arrays or axis != 0:
        _places(axis, max([0, *[len(x.shape) for x in arrays]]) + 1, name)
    if dtype is None:
        return
    if not arrays and num > 0:
        last = start + (stop - start) * ((num - 1) / max(num - endpoint, 1))
        require_dtype_of(name, start, stop if endpoint and num > 1 else last, dtype)
    elif (
        arrays
        and as_dtype(dtype).category != "complex floating"
        and (
            complex in (type(start), type(stop))
            or any(as_dtype(x.dtype).category == "complex floating" for x in arrays)
        )
    ):
        raise CoreArrayTypeError(
            f"'{name}' got complex numbers and dtype='{as_dtype(dtype)}'; give their real parts or a complex dtype"
        )


@declare(infer="value", floating=True, check=_require_dtype_and_axis)
def linspace(
    start: int | float | complex | Array,
    stop: int | float | complex | Array,
    /,
    num: int,
    *,
    dtype: DType | None = None,
    device: Device | None = None,
    endpoint: bool = True,
    axis: int = 0,
) -> Array:
    """Return a given number of evenly spaced values on an interval, or on each of several intervals.

    Parameters
    ----------
    start
        First value; or an array of them, one for each interval.
    stop
        Last value, or the one that would follow the last if `endpoint` is false; or an array of them. `start` and `stop`
        are broadcast.
    num
        Number of values, at least 0.
    dtype
        By default the floating dtype of the arrays; of numbers alone the default real dtype, or the default complex one
        if `start` or `stop` is complex. An integer dtype takes the values rounded down.
    device
        Device of the result; by default that of the arrays, else the default device.
    endpoint
        Whether `stop` is the last value.
    axis
        Axis of the result along which the values lie; the others are those of `start` and `stop`.

    Returns
    -------
    Array of shape `(num,)`; of arrays their broadcast shape with an axis of length `num` inserted.

    Raises
    ------
    ValueError
        If `num` is negative, or shapes cannot be broadcast.
    IndexError
        If the result has no such axis.
    TypeError
        If `start` or `stop` is complex and `dtype` is real.
    OverflowError
        If both are numbers and an integer dtype does not hold all values.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.linspace(0, 1, 5).tolist(), ca.linspace(0, 1, 4, endpoint=False).tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.25, 0.5, 0.75])
    >>> ca.linspace(ca.asarray([0.0, 10.0]), 20, 3, axis=1).tolist()
    [[0.0, 10.0, 20.0], [10.0, 15.0, 20.0]]

    Notes
    -----
    Array API standard 2025.12, `linspace`, and NumPy's `linspace` of arrays. Differentiable in `start` and `stop`.
    """
    if num < 0:
        raise ValueError(f"'linspace' got num={num}; the number of values is at least 0")
    assert dtype is not None
    intervals = num - 1 if endpoint else num
    index = xp.arange(num, dtype=_widest(), device=device)
    if xp.isdtype(dtype, "complex floating"):
        index = xp.astype(index, xp.result_type(index.dtype, xp.complex64))
    if type(start) not in SCALARS or type(stop) not in SCALARS:
        bounds = [xp.astype(xp.asarray(x, device=device), index.dtype) for x in (start, stop)]
        start, stop = [xp.expand_dims(x, axis=-1) for x in xp.broadcast_arrays(*bounds)]
    step = (stop - start) / intervals if intervals > 0 else 0.0
    values = index * step + start
    if endpoint and num > 1:
        values = xp.where(index == intervals, stop, values)
    if xp.isdtype(dtype, "integral"):
        values = xp.floor(values)
    return xp.astype(values if values.ndim == 1 else xp.moveaxis(values, -1, axis), dtype)


@declare()
def meshgrid(*arrays: Array, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Return coordinate arrays of a grid, one for each direction.

    Parameters
    ----------
    *arrays
        One-dimensional arrays: the coordinates along each direction.
    indexing
        `"ij"`: axes in the order of the arguments. `"xy"`: the first two axes change places, so that the
        first coordinate runs along rows.

    Returns
    -------
    As many arrays as are given, each with the dtype of its argument; for the lengths `N1, N2, N3, ...` of
    shape `(N1, N2, N3, ...)`, or `(N2, N1, N3, ...)` for `"xy"`.

    Raises
    ------
    ValueError
        If an argument has several axes or `indexing` is something else.

    Examples
    --------
    >>> import corearray as ca
    >>> x, y = ca.meshgrid(ca.asarray([1, 2, 3]), ca.asarray([4, 5]))
    >>> x.tolist(), y.tolist()
    ([[1, 2, 3], [1, 2, 3]], [[4, 4, 4], [5, 5, 5]])

    Notes
    -----
    Array API standard 2025.12, `meshgrid`.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"'meshgrid' got indexing={indexing!r}; it is 'xy' or 'ij'")
    for x in arrays:
        if x.ndim > 1:
            raise ValueError(
                f"'meshgrid' got an array of shape {tuple(x.shape)}; it takes one-dimensional arrays, "
                "make one with reshape(x, (-1,))"
            )
    places = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        places[:2] = [1, 0]
    sizes = [arrays[place].shape[0] if arrays[place].ndim else 1 for place in places]
    grids = []
    for x, place in zip(arrays, places, strict=True):
        along = xp.reshape(x, tuple(-1 if i == place else 1 for i in range(len(arrays))))
        grids.append(along)
    if None in sizes:
        everywhere = reduce(xp.logical_or, [xp.ones_like(x, dtype=xp.bool) for x in grids])
        spread = [xp.where(everywhere, x, x) for x in grids]
    else:
        spread = [xp.broadcast_to(x, tuple(sizes)) for x in grids]
    return tuple(xp.astype(x, x.dtype, copy=True) for x in spread)


@declare(infer="float")
def ones(shape: int | Sequence[int], *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return an array of ones.

    Parameters
    ----------
    shape
        Sizes along the axes; an integer stands for one axis.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of the given shape and dtype; of `bool` all true.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.ones((1, 2)).tolist()
    [[1.0, 1.0]]

    Notes
    -----
    Array API standard 2025.12, `ones`.
    """
    assert dtype is not None
    return _repeated(xp.asarray(True if xp.isdtype(dtype, "bool") else 1, dtype=dtype, device=device), shape)


@declare(infer="like")
def ones_like(x: Array, /, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return an array of ones with the shape of another array.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    dtype
        By default that of `x`.
    device
        Device of the result; by default that of `x`.

    Returns
    -------
    Array of the shape of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.ones_like(ca.asarray([[5, 6]])).tolist()
    [[1, 1]]

    Notes
    -----
    Array API standard 2025.12, `ones_like`.
    """
    return xp.ones(x.shape, dtype=dtype, device=device)


@declare(gives="same")
def tril(x: Array, /, *, k: int = 0) -> Array:
    """Return the lower triangle of matrices, with zeros above.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`, of any dtype.
    k
        Highest diagonal that is kept: 0 the main one, positive above it, negative below.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tril(ca.asarray([[1, 2], [3, 4]])).tolist()
    [[1, 0], [3, 4]]

    Notes
    -----
    Array API standard 2025.12, `tril`.
    """
    return _where_distance(x, "tril", lambda distance: distance <= k)


@declare(gives="same")
def triu(x: Array, /, *, k: int = 0) -> Array:
    """Return the upper triangle of matrices, with zeros below.

    Parameters
    ----------
    x
        Array of shape `(..., M, N)`, of any dtype.
    k
        Lowest diagonal that is kept: 0 the main one, positive above it, negative below.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.triu(ca.asarray([[1, 2], [3, 4]])).tolist()
    [[1, 2], [0, 4]]

    Notes
    -----
    Array API standard 2025.12, `triu`.
    """
    return _where_distance(x, "triu", lambda distance: distance >= k)


@declare(infer="float")
def zeros(shape: int | Sequence[int], *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return an array of zeros.

    Parameters
    ----------
    shape
        Sizes along the axes; an integer stands for one axis.
    dtype
        By default the default real dtype.
    device
        Device of the result; by default the default device.

    Returns
    -------
    Array of the given shape and dtype; of `bool` all false.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.zeros((1, 2)).tolist()
    [[0.0, 0.0]]

    Notes
    -----
    Array API standard 2025.12, `zeros`.
    """
    assert dtype is not None
    return _repeated(xp.asarray(False if xp.isdtype(dtype, "bool") else 0, dtype=dtype, device=device), shape)


@declare(infer="like")
def zeros_like(x: Array, /, *, dtype: DType | None = None, device: Device | None = None) -> Array:
    """Return an array of zeros with the shape of another array.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    dtype
        By default that of `x`.
    device
        Device of the result; by default that of `x`.

    Returns
    -------
    Array of the shape of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.zeros_like(ca.asarray([[5, 6]])).tolist()
    [[0, 0]]

    Notes
    -----
    Array API standard 2025.12, `zeros_like`.
    """
    return xp.zeros(x.shape, dtype=dtype, device=device)


def _where_distance(x: Array, name: str, kept: Callable[[Array], Array]) -> Array:
    """Keep the elements of matrices whose distance from the main diagonal is wanted."""
    if x.ndim < 2:
        raise ValueError(f"'{name}' got an array of shape {tuple(x.shape)}; it takes matrices, of shape (..., M, N)")
    rows = xp.arange(x.shape[-2], dtype=xp.int64, device=x.device)
    columns = xp.arange(x.shape[-1], dtype=xp.int64, device=x.device)
    zero = xp.zeros((), dtype=x.dtype, device=x.device)
    return xp.where(kept(columns[None, :] - rows[:, None]), x, zero)
