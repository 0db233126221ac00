"""Functions of arrays by NumPy's names, with its options by position, for libraries that call any namespace as NumPy's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_letters
from typing import Any

import corearray as ca

__all__ = ["FUNCTIONS", "dtype_of", "norm"]

_ALIASES = {
    "absolute": "abs", "amax": "max", "amin": "min", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "bitwise_not": "bitwise_invert",
    "concatenate": "concat", "conjugate": "conj", "degrees": "rad2deg", "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift", "power": "pow", "radians": "deg2rad", "right_shift": "bitwise_right_shift",
}  # fmt: skip

#: The options that NumPy takes by position behind the arrays, in its order.
_POSITIONAL = {
    **dict.fromkeys(("all", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "median", "min", "prod", "std"), "axis"),
    **dict.fromkeys(("sum", "var", "nanmax", "nanmin", "nansum", "nanmean", "amax", "amin", "logsumexp"), "axis"),
    **dict.fromkeys(("concat", "concatenate", "stack", "flip", "expand_dims", "sort", "argsort"), "axis"),
    **dict.fromkeys(("repeat", "roll", "take", "split", "array_split", "take_along_axis"), "axis"),
    **dict.fromkeys(("tril", "triu", "diag"), "k"),
    "diff": "n axis",
}  # fmt: skip


def dtype_of(name: Any) -> Any:
    """Return the dtype of a name, or what is given."""
    return getattr(ca, name) if isinstance(name, str) else name


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """`numpy.linalg.norm`: the norm of a vector or of matrices, chosen by the axes."""
    pair = axis is not None and not isinstance(axis, int) and len(axis) == 2
    if ord is None or isinstance(axis, int) or not (pair or (axis is None and x.ndim == 2)):
        return ca.linalg.vector_norm(x, axis=axis, ord=2 if ord is None else ord, keepdims=keepdims)
    axes = (-2, -1) if axis is None else tuple(axis)
    found = ca.linalg.matrix_norm(ca.moveaxis(x, axes, (-2, -1)), ord=ord, keepdims=keepdims)
    return ca.moveaxis(found, (-2, -1), axes) if keepdims else found


def _array(x: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    return ca.asarray(x, dtype=dtype_of(dtype), device=device, copy=copy)


def _copy(x: Any) -> Any:
    return ca.asarray(x, copy=True)


def _transpose(x: Any, axes: Sequence[int] | None = None) -> Any:
    return ca.permute_dims(x, tuple(range(x.ndim))[::-1] if axes is None else tuple(axes))


def _cumulated(function: Callable[..., Any]) -> Callable[..., Any]:
    def cumulated(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
        return function(ca.ravel(x) if axis is None else x, axis=0 if axis is None else axis, dtype=dtype_of(dtype))

    return cumulated


def _einsum(*operands: Any, **options: Any) -> Any:
    """`numpy.einsum`, also with arrays and lists of axes in turn."""
    if isinstance(operands[0], str):
        return ca.einsum(*operands)
    arrays, axes = operands[: len(operands) // 2 * 2 : 2], operands[1::2]
    text = ",".join("".join(ascii_letters[i] for i in row) for row in axes)
    if len(operands) % 2:
        text += "->" + "".join(ascii_letters[i] for i in operands[-1])
    return ca.einsum(text, *arrays)


def _dot(a: Any, b: Any) -> Any:
    """`numpy.dot`: the last axis of `a` with the last but one of `b`."""
    if not a.ndim or not b.ndim:
        return a * b
    if b.ndim <= 2:
        return ca.matmul(a, b)
    return ca.tensordot(a, b, axes=((a.ndim - 1,), (b.ndim - 2,)))


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    if isinstance(axes, int):
        return ca.tensordot(a, b, axes=axes)
    first, second = ((side,) if isinstance(side, int) else tuple(side) for side in axes)
    return ca.tensordot(a, b, axes=(first, second))


def _trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return ca.linalg.trace(ca.moveaxis(x, (axis1, axis2), (-2, -1)), offset=offset)


def _diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return ca.linalg.diagonal(ca.moveaxis(x, (axis1, axis2), (-2, -1)), offset=offset)


def _squeeze(x: Any, axis: Any = None) -> Any:
    return x.squeeze() if axis is None else ca.squeeze(x, axis)


def _clip(x: Any, a_min: Any = None, a_max: Any = None) -> Any:
    return ca.clip(x, a_min, a_max)


def _where(condition: Any, *choices: Any) -> Any:
    return ca.where(condition, *choices) if choices else ca.nonzero(condition)


def _vdot(a: Any, b: Any) -> Any:
    return ca.vecdot(ca.ravel(a), ca.ravel(b))


def _full_like(x: Any, fill_value: Any, dtype: Any = None) -> Any:
    return ca.full_like(x, fill_value, dtype=dtype_of(dtype))


def _ndim(x: Any) -> int:
    return x.ndim  # type: ignore[no-any-return]


def _svd(x: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    return tuple(ca.linalg.svd(x, full_matrices=full_matrices)) if compute_uv else ca.linalg.svdvals(x)


def _moved(name: str) -> Callable[..., Any]:
    """Return a function that takes the options of `_POSITIONAL` by position too."""
    function, names = getattr(ca, _ALIASES.get(name, name)), _POSITIONAL[name].split()
    arrays = 2 if name in ("repeat", "roll", "take", "split", "array_split", "take_along_axis") else 1

    def moved(*arguments: Any, **given: Any) -> Any:
        given = {**dict(zip(names, arguments[arrays:], strict=False)), **given}
        return function(*arguments[:arrays], **given)

    moved.__name__ = name
    return moved


#: Those functions by their names, for which ours of the same name are called otherwise or are not there.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(ca, ours) for name, ours in _ALIASES.items()},
    **{name: _moved(name) for name in _POSITIONAL},
    "array": _array,
    "clip": _clip,
    "copy": _copy,
    "cumprod": _cumulated(ca.cumulative_prod),
    "cumsum": _cumulated(ca.cumulative_sum),
    "diagonal": _diagonal,
    "dot": _dot,
    "einsum": _einsum,
    "full_like": _full_like,
    "identity": ca.eye,
    "linalg.norm": norm,
    "linalg.svd": _svd,
    "ndim": _ndim,
    "squeeze": _squeeze,
    "tensordot": _tensordot,
    "trace": _trace,
    "transpose": _transpose,
    "vdot": _vdot,
    "where": _where,
}
