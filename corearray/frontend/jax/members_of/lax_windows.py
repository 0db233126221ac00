"""Reductions of `jax.lax` by functions of two elements: of axes, and of sliding windows."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.members_of.lax_elementwise import FUNCTIONS as ELEMENTWISE
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.wrapper import Array
from corearray.frontend.operands import is_floating

__all__ = [
    "FUNCTIONS",
    "PaddingType",
    "dilated",
    "padtype_to_pads",
    "reduce",
    "reduce_window",
    "reduce_window_shape_tuple",
]


class PaddingType(enum.Enum):
    """The kinds of padding that JAX names."""

    VALID = 1
    SAME = 2
    SAME_LOWER = 3


def dilated(shape: Sequence[int], steps: Sequence[int]) -> tuple[int, ...]:
    """Return a shape with gaps between its elements."""
    return tuple(0 if n == 0 else (n - 1) * step + 1 for n, step in zip(shape, steps, strict=True))


def padtype_to_pads(
    in_shape: Sequence[int], window_shape: Sequence[int], window_strides: Sequence[int], padding: Any
) -> list[tuple[int, int]]:
    """Return the padding of each axis for `VALID`, `SAME` or `SAME_LOWER`."""
    if isinstance(padding, str):
        if padding.upper() not in PaddingType.__members__:
            raise RuntimeError(f"Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got {padding}.")
        padding = PaddingType[padding.upper()]
    name = getattr(padding, "name", None)
    if name not in PaddingType.__members__:
        raise CoreArrayTypeError(f"Unknown padding type: {padding}.")
    if name == "VALID":
        return [(0, 0)] * len(in_shape)
    pads = []
    for n, window, stride in zip(in_shape, window_shape, window_strides, strict=True):
        total = max(0, (-(-n // stride) - 1) * stride + window - n)
        small, large = total // 2, total - total // 2
        pads.append((small, large) if name == "SAME" else (large, small))
    return pads


def reduce_window_shape_tuple(
    operand_shape: Sequence[int], window_dimensions: Sequence[int], window_strides: Sequence[int], padding: Any,
    base_dilation: Any = None, window_dilation: Any = None,
) -> tuple[int, ...]:  # fmt: skip
    """Return the shape of a reduction of windows."""
    shape = operand_shape if base_dilation is None else dilated(operand_shape, base_dilation)
    window = window_dimensions if window_dilation is None else dilated(window_dimensions, window_dilation)
    return tuple(
        max(0, (n + low + high - length) // stride + 1)
        for n, (low, high), length, stride in zip(shape, padding, window, window_strides, strict=True)
    )


def _on_leaves(computation: Callable[..., Any], starts: Leaves) -> Callable[..., list[Any]]:
    """Return a function of two trees as a function of the arrays of both, which returns a list."""

    def function(*arrays: Any) -> list[Any]:
        half = len(arrays) // 2
        trees = [starts.tree(dict(zip(starts.arrays, part, strict=True))) for part in (arrays[:half], arrays[half:])]
        made = Leaves(computation(*trees), everything=True)
        if str(made.definition) != str(starts.definition):
            raise CoreArrayTypeError(
                f"a reduction must return a tree like its operands, {starts.definition}, got {made.definition}"
            )
        return made.listed()

    return function


def _operands(operand: Any, init: Any) -> tuple[Leaves, Leaves]:
    """Return arrays and their initial values.

    Raises
    ------
    ValueError
        If their trees differ.
    """
    xs, starts = Leaves(operand, everything=True), Leaves(init, everything=True)
    if str(xs.definition) != str(starts.definition) or not xs.arrays:
        raise CoreArrayValueError(
            f"Operands must have the same tree structure as init_values: {xs.definition} vs. {starts.definition}"
        )
    for i, x in xs.arrays.items():
        if starts.is_weak(i) and _holds(x.dtype, starts.arrays[i].dtype):
            starts.arrays[i] = ca.astype(starts.arrays[i], x.dtype)
    return xs, starts


def _check_starts(name: str, xs: Leaves, starts: Leaves) -> None:
    """Refuse initial values with axes or of another dtype."""
    for x, start in zip(xs.listed(), starts.listed(), strict=True):
        if start.ndim:
            message = f"{name} expected init_values to be scalars but init_values have shapes {[tuple(start.shape)]}."
            raise CoreArrayValueError(message) if name == "reduce" else CoreArrayTypeError(message)
        if start.dtype != x.dtype:
            raise CoreArrayTypeError(
                f"{name} got inconsistent dtypes for operands and init_values: got operand dtypes {[str(x.dtype)]} and "
                f"init_value dtypes {[str(start.dtype)]}."
            )


def _holds(wanted: ca.DType, weak: ca.DType) -> bool:
    return wanted.category == weak.category or (is_floating(wanted) and not is_floating(weak) and weak != ca.bool)


def _identity(name: str, dtype: ca.DType) -> Any:
    """Return the element that changes nothing in a maximum or minimum."""
    if dtype == ca.bool:
        return name == "min"
    if is_floating(dtype):
        return ca.inf if name == "min" else -ca.inf
    limits = ca.iinfo(dtype)
    return limits.max if name == "min" else limits.min


def _known(computation: Any, xs: Leaves, starts: Leaves) -> str:
    """Return the name of a reduction by `lax.add`, `lax.max` and so on from its neutral element, which has a primitive."""
    if len(xs.arrays) != 1 or computation is None:
        return ""
    dtype = xs.listed()[0].dtype
    neutral = {"add": 0, "mul": 1, "max": None, "min": None}
    for name, value in neutral.items():
        if computation is ELEMENTWISE[f"lax.{name}"]:
            try:
                start = starts.listed()[0].item()
            except Exception:  # a tracer of the backend has no value
                return ""
            return name if start == (_identity(name, dtype) if value is None else value) else ""
    return ""


def reduce(
    operands: Any, init_values: Any, computation: Any, dimensions: Sequence[int], *, out_sharding: Any = None
) -> Any:
    """Reduce axes of an array, or of several together, by a function of two elements."""
    xs, starts = _operands(operands, init_values)
    ndim = xs.listed()[0].ndim
    axes = tuple(dimensions)
    if not all(0 <= axis < ndim for axis in axes) or len(set(axes)) < len(axes):
        raise CoreArrayValueError(f"Invalid axis passed to reduce: axes={axes} for an array of {ndim} axes")
    name = _known(computation, xs, starts)
    if name and xs.listed()[0].dtype != ca.bool:
        called = {"add": "reduce_sum", "mul": "reduce_prod"}.get(name, f"reduce_{name}")
        made = [primitive(called)(xs.listed()[0], axes=axes)]
    else:
        _check_starts("reduce", xs, starts)
        made = primitive("reduce")(
            *xs.listed(), *starts.listed(), dimensions=axes, jaxpr=_on_leaves(computation, starts)
        )
    return xs.definition.unflatten(
        [Array(x, xs.is_weak(i) and starts.is_weak(i)) for i, x in zip(xs.arrays, made, strict=True)]
    )


def reduce_window(
    operand: Any, init_value: Any, computation: Any, window_dimensions: Sequence[int], window_strides: Any = None,
    padding: Any = "VALID", base_dilation: Any = None, window_dilation: Any = None,
) -> Any:  # fmt: skip
    """Reduce sliding windows of an array, or of several together, by a function of two elements."""
    xs, starts = _operands(operand, init_value)
    shape, window = tuple(xs.listed()[0].shape), tuple(window_dimensions)
    ones = (1,) * len(window)
    strides, base, gaps = (
        ones if one is None else tuple(one) for one in (window_strides, base_dilation, window_dilation)
    )
    for name, sizes in (
        ("window_dimensions", window),
        ("window_strides", strides),
        ("base_dilation", base),
        ("window_dilation", gaps),
    ):
        if len(sizes) != len(shape):
            raise CoreArrayTypeError(
                f"reduce_window got the wrong number of {name} for operand: got operand shape {shape} with {name} {sizes}."
            )
        if any(n <= 0 for n in sizes):
            raise CoreArrayTypeError(f"reduce_window {name} must have every element be positive, got {sizes}.")
    pads = (
        padtype_to_pads(shape, dilated(window, gaps), strides, padding)
        if isinstance(padding, (str, PaddingType))
        else [(int(low), int(high)) for low, high in padding]
    )
    options = {
        "window_dimensions": window, "window_strides": strides, "padding": pads, "base_dilation": base,
        "window_dilation": gaps,
    }  # fmt: skip
    known = {"add": "reduce_window_sum", "max": "reduce_window_max", "min": "reduce_window_min"}.get(
        _known(computation, xs, starts)
    )
    if known:
        made = [primitive(known)(xs.listed()[0], **options)]
    else:
        _check_starts("reduce_window", xs, starts)
        made = primitive("reduce_window")(
            *xs.listed(), *starts.listed(), jaxpr=_on_leaves(computation, starts), **options
        )
    return xs.definition.unflatten([Array(x) for x in made])


FUNCTIONS: dict[str, Any] = {
    f"lax.{one.__name__}": one for one in (reduce, reduce_window, reduce_window_shape_tuple, padtype_to_pads)
} | {"lax.PaddingType": PaddingType}
