"""The functions that people call: rules that write into `out`, with `reduce`, `accumulate` and `outer` where there are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from corearray.frontend.numpy.promotion import cast
from corearray.frontend.table import Rule

__all__ = ["published"]


def published(frontend: Any, rule: Rule) -> Callable[..., Any]:
    """Return the function of a rule, which writes its result into `out` and returns that."""
    function = rule.function
    parts = {last: frontend.rule(f"{rule.name}.{last}") for last in ("accumulate", "outer", "reduce")}
    parts = {last: found for last, found in parts.items() if found is not None}
    if not parts and "out" not in inspect.signature(function).parameters:
        return function

    @wraps(function)
    def written(*args: Any, out: Any = None, **options: Any) -> Any:
        made = function(*args, **options)
        if out is None:
            return made
        target = out[0] if isinstance(out, tuple) else out
        target[...] = cast(made, target.dtype)
        return target

    for last, found in parts.items():
        setattr(written, last, published(frontend, found))
    return written
