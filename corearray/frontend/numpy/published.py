"""The functions that people call: rules on NumPy's objects, which write into `out` and give NumPy's classes back."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.data_types import can_cast, dtype_of
from corearray.frontend.numpy.loops import UFUNCS
from corearray.frontend.numpy.promotion import cast
from corearray.frontend.numpy.ufunc_arguments import NO_VALUE
from corearray.frontend.numpy.ufuncs import ufunc
from corearray.frontend.table import Rule

__all__ = ["published"]

#: Parameters that are arrays; a list or number given for one becomes an array.
_ARRAYS = frozenset(
    "a arr ary array_ m A v x x1 x2 b filt xp fp z p y prototype element test_elements ar ar1 ar2".split()
)

#: Functions whose numbers follow the arrays beside them, as those of ufuncs do.
_WEAK = frozenset("where clip select isclose allclose linspace logspace geomspace arange full full_like choose".split())

#: Functions that give arrays without axes as arrays; all others give them as scalars.
_KEEPS = frozenset(
    "array asarray asanyarray ascontiguousarray zeros ones empty full zeros_like ones_like empty_like full_like reshape ravel "
    "transpose permute_dims squeeze swapaxes moveaxis rollaxis broadcast_to broadcast_arrays expand_dims "
    "atleast_1d matrix_transpose "
    "copy stack concatenate concat diagonal where flip fliplr flipud real imag nan_to_num pad choose tile repeat roll rot90 "
    "frombuffer fromiter unwrap select astype linspace identity eye take_along_axis piecewise".split()
)

#: Functions whose results show the elements of their argument.
_VIEWS = frozenset(
    "reshape ravel transpose permute_dims squeeze swapaxes moveaxis rollaxis broadcast_to "
    "broadcast_arrays expand_dims atleast_1d "
    "atleast_2d atleast_3d diagonal matrix_transpose flip fliplr flipud rot90 split array_split hsplit vsplit dsplit".split()
)

#: Functions that are reductions of a ufunc.
_REDUCTIONS = {
    "sum": "add", "prod": "multiply", "max": "maximum", "amax": "maximum", "min": "minimum", "amin": "minimum",
    "product": "multiply",
}  # fmt: skip


def published(frontend: Any, rule: Rule) -> Callable[..., Any]:
    """Return the function that people call: it takes NumPy's objects, arrays, lists and numbers."""
    path, _, last = rule.name.rpartition(".")
    if path == "numpy" and last in UFUNCS:
        known = frontend.__dict__.setdefault("_ufuncs", {})
        name = UFUNCS[last]
        if name not in known:
            known[name] = ufunc(frontend, frontend.rule(f"numpy.{name}") or rule)
        return known[name]
    if path == "numpy" and last in _REDUCTIONS:
        return _reduction(frontend, rule, last)
    return _Published(frontend, rule).function()


