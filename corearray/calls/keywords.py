"""Calls that other libraries take: other names of options, and errors that say which option is meant, or what to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from corearray.calls.positions import TUPLES, in_one_tuple
from corearray.contract.declaration import DECLARATIONS, SYNONYMS, Declaration
from corearray.errors import CoreArrayTypeError

__all__ = ["from_synonym", "unknown_in_method", "unknown_keyword", "unknown_option"]

#: Options by the names that they have in other libraries.
_SPELLED = {
    "dim": "axis", "dims": "axis", "axes": "axis", "keepdim": "keepdims", "keep_dims": "keepdims", "a_min": "min",
    "a_max": "max", "unbiased": "correction", "ndigits": "decimals", "order": "axes", "size": "shape", "perm": "axes",
    "num_or_size_splits": "indices_or_sections", "split_size_or_sections": "indices_or_sections", "lr": "learning_rate",
    "interpolation": "method", "value": "constant_values", "kernel_size": "window_shape",
    "T_max": "steps", "total_steps": "steps", "T_0": "steps", "T_mult": "factor", "loc": "mean", "scale": "std",
    "minval": "low", "maxval": "high", "steps": "num", "diagonal": "k", "reverse": "descending", "newshape": "shape",
}  # fmt: skip

#: Calls of NumPy that are calls of another function or method here, by the function and what Python says of the call.
_ELSEWHERE = {
    ("round", "keyword argument 'decimals'"): "x.round(decimals)",
    ("squeeze", "positional argument: 'axis'"): "x.squeeze() to remove all axes of length one, or squeeze(x, axis)",
    ("where", "positional arguments: 'x1' and 'x2'"): "nonzero(condition)",
}


def unknown_keyword(error: TypeError, function: Callable[..., Any]) -> CoreArrayTypeError | None:
    """Return an error that names the option or the call that is meant, if one says that a function takes no such call."""
    for (name, words), call in _ELSEWHERE.items():
        if function.__name__ == name and words in str(error):
            return CoreArrayTypeError(f"'{name}' takes no such call; write {call}")
    declaration = DECLARATIONS.get(function.__name__)
    if declaration is None:
        return None
    positional = [p.name for p in declaration.parameters if p.how == "positional"]
    found = re.search(r"positional-only arguments passed as keyword arguments: '(.+)'$", str(error))
    if found is not None:
        return _by_position(declaration.name, found[1].replace(", ", "', '"), positional)
    before = [p.name for p in declaration.parameters if p.how != "keyword"]
    if re.search(r"positional arguments? but \d+ were given", str(error)) and before:
        if before[-1] in TUPLES:
            return in_one_tuple(declaration.name, before)
        if before == ["arrays"]:
            return CoreArrayTypeError(
                f"'{declaration.name}' takes the arrays in one list; write {declaration.name}([x, y])"
            )
    found = re.search(r"unexpected keyword argument '(\w+)'", str(error))
    if found is None:
        return None
    given, names = found[1], [p.name for p in declaration.parameters if p.how != "positional"]
    if given == "dtype" and positional[:1] == ["x"]:
        call = ", ".join(["ca.astype(x, dtype)", *positional[1:]])
        return CoreArrayTypeError(f"'{declaration.name}' has no option 'dtype'; write {declaration.name}({call})")
    likely = _spelled(given, [*names, *positional])
    if likely in positional:
        return _by_position(declaration.name, likely, positional)
    required = [p.name for p in declaration.parameters if p.required]
    if not names:
        return CoreArrayTypeError(
            f"'{declaration.name}' has no option '{given}'; write {declaration.name}({', '.join(required)})"
        )
    return unknown_option(declaration.name, given, names, required)


def _spelled(given: str, options: Sequence[str]) -> str | None:
    """Return the option that an option of another library is here; `"dims"` is `"axis"` or, where there is none, `"axes"`."""
    likely = _SPELLED.get(given)
    plural = "axes" if likely == "axis" else None
    return next((option for option in (likely, plural) if option in options), None)


def _by_position(name: str, given: str, positional: Sequence[str]) -> CoreArrayTypeError:
    """Return the error for arguments that were given by keyword and are taken by position."""
    return CoreArrayTypeError(f"'{name}' takes '{given}' by position; write {name}({', '.join(positional)})")


def unknown_in_method(method: Callable[..., Any], other: Mapping[str, Any]) -> CoreArrayTypeError:
    """Return the error for keywords that a method of arrays does not have.

    Parameters
    ----------
    method
        The method of the array that was called.
    other
        The keywords, at least one.
    """
    from inspect import signature

    name, parameters = method.__name__, signature(method).parameters.values()
    options = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    required = [
        p.name for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    several = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    given = next(iter(other))
    if several is not None or not options:
        call = ", ".join([*required, *([f"*{several}"] if several else [])])
        return CoreArrayTypeError(f"'{name}' has no option '{given}'; write x.{name}({call})")
    return unknown_option(name, given, options, required, call=f"x.{name}")


def unknown_option(
    name: str, given: str, options: Sequence[str], required: Sequence[str] = (), *, call: str | None = None
) -> CoreArrayTypeError:
    """Return the error for an option that a function does not have. It shows a call with the option that is meant.

    Parameters
    ----------
    name
        The function.
    given
        What was given.
    options
        The options that the function has.
    required
        Arguments without a default, which the call shows too.
    call
        The beginning of the call that is shown, by default `name`.
    """
    likely = _spelled(given, options)
    if likely is None:
        likely = next(iter(get_close_matches(given, options, 1)), None)
    text = f"'{name}' has no option '{given}'"
    if likely is None:
        return CoreArrayTypeError(
            f"{text}; its options are {', '.join(options)}" if options else f"{text}, nor another one"
        )
    before = "".join(f"{argument}, " for argument in required if argument != likely)
    return CoreArrayTypeError(f"{text}; write {call or name}({before}{likely}=...)")


def from_synonym(declaration: Declaration, place: int) -> Callable[[list[Any]], None]:
    """Return what fills an option in from the one at a place, which is another name of it."""
    parameters = declaration.parameters
    other, name = parameters[place].name, SYNONYMS[parameters[place].name]
    target = next(i for i, p in enumerate(parameters) if p.name == name)
    default = parameters[target].default

    def fill(args: list[Any]) -> None:
        if args[place] is None:
            return
        if type(args[target]) is not type(default) or args[target] != default:
            raise CoreArrayTypeError(f"'{declaration.name}' got both '{name}' and '{other}', which are one option")
        args[target], args[place] = args[place], None

    return fill
