"""The functions of `jax.numpy` that people call: rules on JAX's arrays, with JAX's promotion and weak types."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError
from corearray.frontend.jax.groups import ARRAYS, LISTS, group_of, is_strong, shapes_are_types
from corearray.frontend.jax.key_arrays import KeyArray
from corearray.frontend.jax.promotion import as_dtype, canonical, cast, check_fits, inexact, promoted, requested
from corearray.frontend.jax.wrapper import Array, converted, is_arraylike, operand, wrapped
from corearray.frontend.table import Rule

__all__ = ["published"]


def published(frontend: Any, rule: Rule) -> Callable[..., Any]:
    """Return the function that people call: it takes JAX's arrays, arrays of other libraries, and numbers.

    Primitives, such as `jax.lax.add_p`, are called by transpiled programs, with corearray's arrays: they stay as they are.
    """
    path, _, last = rule.name.rpartition(".")
    if not path.startswith("jax.numpy"):
        return rule.function
    return _Published(rule, f"{path}.{last}".removeprefix("jax.numpy.")).function()


class _Published:
    """A rule as a function of `jax.numpy`, with all that can be computed before its calls."""

    def __init__(self, rule: Rule, name: str) -> None:
        self.rule = rule
        self.name = name
        self.last = name.rpartition(".")[2]
        self.group = group_of(name)
        self.strong = is_strong(name)
        parameters = inspect.signature(rule.function).parameters
        self.names = [
            one.name for one in parameters.values() if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
        self.several = any(one.kind is one.VAR_POSITIONAL for one in parameters.values())
        self.takes_out = "out" in parameters

    def function(self) -> Callable[..., Any]:
        """Return the function."""

        def function(*args: Any, **options: Any) -> Any:
            return self.called(args, options)

        function.__name__ = self.last
        function.__qualname__ = self.last
        function.__module__ = "jax.numpy"
        function.__doc__ = f"Compute what `jax.numpy.{self.name}` computes."
        function.__wrapped__ = self.rule.function  # type: ignore[attr-defined]
        return function

    def called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Call the rule with arrays, and return JAX's arrays."""
        given: dict[Any, Any] = dict(enumerate(args)) | options
        if options.get("out") is not None or self._out(args) is not None:
            raise CoreArrayNotImplementedError(f"The 'out' argument to jnp.{self.last} is not supported.")
        found: list[tuple[Any, Any, bool]] = []
        places: list[tuple[Any, int | None]] = []
        for place, x in given.items():
            name = self._name(place)
            if name in LISTS and isinstance(x, (list, tuple)) and self.last != "block":
                for i, item in enumerate(x):
                    found.append(operand(self._checked(item, place)))
                    places.append((place, i))
                given[place] = list(x)
            elif self.last == "arange" and type(x) in (bool, int, float):  # which a compiled program knows
                pass
            elif name in ARRAYS and x is not None and not isinstance(x, (str, slice)):
                found.append(operand(self._checked(x, place)))
                places.append((place, None))
            elif name == "dtype":
                given[place] = None if x is None else requested(x, self.last)
            else:
                given[place] = _stripped(x)
        weak = bool(found) and all(one for _, _, one in found)
        dtype = None
        if self.group != "kept" and found:
            counted = found[1:] if self.last in ("where", "choose") and len(found) > 1 else found
            dtype, weak = promoted([(one, is_weak) for _, one, is_weak in counted])
            dtype = inexact(dtype) if self.group == "inexact" else dtype
        if self.last in ("power", "pow"):  # an integer exponent does not follow the base
            weak = weak and all(one for _, _, one in found)
        skips = dtype is not None and self.last in ("where", "choose") and len(found) > 1
        for number, ((place, part), (x, own, _)) in enumerate(zip(places, found, strict=True)):
            target = own if dtype is None or (skips and number == 0) else dtype
            array = _made(x, canonical(target))
            if part is None:
                given[place] = array
            else:
                given[place][part] = array
        count = len(args)
        named = {name: x for name, x in given.items() if isinstance(name, str)}
        try:
            made = self.rule.function(*(given[i] for i in range(count)), **named)
        except ValueError as error:
            if not shapes_are_types(self.name):
                raise
            raise CoreArrayTypeError(str(error)) from error
        return wrapped(made, weak and not self.strong)

    def _name(self, place: Any) -> str:
        if isinstance(place, str):
            return place
        if place < len(self.names):
            return str(self.names[place])
        return "a" if self.several else ""

    def _out(self, args: tuple[Any, ...]) -> Any:
        if not self.takes_out or "out" not in self.names:
            return None
        place = self.names.index("out")
        return args[place] if len(args) > place else None

    def _checked(self, x: Any, place: Any) -> Any:
        if isinstance(x, KeyArray):
            raise CoreArrayTypeError(
                f"{self.last} does not accept dtype key<fry>: keys of random numbers have no arithmetic"
            )
        if not is_arraylike(x):
            where = f"position {place}" if isinstance(place, int) else f"'{place}'"
            raise CoreArrayTypeError(f"{self.last} requires ndarray or scalar arguments, got {type(x)} at {where}.")
        return x


def _made(x: Any, dtype: ca.DType) -> Any:
    """Return an operand as an array of a dtype."""
    if isinstance(x, ca.Array):
        return cast(x, dtype)
    if isinstance(x, int):
        check_fits(x, dtype)
    return ca.asarray(x, dtype=dtype) if dtype.category != "bool" else ca.asarray(bool(x))


def _stripped(x: Any) -> Any:
    """Return an option with corearray's arrays and dtypes in place of JAX's."""
    if isinstance(x, Array):
        return x.array
    if type(x) in (tuple, list):
        return type(x)(map(_stripped, x))
    if x is None or isinstance(x, (bool, int, float, complex, str, ca.Array, ca.DType, slice)):
        return x
    if getattr(x, "_own", None) is not None:
        return as_dtype(x)
    if hasattr(x, "__array__") and not isinstance(x, type):
        return converted(x)[0]
    return x
