"""Reductions by any function of two arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.manipulation import _places

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend

__all__ = ["reduce"]


@declare()
def reduce(
    x: Array,
    init_value: Array | int | float | complex | bool,
    computation: str | Callable[[Array, Array], Array],
    /,
    *,
    axes: int | Sequence[int] | None = 0,
    keepdims: bool = False,
) -> Array:
    """Reduce axes pairwise with a function of two arrays.

    Parameters
    ----------
    x
        Array of any dtype.
    init_value
        Initial value, which is also the result for no elements: a number or an array
        without axes, neutral for the function.
    computation
        An associative function of two arrays that computes element by element, or the name of one of corearray's, such
        as `"add"`, `"maximum"` or `"logical_or"`.
    axes
        Axis or axes to reduce, `None` for all. Elements are put together in their order.
    keepdims
        Whether reduced axes stay with length one.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the dtype that the function gives for that of `x` and
    `init_value` together.

    Raises
    ------
    IndexError
        If `x` has no such axis.
    TypeError
        If `computation` is neither a name nor a function.
    ValueError
        If there is no function of this name, or `init_value` has axes.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([[6, 10, 15], [4, 8, 2]])
    >>> ca.reduce(x, 0, "gcd", axes=1).tolist()
    [1, 2]

    Notes
    -----
    It takes `log2` of the length steps. Like `jax.lax.reduce`.
    """
    function = getattr(xp, computation, None) if isinstance(computation, str) else computation
    if function is None:
        raise CoreArrayValueError(f"'reduce' got computation={computation!r}, and there is no function of this name")
    if not callable(function):
        raise CoreArrayTypeError(f"'reduce' got computation={computation!r}; give a function of two arrays, or a name")
    if not isinstance(init_value, (bool, int, float, complex)) and init_value.ndim:
        raise CoreArrayValueError(
            f"'reduce' got an init_value of shape {tuple(init_value.shape)}; give one without axes"
        )
    places = tuple(range(x.ndim)) if axes is None else _places(axes, x.ndim, "reduce")
    dtype = xp.result_type(x, init_value)
    if xp.isdtype(x.dtype, "bool"):
        dtype = cast("Backend", xp).own_dtype(dtype)  # the default of the number
    others = [axis for axis in range(x.ndim) if axis not in places]
    kept = tuple(x.shape[axis] for axis in others)
    count = math.prod([x.shape[axis] for axis in places])
    rest = xp.reshape(xp.permute_dims(xp.astype(x, dtype), (*places, *others)), (count, *kept))
    while count > 1:
        half = count // 2
        pairs = function(rest[0 : 2 * half - 1 : 2, ...], rest[1 : 2 * half : 2, ...])
        rest = pairs if count == 2 * half else xp.concat([pairs, rest[2 * half :, ...]], axis=0)
        count -= half
    if isinstance(init_value, (bool, int, float, complex)):
        start = xp.full(kept, init_value, dtype=dtype, device=x.device)
    else:
        start = xp.broadcast_to(xp.astype(init_value, dtype), kept)
    found = function(start, rest[0, ...]) if count else xp.astype(start, start.dtype)
    return xp.reshape(found, tuple(1 if i in places else n for i, n in enumerate(x.shape))) if keepdims else found
