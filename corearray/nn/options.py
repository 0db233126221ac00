"""Errors for arguments and attributes that a module does not have, which say what there is instead."""

from __future__ import annotations

from functools import cache
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Self

from corearray.calls.keywords import unknown_option
from corearray.errors import CoreArrayAttributeError, CoreArrayTypeError
from corearray.nn.hints import of_module

__all__ = ["HelpfulErrors"]

#: What to do in place of an option that only torch has.
_OF_TORCH = {
    "size_average": "write reduction='mean' or reduction='sum'",
    "reduce": "write reduction='none' for the loss of each element",
    "_weight": "set the attribute 'weight', or call 'from_pretrained'",
    "_freeze": "call 'freeze' of the layer",
    "requires_grad": "call 'freeze' of the module",
    "min_value": "write min_val=...",
    "max_value": "write max_val=...",
    "proj_size": "only LSTM has projections",
}

#: The prefix of the modules whose constructors are checked: those of other people raise Python's own errors.
_OWN = __name__.rpartition(".")[0]


class HelpfulErrors:
    """Base of modules, which has their errors for wrong arguments of constructors and for missing attributes."""

    def __new__(cls, *args: Any, **options: Any) -> Self:
        """Make a module after a look at the arguments of its constructor."""
        if args or options:  # none of them for copies and what is unpickled
            _require_arguments(cls, args, options)
        return super().__new__(cls)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Say what a name of torch's modules is here."""
            text = "" if name.startswith("_") else of_module(name)
            raise CoreArrayAttributeError(f"'{type(self).__name__}' object has no attribute '{name}'{text}")


def _require_arguments(kind: type, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Raise an error if the constructor of a class of the library does not take some arguments.

    Parameters
    ----------
    kind
        The class. Without a constructor it takes no arguments.
    args, options
        Arguments by position and by name.

    Raises
    ------
    TypeError
        If an option is unknown, there are too many arguments by position, or one is missing.
    """
    known = _parameters(kind)
    if known is None:
        return
    by_position, names, required = known
    layer = kind.__name__
    for name in options:
        if name not in names:
            if name in _OF_TORCH:
                raise CoreArrayTypeError(f"'{layer}' has no option '{name}'; {_OF_TORCH[name]}")
            raise unknown_option(layer, name, names, required)
    if len(args) > len(by_position):
        others = [name for name in names if name not in by_position]
        rest = f"; give {', '.join(others)} by name" if others else ""
        takes = f"takes {', '.join(by_position)} by position" if by_position else "takes no arguments"
        raise CoreArrayTypeError(f"'{layer}' {takes}, got {len(args)}{rest}")
    missing = [name for name in required if name not in by_position[: len(args)] and name not in options]
    if missing:
        raise CoreArrayTypeError(f"'{layer}' needs {', '.join(missing)}; write {layer}({', '.join(required)})")


@cache
def _parameters(kind: type) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] | None:
    """Return the names of arguments by position, of all, and of those without a default; `None` if any may be given."""
    constructor: Any = kind.__init__  # type: ignore[misc]
    if constructor is object.__init__:
        return (), (), ()
    if not str(constructor.__module__).startswith(_OWN):  # `None` for a class that text defines
        return None
    found = list(signature(constructor).parameters.values())[1:]
    if any(p.kind in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL) for p in found):
        return None
    return (
        tuple(p.name for p in found if p.kind is not Parameter.KEYWORD_ONLY),
        tuple(p.name for p in found if p.kind is not Parameter.POSITIONAL_ONLY),
        tuple(p.name for p in found if p.default is Parameter.empty),
    )