class _Published:
    """A rule as a function of the frontend, with all that can be computed before its calls."""

    def __init__(self, frontend: Any, rule: Rule) -> None:
        self.types = frontend.ndarray._types
        self.rule = rule
        self.last = rule.name.rpartition(".")[2]
        parameters = inspect.signature(rule.function).parameters
        self.names = [
            name for name, one in parameters.items() if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
        self.takes_out = "out" in parameters
        self.open = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        self.arrays = frozenset() if self.last in _WEAK else _ARRAYS

    def function(self) -> Callable[..., Any]:
        """Return the function."""

        def function(*args: Any, **options: Any) -> Any:
            return self.called(args, options)

        function.__name__ = self.last
        function.__qualname__ = self.rule.name
        function.__module__ = "numpy"
        function.__doc__ = f"Compute what `{self.rule.name}` of NumPy computes."
        function.__wrapped__ = self.rule.function  # type: ignore[attr-defined]
        return function

    def called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Call the rule with arrays, and return NumPy's objects."""
        options.pop("like", None)
        if "keepdims" in options and options["keepdims"] is NO_VALUE:
            del options["keepdims"]
        out = options.pop("out", None) if self.takes_out else None
        if self.takes_out and "out" in self.names and len(args) > self.names.index("out"):
            place = self.names.index("out")
            out, args = args[place], (*args[:place], None, *args[place + 1 :])
        given = [self._argument(self.names[i] if i < len(self.names) else "", x) for i, x in enumerate(args)]
        named = {name: self._argument(name, x) for name, x in options.items()}
        made = self.rule.function(*given, **named)
        if out is not None:
            casting = options.get("casting") or "same_kind"
            return self._written(made, out[0] if isinstance(out, tuple) else out, casting)
        return self._wrapped(made, args[0] if args else None)

    def _argument(self, name: str, x: Any) -> Any:
        if name == "dtype":
            return None if x is None else dtype_of(x)
        if name == "axis" and not isinstance(x, (int, type(None))):
            return _axis(x)
        if name in ("keepdims", "returned", "rowvar", "bias", "density") and hasattr(x, "item"):
            return bool(x)
        if name in self.arrays and x is not None and not isinstance(x, ca.Array):
            return self.types.array_of(x)
        return self.types.stripped(x)

    def _wrapped(self, made: Any, first: Any) -> Any:
        if isinstance(made, ca.Array):
            return self._one(made, first)
        if isinstance(made, (tuple, list)):
            items = [self._one(x, first) if isinstance(x, ca.Array) else self._wrapped(x, first) for x in made]
            if isinstance(made, list):
                return items
            return type(made)(*items) if hasattr(made, "_fields") else tuple(items)
        if isinstance(made, ca.DType):
            return self.types.dtype(made)
        return made

    def _one(self, array: ca.Array, first: Any) -> Any:
        if not array.ndim and self.last not in _KEEPS:
            return self.types.scalar(array)
        if self.last in _VIEWS and isinstance(first, self.types.ndarray):
            if type(first) is not self.types.ndarray and self.last in (
                "reshape",
                "ravel",
                "transpose",
                "squeeze",
                "swapaxes",
            ):
                made = self.types.like(first, array)
            else:
                made = self.types.wrap(array)
            made.base = first if first.base is None else first.base
            made._writeable = first._writeable and self.last != "diagonal"
            return made
        return self.types.wrap(array)

    def _written(self, made: Any, target: Any, casting: str) -> Any:
        if not isinstance(target, (self.types.ndarray, ca.Array)):
            raise CoreArrayTypeError("output must be an array")
        own = target.array.dtype if isinstance(target, self.types.ndarray) else target.dtype
        if tuple(target.shape) != tuple(made.shape):
            raise CoreArrayValueError(
                f"output array of the shape {tuple(target.shape)} is given to '{self.last}' for a result of the shape "
                f"{tuple(made.shape)}"
            )
        if not can_cast(made.dtype, own, casting) and not (
            own.name == "bool" or ("int" in own.name and "int" in made.dtype.name)
        ):
            raise CoreArrayTypeError(
                f"Cannot cast the result of '{self.last}' from dtype('{made.dtype}') to dtype('{own}')"
            )
        target[...] = self.types.wrap(cast(made, own)) if isinstance(target, self.types.ndarray) else cast(made, own)
        return target


def _axis(x: Any) -> Any:
    if isinstance(x, (tuple, list)):
        return tuple(_axis(one) for one in x)
    if hasattr(x, "__index__"):
        return x.__index__()
    raise CoreArrayTypeError(f"'{type(x).__name__}' object cannot be interpreted as an integer: an axis is an integer")


def _reduction(frontend: Any, rule: Rule, last: str) -> Callable[..., Any]:
    """Return a function that calls the `reduce` of a ufunc, as NumPy's does."""
    extreme = last in ("max", "min", "amax", "amin")

    def reduction(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = NO_VALUE,
        initial: Any = NO_VALUE,
        where: Any = NO_VALUE,
    ) -> Any:
        found = getattr(frontend, _REDUCTIONS[last])
        return found.reduce(a, axis, dtype, out, keepdims=keepdims, initial=initial, where=where)

    def extreme_of(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = NO_VALUE, initial: Any = NO_VALUE,
        where: Any = NO_VALUE,
    ) -> Any:  # fmt: skip
        return reduction(a, axis, None, out, keepdims, initial, where)

    made: Any = extreme_of if extreme else reduction
    made.__name__, made.__qualname__, made.__module__ = last, rule.name, "numpy"
    made.__doc__ = f"Compute what `{rule.name}` of NumPy computes."
    made.__wrapped__ = rule.function
    return made
