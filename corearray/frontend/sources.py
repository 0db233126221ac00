"""Which framework a program is written in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import backend_of, is_foreign
from corearray.errors import BackendMismatchError, CoreArrayTypeError, CoreArrayValueError, options
from corearray.frontend.discovery import names_of_frontends
from corearray.manager import manager
from corearray.settings.backends import get_backend
from corearray.transforms.tree import name_of

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["source_of"]


def source_of(fn: Any, leaves: Iterable[Any], source: str | None, target: Backend | None) -> Backend:
    """Return the backend of the framework in which a program is written.

    Parameters
    ----------
    fn
        The program: a function, a module of a framework, or a method of one.
    leaves
        Its example arguments.
    source
        The framework, if the user named it.
    target
        The backend for which it is to be transpiled.

    Raises
    ------
    TypeError
        If `fn` cannot be called.
    ValueError
        If nothing tells the framework, or there is no frontend for it.
    """
    if not callable(fn) or isinstance(fn, type):
        raise CoreArrayTypeError(
            f"'transpile' takes a function, a module of a framework or a method of one, got {fn!r}"
        )
    arrays = [leaf for leaf in leaves if isinstance(leaf, Array) or backend_of(leaf) is not None]
    if source is None:
        found = list(dict.fromkeys(_named(fn)))
        given = list(dict.fromkeys(backend_of(x).name for x in arrays if not isinstance(x, Array)))  # type: ignore[union-attr]
        source = next(iter([*found, *given]), None)
    if source is None:
        raise CoreArrayValueError(
            f"nothing tells in which framework '{name_of(fn)}' is written: it is no module, names no framework, and its "
            f"example arguments are no native arrays; say it by source=, one of {options(names_of_frontends())}"
        )
    if source not in names_of_frontends():
        raise CoreArrayValueError(
            f"'{name_of(fn)}' is written in {source}, for which there is no frontend; there are "
            f"{options(names_of_frontends())}"
        )
    backend = get_backend(source)
    for x in arrays:
        owner = backend_of(x)
        if not isinstance(x, Array) and owner not in (backend, target) and not is_foreign(x):
            wanted = source if target is None else f"{source} or of {target.name}"
            raise BackendMismatchError(
                f"'{name_of(fn)}' is written in {source} and got an array of {owner.name if owner else '?'}; give arrays of "
                f"{wanted}, or NumPy's"
            )
    return backend


def _named(fn: Any) -> Iterator[str]:
    """Return the names of backends whose framework a program belongs to or names."""
    frameworks = manager.packages()
    if isinstance(fn, partial):
        yield from _named(fn.func)
        return
    owner = getattr(fn, "__self__", fn)
    for kind in type(owner).__mro__:
        root = (kind.__module__ or "").partition(".")[0]
        if root in frameworks:
            yield frameworks[root]
    function = fn if hasattr(fn, "__code__") or hasattr(fn, "__func__") else type(fn).__call__
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    scope = getattr(function, "__globals__", {})
    root = (getattr(fn, "__module__", None) or "").partition(".")[0]
    if root in frameworks:
        yield frameworks[root]
    for name in code.co_names if code else ():
        value = scope.get(name)
        place = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        root = str(place or "").partition(".")[0]
        if root in frameworks:
            yield frameworks[root]
