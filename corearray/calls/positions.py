"""Options given by position: one is accepted where NumPy has it, and the error for others shows the call to type.

The standard makes options keyword-only. `sum(x, 1)` means the same in NumPy, PyTorch, JAX and TensorFlow, so that the first
option may follow the arrays. More than one would have to agree with NumPy's order, which differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from corearray.calls.codegen import GUARD, signature_text, when
from corearray.errors import CoreArrayTypeError

if TYPE_CHECKING:
    from corearray.contract.declaration import Parameter

__all__ = ["TUPLES", "by_position", "guard_lines", "in_one_tuple"]

#: Arguments that are one tuple here and several numbers in methods of other libraries.
TUPLES = frozenset({"axes", "repetitions", "shape"})

#: Functions whose first option, other than an axis, stands at the same place in NumPy.
_AS_IN_NUMPY = frozenset(
    "angle arange asarray bincount cond convolve correlate cov corrcoef diag diagflat diagonal digitize empty empty_like eye "
    "fft2 fftn fftshift fill_diagonal full full_like hfft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn ifft ones ones_like "
    "pad qr ravel_multi_index rfft rfft2 rfftn rot90 searchsorted svd tensordot tensorinv tensorsolve trace tril tril_indices "
    "trim_zeros triu triu_indices zeros zeros_like fft".split()
)

#: What NumPy has behind the arrays where our first option is another one.
_ELSEWHERE = {
    "cross": "axis",
    "diff": "n",
    "isin": "invert",
    "matrix_norm": "ord",
    "nan_to_num": "nan",
    "vecdot": "axis",
    "vector_norm": "ord",
}


def guard_lines(name: str, parameters: Iterable[Parameter]) -> list[str]:
    """Write the code for an option that is given by position, or nothing if all may be.

    Parameters
    ----------
    name, parameters
        Those of the declaration.

    Examples
    --------
    >>> from corearray.contract.declaration import DECLARATIONS
    >>> guard_lines("flip", DECLARATIONS["flip"].parameters)[0]
    'if _by_keyword_only is not None:'
    """
    parameters = tuple(parameters)
    if GUARD not in signature_text(parameters):
        return []
    options = [p for p in parameters if p.how == "keyword"]
    first = options[0]
    arrays = ", ".join(p.name for p in parameters if p.how != "keyword" and p.required)
    known = ", ".join([_ELSEWHERE.get(name, first.name), *(p.name for p in options if p.role != "synonym")])
    call = f"_by_position({name!r}, {GUARD}, {first.name}, {first.default!r}, {arrays!r}, "
    if name in _AS_IN_NUMPY or (first.name in ("axis", "axes") and name not in _ELSEWHERE):
        return when([f"{GUARD} is not None"], [f"{first.name} = {call}{known!r})"])
    return when([f"{GUARD} is not None"], [f"{call}{known!r}, False)"])


def by_position(
    name: str, value: Any, given: Any, default: Any, arrays: str, option: str, accepted: bool = True
) -> Any:
    """Return the value of an option that was given by position, or refuse it.

    Parameters
    ----------
    name
        Name of the function.
    value
        What stands behind the arrays.
    given, default
        The first option as given by keyword, or by a second position, and its default.
    arrays
        Names of the arrays, for the message.
    option
        Name of the option; of all options, with the likely one in front, where none is accepted.
    accepted
        Whether the option may be given by position.

    Raises
    ------
    CoreArrayTypeError
        If it may not, if two values are given, or if it is an array of a list, or a size of a shape.
    """
    if arrays == "arrays" and getattr(value, "shape", None) is not None:
        raise CoreArrayTypeError(f"'{name}' takes the arrays in one list; write {name}([x, y])")
    if accepted and option.startswith("dtype") and type(value) in (int, float):
        if name == "asarray":
            raise CoreArrayTypeError("'asarray' takes the numbers in one list; write asarray([1, 2, 3])")
        filled = ", fill_value" if name == "full" else ""
        raise CoreArrayTypeError(f"'{name}' takes the sizes in one tuple; write {name}((2, 3){filled}) for two axes")
    if accepted and (given is default or (type(given) is type(default) and given == default)):
        return value
    before = arrays.split(", ")
    if type(value) is int and before[-1] in TUPLES:
        raise in_one_tuple(name, before)
    likely, *others = dict.fromkeys(option.split(", "))
    written = repr(value) if isinstance(value, (bool, int, float, str, tuple)) and len(repr(value)) < 40 else "..."
    others_text = f"; further options are {', '.join(others)}" if others else ""
    raise CoreArrayTypeError(
        f"'{name}' takes its options by keyword; write {name}({arrays}, {likely}={written}){others_text}"
    )


def in_one_tuple(name: str, before: Sequence[str]) -> CoreArrayTypeError:
    """Return the error for sizes or axes that are given one by one, as in `reshape(x, 2, 3)`.

    Parameters
    ----------
    name
        Name of the function.
    before
        Names of the arguments by position, the tuple last.
    """
    call = ", ".join([*before[:-1], "(1, 0)" if before[-1] == "axes" else "(2, 3)"])
    return CoreArrayTypeError(f"'{name}' takes '{before[-1]}' in one tuple; write {name}({call}) for two axes")
