"""Whether a result, or an error, is the expected one."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from corearray.errors import CoreArrayError
from corearray.testing.calls import Case, arrays_in
from corearray.testing.edges.dtypes import DIGITS
from corearray.testing.reference import Refusal, Result

__all__ = ["changed", "difference", "wrong_refusal"]

#: Greatest error, relative to the greatest number in the result.
_TOLERANCE = {"float32": 2e-4, "complex64": 2e-4, "float64": 1e-9, "complex128": 1e-9}

#: Functions whose elements may be anything.
_ANYTHING = {"empty", "empty_like"}


def _columns(x: Any, values: Any, vectors: Any) -> tuple[Any, Any]:
    return x @ vectors, vectors * values[..., None, :]


def _tridiagonal(d: Any, e: Any) -> Any:
    last = np.zeros((*e.shape[:-1], 1), e.dtype)
    beside = np.concatenate([e, last], -1)[..., None] * np.eye(d.shape[-1], k=1, dtype=d.dtype)
    return d[..., None] * np.eye(d.shape[-1], dtype=d.dtype) + beside + np.swapaxes(beside, -1, -2)


#: The same for functions with at most a few roundings.
_NARROW = {"float32": 1e-5, "complex64": 1e-5, "float64": 1e-13, "complex128": 1e-13}

#: Functions of one or two numbers that frameworks compute to their last digits.
_ROUNDED = {"add", "atan2", "cos", "divide", "exp", "log", "multiply", "pow", "sin", "sqrt", "subtract"}

#: Functions that compute nothing, or are exact: they keep the signs of zeros.
_EXACT = {
    "asarray", "astype", "broadcast_to", "concat", "conj", "copysign", "floor", "from_dlpack", "get_item", "imag", "multiply",
    "permute_dims", "real", "reshape", "sqrt", "take", "to_numpy", "where",
}  # fmt: skip

#: Functions that give elements of their arguments, or numbers that are rounded in one way only: every digit is right.
_MOVING = (_EXACT - {"multiply", "sqrt"}) | {
    "argsort", "flip", "max", "maximum", "min", "minimum", "negative", "roll", "sort", "stack", "tile",
}  # fmt: skip

#: Functions that compute with real numbers and give zeros with a sign.
_SIGNED = {
    "abs", "add", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "divide", "expm1", "floor_divide", "log1p", "negative",
    "nextafter", "prod", "remainder", "round", "sin", "sinh", "subtract", "tan", "tanh", "trunc",
}  # fmt: skip

#: Calls that are refused for their values, for which backends that compile give NaN or infinities instead.
_NAN_ALSO = ("matrices that are not positive definite", "singular matrices")

#: Functions of how elements lie in memory, which is open where there are none.
_OF_MEMORY = {"strides"}


def _identity(x: Any) -> Any:
    """Return whether columns are orthonormal, as two arrays that must be equal."""
    return np.conj(np.swapaxes(x, -1, -2)) @ x, np.eye(x.shape[-1]) + np.zeros_like(x[..., :1, :1]).real


def _eig(x: Any, values: Any, vectors: Any) -> Any:
    yield _columns(x, values, vectors)
    yield np.linalg.norm(vectors, axis=-2), np.ones(values.shape)
    yield _in_order(values), _in_order(np.linalg.eigvals(x))


def _eigh(x: Any, values: Any, vectors: Any) -> Any:
    yield _columns(x, values, vectors)
    yield _identity(vectors)
    yield values, np.sort(values, -1)


def _qr(x: Any, q: Any, r: Any) -> Any:
    yield q @ r, x
    yield _identity(q)
    yield r, np.triu(r)


def _svd(x: Any, u: Any, s: Any, vh: Any) -> Any:
    count = s.shape[-1]
    yield (u[..., :count] * s[..., None, :]) @ vh[..., :count, :], x
    yield _identity(u)
    yield _identity(np.conj(np.swapaxes(vh, -1, -2)))
    yield s, np.abs(np.flip(np.sort(s, -1), -1))


def _in_order(values: Any) -> Any:
    """Return complex numbers in one order, which does not depend on their last digits."""
    return np.take_along_axis(values, np.argsort(np.round(values.real + 1e-3 * values.imag, 5), -1), -1)


#: Functions with several right results: from the arrays given and the results to pairs of arrays that must be equal.
_EITHER: dict[str, Callable[..., Any]] = {
    "eig": _eig,
    "eigh": _eigh,
    "eigh_tridiagonal": lambda d, e, values, vectors: [_columns(_tridiagonal(d, e), values, vectors)],
    "eigvals": lambda x, values: [(_in_order(values), _in_order(np.linalg.eigvals(x)))],
    "qr": _qr,
    "svd": _svd,
}


def difference(case: Case, found: Any, wanted: Any) -> str:
    """Say what is wrong with a result; nothing if it is right.

    Examples
    --------
    >>> one, two = Result("int8", (), np.asarray(1)), Result("int8", (), np.asarray(2))
    >>> difference(Case("sum", "", "", (), {}), one, two)
    'expected 2, found 1 at ()'
    """
    if isinstance(wanted, Refusal):
        if case.label.startswith(_NAN_ALSO) and isinstance(found, Result) and not np.isfinite(found.elements).all():
            return ""
        return f"expected {_or(wanted.kinds)}, found the result {found!r}"
    if case.name in _OF_MEMORY and any(x.size == 0 for x in arrays_in(case.args)):
        return ""
    if isinstance(wanted, tuple) and not isinstance(wanted, Result):
        if not isinstance(found, tuple) or isinstance(found, Result) or len(found) != len(wanted):
            return f"expected {len(wanted)} results, found {found!r}"
        told = [difference(case, one, two) for one, two in zip(found, wanted, strict=True)]
        wrong = next((f"result {number}: {text}" for number, text in enumerate(told) if text), "")
        return wrong or _either(case, found)
    if not isinstance(wanted, Result):
        return (
            ""
            if _same(found, wanted, "" if case.name == "to_list" else "float32")
            else f"expected {wanted!r}, found {found!r}"
        )
    if not isinstance(found, Result):
        return f"expected an array, found {found!r}"
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return f"expected {wanted.dtype} of shape {wanted.shape}, found {found.dtype} of shape {found.shape}"
    if case.name in _ANYTHING:
        return ""
    if case.name in _EITHER:
        return _either(case, (found,)) if case.name == "eigvals" else ""
    tolerance = _NARROW if case.name in _ROUNDED or case.label.startswith(DIGITS) else _TOLERANCE
    if case.name in _MOVING:
        wrong = ~_identical(found.elements, wanted.elements)
    else:
        wrong = ~_close(found.elements, wanted.elements, wanted.dtype, tolerance)
    if (
        case.name == "nextafter"
    ):  # which a tolerance cannot tell from its argument; compilers may flush subnormal numbers
        normal = np.abs(wanted.elements) >= np.finfo(wanted.elements.dtype).tiny
        wrong |= normal & (found.elements != wanted.elements)
    if (case.name in _EXACT and wanted.elements.dtype.kind in "fc") or (
        case.name in _SIGNED and wanted.elements.dtype.kind == "f"
    ):
        wrong |= _other_zero(found.elements, wanted.elements)
    if case.name in _EXACT - {"multiply", "sqrt"} and wanted.elements.dtype.kind == "c":
        precise = "float64" if wanted.dtype == "complex128" else "float32"
        wrong |= ~_close(found.elements.real, wanted.elements.real, precise)
        wrong |= ~_close(found.elements.imag, wanted.elements.imag, precise)
    if not wrong.any():
        return ""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"expected {wanted.elements[place].item()}, found {found.elements[place].item()} at {place}"


def changed(case: Case, given: Any) -> str:
    """Say which argument of a call is another one after it; nothing if all are as they were."""
    after: list[Result] = []
    _results(given, after)
    for number, (one, two) in enumerate(zip(arrays_in((case.args, case.options)), after, strict=True), 1):
        if not np.array_equal(one, two.elements, equal_nan=one.dtype.kind in "fc"):
            return f"array {number} of the arguments was {one.tolist()} and is {two.elements.tolist()} after the call"
    return ""


def _results(value: Any, found: list[Result]) -> None:
    """Collect the results in nested tuples and dictionaries, in the order of `arrays_in`."""
    if isinstance(value, Result):
        found.append(value)
    elif isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            _results(item, found)


def wrong_refusal(error: Exception, wanted: Any) -> str:
    """Say what is wrong with an error that a call raised; nothing if the call is to be refused in this way.

    Examples
    --------
    >>> import corearray as ca
    >>> wrong_refusal(ca.AxisError("no such axis"), Refusal(("IndexError",)))
    ''
    >>> wrong_refusal(IndexError("no such axis"), Refusal(("IndexError",)))
    "expected one of corearray's errors, found IndexError: no such axis"
    """
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    if not isinstance(wanted, Refusal):
        return text
    if not isinstance(error, CoreArrayError):
        return f"expected one of corearray's errors, found {text}"
    return "" if set(wanted.kinds) & set(Refusal.of(error).kinds) else f"expected {_or(wanted.kinds)}, found {text}"


def _or(kinds: tuple[str, ...]) -> str:
    return f"an error that is a {' or a '.join(kinds)}"


def _either(case: Case, found: tuple[Any, ...]) -> str:
    if case.name not in _EITHER:
        return ""
    arrays = arrays_in(case.args)
    if arrays[0].dtype.kind in "biu":
        arrays = [x.astype("float64") for x in arrays]
    precise = "float64" if found[0].dtype in ("float64", "complex128") else "float32"
    for one, two in _EITHER[case.name](*arrays, *(part.elements for part in found)):
        if one.size and not np.all(_close(one, two, precise)):
            return f"the results are not the parts of the argument: {one} is not {two}"
    return ""


def _same(found: Any, wanted: Any, dtype: str) -> bool:
    """Whether a result that is no array is the expected one: nested sequences of Python numbers of the same types."""
    if isinstance(wanted, (list, tuple)):
        alike = isinstance(found, (list, tuple)) and len(found) == len(wanted)
        return alike and all(_same(one, two, dtype) for one, two in zip(found, wanted, strict=True))
    if type(wanted) in (bool, int, float, complex) and type(found) is not type(wanted):
        return False
    if isinstance(wanted, (float, complex)) and not dtype:
        one, two = np.asarray(found), np.asarray(wanted)
        return bool(_identical(one, two) and not _other_zero(one, two))
    if isinstance(wanted, (float, complex)):
        return bool(_close(np.asarray(found), np.asarray(wanted), dtype))
    return bool(found == wanted)


def _identical(found: Any, wanted: Any) -> Any:
    """Return whether elements are equal. NaN equals NaN, and a subnormal number may be zero, as compilers make it."""
    if wanted.dtype.kind == "c":
        return _identical(found.real, wanted.real) & _identical(found.imag, wanted.imag)
    if wanted.dtype.kind != "f":
        return np.asarray(found == wanted)
    subnormal = np.abs(wanted) < np.finfo(wanted.dtype).tiny
    return (found == wanted) | (np.isnan(found) & np.isnan(wanted)) | (subnormal & (found == 0))


def _other_zero(found: Any, wanted: Any) -> Any:
    """Whether both are zero, of which one is -0.0."""
    if wanted.dtype.kind == "c":
        return _other_zero(found.real, wanted.real) | _other_zero(found.imag, wanted.imag)
    return (found == 0) & (wanted == 0) & (np.signbit(found) != np.signbit(wanted))


def _close(found: Any, wanted: Any, dtype: str, tolerance: dict[str, float] = _TOLERANCE) -> Any:
    if dtype not in tolerance:
        return np.asarray(found == wanted)
    finite = np.abs(wanted[np.isfinite(wanted)])
    size = finite.max(initial=0.0)
    with np.errstate(all="ignore"):
        near = np.abs(found - wanted) <= tolerance[dtype] * np.maximum(np.abs(wanted), min(size, 1.0) if size else 0.0)
    # Which part of a complex number is infinite or NaN is open for functions that compute.
    endless = found == wanted if wanted.dtype.kind != "c" else ~np.isfinite(found)
    return np.where(np.isfinite(wanted), near, endless | (np.isnan(found) & np.isnan(wanted)))
