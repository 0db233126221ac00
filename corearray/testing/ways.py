"""The ways in which one call can be made, as texts of Python: what the kit runs is what it prints for a failure."""

from __future__ import annotations

import cmath
import inspect
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from corearray.backends.backend import Backend
from corearray.contract.declaration import DECLARATIONS
from corearray.testing.calls import Case, arrays_in

__all__ = ["program", "ways", "written"]


def program(backend: str, line: str) -> str:
    """Write a program that shows what a line of Python computes.

    Examples
    --------
    >>> print(program("numpy", written(Case("sin", "", "", (np.asarray([0.5]),), {}))))
    import numpy as np
    import corearray as ca
    <BLANKLINE>
    be = ca.get_backend("numpy")
    ca.set_backend(be)
    print(be.sin(be.asarray(np.asarray([0.5], "float64"))))
    """
    imports = ["import operator"] * ("operator." in line)
    lines = [*imports, "import numpy as np", "import corearray as ca", "", f'be = ca.get_backend("{backend}")']
    return "\n".join([*lines, "ca.set_backend(be)", f"print({line})"])


def written(case: Case, namespace: str = "be", **more: str) -> str:
    """Write a call as an expression; `more` are further options, written already."""
    args = [_value(value) for value in case.args]
    options = {**{name: _value(value) for name, value in case.options.items()}, **more}
    return _called(_function(case.name, namespace), args, options)


def ways(be: Backend, case: Case, result: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield ways to make a call: what it is called, an expression, and what that must give.

    Parameters
    ----------
    be
        The backend, which the expressions call `be`.
    case
        The call.
    result
        What `be` gives for it.
    """
    declaration = DECLARATIONS[case.name]
    function = _function(case.name)
    args = [_value(value) for value in case.args]
    options = {name: _value(value) for name, value in case.options.items()}
    yield "the public function", written(case, "ca"), result
    yield (
        "native arrays",
        f"{function}(*ca.to_native([{', '.join(args)}]), **ca.to_native({_mapping(options)}))",
        result,
    )
    bound = inspect.signature(declaration.function).bind(*case.args, **case.options)
    bound.apply_defaults()
    yield (
        "the stages",
        f'be.binding("{case.name}").pipeline([{", ".join(map(_value, bound.arguments.values()))}])',
        result,
    )
    if any(p.role == "out" for p in declaration.parameters):
        out = f'be.zeros({tuple(result.shape)}, dtype="{result.dtype}")'
        yield "out", f"[{written(case, out=f'(out := {out})')} is out, out]", [True, result]
    if args and arrays_in(case.args[0]):
        leaves = _called(function, [f"ca.Container(a={args[0]}, b={args[0]})", *args[1:]], options)
        yield "a Container", _of_each(result, leaves, '["b"]'), result
    arrays = arrays_in(case.args)
    if declaration.elementwise and arrays and arrays[0].ndim and len({x.shape for x in arrays}) == 1:
        lengths = [1, len(arrays[0]) - 1]
        ragged = [
            f"ca.Ragged.from_row_lengths({text}, {lengths})" if isinstance(value, np.ndarray) else text
            for value, text in zip(case.args, args, strict=True)
        ]
        yield "a ragged array", _of_each(result, _called(function, ragged, options), ".values"), result


def _function(name: str, namespace: str = "be") -> str:
    declaration = DECLARATIONS[name]
    return f"{namespace}.{name}" if declaration.main else f"{namespace}.{declaration.namespace}.{name}"


def _called(function: str, args: list[str], options: dict[str, str]) -> str:
    return f"{function}({', '.join([*args, *(f'{name}={text}' for name, text in options.items())])})"


def _of_each(result: Any, text: str, part: str) -> str:
    """Write what is taken of a result, or of each field of a named tuple."""
    return f"tuple(field{part} for field in {text})" if hasattr(result, "_fields") else f"{text}{part}"


def _mapping(options: dict[str, str]) -> str:
    return f"{{{', '.join(f'{name!r}: {text}' for name, text in options.items())}}}"


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.size > 30 and np.array_equal(value, np.zeros(value.shape, value.dtype)):
        return f'be.asarray(np.zeros({value.shape}, "{value.dtype}"))'
    if isinstance(value, np.ndarray):
        shape = f".reshape{value.shape}" if value.size == 0 else ""
        return f'be.asarray(np.asarray({_value(value.tolist())}, "{value.dtype}"){shape})'
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_value, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return _mapping({key: _value(item) for key, item in value.items()})
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, complex) and (not cmath.isfinite(value) or "-0" in repr(value)):  # whose sign a sum would lose
        return f"complex({_value(value.real)}, {_value(value.imag)})"
    if callable(value):
        return f"{value.__module__.lstrip('_')}.{value.__name__}"
    return repr(value)
