"""Calls of Python functions on the elements of arrays, also in each run of a traced program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Any

import corearray as ca

__all__ = ["called_back"]


def called_back(
    function: Callable[..., Sequence[ca.Array]],
    arrays: Sequence[ca.Array],
    results: Sequence[tuple[tuple[int, ...], ca.DType]] | None,
    *,
    ordered: bool = False,
    mapped: str | None = None,
) -> list[ca.Array]:
    """Call a function of arrays with their elements, and return the arrays that it returns.

    `results` are the shapes and dtypes of what it returns; without them it is called for its effects.
    """
    backend = ca.current_backend(*arrays)

    context = copy_context()

    def own(*natives: Any) -> list[Any]:
        """Call the function with the settings of the caller, in whichever thread the framework does so."""
        made = context.copy().run(function, *(backend.wrap(native) for native in natives))
        return [x._native for x in made]

    if "called_back" in backend.facts:
        outlines = None if results is None else [(shape, backend.native_dtype(dtype)) for shape, dtype in results]
        found = backend.facts["called_back"](own, [x._native for x in arrays], outlines, ordered, mapped)
        if found is not None:
            return [backend.wrap(native) for native in found]
    return list(function(*arrays))
