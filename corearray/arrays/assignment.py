"""`x[key] = value`: what may be written into an array of which dtype, the same on every backend.

The rule is NumPy's `same_kind`: a value never becomes one of a lower kind, a float no integer and a complex number no
float. Python numbers are checked one by one, also in lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from corearray.arrays.array import Array
from corearray.arrays.nested import map_nested, to_native
from corearray.calls.accelerated import accelerator
from corearray.calls.settle import checked
from corearray.checks.keys import array_key, sound_key, wrong_key
from corearray.checks.shapes import joint_shape
from corearray.checks.values import plain_number
from corearray.errors import CoreArrayError, CoreArrayTypeError, CoreArrayValueError, InplaceUpdateError
from corearray.settings.context import NUMBERS, SCALARS, current_settings, on_arrays
from corearray.stages.arguments import refuse_others
from corearray.stages.exceptions import raise_explained
from corearray.stages.views import wrote
from corearray.types.dtypes import DType, same_kind

if TYPE_CHECKING:
    from corearray.arrays.kind import Kind
    from corearray.backends.backend import Backend

__all__ = ["assign", "lead_updates", "update"]

_RANK = {"bool": 0, "unsigned integer": 1, "signed integer": 1, "real floating": 2, "complex floating": 3}


def assign(backend: Backend, x: Array, key: Any, value: Any) -> None:
    """Write into an array of a backend; an array that cannot change gets another native one."""
    _refuse_if_strict(backend)
    if type(value) is not type(x) or value.dtype is not x.dtype:
        value = _assignable(backend, x, value)
    native_key = array_key(type(x), key)
    if native_key is None:
        refuse_others(key, backend, "set_item", is_key=True)
        key = sound_key(backend, x, key)
        native_key = map_nested(key, to_native)
    try:
        _write(backend, x, native_key, value._native)
    except Exception as error:
        raise_explained(error, backend, "set_item", lambda: _diagnosed(backend, x, key, value))


def update(backend: Backend, x: Array, function: str, other: Any) -> Any:
    """Write the result of a function of an array and another operand into that array, as operators in place do.

    Returns
    -------
    The array, or a result that is none, as of a ragged array.

    Raises
    ------
    CoreArrayValueError, CoreArrayTypeError
        If the result has another shape, or a dtype of another kind; within a kind it is cast.
    """
    compute, kind = backend.updates.get(function), x._kind
    if compute is not None and not current_settings().slow:
        if type(other) is type(x):
            operand = other._native if other._kind is kind else None
        else:
            operand = other if _is_held(other, kind) else None
        try:
            if operand is not None and compute(x._native, operand):
                if backend.copies:
                    wrote(backend, x, x._native)
                return x
        except Exception as error:
            raise_explained(error, backend, function)
    result = _computed(backend, function, x, other)
    if not isinstance(result, Array):
        return result
    if tuple(result._native.shape) != tuple(x._native.shape) and tuple(result.shape) != tuple(x.shape):  # or NaN
        raise CoreArrayValueError(
            f"an in-place operator cannot change the shape from {tuple(x.shape)} to {tuple(result.shape)}; "
            "write x = x + y instead of x += y"
        )
    if result.dtype is not x.dtype and result.dtype.category == x.dtype.category:
        result = backend.astype(result, x.dtype)
    if result.dtype is not x.dtype:
        raise CoreArrayTypeError(
            f"an in-place operator cannot change the dtype from '{x.dtype}' to '{result.dtype}'; "
            "write x = x + y instead of x += y"
        )
    _refuse_if_strict(backend)
    try:
        if backend.writes_in_place:
            _write(backend, x, ..., result._native)
        else:
            wrote(backend, x, result._native)
    except Exception as error:
        raise_explained(error, backend, "set_item")
    return x


@on_arrays
def _computed(backend: Backend, function: str, x: Array, other: Any) -> Any:
    return getattr(backend, function)(x, other)


def lead_updates(backend: Backend, updates: Mapping[str, Callable[[Any, Any], bool]]) -> None:
    """Let operators in place be computed by what the hook `updates` gave, and by nothing else.

    Operands of one class go there from C while no copies are to be told; `update` tells what that does not cover.
    """
    if accelerator:
        for function in backend.updates.keys() | updates.keys():
            failure = partial(_failed, backend, function)
            accelerator.accelerate_update(backend.Array, function, updates.get(function), failure, backend.copies)
    backend.updates = updates


def _failed(backend: Backend, function: str, error: Exception) -> NoReturn:
    raise_explained(error, backend, function)


def _is_held(number: Any, kind: Kind) -> bool:
    """Whether something is a Python number that the dtype holds."""
    if type(number) is int:
        return kind.least <= number <= kind.most
    return type(number) is float and kind.dtype is not None and kind.dtype.category.endswith("floating")


def _write(backend: Backend, x: Array, key: Any, value: Any) -> None:
    if backend.writes_in_place:
        wrote(backend, x, backend.facts["set_item"](x._native, key, value), key)
        return
    with backend.lock:  # between the read and the replacement no other thread writes: its elements would be lost
        wrote(backend, x, backend.facts["set_item"](x._native, key, value), key)


def _refuse_if_strict(backend: Backend) -> None:
    if not backend.writes_in_place and current_settings().inplace == "strict":
        raise InplaceUpdateError(
            f"arrays of backend '{backend.name}' cannot be written in place, and the in-place mode is strict; compute a "
            'new array, or let the Array get another native one with corearray.set_inplace_mode("lenient")'
        )


@on_arrays
def _assignable(backend: Backend, x: Array, value: Any) -> Array:
    """Return a value as an array of the backend and of the dtype of `x`."""
    dtype = x.dtype
    if type(value) in SCALARS:
        return backend.wrap(backend.number(_fitting(backend, value, dtype), x._native.dtype, x._native))
    if backend.is_native(value):
        value = backend.wrap(backend.ensured(value))
    value = backend.operand(value, x)
    refuse_others(value, backend, "set_item")
    if isinstance(value, NUMBERS) or (isinstance(value, (list, tuple)) and value):
        return backend.asarray(_fitting(backend, value, dtype), dtype=dtype, device=x.device)  # type: ignore[no-any-return]
    if value is None or isinstance(value, (str, bytes)):
        raise CoreArrayTypeError(
            f"{value!r} cannot be written into an array of dtype '{dtype}'; give numbers or arrays"
        )
    if not isinstance(value, Array):
        value = backend.asarray(value, device=x.device)
    if not same_kind(value.dtype, dtype) and value.size != 0:
        raise _lower_kind(f"an array of dtype '{value.dtype}'", dtype)
    return backend.astype(value, dtype, copy=False)  # type: ignore[no-any-return]


def _fitting(backend: Backend, value: Any, dtype: DType) -> Any:
    """Return nested lists of numbers and arrays, each of which the dtype holds."""
    if isinstance(value, (list, tuple)):
        return [_fitting(backend, item, dtype) for item in value]
    if isinstance(value, NUMBERS):
        value = plain_number(value)
        if NUMBERS.index(type(value)) > _RANK[dtype.category]:
            raise _lower_kind(f"the Python number {value!r}", dtype)
        checked(value, dtype)
    elif backend.is_array(value):
        given = backend.dtype_of(value)
        if not same_kind(given, dtype):
            raise _lower_kind(f"an array of dtype '{given}'", dtype)
    return value


def _lower_kind(what: str, dtype: DType) -> CoreArrayTypeError:
    return CoreArrayTypeError(
        f"{what} cannot be written into an array of dtype '{dtype}', which is of a lower kind; "
        "cast the value first, for example with corearray.astype, or the array"
    )


def _diagnosed(backend: Backend, x: Array, key: Any, value: Array) -> CoreArrayError | None:
    """Return what is wrong with a key or with the shape of a value."""
    try:
        found = wrong_key(backend, x, key)
        if found is None:
            part, given = tuple(x[key].shape), tuple(value.shape)
            if joint_shape((part, given)) != part:
                return CoreArrayValueError(
                    f"'set_item' on backend '{backend.name}' got a value of the shape {given}, which does not "
                    f"broadcast to the selected part of the shape {part}"
                )
    except Exception:  # the native error is there to be told
        return None
    return found
