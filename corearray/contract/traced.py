"""The Python functions that a tracer of Python code follows in place of public functions.

Some frameworks compile a program by reading its bytecode. A public function may be an object of C, and its own code is
written when it is first called, so each has a function to follow instead, under the attributes by which
`script_if_tracing` names one. It is there before any backend is loaded, and loads the backend of the arrays that it gets.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from corearray.contract.declaration import Declaration

__all__ = ["followed_function", "mark"]

#: The attributes that a tracer reads.
_IS_MARKED, _FOLLOWED = "__script_if_tracing_wrapper", "__original_fn"


def mark(declaration: Declaration) -> None:
    """Give the public function of a declaration the function to follow."""
    name, namespace = declaration.name, "" if declaration.main else declaration.namespace

    def function(*args: Any, **options: Any) -> Any:
        _find(name, namespace, _kinds((*args, *options.values())))
        return getattr(_FOUND, name)(*args, **options)

    function.public = declaration.public  # type: ignore[attr-defined]  # tells it from copies of its attributes
    setattr(declaration.public, _IS_MARKED, True)
    setattr(declaration.public, _FOLLOWED, function)


def followed_function(declaration: Declaration) -> FunctionType:
    """Return the function that a tracer follows in place of the public one."""
    return cast(FunctionType, getattr(declaration.public, _FOLLOWED))


def _kinds(values: Iterable[Any]) -> tuple[type, ...]:
    """Return the types of the values in arguments; lists, tuples, dictionaries and Containers are searched."""
    found: tuple[type, ...] = ()
    for value in values:
        if isinstance(value, (list, tuple)):
            found += _kinds(value)
        elif isinstance(value, dict):
            found += _kinds(value.values())
        elif hasattr(type(value), "__corearray_arrays__"):
            found += _kinds(value.__corearray_arrays__())
        else:
            found += (type(value),)
    return found


#: By name, what a call of a public function runs. A tracer keeps no function that a constant function returns.
_FOUND = SimpleNamespace()


def _find(name: str, namespace: str, kinds: tuple[type, ...]) -> None:
    """Load a backend if need be, and leave what computes the function in `_FOUND`."""
    from corearray.calls.tracing import call_of

    setattr(_FOUND, name, call_of(name, namespace, kinds))


_find._dynamo_marked_constant = True  # type: ignore[attr-defined]  # a tracer calls it and does not follow it
