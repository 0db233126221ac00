"""Floating-point errors, buffers, and classes that describe number types."""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar
from types import GenericAlias, MappingProxyType
from typing import Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayAttributeError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.numpy.data_types import dtype_of, kind_of

__all__ = ["FUNCTIONS", "classes"]

_MODES = ("ignore", "warn", "raise", "call", "print", "log")
_errors: ContextVar[Any] = ContextVar(
    "corearray.frontend.numpy.errors",
    default=MappingProxyType({"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn", "call": None}),
)


def _geterr(np: Any) -> dict[str, str]:
    """Return what was asked for floating-point errors; backends do not report them."""
    return {name: mode for name, mode in _errors.get().items() if name != "call"}


def _seterr(
    np: Any, all: Any = None, divide: Any = None, over: Any = None, under: Any = None, invalid: Any = None
) -> dict[str, str]:
    """Note what is asked for floating-point errors, which backends do not report, and return what was noted."""
    before = _geterr(np)
    _errors.set(_changed({"all": all, "divide": divide, "over": over, "under": under, "invalid": invalid}))
    return before


def _changed(given: dict[str, Any]) -> dict[str, Any]:
    made = dict(_errors.get())
    everything = given.pop("all", None)
    for name, mode in given.items():
        if name not in made:
            raise CoreArrayTypeError(f"errstate() got an unexpected keyword argument '{name}'")
        mode = everything if mode is None and name != "call" else mode
        if mode is None:
            continue
        if name != "call" and mode not in _MODES:
            raise CoreArrayValueError(f"{mode!r} is no way to handle errors; ways are {', '.join(_MODES)}")
        made[name] = mode
    if everything is not None:
        made |= {name: everything for name in ("divide", "over", "under", "invalid") if given.get(name) is None}
    return made


def _geterrcall(np: Any) -> Any:
    """Return the function that was set for floating-point errors."""
    return _errors.get()["call"]


def _seterrcall(np: Any, func: Any) -> Any:
    """Note a function for floating-point errors."""
    if func is not None and not callable(func) and not hasattr(func, "write"):
        raise CoreArrayValueError("Only callable can be used as callback")
    before = _errors.get()["call"]
    _errors.set({**_errors.get(), "call": func})
    return before


class _ErrorState(ContextDecorator):
    """Note what is asked for floating-point errors within a block."""

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._token: Any = None

    def __enter__(self) -> None:
        if self._token is not None:
            raise CoreArrayTypeError("Cannot enter `np.errstate` twice.")
        self._token = _errors.set(_changed(dict(self._options)))

    def __exit__(self, *error: object) -> None:
        _errors.reset(self._token)

    def _recreate_cm(self) -> _ErrorState:
        return type(self)(**self._options)


def classes(np: Any) -> dict[str, Any]:
    """Return `errstate`, `finfo`, `iinfo`, `vectorize`."""
    types = np.ndarray._types

    class finfo:  # noqa: N801  NumPy's name
        """Limits of a floating dtype."""

        _known: ClassVar[dict[Any, Any]] = {}

        def __new__(cls, dtype: Any) -> Any:
            if dtype is None:
                raise CoreArrayTypeError("dtype must not be None")
            own = dtype_of(dtype)
            if kind_of(own) not in "fc":
                raise CoreArrayValueError(f"data type {own.name!r} not inexact")
            own = {"complex64": ca.float32, "complex128": ca.float64}.get(own.name, own)
            if own not in cls._known:
                cls._known[own] = cls._made(own)
            return cls._known[own]

        @classmethod
        def _made(cls, own: ca.DType) -> Any:
            made: Any = object.__new__(cls)
            known, digits, exponents = (
                ca.finfo(own),
                {16: 10, 32: 23, 64: 52}[own.bits],
                {16: 5, 32: 8, 64: 11}[own.bits],
            )
            made.dtype, made.bits, made.nmant, made.nexp, made.iexp = (
                np.dtype(own),
                own.bits,
                digits,
                exponents,
                exponents,
            )
            made._numbers = {
                "eps": 2.0**-digits, "epsneg": 2.0 ** -(digits + 1), "max": known.max, "min": known.min,
                "tiny": known.smallest_normal, "smallest_normal": known.smallest_normal,
                "smallest_subnormal": known.smallest_normal * 2.0**-digits,
            }  # fmt: skip
            made.precision = {16: 3, 32: 6, 64: 15}[own.bits]
            made._numbers["resolution"] = 10.0**-made.precision
            made.machep, made.negep = -digits, -digits - 1
            made.minexp, made.maxexp = 2 - 2 ** (exponents - 1), 2 ** (exponents - 1)
            made.machar = made
            return made

        def __getattr__(self, name: str) -> Any:
            """Return a number as a scalar of the backend in force: the limits are kept, and backends change."""
            if name not in vars(self).get("_numbers", ()):
                raise CoreArrayAttributeError(f"'finfo' object has no attribute '{name}'")
            return types.named[self.dtype._own.name](self._numbers[name])

        def __repr__(self) -> str:
            return f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, dtype={self.dtype})"

        def __class_getitem__(cls, item: Any) -> Any:
            return GenericAlias(cls, item)

    class iinfo:  # noqa: N801  NumPy's name
        """Limits of an integer dtype."""

        def __init__(self, type: Any) -> None:
            try:
                own = dtype_of(type)
            except TypeError:
                own = dtype_of(np.asarray(type).dtype)
            if kind_of(own) not in "iu":
                raise CoreArrayValueError(f"Invalid integer data type {kind_of(own)!r}.")
            known = ca.iinfo(own)
            self.dtype, self.kind, self.bits, self.key = (
                np.dtype(own),
                kind_of(own),
                own.bits,
                f"{kind_of(own)}{own.bits}",
            )
            self.min, self.max = int(known.min), int(known.max)

        def __repr__(self) -> str:
            return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"

        def __str__(self) -> str:
            line = "-" * 63
            return f"Machine parameters for {self.dtype}\n{line}\nmin = {self.min}\nmax = {self.max}\n{line}\n"

        def __class_getitem__(cls, item: Any) -> Any:
            return GenericAlias(cls, item)

    from corearray.frontend.numpy.polynomial_class import poly1d
    from corearray.frontend.numpy.vectorizing import vectorize

    return {
        "errstate": _ErrorState, "finfo": finfo, "iinfo": iinfo, "vectorize": type("vectorize", (vectorize,), {"_np": np}),
        "poly1d": type("poly1d", (poly1d,), {"_np": np}),
    }  # fmt: skip


FUNCTIONS = {
    "geterr": _geterr, "seterr": _seterr, "geterrcall": _geterrcall, "seterrcall": _seterrcall,
    "getbufsize": lambda np: 8192, "setbufsize": lambda np, size: 8192,
}  # fmt: skip
