"""Joining and splitting of arrays, with NumPy's names.

Parts are slices and therefore views. Joins are calls of `concat`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "column_stack",
    "concat_from_sequence",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "split",
    "vsplit",
    "vstack",
]


@declare()
def array_split(x: Array, indices_or_sections: int | Sequence[int], /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split an array along an axis into parts that need not have equal lengths.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.
    indices_or_sections
        Number of parts, at least 1; the first ones are longer by one where the length does not divide. Or the
        indices where the second part begins, the third, and so on, read as the bounds of slices.
    axis
        Axis to split.

    Returns
    -------
    The parts, each of the dtype of `x`; writes into them are seen in `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the number of parts is less than 1.

    Examples
    --------
    >>> import corearray as ca
    >>> [part.tolist() for part in ca.array_split(ca.arange(5), 2)]
    [[0, 1, 2], [3, 4]]
    >>> [part.tolist() for part in ca.array_split(ca.arange(5), (1, 3))]
    [[0], [1, 2], [3, 4]]

    Notes
    -----
    NumPy's `array_split`.
    """
    (place,) = _places(axis, x.ndim, "array_split")
    length = x.shape[place]
    if isinstance(indices_or_sections, int):
        parts = indices_or_sections
        if parts < 1:
            raise ValueError(f"'array_split' got {parts} as the number of parts; it makes at least 1")
        if parts > sys.maxsize:
            raise ValueError(f"'array_split' got {parts} as the number of parts; a tuple holds at most {sys.maxsize}")
        if length is None:
            raise ValueError(
                f"'array_split' got an axis whose length is not known before the program runs, and {parts} as the number of "
                "parts; say where to split, or compile without dynamic=True"
            )
        size, longer = divmod(length, parts)
        places = [part * size + min(part, longer) for part in range(1, parts)]
    else:
        places = list(indices_or_sections)
    found = []
    for bounds in pairwise((0, *places, length)):
        start, stop = bounds if length is None else slice(*bounds).indices(length)[:2]
        stop = stop if length is None else max(start, stop)
        found.append(x[(*(slice(None),) * place, slice(start, stop), ...)])
    return tuple(found)


@declare()
def atleast_1d(*arrays: Array) -> Array | tuple[Array, ...]:
    """Give arrays at least one axis.

    Parameters
    ----------
    *arrays
        Arrays of any shapes and dtypes.

    Returns
    -------
    The array, or a tuple if there is not one: `x[None]` of an array without axes, and the others as they are.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.atleast_1d(ca.asarray(2.0)).tolist()
    [2.0]

    Notes
    -----
    NumPy's `atleast_1d`.
    """
    found = tuple(_with_axes(x, 1) for x in arrays)
    return found[0] if len(found) == 1 else found


@declare()
def atleast_2d(*arrays: Array) -> Array | tuple[Array, ...]:
    """Give arrays at least two axes; new axes come first.

    Parameters
    ----------
    *arrays
        Arrays of any shapes and dtypes.

    Returns
    -------
    The array, or a tuple if there is not one: one-dimensional ones have become rows, the others are as they were.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.atleast_2d(ca.asarray([1, 2])).tolist()
    [[1, 2]]

    Notes
    -----
    NumPy's `atleast_2d`.
    """
    found = tuple(_with_axes(x, 2) for x in arrays)
    return found[0] if len(found) == 1 else found


@declare()
def atleast_3d(*arrays: Array) -> Array | tuple[Array, ...]:
    """Give arrays at least three axes; the third axis comes last.

    Parameters
    ----------
    *arrays
        Arrays of any shapes and dtypes.

    Returns
    -------
    The array, or a tuple if there is not one: the shape `(N,)` has become `(1, N, 1)`, `(M, N)` `(M, N, 1)`.

    Examples
    --------
    >>> import corearray as ca
    >>> tuple(ca.atleast_3d(ca.zeros((2, 4))).shape)
    (2, 4, 1)

    Notes
    -----
    NumPy's `atleast_3d`.
    """
    found = tuple(_with_axes(x, 3) for x in arrays)
    return found[0] if len(found) == 1 else found


