"""torch.utils.checkpoint: gradients are computed by making the calls again anyway, so that nothing else is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["checkpoint", "checkpoint_sequential"]

_OPTIONS = ("use_reentrant", "context_fn", "determinism_check", "debug", "preserve_rng_state", "early_stop")


def checkpoint(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call a function; the options of torch's that decide about memory have no effect."""
    return function(*args, **{name: value for name, value in options.items() if name not in _OPTIONS})


def checkpoint_sequential(functions: Any, segments: int, input: Any, **options: Any) -> Any:
    """Call functions one after the other."""
    for function in functions:
        input = function(input)
    return input
