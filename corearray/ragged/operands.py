"""Broadcasting of the other operands of an elementwise function to the values of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.ragged.rows import row_ids

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.ragged.ragged import Ragged

__all__ = ["lowered"]

_SCALARS = (bool, int, float, complex)


def lowered(model: Ragged, x: Any, label: str, name: str) -> Any:
    """Return `x` broadcast to `model.values`.

    Parameters
    ----------
    model
        The ragged array whose rows the result has.
    x
        A number, an array or a ragged array.
    label, name
        What `x` and the function are called in messages.

    Raises
    ------
    ValueError
        If rows differ, or an array has not length one along the ragged axis.
    """
    if x is None or type(x) in _SCALARS or x is model:
        return model.values if x is model else x
    if type(x) is type(model):
        _require_same_rows(model, x, label, name)
        return x.values
    backend = model.backend
    x = backend.asarray(x)
    if x.ndim < model.ndim - 1:
        return x
    shape = tuple(x.shape)
    place = model.ndim - x.ndim  # of the first axis of x among those of the ragged array
    if place < 0 or shape[1 - place] != 1 or (place == 0 and shape[0] not in (1, len(model))):
        raise CoreArrayValueError(
            f"'{name}' got an array of shape {shape} for {label} beside a ragged array of shape {tuple(model.shape)}; "
            f"along the ragged axis it must have length 1, as in ({len(model)}, 1)"
        )
    if place == 1:
        return x
    x = backend.squeeze(x, axis=1)
    return x if shape[0] == 1 else backend.take(x, row_ids(model.row_splits, model.values.shape[0]), axis=0)


def _require_same_rows(one: Ragged, two: Ragged, label: str, name: str) -> None:
    if one.backend is not two.backend:
        raise CoreArrayTypeError(
            f"'{name}' got ragged arrays of the backends '{one.backend.name}' and '{two.backend.name}'; convert one with "
            f'corearray.to_backend(r, "{one.backend.name}")'
        )
    if one.ndim != two.ndim or one.ragged_rank != two.ragged_rank:
        raise CoreArrayValueError(
            f"'{name}' got ragged arrays of shapes {tuple(one.shape)} and {tuple(two.shape)}; both need the same number of "
            "axes and of ragged ones"
        )
    first, second = one.row_splits, two.row_splits
    if first is second or first.native is second.native:
        return
    if len(one) != len(two):
        raise CoreArrayValueError(f"'{name}' got ragged arrays with {len(one)} and {len(two)} rows")
    try:
        same = bool(one.backend.all(one.backend.equal(first, second)))
    except Exception:  # a framework traces: then only the number of rows can be compared
        return
    if not same:
        raise CoreArrayValueError(
            f"'{name}' got ragged arrays whose rows differ in length: {_shown(one.row_lengths)} and, for {label}, "
            f"{_shown(two.row_lengths)}"
        )


def _shown(lengths: Array) -> str:
    text = str(lengths.tolist())
    return text if len(text) < 80 else f"{text[:76]} ...]"
