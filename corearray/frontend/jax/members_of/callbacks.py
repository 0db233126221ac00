"""Calls of Python functions from programs: `jax.pure_callback`, `jax.debug.callback`, `jax.debug.print` and `io_callback`.

In compiled programs of backends that trace, the function is called in each run, as in JAX.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.calling_back import called_back
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.members_of.mapping import need_callable
from corearray.frontend.jax.members_of.programs import outlined
from corearray.frontend.jax.trees import flatten

__all__ = ["FUNCTIONS", "debug_callback", "debug_print", "io_callback", "pure_callback"]


def _called(
    callback: Callable[..., Any], outlines: Any, args: Any, options: Any, *, ordered: bool, mapped: str | None
) -> Any:
    """Call a function for its results, arrays like those of a tree of outlines.

    Raises
    ------
    TypeError
        If the function is none, or an outline has no shape and dtype.
    ValueError
        If a result differs from its outline.
    """
    need_callable("callback", callback)
    for outline in flatten(outlines)[0]:
        if not hasattr(outline, "shape") or not hasattr(outline, "dtype"):
            raise CoreArrayTypeError(f"result_shape_dtypes is a tree of objects with shape and dtype, got {outline!r}")
    wanted, given = Leaves(outlined(outlines), everything=True), Leaves((args, options))
    facts = [(tuple(x.shape), x.dtype) for x in wanted.listed()]

    def compute(*arrays: ca.Array) -> list[ca.Array]:
        own_args, own_options = given.tree(dict(zip(given.arrays, arrays, strict=True)))
        made = Leaves(callback(*own_args, **own_options), everything=True)
        if str(made.definition) != str(wanted.definition):
            raise CoreArrayValueError(
                f"The callback returned {made.definition}, result_shape_dtypes has {wanted.definition}"
            )
        for x, (shape, dtype) in zip(made.listed(), facts, strict=True):
            if tuple(x.shape) != shape or x.dtype != dtype:
                raise CoreArrayValueError(
                    f"The callback returned an array of {x.dtype} with shape {tuple(x.shape)}, result_shape_dtypes has "
                    f"{dtype} with shape {shape}"
                )
        return made.listed()

    made = called_back(compute, given.listed(), facts, ordered=ordered, mapped=mapped)
    return wanted.tree(dict(zip(wanted.arrays, made, strict=True)))


def pure_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, vmap_method: str | None = None,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """Call a function without effects, whose results have given shapes and dtypes."""
    return _called(callback, result_shape_dtypes, args, kwargs, ordered=False, mapped=vmap_method)


def io_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, ordered: bool = False,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """Call a function with effects, whose results have given shapes and dtypes."""
    return _called(callback, result_shape_dtypes, args, kwargs, ordered=True, mapped=None)


def debug_callback(callback: Callable[..., Any], *args: Any, ordered: bool = False, **kwargs: Any) -> None:
    """Call a function for its effects."""
    need_callable("callback", callback)
    kwargs.pop("partitioned", None)
    given = Leaves((args, kwargs))

    def effect(*arrays: ca.Array) -> list[ca.Array]:
        own_args, own_options = given.tree(dict(zip(given.arrays, arrays, strict=True)))
        callback(*own_args, **own_options)
        return []

    called_back(effect, given.listed(), None, ordered=ordered)


def debug_print(text: str, *args: Any, ordered: bool = False, **options: Any) -> None:
    """Print a text with values."""
    debug_callback(lambda *own, **named: print(text.format(*own, **named)), *args, ordered=ordered, **options)


FUNCTIONS: dict[str, Any] = {
    "pure_callback": pure_callback, "experimental.io_callback": io_callback, "debug.callback": debug_callback,
    "debug.print": debug_print,
}  # fmt: skip