@declare(promote=("arrays",), gives="same")
def column_stack(arrays: Sequence[Array], /) -> Array:
    """Join arrays along their second axis; one-dimensional arrays become columns.

    Parameters
    ----------
    arrays
        At least one array, each with one or two axes, as long along the first.

    Returns
    -------
    Array of the promoted dtype with two axes.

    Raises
    ------
    ValueError
        If there is no array or the shapes do not agree.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.column_stack([ca.asarray([1, 2]), ca.asarray([3, 4])]).tolist()
    [[1, 3], [2, 4]]

    Notes
    -----
    NumPy's `column_stack`.
    """
    _require_some(arrays, "column_stack")
    columns = [x if x.ndim > 1 else xp.expand_dims(_with_axes(x, 1), axis=1) for x in arrays]
    return xp.concat(columns, axis=1)


@declare(promote=("arrays",), gives="same")
def concat_from_sequence(arrays: Sequence[Array], /, *, new_axis: bool = False, axis: int = 0) -> Array:
    """Join arrays along an existing or a new axis.

    Parameters
    ----------
    arrays
        At least one array.
    new_axis
        Whether to make a new axis, as `stack` does, or to join along an old one, as `concat` does.
    axis
        The axis, or the place of the new one.

    Returns
    -------
    Array of the promoted dtype.

    Raises
    ------
    IndexError
        If there is no such axis.
    ValueError
        If there is no array or the shapes do not agree.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.concat_from_sequence([ca.asarray([1, 2]), ca.asarray([3, 4])], new_axis=True).tolist()
    [[1, 2], [3, 4]]

    Notes
    -----
    The operator `ConcatFromSequence` of ONNX.
    """
    return xp.stack(arrays, axis=axis) if new_axis else xp.concat(arrays, axis=axis)


@declare()
def dsplit(x: Array, indices_or_sections: int | Sequence[int], /) -> tuple[Array, ...]:
    """Split an array along its third axis.

    Parameters
    ----------
    x
        Array of any dtype with at least three axes.
    indices_or_sections
        Number of parts, or their start indices.

    Returns
    -------
    The parts; writes into them are seen in `x`.

    Raises
    ------
    ValueError
        If `x` has fewer than three axes, or the parts would not be equally long.

    Examples
    --------
    >>> import corearray as ca
    >>> [tuple(part.shape) for part in ca.dsplit(ca.zeros((2, 1, 4)), (1,))]
    [(2, 1, 1), (2, 1, 3)]

    Notes
    -----
    NumPy's `dsplit`.
    """
    if x.ndim < 3:
        raise ValueError(f"'dsplit' splits the third axis; an array of shape {tuple(x.shape)} has none")
    return xp.split(x, indices_or_sections, axis=2)


@declare(promote=("arrays",), gives="same")
def dstack(arrays: Sequence[Array], /) -> Array:
    """Join arrays along their third axis, which is added if missing.

    Parameters
    ----------
    arrays
        At least one array; those with fewer than three axes get them as by `atleast_3d`.

    Returns
    -------
    Array of the promoted dtype with at least three axes.

    Raises
    ------
    ValueError
        If there is no array or the shapes do not agree.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.dstack([ca.asarray([1, 2]), ca.asarray([3, 4])]).tolist()
    [[[1, 3], [2, 4]]]

    Notes
    -----
    NumPy's `dstack`.
    """
    _require_some(arrays, "dstack")
    return xp.concat([_with_axes(x, 3) for x in arrays], axis=2)


@declare()
def hsplit(x: Array, indices_or_sections: int | Sequence[int], /) -> tuple[Array, ...]:
    """Split an array along its second axis, or a one-dimensional array along its only axis.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.
    indices_or_sections
        Number of parts, or their start indices.

    Returns
    -------
    The parts; writes into them are seen in `x`.

    Raises
    ------
    ValueError
        If `x` has no axes, or the parts would not be equally long.

    Examples
    --------
    >>> import corearray as ca
    >>> [part.tolist() for part in ca.hsplit(ca.asarray([[1, 2], [3, 4]]), 2)]
    [[[1], [3]], [[2], [4]]]

    Notes
    -----
    NumPy's `hsplit`.
    """
    if x.ndim < 1:
        raise ValueError("'hsplit' splits the second or the only axis; an array of shape () has none")
    return xp.split(x, indices_or_sections, axis=min(x.ndim - 1, 1))


