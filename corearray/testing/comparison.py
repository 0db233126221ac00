"""Whether a result, or an error, is the expected one."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from corearray.errors import CoreArrayError
from corearray.testing.calls import Case, arrays_in
from corearray.testing.reference import Refusal, Result

__all__ = ["difference", "wrong_refusal"]

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


#: Functions of how elements lie in memory, which is open where there are none.
_OF_MEMORY = {"strides"}

#: Functions with several right results: from the arrays given and the results to two arrays that must be equal.
_EITHER: dict[str, Callable[..., tuple[Any, Any]]] = {
    "eig": _columns,
    "eigh": _columns,
    "eigh_tridiagonal": lambda d, e, values, vectors: _columns(_tridiagonal(d, e), values, vectors),
    "eigvals": lambda x, values: (values.sum(-1), np.trace(x, axis1=-2, axis2=-1)),
    "qr": lambda x, q, r: (q @ r, x),
    "svd": lambda x, u, s, vh: ((u[..., : s.shape[-1]] * s[..., None, :]) @ vh[..., : s.shape[-1], :], x),
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
        same = (
            _close(np.asarray(found), np.asarray(wanted), "float32") if isinstance(wanted, float) else found == wanted
        )
        return "" if np.all(same) else f"expected {wanted!r}, found {found!r}"
    if not isinstance(found, Result):
        return f"expected an array, found {found!r}"
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return f"expected {wanted.dtype} of shape {wanted.shape}, found {found.dtype} of shape {found.shape}"
    if case.name in _ANYTHING:
        return ""
    if case.name in _EITHER:
        return _either(case, (found,)) if case.name == "eigvals" else ""
    wrong = ~_close(found.elements, wanted.elements, wanted.dtype)
    if not wrong.any():
        return ""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"expected {wanted.elements[place].item()}, found {found.elements[place].item()} at {place}"


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
    return f"an error that is a {' and a '.join(kinds)}"


def _either(case: Case, found: tuple[Any, ...]) -> str:
    if case.name not in _EITHER:
        return ""
    one, two = _EITHER[case.name](*arrays_in(case.args), *(part.elements for part in found))
    return "" if np.all(_close(one, two, "float32")) else f"the results do not make up the argument: {one} is not {two}"


def _close(found: Any, wanted: Any, dtype: str) -> Any:
    if dtype not in _TOLERANCE:
        return np.asarray(found == wanted)
    finite = np.abs(wanted[np.isfinite(wanted)])
    size = finite.max(initial=0.0)
    with np.errstate(all="ignore"):
        near = np.abs(found - wanted) <= _TOLERANCE[dtype] * np.maximum(np.abs(wanted), min(size, 1.0) if size else 0.0)
    return near | (found == wanted) | (np.isnan(found) & np.isnan(wanted))
