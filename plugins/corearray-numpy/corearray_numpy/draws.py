"""Random numbers in programs that are traced, which are errors."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from types import SimpleNamespace
from typing import Any

import numpy as np

from corearray.plugin import untraceable

__all__ = ["refusing_draws"]


def refusing_draws(at_work: ContextVar[Any]) -> dict[Any, Any]:
    """Return what the modules of `numpy.random` have for `np` while a program is traced.

    They are compiled: they call NumPy's makers of arrays by name, and take the results for arrays without looking. So they must
    not get those of a tracer.
    """
    content = vars(np) | {
        name: _refused(getattr(np, name), at_work) for name in ("array", "asarray", "empty", "zeros", "arange")
    }
    modules = [module for name, module in sys.modules.items() if name.startswith("numpy.random.")]
    return {module: SimpleNamespace(**content) for module in modules if getattr(module, "np", None) is np}


def _refused(maker: Callable[..., Any], at_work: ContextVar[Any]) -> Callable[..., Any]:
    """Return a maker of arrays that raises an error where a program of this thread is traced."""

    @wraps(maker)
    def call(*args: Any, **options: Any) -> Any:
        if at_work.get() is not None:
            raise untraceable(
                "the program draws random numbers, and a graph would keep those of this run; draw them outside and pass them in"
            )
        return maker(*args, **options)

    return call