@declare(promote=("arrays",), gives="same")
def hstack(arrays: Sequence[Array], /) -> Array:
    """Join arrays along their second axis, or one-dimensional arrays along their only axis.

    Parameters
    ----------
    arrays
        At least one array; those without axes get one.

    Returns
    -------
    Array of the promoted dtype.

    Raises
    ------
    ValueError
        If there is no array or the shapes do not agree.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.hstack([ca.asarray([[1], [2]]), ca.asarray([[3], [4]])]).tolist()
    [[1, 3], [2, 4]]

    Notes
    -----
    NumPy's `hstack`.
    """
    _require_some(arrays, "hstack")
    rows = [_with_axes(x, 1) for x in arrays]
    return xp.concat(rows, axis=min(rows[0].ndim - 1, 1))


@declare()
def split(x: Array, indices_or_sections: int | Sequence[int], /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split an array along an axis into equal parts or at given indices.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.
    indices_or_sections
        Number of parts, a number that divides the length; or the indices where the second part begins, the third,
        and so on, read as the bounds of slices.
    axis
        Axis to split.

    Returns
    -------
    The parts, each of the dtype of `x`; writes into them are seen in `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    ValueError
        If the parts would not be equally long.

    Examples
    --------
    >>> import corearray as ca
    >>> [part.tolist() for part in ca.split(ca.arange(6), 3)]
    [[0, 1], [2, 3], [4, 5]]
    >>> [part.tolist() for part in ca.split(ca.arange(6), (1, 4))]
    [[0], [1, 2, 3], [4, 5]]

    Notes
    -----
    NumPy's `split`.
    """
    (place,) = _places(axis, x.ndim, "split")
    length = x.shape[place] or 0  # of unknown length the framework looks itself
    if isinstance(indices_or_sections, int) and (indices_or_sections < 1 or length % indices_or_sections):
        raise ValueError(
            f"'split' cannot make {indices_or_sections} equal parts of axis {place} of an array of shape "
            f"{tuple(x.shape)}; choose a number that divides its length, or call array_split"
        )
    return xp.array_split(x, indices_or_sections, axis=place)


@declare()
def vsplit(x: Array, indices_or_sections: int | Sequence[int], /) -> tuple[Array, ...]:
    """Split an array along its first axis.

    Parameters
    ----------
    x
        Array of any dtype with at least two axes.
    indices_or_sections
        Number of parts, or their start indices.

    Returns
    -------
    The parts; writes into them are seen in `x`.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes, or the parts would not be equally long.

    Examples
    --------
    >>> import corearray as ca
    >>> [part.tolist() for part in ca.vsplit(ca.asarray([[1, 2], [3, 4]]), 2)]
    [[[1, 2]], [[3, 4]]]

    Notes
    -----
    NumPy's `vsplit`.
    """
    if x.ndim < 2:
        raise ValueError(f"'vsplit' takes arrays with two axes or more; one of shape {tuple(x.shape)} goes to split")
    return xp.split(x, indices_or_sections, axis=0)


@declare(promote=("arrays",), gives="same")
def vstack(arrays: Sequence[Array], /) -> Array:
    """Join arrays along their first axis; one-dimensional arrays become rows.

    Parameters
    ----------
    arrays
        At least one array; those with fewer than two axes become rows.

    Returns
    -------
    Array of the promoted dtype with at least two axes.

    Raises
    ------
    ValueError
        If there is no array or the shapes do not agree.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.vstack([ca.asarray([1, 2]), ca.asarray([3, 4])]).tolist()
    [[1, 2], [3, 4]]

    Notes
    -----
    NumPy's `vstack`.
    """
    _require_some(arrays, "vstack")
    return xp.concat([_with_axes(x, 2) for x in arrays], axis=0)


def _with_axes(x: Array, count: int) -> Array:
    """Give an array so many axes at least: the third one comes last, the others in front."""
    missing = (None,) * (min(count, 2) - x.ndim)
    key = (*missing, ..., *(None,) * (count == 3 and x.ndim < 3))
    return x if x.ndim >= count else x[key]


def _require_some(arrays: Sequence[Array], name: str) -> None:
    if not arrays:
        raise ValueError(f"'{name}' got no array; at least one is needed")
