"""Conversion of arguments to arrays by TensorFlow's rules: dtypes of tensors never change, those of Python's numbers follow.

Source: `tf.convert_to_tensor` in TensorFlow 2.21 (`tensorflow/python/eager/pywrap_tensor.cc`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.calls.memo import follow
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.tensorflow.data_types import DType, default, dtype_of
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.tensor_shape import TensorShape

__all__ = ["alike", "axes_list", "axis_of", "holds", "integers", "tensor", "untyped"]

_ORDER = (bool, int, float, complex)


def tensor(x: Any, dtype: Any = None, hint: Any = None) -> ca.Array:
    """Return an array of a tensor, a number, a nested sequence or a foreign array.

    Parameters
    ----------
    x
        A tensor, a number, a nested sequence or a foreign array.
    dtype
        The dtype of the result; a tensor must have it already.
    hint
        The dtype of the result if `x` is a foreign array, or a Python number that the dtype can hold: an integer also
        becomes real, and a real number complex. Tensors keep their dtype.

    Raises
    ------
    ValueError
        If a tensor has another dtype than `dtype`, or rows differ in length.
    TypeError
        If the numbers do not fit into `dtype`, or `x` is no number.
    """
    wanted = dtype_of(dtype)
    if isinstance(x, ca.Array):
        if wanted is not None and x.dtype != wanted:
            raise CoreArrayValueError(
                f"Tensor conversion requested dtype {wanted} for Tensor with dtype {x.dtype}; convert it with tf.cast"
            )
        return x
    own = wanted if wanted is not None else hint
    foreign: ca.Array | None = _foreign(x)
    if foreign is not None:
        return _cast(foreign, foreign.dtype if own is None else own)
    if isinstance(x, (TensorShape, range)):
        x = list(x)
    if isinstance(x, (list, tuple)):
        made: ca.Array = _of_sequence(x, wanted, hint)
        return made
    kind = _kind(x)
    if own is not None and _fits(kind, own):
        return ca.asarray(_as(x, own), dtype=own)
    if wanted is not None:
        raise CoreArrayTypeError(f"Cannot convert {x!r} to EagerTensor of dtype {wanted}")
    return ca.asarray(x, dtype=_wide(x) if kind is int else default(kind))


def untyped(x: Any) -> bool:
    """Return true for arguments that hold no array: they take the dtype of the tensors beside them."""
    return not isinstance(x, ca.Array) and not any(isinstance(leaf, ca.Array) for leaf in _leaves(x))


def alike(name: str, xs: Sequence[Any], hint: Any = None) -> list[ca.Array]:
    """Return the inputs of an operation as arrays of one dtype.

    Parameters
    ----------
    name
        The operation, for errors.
    xs
        The inputs; the first tensor among them gives the dtype to numbers.
    hint
        The dtype, if the operation has only one.

    Raises
    ------
    InvalidArgumentError
        If dtypes differ.
    """
    if hint is None:
        hint = next((x.dtype for x in xs if isinstance(x, ca.Array)), None)
    found: list[ca.Array] = []
    for x in xs:
        made = tensor(x, hint=hint)
        hint = made.dtype if hint is None else hint
        if made.dtype != hint:
            raise InvalidArgumentError(
                f"cannot compute {name} as input #{len(found)}(zero-based) was expected to be a {hint} tensor but is a "
                f"{made.dtype} tensor; convert it with tf.cast"
            )
        found.append(made)
    return found


def integers(x: Any) -> tuple[int, ...]:
    """Return sizes, axes or the like as Python's integers; a number gives a tuple of one."""
    if isinstance(x, ca.Array):
        x = x.tolist()
    elif (foreign := _foreign(x)) is not None:
        x = foreign.tolist()
    if isinstance(x, (list, tuple, range, TensorShape)):
        return tuple(_integer(item) for item in x)
    return (_integer(x),)


def axes_list(axis: Any, ndim: int) -> list[int]:
    """Return the axes of a reduction from zero; `None` stands for all.

    Raises
    ------
    InvalidArgumentError
        If there is no such axis.
    """
    if axis is None:
        return list(range(ndim))
    found = integers(axis)
    for place in found:
        if not -ndim <= place < ndim:
            raise InvalidArgumentError(f"there is no axis {place} of a tensor with {ndim} dimension(s)")
    return [place % ndim for place in found]


def axis_of(axis: Any, ndim: int) -> int:
    """Return one axis from zero.

    Raises
    ------
    InvalidArgumentError
        If there is no such axis.
    """
    return axes_list(axis, ndim)[0]


def holds(condition: ca.Array) -> bool | None:
    """Return the truth value of a condition without axes, or `None` if it is unknown, as in a compiled program."""
    backend = condition.backend
    found: bool | None = backend.facts["truth"](condition._native) if "truth" in backend.facts else bool(condition)
    return found


