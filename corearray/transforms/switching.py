"""A choice among several functions by a number, made of choices between two."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.transforms.control_flow import if_else
from corearray.transforms.tree import is_array, need_function

__all__ = ["switch"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def switch(index: Any, functions: Sequence[Callable[..., Any]], /, *operands: Any) -> Any:
    """Call one of several functions, chosen by a number.

    Parameters
    ----------
    index
        The place of the function: an integer, or an integer array without axes. Beyond the ends the first or the last one is
        meant.
    functions
        Functions of `operands` that return trees of arrays, at least one.
    operands
        Arguments of the one that is called.

    Returns
    -------
    What the function returns. Where the index is not known yet all are traced, and must return trees of the same structure,
    shapes and dtypes.

    Raises
    ------
    TypeError
        If `index` is no integer, or what is called is no function.
    ValueError
        If there is no function, or `index` has axes.

    Examples
    --------
    >>> import corearray as ca
    >>> either = ca.compile(lambda i, x: ca.switch(i, [ca.sqrt, ca.square, lambda x: x / 2.0], x))
    >>> either(ca.asarray(1), ca.asarray([3.0])).tolist(), either(ca.asarray(7), ca.asarray([3.0])).tolist()
    ([9.0], [1.5])

    Notes
    -----
    `jax.lax.switch`, `tf.switch_case`. It is `if_else` by halves.
    """
    functions = tuple(functions)
    if not functions:
        raise CoreArrayValueError("'switch' got no function; give at least one")
    need_function("switch", *functions)
    if is_array(index):
        backend = resolve((index, operands))
        if index.ndim or not backend.isdtype(backend.asarray(index).dtype, "integral"):
            raise (CoreArrayValueError if index.ndim else CoreArrayTypeError)(
                f"'switch' got an index of dtype {index.dtype} and shape {tuple(index.shape)}; give an integer without axes"
            )
    else:
        try:
            index = operator.index(index)
        except TypeError:
            raise CoreArrayTypeError(f"'switch' got index={index!r}; give an integer") from None
    return _switched(index, functions, 0, operands)


def _switched(index: Any, functions: tuple[Callable[..., Any], ...], first: int, operands: tuple[Any, ...]) -> Any:
    """Choose among the functions from place `first` on."""
    if len(functions) == 1:
        return functions[0](*operands)
    half = len(functions) // 2

    def lower(*operands: Any) -> Any:
        return _switched(index, functions[:half], first, operands)

    def upper(*operands: Any) -> Any:
        return _switched(index, functions[half:], first + half, operands)

    return if_else(index < first + half, lower, upper, *operands)
