"""Functions that transforms make, which pickle as the transform of the function that was given."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import MethodType
from typing import Any

from corearray.transforms.tree import named

__all__ = ["Transformed", "as_it_is", "transformed"]


class Transformed(partial[Any]):
    """A function that a transform made. It is called as the one within, at the cost of a call in C.

    A plain function pickles by its name, under which the function lies that was given to the transform. This one pickles
    the transform, that function and the options, for processes that use either.
    """

    _recipe: tuple[Callable[..., Any], tuple[Callable[..., Any], ...], dict[str, Any]]

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Bind to an instance, as a function does that is defined in a class."""
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self) -> Any:
        return _made_again, self._recipe

    def __copy__(self) -> Transformed:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Transformed:
        return self

    def __repr__(self) -> str:
        transform, (fn, *_), _ = self._recipe
        return f"<{transform.__name__} of {fn!r}>"


def _made_again(transform: Callable[..., Any], functions: tuple[Any, ...], options: dict[str, Any]) -> Any:
    return transform(*functions, **options)


def transformed(
    made: Callable[..., Any],
    fn: Callable[..., Any],
    transform: Callable[..., Any],
    options: dict[str, Any],
    *others: Callable[..., Any],
) -> Callable[..., Any]:
    """Return what a transform made of a function, with its name and documentation, such that it pickles."""
    found = named(Transformed(made), fn)
    found._recipe = transform, (fn, *others), options  # type: ignore[attr-defined]
    return found


def as_it_is(
    made: Callable[..., Any],
    fn: Callable[..., Any],
    transform: Callable[..., Any],
    options: dict[str, Any],
    *others: Callable[..., Any],
) -> Callable[..., Any]:
    """Return what a transform made, for tracers of Python code, which follow a plain function; nobody pickles it there."""
    return named(made, fn)
