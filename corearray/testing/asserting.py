"""Assertions on arrays, for the tests of programs that run on several backends: their messages name backend and dtype."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.container import Container

__all__ = ["assert_allclose", "assert_array_equal"]

#: Relative tolerances by dtype: some hundred times the distance of neighbouring numbers.
_RTOL = {"bfloat16": 5e-2, "float16": 5e-3, "float32": 1e-5, "complex64": 1e-5, "float64": 1e-10, "complex128": 1e-10}


def assert_allclose(
    actual: Any,
    desired: Any,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    equal_nan: bool = True,
    check_dtype: bool = False,
    message: str = "",
) -> None:
    """Raise an AssertionError if two arrays, or trees of arrays, differ by more than a tolerance.

    Parameters
    ----------
    actual, desired
        Arrays of any backend, native arrays, numbers, or equal trees of them in lists, tuples, mappings and containers.
        Shapes must be equal, but a number stands for an array of any shape.
    rtol, atol
        `abs(actual - desired) <= atol + rtol * abs(desired)`. By default `rtol` is 1e-10 in float64, 1e-5 in float32, 5e-3 in
        float16 and 5e-2 in bfloat16, of the less precise of the two.
    equal_nan
        Whether NaN equals NaN.
    check_dtype
        Whether dtypes must be equal too.
    message
        First line of the error's text.

    Raises
    ------
    AssertionError
        With backend, dtype and shape of both, the number of elements that differ, and the worst of them.

    Examples
    --------
    >>> import corearray as ca
    >>> assert_allclose(ca.asarray([1.0, 2.0]), [1.0, 2.0000001])
    >>> assert_allclose({"a": ca.asarray([1.0, 2.0])}, {"a": [1.0, 2.5]})
    Traceback (most recent call last):
    AssertionError: at ['a']: 1 of 2 elements differ by more than rtol=1e-05, atol=0.0
      actual:  numpy, float32, (2,)
      desired: list, (2,)
      worst at (1,): 2.0, desired 2.5, relative 0.2
    """
    for place, one, other in _pairs(actual, desired, ""):
        head = (f"{message}\n" if message else "") + (f"at {place}: " if place else "")
        _compare(head, one, other, rtol, atol, equal_nan, check_dtype)


def assert_array_equal(actual: Any, desired: Any, *, check_dtype: bool = False, message: str = "") -> None:
    """Raise an AssertionError if two arrays, or trees of arrays, are not equal; NaN equals NaN.

    Parameters
    ----------
    actual, desired, check_dtype, message
        As in `assert_allclose`.

    Raises
    ------
    AssertionError
        As in `assert_allclose`.

    Examples
    --------
    >>> import corearray as ca
    >>> assert_array_equal(ca.arange(3), [0, 1, 2])
    """
    assert_allclose(actual, desired, rtol=0.0, check_dtype=check_dtype, message=message)


def _pairs(actual: Any, desired: Any, place: str) -> list[tuple[str, Any, Any]]:
    """Return the leaves of two trees beside each other, with their places."""
    mappings = (Mapping, Container)
    if isinstance(actual, mappings) or isinstance(desired, mappings):
        if not (isinstance(actual, mappings) and isinstance(desired, mappings)) or set(actual) != set(desired):
            raise AssertionError(f"at {place or 'the top'}: {_keys(actual)}, desired {_keys(desired)}")
        return [pair for key in actual for pair in _pairs(actual[key], desired[key], f"{place}[{key!r}]")]
    if isinstance(actual, (list, tuple)) and not _is_array(desired) and any(map(_has_arrays, (actual, desired))):
        if not isinstance(desired, (list, tuple)) or len(actual) != len(desired):
            raise AssertionError(f"at {place or 'the top'}: {_keys(actual)}, desired {_keys(desired)}")
        pairs = zip(actual, desired, strict=True)
        return [pair for number, (x, y) in enumerate(pairs) for pair in _pairs(x, y, f"{place}[{number}]")]
    return [(place, actual, desired)]


def _is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and hasattr(value, "shape")


def _has_arrays(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(
        _is_array(x) or isinstance(x, Mapping) or _has_arrays(x) for x in value
    )


def _keys(value: Any) -> str:
    if isinstance(value, (Mapping, Container)):
        return f"a mapping with the keys {sorted(map(str, value))}"
    return f"a {type(value).__name__}" + (f" of {len(value)}" if isinstance(value, (list, tuple)) else "")


def _read(value: Any) -> tuple[Any, str, str]:
    """Return the elements for NumPy, the name of the dtype, empty for numbers and lists of Python, and a description."""
    if not _is_array(value):
        elements = np.asarray(value)
        return elements, "", f"{type(value).__name__}, {elements.shape}"
    backend = backend_of(value) or ca.get_backend()
    x = backend.asarray(value)
    name = x.dtype.name
    elements = np.reshape(x.tolist(), tuple(x.shape)) if name == "bfloat16" else backend.to_numpy(x)
    return elements, name, f"{backend.name}, {name}, {tuple(x.shape)}"


def _compare(
    head: str, actual: Any, desired: Any, rtol: float | None, atol: float, equal_nan: bool, check_dtype: bool
) -> None:
    (x, one, said), (y, other, wanted) = _read(actual), _read(desired)
    both = f"\n  actual:  {said}\n  desired: {wanted}"
    if x.shape != y.shape and not isinstance(desired, (bool, int, float, complex)):
        raise AssertionError(f"{head}the shapes {x.shape} and {y.shape} differ{both}")
    if check_dtype and one and other and one != other:
        raise AssertionError(f"{head}the dtypes {one} and {other} differ{both}")
    if rtol is None:
        rtol = max(_RTOL.get(one, 0.0), _RTOL.get(other, 0.0)) if one or other else _RTOL["float64"]
    wide = complex if "c" in (x.dtype.kind, y.dtype.kind) else float if "f" in (x.dtype.kind, y.dtype.kind) else object
    x, y = np.broadcast_arrays(x.astype(wide), y.astype(wide))
    if wide is object:
        x, y = x.astype("O"), y.astype("O")
        wrong = x != y if rtol == atol == 0.0 else abs(x - y) > atol + rtol * abs(y)
    else:
        wrong = ~np.isclose(x, y, rtol, atol, equal_nan)
    if not np.any(wrong):
        return
    with np.errstate(all="ignore"):
        error = np.where(wrong, np.abs((x - y).astype(complex if wide is complex else float)), -1.0)
    error = np.where(np.isnan(error), np.inf, error)
    at = np.unravel_index(int(np.argmax(error)), error.shape)
    size = abs(y[at])
    relative = f", relative {error[at] / size:.2g}" if size and np.isfinite(size) and np.isfinite(error[at]) else ""
    raise AssertionError(
        f"{head}{int(np.sum(wrong))} of {x.size} elements differ by more than rtol={rtol:g}, atol={atol}{both}"
        f"\n  worst at {tuple(map(int, at))}: {x[at]}, desired {y[at]}{relative}"
    )
