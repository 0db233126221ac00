"""The accelerator in C, and the functions that it runs before their Python twins.

Where a compiler was at hand when corearray was installed, `corearray.calls._accelerator` interprets fast paths in C, for a
third of what Python costs. `COREARRAY_PURE=1` in the environment leaves it out; everything works without it.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, cast
from zlib import crc32

try:
    import corearray.calls._accelerator as accelerator
except ImportError:
    accelerator = None  # type: ignore[assignment]
if os.environ.get("COREARRAY_PURE"):
    accelerator = None  # type: ignore[assignment]


def _out_of_date() -> bool:
    """Return whether the library was built from other C files than those of this checkout; wheels hold no C files."""
    # By `os`: the import of corearray leaves out pathlib, which takes a millisecond.
    folder = os.path.join(os.path.dirname(__file__), "accelerator")  # noqa: PTH118, PTH120  as above
    try:
        sources = sorted(name for name in os.listdir(folder) if name.endswith((".c", ".h")))  # noqa: PTH208  as above
    except OSError:
        return False
    text = b""
    for name in sources:
        with open(os.path.join(folder, name), "rb") as file:  # noqa: PTH118, PTH123  as above
            text += file.read()
    return bool(sources) and getattr(accelerator, "sources", None) != crc32(text)


#: Whether there is an accelerator of another version of corearray, which is left out.
out_of_date = accelerator is not None and _out_of_date()
if out_of_date:
    accelerator = None  # type: ignore[assignment]
    warnings.warn(
        "the accelerator of corearray is out of date, since it was compiled from other sources than those that are there; "
        "corearray works without it, slower on small arrays; compile it anew with: scripts/install (or pip install -e .)",
        RuntimeWarning,
        stacklevel=2,
    )

if TYPE_CHECKING:
    from corearray.calls._accelerator import CallPlan

__all__ = [
    "ACCELERATED", "FUNCTIONS", "accelerated", "accelerator", "lazy_function", "out_of_date", "public_callable", "python_of",
]  # fmt: skip


def public_callable(function: FunctionType, *, with_plans: bool) -> FunctionType:
    """Return what users call for a public function: with the accelerator, an object that keeps a fast path for each backend.

    The fast path of the backend in force runs first, the Python function where it does not apply. Functions without fast
    paths are such objects too, because these explain unknown options.
    """
    if not accelerator:
        return function
    made = accelerator.Function(function)
    if with_plans:
        made.plans = {}
    return cast(FunctionType, made)


#: The classes of functions that users call. `type(f)` of an accelerated one is no `FunctionType`, except to a tracer of
#: Python code, so test with `isinstance`.
FUNCTIONS: tuple[type, ...] = (FunctionType, accelerator.Function) if accelerator else (FunctionType,)


def python_of(function: Callable[..., Any]) -> FunctionType:
    """Return the Python function behind what users call."""
    written = function.function if accelerator and type(function) is accelerator.Function else function
    return cast(FunctionType, written)


def lazy_function(maker: Callable[[], FunctionType], plan: CallPlan) -> FunctionType:
    """Return a function that takes a fast path first; `maker` makes the Python function when it is first needed."""
    made = accelerator.Function(maker=maker)
    made.plan = plan
    return cast(FunctionType, made)


#: The Python twin of each function that `accelerated` made, for tracers of Python code.
ACCELERATED: dict[Callable[..., Any], FunctionType] = {}

_F = TypeVar("_F", bound=Callable[..., Any])


def accelerated(function: _F) -> _F:
    """Run the accelerator's function of the same name first.

    That takes no keywords, and returns `None` for arguments that it leaves to the Python function.
    """
    if not accelerator:
        return function
    twin = cast(FunctionType, function)
    made = accelerator.Function(twin, getattr(accelerator, twin.__name__))
    ACCELERATED[made] = twin
    return cast(_F, made)
