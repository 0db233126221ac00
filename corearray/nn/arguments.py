"""Checks of constructor arguments, and the initial weights that most layers share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from corearray import random
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.functional.manipulation import expand_dims, squeeze

if TYPE_CHECKING:
    from corearray.arrays.array import Array

__all__ = [
    "drawn_bias", "filled", "generator_of", "one_of", "positive", "probability", "sizes", "uniform", "without_batch",
]  # fmt: skip


def positive(layer: str, name: str, value: Any) -> int:
    """Return an argument that is an integer from 1 up."""
    size = _integer(value)
    if size is None:
        raise CoreArrayTypeError(f"'{name}' of '{layer}' is an integer, got {value!r}")
    if size < 1:
        raise CoreArrayValueError(f"'{name}' of '{layer}' is at least 1, got {size}")
    return size


def _integer(value: Any) -> int | None:
    """Return an integer, such as one of NumPy's, as one of Python's; `None` for other values and truth values."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return index(value)
    except TypeError:  # of arrays of another dtype, or with axes
        return None


def sizes(layer: str, name: str, value: Any, count: int, least: int | None = 1) -> tuple[int, ...]:
    """Return an argument that is an integer for each of some axes, or one for all; at least `least` if that is given."""
    given = tuple(map(_integer, value if isinstance(value, (list, tuple)) else (value,) * count))
    if len(given) != count or None in given:
        raise CoreArrayTypeError(f"'{name}' of '{layer}' is an integer or {count} of them, got {value!r}")
    found = tuple(size for size in given if size is not None)
    if least is not None and any(size < least for size in found):
        raise CoreArrayValueError(f"'{name}' of '{layer}' is at least {least}, got {value!r}")
    return found


def probability(layer: str, value: Any) -> float:
    """Return an argument `p` from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CoreArrayTypeError(f"'p' of '{layer}' is a number from 0 to 1, got {value!r}")
    if not 0 <= value <= 1:
        raise CoreArrayValueError(f"'p' of '{layer}' is a number from 0 to 1, got {value!r}")
    return float(value)


def one_of(layer: str, name: str, value: Any, known: Sequence[str]) -> str:
    """Return an argument that is one of some words."""
    if value not in known:
        raise CoreArrayValueError(f"'{name}' of '{layer}' is one of {', '.join(map(repr, known))}, got {value!r}")
    return str(value)


def generator_of(layer: str, generator: Any) -> random.Generator:
    """Return the generator that was given, or that of the context."""
    if generator is None:
        return random.default_generator()
    if not isinstance(generator, random.Generator):
        raise CoreArrayTypeError(
            f"generator of '{layer}' is a corearray.random.Generator, not {type(generator).__name__}"
        )
    return generator


def uniform(
    layer: str, shape: tuple[int, ...], bound: float, *, generator: Any = None, dtype: Any = None, device: Any = None
) -> Array:
    """Draw weights that are uniform from `-bound` to `bound`."""
    return generator_of(layer, generator).uniform(-bound, bound, shape=shape, dtype=dtype, device=device)


def drawn_bias(layer: str, bias: bool, size: int, bound: float, **made: Any) -> Array | None:
    """Draw a vector like `uniform`, or return `None` if there is to be none."""
    return uniform(layer, (size,), bound, **made) if bias else None


def filled(shape: int | tuple[int, ...], value: float, dtype: Any = None, device: Any = None) -> Array:
    """Make an array of one value on the backend in force."""
    made: Array = resolve(()).full(shape, float(value), dtype=dtype, device=device)
    return made


def without_batch(x: Array, axes: int, compute: Callable[[Array], Any]) -> Any:
    """Compute for an array with a batch axis, or for one without, which gets one and loses it again."""
    if x.ndim != axes + 1:
        return compute(x)
    y = compute(expand_dims(x, axis=0))
    return tuple(squeeze(part, axis=0) for part in y) if isinstance(y, tuple) else squeeze(y, axis=0)
