"""Jacobians in forward mode."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError
from corearray.transforms.derivatives import jvp
from corearray.transforms.mapping import vmap
from corearray.transforms.sent import transformed
from corearray.transforms.tree import Tree, is_array, need_function

__all__ = ["jacfwd"]

#: What `corearray list-functions` says of the functions here that are no declarations.
__kind__ = "convenience"


def jacfwd(fn: Callable[..., Any], /, *, argnums: int = 0) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of a function in forward mode, one pass for each element of the argument.

    Parameters
    ----------
    fn
        Function of arrays, or of trees of arrays, that returns one.
    argnums
        Place of the argument to differentiate by.

    Returns
    -------
    Function of the same arguments. For each array of the value it returns a tree like the argument, whose arrays have
    the axes of the value first and those of the argument behind, as that of `jac`.

    Raises
    ------
    TypeError
        If `argnums` is no integer, or a leaf of the argument is no array, or complex.
    FunctionNotImplementedError
        If the backend has no derivatives in forward mode.

    Examples
    --------
    >>> import corearray as ca
    >>> with ca.backend_context("torch"):
    ...     ca.jacfwd(lambda x: x[:2] * x[2])(ca.asarray([1.0, 2.0, 3.0])).tolist()
    [[3.0, 0.0, 1.0], [0.0, 3.0, 2.0]]

    Notes
    -----
    `jax.jacfwd`, `torch.func.jacfwd`.
    """
    need_function("jacfwd", fn)
    if isinstance(argnums, bool) or not isinstance(argnums, int):
        raise CoreArrayTypeError(f"'jacfwd' takes the place of one argument, got argnums={argnums!r}")

    def jacobian(*args: Any, **options: Any) -> Any:
        backend = resolve((args, options))
        place = range(len(args))[argnums]
        point = Tree(args[place])
        for leaf in point.leaves:
            if not is_array(leaf):
                raise CoreArrayTypeError(f"'jacfwd' differentiates by arrays, got a leaf of type {type(leaf).__name__}")
        primals = [backend.asarray(leaf) for leaf in point.leaves]
        for x in primals:
            if x.dtype.category == "complex floating":  # whose derivative depends on the direction
                raise CoreArrayTypeError(
                    f"'jacfwd' cannot differentiate with an argument of the dtype '{x.dtype}'; it takes real floating-point "
                    "numbers"
                )

        def value(argument: Any) -> Any:
            return fn(*args[:place], argument, *args[place + 1 :], **options)

        columns: list[list[Any]] = []
        like: Any = None
        for i, x in enumerate(primals):

            def pushed(direction: Any, i: int = i) -> Any:
                tangents = [direction if j == i else backend.zeros_like(y) for j, y in enumerate(primals)]
                return jvp(value, (point.of(primals),), (point.of(tangents),))[1]

            shape = tuple(x.shape)
            size = math.prod(shape)
            basis = backend.reshape(backend.eye(size, dtype=x.dtype, device=x.device), (size, *shape))
            like = Tree(vmap(pushed)(basis))
            columns.append([backend.reshape(backend.moveaxis(y, 0, -1), (*y.shape[1:], *shape)) for y in like.leaves])
        return like.of([point.of(list(row)) for row in zip(*columns, strict=True)])

    return transformed(jacobian, fn, jacfwd, {"argnums": argnums})
