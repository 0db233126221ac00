"""Why a call failed, found out after it did, so that the same mistake is the same error on every backend.

Frameworks disagree about the Python type of an error and about its words. Nothing here runs before a native call has
failed, and nothing here guesses: a rule tells of arguments that the declaration forbids, or says nothing and leaves
the native error to be translated as it is. Sizes that are unknown while a framework traces fit everything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

from corearray.checks.options import is_integral, option_reader, option_settler
from corearray.checks.shapes import Case, rule_of
from corearray.errors import AxisError, CoreArrayError, CoreArrayTypeError, CoreArrayValueError, TracingError

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.contract.declaration import Declaration, Parameter

__all__ = ["advice_about_sizes", "diagnosed"]

_AXES = ("axis", "axes", "source", "destination")

#: Functions whose arrays broadcast although they are not elementwise.
_BROADCASTING = frozenset(
    "allclose binary_cross_entropy broadcast_arrays hinge_embedding_loss kl_div log_poisson_loss poisson_nll_loss "
    "soft_margin_loss where".split()
)

#: Functions that may meet an axis twice.
_REPEATING = ("roll", "fftn", "ifftn", "rfftn", "irfftn", "fftshift", "ifftshift")


def diagnosed(
    declaration: Declaration, backend: Backend, args: Sequence[Any], *, knows: bool = False
) -> CoreArrayError | None:
    """Return the error that the arguments of a failed call deserve, or `None` if nothing is found wrong with them.

    What `knows` by itself what was wrong is not supposed to have failed because its arrays do not broadcast.
    """
    try:
        case = Case(declaration, backend, args)
        knows = knows or not (declaration.elementwise or declaration.name in _BROADCASTING)
        for rule in (_option, _array, _axis, _kind, rule_of(declaration.name, knows=knows)):
            found = rule(case)
            if isinstance(found, CoreArrayError):
                return found
            if found is not None:
                kind = CoreArrayTypeError if rule in (_kind, _array) else CoreArrayValueError
                return kind(f"'{declaration.name}' on backend '{backend.name}' got {found}")
    except Exception:  # whatever is so odd that looking at it fails, the native error is there to be told
        return None
    return None


def advice_about_sizes(
    declaration: Declaration, backend: Backend, args: Sequence[Any], error: Exception
) -> CoreArrayError | None:
    """Return the error for a call that failed on a size that is unknown, if it did.

    Sizes are unknown where arrays are lazy, and while a framework traces a program for any size. An unknown size is `None` or
    NaN, which the failure then names.
    """
    text = str(error)
    if not _NO_NUMBER.search(text) or "corearray.evaluate" in text or isinstance(error, TracingError):
        return None
    try:
        shapes = [tuple(None if size != size else size for size in x) for x in Case(declaration, backend, args).shapes]
        shape = next((shape for shape in shapes if None in shape), None)
    except Exception:  # as in `diagnosed`
        return None
    if shape is None:
        return None
    call = f"'{declaration.name}' on backend '{backend.name}'"
    what = f"{call} counts elements, and the sizes of an array of the shape {shape} are not known"
    if "evaluated" in backend.facts:
        return CoreArrayValueError(f"{what} before its values are computed; use corearray.evaluate(x) before")
    return TracingError(f"{what} while the program is traced; trace it for arrays of known sizes")


_NO_NUMBER = re.compile(r"None|\bNaN\b|\bnan\b")


# --- options and arrays


def _option(case: Case) -> CoreArrayError | None:
    """Options of a type, or words, that the annotations do not allow."""
    wrong, settle = option_reader(case.declaration), option_settler(case.declaration)
    values = list(case.values.values())
    if settle is not None:
        settle(values)
        case.values = dict(zip(case.values, values, strict=True))
    found = None if wrong is None else wrong(values)
    return found or next(filter(None, map(partial(_traced, case), case.declaration.parameters, values)), None)


def _traced(case: Case, parameter: Parameter, value: Any) -> CoreArrayError | None:
    """Arrays of integers among options, which could not be read."""
    values = value if isinstance(value, (tuple, list)) else (value,)
    anything = case.declaration.function.__annotations__[parameter.name] == "object"  # as `from_dlpack` takes
    if parameter.role != "plain" or anything or not any(map(is_integral, values)):
        return None
    return TracingError(
        f"'{case.declaration.name}' on backend '{case.backend.name}' got an array for {parameter.name} that is not known while "
        "the framework traces; give Python's integers, as sizes are of a shape"
    )


def _array(case: Case) -> str | None:
    """Texts, bytes and nothing at all in the place of an array."""
    for parameter in case.declaration.parameters:
        value = case.values[parameter.name]
        if parameter.role == "array" and (isinstance(value, (str, bytes)) or (value is None and parameter.required)):
            return f"{value!r:.80} where it takes an array; give an array, a number or nested lists of numbers"
    return None


# --- axes


def _axis(case: Case) -> CoreArrayError | None:
    """Axes that the first array does not have, or that are named twice."""
    name = case.declaration.name
    if not case.shapes or name == "tensordot":
        return None
    for parameter in _AXES:
        value = case.values.get(parameter)
        if value is None:
            continue
        where = f"'{name}' on backend '{case.backend.name}' got {parameter}={value!r}"
        axes = list(value) if isinstance(value, (list, tuple)) else [value]
        written = str(case.declaration.function.__annotations__[parameter])
        if not all(hasattr(axis, "__index__") for axis in axes) or (axes != [value] and "[" not in written):
            return CoreArrayTypeError(f"{where}; what is meant is {written}")
        axes = [index(axis) for axis in axes]
        of_both = name in ("vecdot", "cross")
        ndim = min(map(len, case.shapes)) if of_both else len(case.shapes[0])
        ndim += len(axes) if name in ("expand_dims", "stack") else 0
        last = ndim - 1 if not of_both or len(set(map(len, case.shapes))) == 1 else -1  # counted from the end alone
        for axis in axes:
            if not -ndim <= axis <= last:
                valid = f"valid are {-ndim} to {last}" if ndim else "there is none to choose"
                error = AxisError(f"{where}, but axis {axis} is out of range where there are {ndim} axes; {valid}")
                error.axis, error.ndim = axis, ndim
                return error
        if len({axis % ndim for axis in axes}) < len(axes) and name not in _REPEATING:
            return CoreArrayValueError(f"{where}, which names an axis twice; name each once")
    return None


# --- dtypes

_INTEGERS = ("signed integer", "unsigned integer")
_BITS = ("bool", *_INTEGERS)
_NUMBERS = (*_INTEGERS, "real floating", "complex floating")

_KINDS: dict[str, tuple[tuple[str, ...], str]] = {
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_invert"), (_BITS, "integers or booleans")),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), (_INTEGERS, "integers")),
    "negative": (_NUMBERS, "numbers; write ~x or logical_not(x) for truth values"),
}


def _kind(case: Case) -> str | None:
    """Dtypes of a kind for which the function is not defined."""
    kinds, what = _KINDS.get(case.declaration.name, (None, ""))
    if kinds is None:
        return None
    wrong = next((dtype for dtype in case.dtypes() if dtype.category not in kinds), None)
    return f"an array of dtype '{wrong}' and is for {what}" if wrong else None
