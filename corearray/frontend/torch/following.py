"""Calls within a program whose Python code a compiler follows, as `torch.compile` does.

A compiled program records nothing for `backward`, and its views are the framework's own, so that a call there is the rule's
function between the unwrapping and the wrapping of tensors. Rules are looked up outside of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.calls.memo import answered, follow
from corearray.frontend.torch.amp.autocasting import autocast_function
from corearray.frontend.torch.calling import called, is_in_place, set_item
from corearray.frontend.torch.families import family_of
from corearray.frontend.torch.results import named
from corearray.frontend.torch.wrapper import Tensor, attribute_of, method_of, stripped

if TYPE_CHECKING:
    from corearray.frontend.table import Rule

__all__: list[str] = []

#: What was looked up last, by name.
_found = SimpleNamespace()


def _called(
    kind: type[Tensor], rule: Rule, args: tuple[Any, ...], options: dict[str, Any], place: int | None = None
) -> Any:
    out = options.pop("out", None)
    options.pop("requires_grad", None)
    writes = is_in_place(rule, args, options, place)
    function = rule.function if writes or out is not None else autocast_function(rule.name, rule.function)
    made = function(*[stripped(x) for x in args], **{key: stripped(x) for key, x in options.items()})
    if writes:
        return _into(args[0], made)
    if out is not None:
        return _into(out, made)

    def wrapped(array: Any) -> Any:
        return kind(array) if isinstance(array, ca.Array) else array

    if isinstance(made, tuple):
        return named(rule.name, tuple([wrapped(x) for x in made]))
    return [wrapped(x) for x in made] if isinstance(made, list) else wrapped(made)


def _into(target: Any, made: Any) -> Any:
    """Write a result into a tensor; one of another shape replaces its array."""
    if tuple(made.shape) == tuple(target.array.shape):
        target.array[...] = ca.astype(made, target.array.dtype)
    else:
        target.array = made
    return target


def _set_item(x: Tensor, key: Any, value: Any) -> None:
    x.array[stripped(key)] = stripped(value)


@answered
def _find(kind: type[Tensor], name: str) -> None:
    """Look a method up."""
    setattr(_found, name, method_of(kind, name))


def _method_of(kind: type[Tensor], name: str) -> Any:
    _find(kind, name)
    return getattr(_found, name)


@answered
def _find_attribute(kind: type[Tensor], name: str) -> bool:
    """Look a method or property up, and return true for a property."""
    from corearray.frontend.torch.calling import published

    rule = kind._frontend.rule(f"torch.Tensor.{name}.__get__")
    setattr(_found, name, method_of(kind, name) if rule is None else published(kind._frontend, rule))
    return rule is not None


def _attribute_of(x: Tensor, name: str) -> Any:
    is_property = _find_attribute(type(x), name)
    function = getattr(_found, name)
    return function(x) if is_property else lambda *args, **options: function(x, *args, **options)


_FOLLOWED: dict[Callable[..., Any], Callable[..., Any]] = {
    called: _called, set_item: _set_item, method_of: _method_of, attribute_of: _attribute_of, family_of: lambda x: None,
}  # fmt: skip
for _function, _followed in _FOLLOWED.items():
    follow(_function, _followed)