follow(holds, lambda condition: None)


def _integer(x: Any) -> int:
    if isinstance(x, ca.Array):
        x = x.item()
    if isinstance(x, float) or not (isinstance(x, int) or hasattr(x, "__index__")):
        raise CoreArrayTypeError(f"an integer is needed, got {x!r}")
    return int(x)


def _foreign(x: Any) -> Any:
    """Return the array of a native array of a framework, or of an object of NumPy's protocol."""
    known = (bool, int, float, complex, str, list, tuple, dict, range, TensorShape, DType)
    if x is None or (isinstance(x, known) and not hasattr(x, "dtype")):  # NumPy's float64 is a float too
        return None
    backend = backend_of(x)
    if backend is not None:
        return ca.asarray(x)
    return ca.asarray(x) if hasattr(x, "__array__") or hasattr(x, "__array_interface__") else None


def _cast(x: ca.Array, dtype: ca.DType) -> ca.Array:
    if x.dtype == dtype:
        return x
    if x.dtype.category == "complex floating" and dtype.category != "complex floating":
        raise CoreArrayTypeError(f"Cannot convert an array of dtype {x.dtype} to EagerTensor of dtype {dtype}")
    return ca.astype(x, dtype)


def _of_sequence(x: Sequence[Any], wanted: Any, hint: Any) -> Any:
    leaves = list(_leaves(x))
    held = [leaf for leaf in leaves if isinstance(leaf, ca.Array) or _foreign(leaf) is not None]
    if held:
        own = (
            wanted if wanted is not None else next((leaf.dtype for leaf in leaves if isinstance(leaf, ca.Array)), hint)
        )
        return _stacked(x, own)
    kinds = {_kind(leaf) for leaf in leaves}
    if bool in kinds and len(kinds) > 1:
        raise CoreArrayValueError("Can't convert Python sequence with mixed types to Tensor.")
    kind = sorted(kinds, key=_ORDER.index)[-1] if kinds else float
    own = wanted if wanted is not None else hint
    if own is not None and not _fits(kind, own):
        if wanted is not None:
            raise CoreArrayTypeError(f"Cannot convert {list(x)!r} to EagerTensor of dtype {wanted}")
        own = None
    if own is None:
        own = sorted(map(_wide, leaves), key=lambda dtype: dtype.bits)[-1] if kind is int else default(kind)
    if not leaves:
        return ca.zeros(_shape(x), dtype=own)
    _shape(x)
    return ca.asarray(_nested(x, own), dtype=own)


def _stacked(x: Any, dtype: Any) -> Any:
    if isinstance(x, (list, tuple)):
        parts = alike("Pack", [_stacked(item, dtype) for item in x])
        return ca.stack(parts)
    return tensor(x, hint=dtype)


def _leaves(x: Any) -> Iterator[Any]:
    if isinstance(x, (list, tuple, range, TensorShape)):
        for item in x:
            yield from _leaves(item)
    else:
        yield x


def _shape(x: Any) -> tuple[int, ...]:
    """Return the shape of nested sequences.

    Raises
    ------
    ValueError
        If rows differ.
    """
    if not isinstance(x, (list, tuple, range, TensorShape)):
        return ()
    shapes = {_shape(item) for item in x}
    if len(shapes) > 1:
        raise CoreArrayValueError("Can't convert non-rectangular Python sequence to Tensor.")
    return (len(x), *(shapes.pop() if shapes else ()))


def _nested(x: Any, dtype: Any) -> Any:
    return [_nested(item, dtype) for item in x] if isinstance(x, (list, tuple, range)) else _as(x, dtype)


def _kind(x: Any) -> type:
    for kind in _ORDER:
        if isinstance(x, kind):
            return kind
    if hasattr(x, "__index__"):
        return int
    raise CoreArrayTypeError(f"Attempt to convert a value ({x!r}) with an unsupported type ({type(x)}) to a Tensor.")


def _fits(kind: type, dtype: ca.DType) -> bool:
    """Return true if numbers of a Python type become elements of a dtype without a loss."""
    wanted = {"bool": 0, "real floating": 2, "complex floating": 3}.get(dtype.category, 1)
    if dtype == ca.bool or kind is bool:
        return kind is bool and dtype.category in ("bool", "real floating", "complex floating")
    return _ORDER.index(kind) <= wanted


def _as(x: Any, dtype: ca.DType) -> Any:
    return {"bool": bool, "real floating": float, "complex floating": complex}.get(dtype.category, int)(x)


def _wide(x: Any) -> ca.DType:
    return ca.int32 if -(2**31) <= int(x) < 2**31 else ca.int64
