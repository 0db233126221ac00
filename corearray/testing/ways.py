"""The ways in which one call can be made, as texts of Python: what the kit runs is what it prints for a failure."""

from __future__ import annotations

import cmath
import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from corearray.backends.backend import Backend
from corearray.contract.declaration import DECLARATIONS
from corearray.errors import CoreArrayError
from corearray.testing.calls import Case, arrays_in, replaced

__all__ = ["program", "views", "ways", "written"]


#: Functions of how elements lie in memory.
_OF_MEMORY = {"strides"}


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


def views(be: Backend, case: Case, result: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield the call with views as its arguments: their elements do not lie in memory one after the other, from its start."""
    composed = be.binding(case.name).kind == "composed"
    if composed or case.name in _OF_MEMORY or not any(x.size for x in arrays_in(case.args)):
        return
    options = {name: _value(value) for name, value in case.options.items()}
    for name, view in (("reversed arrays", _reversed), ("parts of arrays", _part), ("transposed arrays", _transposed)):
        yield name, _called(_function(case.name), [_value(value, view) for value in case.args], options), result
    pairs = [(_rows, _one_column), (lambda x: np.stack([x, x]), _twice)]
    for dense, view in pairs if DECLARATIONS[case.name].main else pairs[1:]:  # whose parts are compared with the sample
        args = [_value(replaced(value, dense)) for value in case.args]
        try:
            due = eval(_called(_function(case.name), args, options), {"be": be, "np": np})
        except CoreArrayError:  # singular matrices, or an axis too many
            continue
        yield (
            "broadcast arrays",
            _called(_function(case.name), [_value(value, view) for value in case.args], options),
            due,
        )
        return


def _reversed(x: np.ndarray) -> str:
    return f"{_array(np.flip(x))}[{', '.join(['::-1'] * x.ndim)}]" if x.ndim else _array(x)


def _part(x: np.ndarray) -> str:
    return f"{_array(np.pad(x, 1, mode='edge'))}[{', '.join(['1:-1'] * x.ndim)}]" if x.size > 1 else _array(x)


def _transposed(x: np.ndarray) -> str:
    return f"be.permute_dims({_array(x.T)}, {tuple(range(x.ndim))[::-1]})" if x.ndim > 1 else _array(x)


def _rows(x: np.ndarray) -> np.ndarray:
    return np.repeat(x[..., :1], x.shape[-1], -1) if x.ndim else x


def _one_column(x: np.ndarray) -> str:
    return f"be.broadcast_to({_array(x[..., :1])}, {x.shape})" if x.size > 1 else _array(x)


def _twice(x: np.ndarray) -> str:
    return f"be.broadcast_to({_array(x)}, {(2, *x.shape)})"


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


def _array(value: np.ndarray) -> str:
    if value.size > 30 and np.array_equal(value, np.zeros(value.shape, value.dtype)):
        return f'be.asarray(np.zeros({value.shape}, "{value.dtype}"))'
    shape = f".reshape{value.shape}" if value.size == 0 else ""
    return f'be.asarray(np.asarray({_value(value.tolist())}, "{value.dtype}"){shape})'


def _value(value: Any, array: Callable[[np.ndarray], str] = _array) -> str:
    if isinstance(value, np.ndarray):
        return array(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(item, array) for item in value)}]"
    if isinstance(value, tuple):
        return f"({', '.join(_value(item, array) for item in value)}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return _mapping({key: _value(item) for key, item in value.items()})
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, complex) and (not cmath.isfinite(value) or "-0" in repr(value)):  # whose sign a sum would lose
        return f"complex({_value(value.real)}, {_value(value.imag)})"
    if callable(value):
        return f"{value.__module__.lstrip('_')}.{value.__name__}"
    return repr(value)
