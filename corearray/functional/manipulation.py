"""Shape manipulation: functions that change shapes and orders and compute no values.

`reshape`, `broadcast_to`, `permute_dims` and `concat` are primary. Axes of length one are added and removed by indexing
rather than by `reshape`, so that other axes may have an unknown length in traced programs.

`tile` and `repeat` copy, so that no two elements of a result share memory.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corearray.contract.declaration import declare
from corearray.functional.searching import _integers
from corearray.types.shape import Shape

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "shape",
    "squeeze",
    "stack",
    "strides",
    "tile",
    "transpose",
    "unstack",
]


@declare()
def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """Broadcast arrays to their common shape.

    Parameters
    ----------
    *arrays
        Arrays of shapes that fit together, of any dtypes.

    Returns
    -------
    The arrays in the common shape, each with its own dtype. They may share the memory of the arguments.

    Raises
    ------
    ValueError
        If the shapes do not fit together.

    Examples
    --------
    >>> import corearray as ca
    >>> x, y = ca.broadcast_arrays(ca.asarray([1, 2]), ca.asarray([[5], [6]]))
    >>> x.tolist(), y.tolist()
    ([[1, 2], [1, 2]], [[5, 5], [6, 6]])

    Notes
    -----
    Array API standard 2025.12, `broadcast_arrays`.
    """
    shape = xp.broadcast_shapes(*(tuple(x.shape) for x in arrays))
    return tuple(xp.broadcast_to(x, tuple(shape)) for x in arrays)


@declare()
def broadcast_shapes(*shapes: Sequence[int]) -> Shape:
    """Return the shape to which arrays of given shapes broadcast.

    Parameters
    ----------
    *shapes
        Shapes; a size that is not known is `None`.

    Returns
    -------
    `Shape` with as many axes as the longest; `()` if no shape is given. An axis of unknown size stays
    unknown.

    Raises
    ------
    ValueError
        If two sizes of one axis differ and neither is 1.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.broadcast_shapes((2, 1), (3,)))
    (2, 3)

    Notes
    -----
    Array API standard 2025.12, `broadcast_shapes`.
    """
    ndim = max([0, *(len(shape) for shape in shapes)])
    found: list[Any] = []
    for place in range(-ndim, 0):
        sizes = {shape[place] for shape in shapes if len(shape) >= -place} - {1}
        if None in sizes:
            found.append(None)
        elif len(sizes) > 1:
            raise ValueError(
                f"'broadcast_shapes' got the shapes {', '.join(str(tuple(shape)) for shape in shapes)}, "
                f"whose axis {place} has the sizes {sorted(sizes)}; sizes of one axis must be equal or 1"
            )
        else:
            found.append(sizes.pop() if sizes else 1)
    return Shape(found)


@declare(gives="same")
def broadcast_to(x: Array, /, shape: int | Sequence[int]) -> Array:
    """Broadcast an array to a shape.

    Parameters
    ----------
    x
        Array of any dtype.
    shape
        Shape wanted; its last axes are those of `x`, or stand for axes of length one.

    Returns
    -------
    Array of the given shape and the dtype of `x`, which may share its memory.

    Raises
    ------
    ValueError
        If `x` does not fit into the shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.broadcast_to(ca.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2], [1, 2]]

    Notes
    -----
    Array API standard 2025.12, `broadcast_to`.
    """
    ...


@declare(promote=("arrays",), gives="same")
def concat(arrays: Sequence[Array], /, *, axis: int | None = 0, out: Array | None = None) -> Array:
    """Join arrays along an existing axis.

    Parameters
    ----------
    arrays
        At least one array; the shapes agree but along `axis`.
    axis
        Axis along which to join; `None` flattens the arrays first, in row-major order.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype, along `axis` as long as the arrays together.

    Raises
    ------
    IndexError
        If the arrays have no such axis.
    ValueError
        If there is no array or the shapes do not agree.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.concat([ca.asarray([[1, 2]]), ca.asarray([[3, 4]])], axis=1).tolist()
    [[1, 2, 3, 4]]

    Notes
    -----
    Array API standard 2025.12, `concat`.
    """
    ...


@declare(gives="same")
def expand_dims(x: Array, /, axis: int | Sequence[int]) -> Array:
    """Insert axes of length one.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Places of the new axes in the result; negative ones count from the end of the result.

    Returns
    -------
    Array of the dtype and elements of `x`, with one more axis for each place.

    Raises
    ------
    IndexError
        If a place lies outside the result.
    ValueError
        If a place is named twice.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.expand_dims(ca.ones((2, 3)), axis=(0, -1)).shape)
    (1, 2, 3, 1)

    Notes
    -----
    Array API standard 2025.12, `expand_dims`.
    """
    axes = _sequence(axis)
    ndim = x.ndim + len(axes)
    places = _places(axes, ndim, "expand_dims")
    return x[tuple(None if place in places else slice(None) for place in range(ndim))]


@declare(gives="same")
def flip(x: Array, /, *, axis: int | Sequence[int] | None = None) -> Array:
    """Reverse the order of elements along axes.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Axis or axes to reverse; by default all.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.flip(ca.asarray([[1, 2], [3, 4]]), axis=1).tolist()
    [[2, 1], [4, 3]]

    Notes
    -----
    Array API standard 2025.12, `flip`.
    """
    places = range(x.ndim) if axis is None else _places(axis, x.ndim, "flip")
    return x[tuple(slice(None, None, -1) if place in places else slice(None) for place in range(x.ndim))]


@declare(gives="same")
def moveaxis(x: Array, source: int | Sequence[int], destination: int | Sequence[int], /) -> Array:
    """Move axes to other positions; the others keep their order.

    Parameters
    ----------
    x
        Array of any dtype.
    source
        Axis or axes to move.
    destination
        Their new positions.

    Returns
    -------
    Array of the dtype and elements of `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If an axis is named twice, or not as many places as axes are given.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.moveaxis(ca.ones((2, 3, 4)), 0, -1).shape)
    (3, 4, 2)

    Notes
    -----
    Array API standard 2025.12, `moveaxis`.
    """
    sources = _places(source, x.ndim, "moveaxis")
    destinations = _places(destination, x.ndim, "moveaxis")
    if len(sources) != len(destinations):
        raise ValueError(
            f"'moveaxis' got {len(sources)} axes and {len(destinations)} places for them; give as many of each"
        )
    order = [axis for axis in range(x.ndim) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(place, axis)
    return xp.permute_dims(x, tuple(order))


@declare(gives="same")
def permute_dims(x: Array, /, axes: Sequence[int]) -> Array:
    """Permute the axes of an array.

    Parameters
    ----------
    x
        Array of any dtype.
    axes
        For each axis of the result the axis of `x`; negative ones count from the end.

    Returns
    -------
    Array of the dtype and elements of `x`, whose axis `i` is axis `axes[i]` of `x`.

    Raises
    ------
    ValueError
        If `axes` does not name each axis of `x` once.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.permute_dims(ca.asarray([[1, 2], [3, 4]]), (1, 0)).tolist()
    [[1, 3], [2, 4]]

    Notes
    -----
    Array API standard 2025.12, `permute_dims`.
    """
    ...


@declare(gives="same")
def repeat(x: Array, repeats: int | Array, /, *, axis: int | None = None) -> Array:
    """Repeat each element, or each slice along an axis.

    Parameters
    ----------
    x
        Array of any dtype.
    repeats
        Number of repetitions, at least 0: one number for all, or a one-dimensional integer array with one number for
        each place along `axis`.
    axis
        Axis along which to repeat; by default `x` is flattened first, in row-major order.

    Returns
    -------
    Array of the dtype of `x` and its shape but for `axis`; one-dimensional without `axis`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    TypeError
        If the numbers are not integers.
    ValueError
        If a number is negative, or there are not as many as places.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.repeat(ca.asarray([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    >>> ca.repeat(ca.asarray([1, 2]), ca.asarray([3, 1])).tolist()
    [1, 1, 1, 2]

    Notes
    -----
    With an array the shape of the result depends on its values: it cannot be traced. Array API standard
    2025.12, `repeat`.
    """
    if axis is None:
        x, axis = xp.reshape(x, (-1,)), 0
    (place,) = _places(axis, x.ndim, "repeat")
    shape = tuple(x.shape)
    before, length, after = shape[:place], shape[place], shape[place + 1 :]
    if not isinstance(repeats, int):
        return xp.take(x, _repeated_indices(repeats, length), axis=place)
    if repeats < 0:
        raise ValueError(f"'repeat' got repeats={repeats}; the number of repetitions is at least 0")
    apart = xp.broadcast_to(xp.expand_dims(x, axis=place + 1), (*before, length, repeats, *after))
    return xp.reshape(apart, (*before, length * repeats, *after), copy=True)


@declare(gives="same")
def reshape(x: Array, /, shape: int | Sequence[int], *, copy: bool | None = None) -> Array:
    """Give an array another shape with the same elements in row-major order.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    shape
        Shape wanted, with as many elements; one size may be -1 and follows from the others.
    copy
        `True` always copies, `False` never does, `None` copies only where it must.

    Returns
    -------
    Array of the given shape and the dtype of `x`, which may share its memory unless `copy=True`.

    Raises
    ------
    ValueError
        If the number of elements does not fit, or `copy=False` and a copy cannot be avoided.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.reshape(ca.asarray([1, 2, 3, 4]), (2, -1)).tolist()
    [[1, 2], [3, 4]]

    Notes
    -----
    Array API standard 2025.12, `reshape`.
    """
    ...


@declare(gives="same")
def roll(x: Array, /, shift: int | Sequence[int], *, axis: int | Sequence[int] | None = None) -> Array:
    """Shift elements along axes with wraparound.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    shift
        By how many places, positive towards larger indices: one number for all axes, or one for each.
    axis
        Axis or axes along which to shift; by default `x` is shifted as if it were flat.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If there are several shifts and not as many axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.roll(ca.asarray([1, 2, 3, 4]), 1).tolist()
    [4, 1, 2, 3]

    Notes
    -----
    Array API standard 2025.12, `roll`.
    """
    if axis is None:
        flat = xp.roll(xp.reshape(x, (-1,)), shift, axis=0)
        return xp.reshape(flat, tuple(x.shape))
    axes, shifts = _sequence(axis), _sequence(shift)
    if not isinstance(shift, Sequence):
        shifts = shifts * len(axes)
    if len(shifts) != len(axes):
        raise ValueError(f"'roll' got {len(shifts)} shifts for {len(axes)} axes; give one shift or one for each axis")
    rolled = xp.astype(x, x.dtype, copy=True) if not axes else x
    for steps, along in zip(shifts, axes, strict=True):
        (place,) = _places(along, x.ndim, "roll")
        length = x.shape[place]
        cut = -steps % length if length else 0
        before = (slice(None),) * place
        front, back = rolled[(*before, slice(cut, None), ...)], rolled[(*before, slice(None, cut), ...)]
        rolled = xp.concat([front, back], axis=place)
    return rolled


@declare()
def shape(x: Array, /) -> Shape:
    """Return the shape of an array, as `x.shape` does.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    `Shape`, a tuple; while the shape array mode is on, an array of the default integer dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.shape(ca.zeros((2, 3)))
    Shape((2, 3))
    """
    return x.shape


@declare(gives="same")
def squeeze(x: Array, /, axis: int | Sequence[int]) -> Array:
    """Remove axes of length one.

    Parameters
    ----------
    x
        Array of any dtype.
    axis
        Axis or axes to remove.

    Returns
    -------
    Array of the dtype and elements of `x`, without these axes.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If an axis is longer than one.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.squeeze(ca.ones((1, 3, 1)), axis=-1).shape)
    (1, 3)

    Notes
    -----
    Array API standard 2025.12, `squeeze`.
    """
    places = _places(axis, x.ndim, "squeeze")
    for place in places:
        if x.shape[place] not in (1, None):
            raise ValueError(
                f"'squeeze' cannot remove axis {place} of an array of shape {tuple(x.shape)}; "
                "only axes of length 1 can go, index or reduce the others"
            )
    return x[tuple(0 if place in places else slice(None) for place in range(x.ndim))]


@declare(promote=("arrays",), gives="same")
def stack(arrays: Sequence[Array], /, *, axis: int = 0, out: Array | None = None) -> Array:
    """Join arrays of one shape along a new axis.

    Parameters
    ----------
    arrays
        At least one array, all of one shape.
    axis
        Place of the new axis in the result; a negative one counts from the end of the result.
    out
        Array that receives the result.

    Returns
    -------
    Array of the promoted dtype with one more axis, as long as there are arrays.

    Raises
    ------
    IndexError
        If the place lies outside the result.
    ValueError
        If there is no array or the shapes differ.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.stack([ca.asarray([1, 2]), ca.asarray([3, 4])], axis=1).tolist()
    [[1, 3], [2, 4]]

    Notes
    -----
    Array API standard 2025.12, `stack`.
    """
    if not arrays:
        raise ValueError("'stack' got no array; at least one is needed")
    shapes = [tuple(x.shape) for x in arrays]
    if len(set(shapes)) > 1:
        raise ValueError(
            f"'stack' got arrays of the shapes {', '.join(map(str, shapes))}; it joins arrays of one shape, "
            "bring them to one with broadcast_arrays"
        )
    (place,) = _places(axis, len(shapes[0]) + 1, "stack")
    return xp.concat([xp.expand_dims(x, axis=place) for x in arrays], axis=place)


@declare()
def strides(x: Array, /) -> tuple[int, ...]:
    """Return the number of bytes between neighbouring elements along each axis.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    A number for each axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.strides(ca.zeros((2, 3)))
    (12, 4)

    Notes
    -----
    Of a framework that does not tell how its arrays lie in memory, the strides of the row-major order. NumPy's `x.strides`.
    """
    found, step = [], x.dtype.itemsize
    for size in reversed(x.shape):
        found.append(step)
        step *= size
    return tuple(reversed(found))


@declare(gives="same")
def tile(x: Array, repetitions: int | Sequence[int], /) -> Array:
    """Repeat an array along its axes.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    repetitions
        Number of copies along each of the last axes, at least 0; if there are more numbers than axes, `x` gets
        axes of length one in front. One number is for the last axis.

    Returns
    -------
    Array of the dtype of `x`, along each axis as many times as long.

    Raises
    ------
    ValueError
        If a number is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tile(ca.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]

    Notes
    -----
    Array API standard 2025.12, `tile`.
    """
    counts = _sequence(repetitions)
    if any(count < 0 for count in counts):
        raise ValueError(f"'tile' got repetitions={tuple(counts)}; the number of copies is at least 0")
    ndim = max(x.ndim, len(counts))
    counts = [1] * (ndim - len(counts)) + counts
    sizes = [1] * (ndim - x.ndim) + list(x.shape)
    apart = xp.reshape(x, tuple(part for size in sizes for part in (1, size)))
    copies = xp.broadcast_to(
        apart, tuple(part for count, size in zip(counts, sizes, strict=True) for part in (count, size))
    )
    return xp.reshape(copies, tuple(map(operator.mul, counts, sizes)), copy=True)


@declare()
def transpose(x: Array, /, axes: Sequence[int] | None = None) -> Array:
    """Permute the axes of an array; by default reverse their order.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axes
        As in `permute_dims`; by default the last axis becomes the first and so on.

    Returns
    -------
    Array of the dtype and elements of `x`, whose axis `i` is axis `axes[i]` of `x`. It may share the memory of `x`.

    Raises
    ------
    ValueError
        If `axes` does not name each axis of `x` once.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.transpose(ca.zeros((2, 3, 4))).shape
    Shape((4, 3, 2))

    Notes
    -----
    NumPy's name for `permute_dims`, which other libraries look for. Stacks of matrices are transposed by
    `matrix_transpose`.
    """
    return xp.permute_dims(x, tuple(range(x.ndim))[::-1] if axes is None else axes)


@declare()
def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into its slices along an axis.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype.
    axis
        Axis to take apart.

    Returns
    -------
    As many arrays as `x` is long along `axis`, each of the dtype of `x` and its shape without that axis.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> [row.tolist() for row in ca.unstack(ca.asarray([[1, 2], [3, 4]]))]
    [[1, 2], [3, 4]]

    Notes
    -----
    Array API standard 2025.12, `unstack`.
    """
    (place,) = _places(axis, x.ndim, "unstack")
    return tuple(x[(*(slice(None),) * place, i, ...)] for i in range(x.shape[place]))


def _sequence(value: int | Sequence[int]) -> list[int]:
    """Make a list of one integer or of several."""
    return [operator.index(v) for v in (value if isinstance(value, Sequence) else (value,))]


def _places(axis: int | Sequence[int], ndim: int, name: str) -> tuple[int, ...]:
    """Count axes from the front, and refuse those that the array does not have or that are named twice."""
    axes = _sequence(axis)
    for place in axes:
        if not -ndim <= place < ndim:
            valid = f"valid are {-ndim} to {ndim - 1}" if ndim else "an array without axes has none to choose"
            raise IndexError(f"'{name}' got axis {place} where there are {ndim} axes; {valid}")
    places = tuple(place % ndim for place in axes)
    if len(set(places)) < len(places):
        raise ValueError(f"'{name}' got the axes {tuple(axes)}, which name one axis twice; name each once")
    return places


def _repeated_indices(repeats: Array, length: int) -> Array:
    """Write each index from 0 to `length` as many times as it is to be repeated."""
    if repeats.ndim > 1 or repeats.size not in (1, length):
        raise ValueError(
            f"'repeat' got repeats of shape {tuple(repeats.shape)} for {length} places; "
            f"give an integer or a one-dimensional array with 1 or {length} numbers"
        )
    counts = xp.broadcast_to(xp.reshape(_integers(repeats, "repeat", "repeats"), (-1,)), (length,))
    if xp.any(counts < 0):
        raise ValueError("'repeat' got a negative number in repeats; the numbers of repetitions are at least 0")
    ends = xp.cumulative_sum(counts)
    total = int(ends[-1]) if length else 0
    return xp.searchsorted(ends, xp.arange(total, dtype=xp.int64, device=repeats.device), side="right")
