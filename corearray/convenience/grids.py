"""Grids of numbers in NumPy's words: open and filled grids from slices, index grids, arrays from a function of indices."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.types.dtypes import DType

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["fromfunction", "ix_", "mgrid", "ogrid"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def _along(be: Backend, x: Any, place: int, count: int) -> Any:
    """Return an array with one axis as one with several, along one of them."""
    return be.reshape(x, (1,) * place + (x.shape[0],) + (1,) * (count - place - 1))


class _Grid:
    """A maker of grids: `mgrid` and `ogrid`, which take slices in brackets.

    Parameters
    ----------
    name
        Of the object.
    filled
        Whether every array has the shape of the grid.
    """

    __slots__ = ("_filled", "_name")

    def __init__(self, name: str, *, filled: bool) -> None:
        self._name, self._filled = name, filled

    def __repr__(self) -> str:
        return f"corearray.{self._name}"

    def __getitem__(self, key: slice | tuple[slice, ...]) -> Any:
        """Return the grid of slices, `start:stop:step` or `start:stop:numberj` with both ends, on the current backend."""
        be = resolve(())
        slices = key if isinstance(key, tuple) else (key,)
        parts = [self._part(be, each) for each in slices]
        if not all(be.isdtype(x.dtype, "integral") for x in parts):
            parts = [be.astype(x, be.zeros((0,)).dtype, copy=False) for x in parts]
        if not isinstance(key, tuple):
            return parts[0]
        if not self._filled:
            return tuple(_along(be, x, place, len(parts)) for place, x in enumerate(parts))
        return be.stack(be.meshgrid(*parts, indexing="ij")) if parts else be.zeros((0,), dtype=be.int64)

    def _part(self, be: Backend, key: slice) -> Array:
        if not isinstance(key, slice) or key.stop is None:
            raise CoreArrayTypeError(
                f"'{self._name}' got the key {key!r}; give slices with a stop, as in {self._name}[0:3, 0:5]"
            )
        start, step = key.start or 0, 1 if key.step is None else key.step
        if isinstance(step, complex):
            return be.linspace(start, key.stop, int(abs(step)))  # type: ignore[no-any-return]
        return be.arange(start, key.stop, step)  # type: ignore[no-any-return]


#: A grid of slices, filled: `mgrid[0:2, 0:3]` has the shape (2, 2, 3). NumPy's `mgrid`.
mgrid = _Grid("mgrid", filled=True)

#: A grid of slices, open: `ogrid[0:2, 0:3]` is a tuple of arrays that broadcast to the grid. NumPy's `ogrid`.
ogrid = _Grid("ogrid", filled=False)


def ix_(*sequences: Array | Sequence[int] | Sequence[bool]) -> tuple[Array, ...]:
    """Return index arrays for the grid of rows, columns and so on, so that `x[ix_(rows, columns)]` is a part of `x`.

    Parameters
    ----------
    sequences
        For each axis a sequence or an array of integers, or of truth values for those that are chosen.

    Returns
    -------
    Integer arrays that broadcast to the grid.

    Raises
    ------
    ValueError
        If a sequence does not have one axis.
    TypeError
        If it holds neither integers nor truth values.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(12), (3, 4))
    >>> x[ca.ix_([0, 2], [True, False, False, True])].tolist()
    [[0, 3], [8, 11]]

    Notes
    -----
    NumPy's `ix_`. Truth values that are traced have no known number, so that compilers refuse them.
    """
    be = resolve(sequences)
    made = []
    for place, given in enumerate(sequences):
        x: Any = given if be.is_array(given) else be.asarray(given)
        if x.ndim != 1:
            raise CoreArrayValueError(f"'ix_' got an array of the shape {tuple(x.shape)}; each has one axis")
        if 0 in x.shape:
            x = be.astype(x, be.int64)
        if be.isdtype(x.dtype, "bool"):
            (x,) = be.nonzero(x)
        if not be.isdtype(x.dtype, "integral"):
            raise CoreArrayTypeError(f"'ix_' got {x.dtype}; give integers or truth values")
        made.append(_along(be, x, place, len(sequences)))
    return tuple(made)


def fromfunction(
    function: Callable[..., Any], shape: int | Sequence[int], /, *, dtype: DType | None = None, **options: Any
) -> Any:
    """Call a function with the indices of a grid, one array for each axis.

    Parameters
    ----------
    function
        Function of as many arrays as there are axes.
    shape
        The shape of the grid.
    dtype
        Of the indices; by default the default floating dtype.
    options
        Further arguments of the function.

    Returns
    -------
    What the function returns.

    Raises
    ------
    TypeError
        If `function` is no function.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fromfunction(lambda i, j: i + 10 * j, (2, 3), dtype=ca.int64).tolist()
    [[0, 10, 20], [1, 11, 21]]

    Notes
    -----
    NumPy's `fromfunction`.
    """
    if not callable(function):
        raise CoreArrayTypeError(f"'fromfunction' got {function!r}; give a function of index arrays")
    be = resolve(())
    sizes = (operator.index(shape),) if hasattr(shape, "__index__") else tuple(shape)
    wanted = be.zeros((0,)).dtype if dtype is None else dtype
    grid = be.meshgrid(*(be.arange(size, dtype=wanted) for size in sizes), indexing="ij") if sizes else ()
    return function(*grid, **options)
